"""Whatever kills the one who writes a file, no row is lost that was reported as written."""

import os
import subprocess
import sys
from functools import partial

import h5py
import pytest
from conftest import python_path, rest_in_proof, run_alone, wait_until
from crashes import crash_points, logged
from some_rows import EMPTY, rows, written

from mcts_cluster.storage import new_file, reader
from mcts_cluster.storage.writer import Writer, repair

WRITE = """
import os, sys
from pathlib import Path
import some_rows
from mcts_cluster.storage import new_file, reader
from mcts_cluster.storage.writer import Writer
path, notes = Path(sys.argv[1]), os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT)
until, each, new_file.MIN_CHUNK = map(int, sys.argv[3:])
writer = Writer(path, reader.read(path) if path.exists() else some_rows.EMPTY)
os.pwrite(notes, b"%09d" % writer.written, 0)
for i in range(writer.written, until, each):
    writer.append(some_rows.rows(i, i + each))
    writer.flush()
    os.pwrite(notes, b"%09d" % writer.written, 0)
writer.close(0)
"""


def command(folder, *numbers):
    return [sys.executable, "-c", WRITE, folder / "job.h5", folder / "notes", *map(str, numbers)]


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    # With small chunks there are many of them.
    folder = tmp_path_factory.mktemp("log")
    return logged(folder, command(folder, 80, 20, 8))


# Neighbours differ by one write; make proof tries each.
@pytest.mark.parametrize("step", rest_in_proof([1, 8], [8]))
def test_a_kill_at_no_moment_loses_a_row_that_was_reported_as_written(
    log, step, tmp_path, monkeypatch
):
    monkeypatch.setattr(reader, "READ_ATTEMPTS", 1)
    every, crash = rows(80), tmp_path / "crash.h5"
    images: dict[bytes, int] = {}
    for image, reported in crash_points(log):
        if reported is not None:
            images[image] = reported

    for image, reported in list(images.items())[::step]:
        crash.write_bytes(image)
        found = reader.read(crash).rows
        assert len(found) >= reported
        assert found == every[: len(found)]

    assert set(images.values()) == set(range(0, 81, 20))
    assert len(images) > 100


@pytest.mark.parametrize("moments", rest_in_proof([8, 20], [8]))
def test_a_file_that_a_kill_has_left_is_repaired_at_any_moment(log, moments, tmp_path):
    every, crash = rows(80), tmp_path / "crash.h5"
    images = [image for image, reported in crash_points(log) if reported is not None]

    for image in images[:: len(images) // moments]:
        crash.write_bytes(image)
        repaired = repair(crash)
        with h5py.File(crash) as file:
            count = file["games/count"][()]
        assert repaired in (count, None)
        assert reader.read(crash).rows == every[:count]


def has_noted(notes, more):
    return notes.exists() and int(notes.read_bytes() or 0) > more


def test_a_writer_that_is_killed_again_and_again_loses_nothing_and_goes_on(tmp_path):
    path, notes = tmp_path / "job.h5", tmp_path / "notes"
    reported = 0

    for kill in range(3):
        # Elsewhere in what it does each time.
        writer = subprocess.Popen(
            command(tmp_path, 100_000, 7 + kill, 512),
            env=os.environ | {"PYTHONPATH": python_path()},
        )
        wait_until(partial(has_noted, notes, reported + 150))
        writer.kill()
        writer.wait()
        reported = int(notes.read_bytes())
        results = reader.read(path)
        assert not results.is_closed
        assert len(results.rows) >= reported
        assert results.rows == rows(len(results.rows))

    assert repair(path) == len(results.rows)
    assert reader.read(path).rows == results.rows
    with h5py.File(path) as file:
        assert file["games/count"][()] == len(results.rows)


def test_a_file_can_be_read_while_it_grows(tmp_path):
    path = tmp_path / "job.h5"
    writer = subprocess.Popen(
        command(tmp_path, 100_000, 20, 512), env=os.environ | {"PYTHONPATH": python_path()}
    )
    try:
        wait_until(path.exists)
        counts = []
        while len(counts) < 8 or counts[-1] < 500:
            results = reader.read(path)
            counts.append(len(results.rows))
            assert results.rows == rows(counts[-1])
            assert not results.is_closed
    finally:
        writer.kill()
        writer.wait()

    assert counts == sorted(counts)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "job.h5"


def test_a_file_that_cannot_be_made_leaves_the_old_one(path, monkeypatch):
    written(path, rows(10))
    monkeypatch.setattr(new_file, "create", lambda *_: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        Writer(path, EMPTY)

    assert reader.read(path).rows == rows(10)
    assert [entry.name for entry in path.parent.iterdir()] == ["job.h5"]


def test_a_closed_file_needs_no_repair(path):
    written(path, rows(10))
    before = path.stat()

    assert repair(path) is None
    assert path.stat().st_ino == before.st_ino


# As long as the disk is full, so to say, and what went before is as after a kill.
FULL = """
import resource, signal, sys
from pathlib import Path
import some_rows
from mcts_cluster.errors import RunFailure
from mcts_cluster.storage.writer import Writer
writer = Writer(Path(sys.argv[1]), some_rows.EMPTY)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    for i in range(0, 4000, 20):
        writer.append(some_rows.rows(i, i + 20))
        writer.flush()
        print(writer.written)
except RunFailure as error:
    print(error)
writer.close(0)
"""


@pytest.mark.parametrize("kilobytes", [200, 201, 220, 260])
def test_a_disk_that_is_full_is_told_and_loses_nothing(kilobytes, path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", python_path())
    code = [sys.executable, "-c", FULL, str(path), str(1024 * kilobytes)]

    ended = run_alone(code, seconds=60)

    *reports, last = ended.stdout.split("\n")[:-1]
    results = reader.read(path)
    safe = int(reports[-1]) if reports else 0
    told = f"{path}: File too large: {safe} games are safe; run again to continue"
    assert (ended.returncode, ended.stderr, last) == (0, "", told)
    assert results.rows == rows(safe)
    assert not results.is_closed
    assert repair(path) == len(results.rows)


def test_a_file_that_cannot_be_written_at_all_is_not_made(path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", python_path())
    code = FULL.replace(
        "writer = Writer", "resource.setrlimit(resource.RLIMIT_FSIZE, (9000, -1))\nwriter = Writer"
    )

    ended = run_alone([sys.executable, "-c", code, str(path), "1"], seconds=60)

    last = ended.stderr.splitlines()[-1]
    assert last == f"mcts_cluster.errors.RunFailure: {path}: cannot be written: File too large"
    assert list(path.parent.iterdir()) == []
