"""The HDF5 file of a job: what goes in comes out, whatever kills the one who writes it."""

import os
import shutil
import subprocess
import sys
from dataclasses import fields, replace
from functools import partial
from itertools import pairwise
from math import isnan
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import python_path, rest_in_proof, run_alone, wait_until

from mcts_cluster.columns import MAX_TEXT, columns_of
from mcts_cluster.errors import UserError
from mcts_cluster.matches.game_record import GameRecord, SearchRecord, WorkerInfo
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.parallel.exchange_stats import ExchangeStats
from mcts_cluster.storage import new_file, reader, schema
from mcts_cluster.storage.lock import locked
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord, Tally, axis_of, is_axis
from mcts_cluster.storage.writer import Writer, repair

HERE = Path(__file__).parent
EMPTY = Results(
    title="a title",
    game="go",
    text="# a job\n[game]\n",
    overrides="seed=3",
    settings="{}",
    matches=(
        MatchRecord(MatchKey("a", "b"), 90, "table1.go9.1000", 500),
        MatchRecord(MatchKey("é", "b"), 90, "", 1000, 6, 8),
    ),
    runs=(RunRecord(began=1.5, version="1.2.3", cores=2, hosts="here (2)"),),
)
TALLIES = [column.name for column in columns_of(Tally)]
KEYS = [match.key for match in EMPTY.matches]


def row(i):
    """Return one of many rows that differ in everything."""
    return GameRecord(
        match=KEYS[i % 3 == 0],
        number=i // 2,
        points=[1.0, 0.0, 0.5, None][i % 4],
        how=f"because of {i % 5} é",
        moves=tuple(range(i % 40)),
        attempt=i % 2,
        seed=2**64 - 1 - i,
        simulations=(i, 10**12 + i),
        exchanges=(
            ExchangeStats(i, 10**12 + i, 0.5 * i, 0.25, i, 2 * i, 3 * i),
            ExchangeStats(i + 1),
        ),
        searches=tuple(
            SearchRecord(k % 2, k, ExchangeStats(k, i, 0.5, 0.25, k, i)) for k in range(i % 7)
        ),
        seconds=(0.5 * i, 0.25),
        began=1e9 + i,
        ended=1e9 + i + 0.5,
        worker=WorkerInfo(f"host{i % 3}", i % 3, 1000 + i % 3, 3e5 + i % 3),
    )


def rows(*numbers):
    return tuple(row(i) for i in range(*numbers))


def everything(row):
    """Return also what is not compared."""
    named = [getattr(row, field.name) for field in fields(row)]
    return [*named, row.worker.playouts_per_second]


def written(path, some=(), status=0, results=EMPTY):
    writer = Writer(path, results)
    writer.append(some)
    writer.close(status)
    return path


@pytest.fixture
def path(tmp_path):
    return tmp_path / "job.h5"


def test_what_is_written_is_read(path):
    results = reader.read(written(path, rows(100), status=3))

    assert results.rows == rows(100)
    assert [everything(a) for a in results.rows] == [everything(b) for b in rows(100)]
    [run] = results.runs
    assert (run.status, run.ended > run.began) == (3, True)
    known = {"status": -1, "ended": 0, "busy": 0}
    assert replace(run, **known) == replace(EMPTY.runs[0], **known)
    assert replace(results, rows=(), runs=EMPTY.runs) == EMPTY


def test_a_file_without_a_row_can_be_read(path):
    assert reader.read(written(path)).rows == ()


def test_rows_in_many_flushes_are_as_good_as_in_one(path, tmp_path):
    writer = Writer(path, EMPTY)
    for i in range(50):
        writer.append(rows(i, i + 1))
        writer.flush()
    writer.close(0)

    assert reader.read(path).rows == rows(50)


def test_a_file_continued_keeps_its_rows_and_runs(path):
    first = reader.read(written(path, rows(30)))
    again = replace(first, runs=(*first.runs, RunRecord(began=2.5, first_game=30)))

    results = reader.read(written(path, rows(30, 70), results=again))

    assert results.rows == rows(70)
    assert [(run.began, run.first_game, run.status) for run in results.runs] == [
        (1.5, 0, 0),
        (2.5, 30, 0),
    ]


def test_texts_are_cut_off_where_they_are_too_long(path):
    long = replace(row(0), how="é" * MAX_TEXT, worker=WorkerInfo("h" * 1000))

    [read] = reader.read(written(path, [long])).rows

    assert read.how == "é" * (MAX_TEXT // 2)
    assert read.worker.host == "h" * MAX_TEXT


def test_matches_have_the_rates_that_their_games_come_to(path):
    wins = [replace(row(i), match=KEYS[0], points=float(i < 63)) for i in range(100)]
    void = [replace(row(i), match=KEYS[0], points=None) for i in range(3)]

    with h5py.File(written(path, [*wins, *void])) as file:
        found = {name: file["matches"][name][:].tolist() for name in TALLIES}

    assert found["games"] == [100, 0]
    assert found["void"] == [3, 0]
    assert found["success_rate"][0] == 63
    assert found["success_rate_errors"][0] == pytest.approx(4.83483, rel=1e-5)
    assert isnan(found["success_rate"][1])


def test_a_match_is_known_by_its_key_whatever_its_text_is(path):
    pairs = MatchKey("a against b", "c"), MatchKey("a", "b against c")
    matches = tuple(MatchRecord(pair, 9) for pair in pairs)
    games = tuple(replace(row(i), match=pairs[i % 2]) for i in range(8))

    read = reader.read(written(path, games, results=replace(EMPTY, matches=matches)))

    assert matches[0].name == matches[1].name
    assert read.matches == matches
    assert read.rows == games
    with h5py.File(path) as file:
        assert file["games/match"][:8].tolist() == [0, 1] * 4
        assert file["matches/void"][:].tolist() == [0, 2]


# Other files


def test_a_file_that_is_none_is_refused(path):
    with pytest.raises(UserError, match=r"job\.h5: no such file$"):
        reader.read(path)


def test_a_text_is_no_hdf5_file(path):
    path.write_text("text")

    with pytest.raises(UserError, match=r"job\.h5: not an HDF5 file that can be read: "):
        reader.read(path)


def test_an_hdf5_file_of_others_is_refused(path):
    h5py.File(path, "w").close()

    with pytest.raises(UserError, match="an HDF5 file, but not one of mcts_cluster"):
        reader.read(path)


@pytest.mark.parametrize("more", [-1, 1])
def test_a_file_of_another_schema_is_refused(path, more):
    with h5py.File(written(path), "r+") as file:
        file.attrs["schema_version"] = schema.SCHEMA + more

    with pytest.raises(
        UserError,
        match=r"job\.h5: written by another version of mcts_cluster: "
        rf"schema {schema.SCHEMA + more}, must be {schema.SCHEMA}$",
    ):
        reader.read(path)


# Killed

WRITE = """
import os, sys
from pathlib import Path
import test_file
from mcts_cluster.storage import new_file, reader
from mcts_cluster.storage.writer import Writer
path, notes = Path(sys.argv[1]), os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT)
until, each, new_file.MIN_CHUNK = map(int, sys.argv[3:])
writer = Writer(path, reader.read(path) if path.exists() else test_file.EMPTY)
os.pwrite(notes, b"%09d" % writer.written, 0)
for i in range(writer.written, until, each):
    writer.append(test_file.rows(i, i + each))
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


def logged(folder, words):
    """Return all that a writer did to job.h5 on the disk, in order: (letter, number, bytes)."""
    source, library = HERE / "writes.c", folder / "writes.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    environment = {
        "LD_PRELOAD": str(library),
        "PYTHONPATH": python_path(),
        "WATCH_FILE": "job.h5",
        "WATCH_NOTES": "notes",
        "WATCH_LOG": str(folder / "log"),
    }
    subprocess.run(words, env=os.environ | environment, check=True, timeout=60)
    return list(records((folder / "log").read_bytes()))


def records(log):
    place = 0
    while place < len(log):
        letter, (a, b) = chr(log[place]), np.frombuffer(log, np.int64, 2, place + 1).tolist()
        place += 17
        content = log[place : place + b] if letter == "W" else b""
        place += len(content)
        yield letter, a, content


def crash_points(log):
    """Yield the file as it stands whenever a kill may come, and how many rows were reported.

    That is between two writes, and in the middle of one, between two pages. None were reported as
    long as the file does not have its name.
    """
    image, reported = bytearray(), None
    for letter, number, content in log:
        if letter == "N":
            reported = number
        elif letter == "T":
            del image[number:]
            image.extend(bytes(number - len(image)))
        else:
            image.extend(bytes(max(0, number + len(content) - len(image))))
            ends = range(4096 - number % 4096, len(content), 4096)
            for start, end in pairwise([0, *ends, len(content)]):
                image[number + start : number + end] = content[start:end]
                yield bytes(image), reported
        yield bytes(image), reported


# Neighbours differ by one write; make proof tries each.
@pytest.mark.parametrize("step", rest_in_proof([1, 4], [4]))
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


def test_a_file_that_a_kill_has_left_is_repaired_at_any_moment(log, tmp_path):
    every, crash = rows(80), tmp_path / "crash.h5"
    images = [image for image, reported in crash_points(log) if reported is not None]

    for image in images[:: len(images) // 20]:
        crash.write_bytes(image)
        repaired = repair(crash)
        with h5py.File(crash) as file:
            count = file["games/count"][()]
        assert repaired in (count, None)
        assert reader.read(crash).rows == every[:count]


def has_noted(notes, more):
    return notes.exists() and int(notes.read_bytes() or 0) > more


def test_a_writer_that_is_killed_again_and_again_loses_nothing_and_goes_on(tmp_path):
    path, notes, every = tmp_path / "job.h5", tmp_path / "notes", rows(100_000)
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
        assert results.rows == every[: len(results.rows)]

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
import test_file
from mcts_cluster.storage.writer import Writer
writer = Writer(Path(sys.argv[1]), test_file.EMPTY)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    for i in range(0, 4000, 20):
        writer.append(test_file.rows(i, i + 20))
        writer.flush()
        print(writer.written)
except OSError as error:
    print(error.strerror)
writer.close(0)
"""


@pytest.mark.parametrize("kilobytes", [200, 201, 220, 260])
def test_a_disk_that_is_full_is_told_and_loses_nothing(kilobytes, path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", python_path())
    code = [sys.executable, "-c", FULL, str(path), str(1024 * kilobytes)]

    ended = run_alone(code, seconds=60)

    *reports, last = ended.stdout.split("\n")[:-1]
    results = reader.read(path)
    assert (ended.returncode, ended.stderr, last) == (0, "", "File too large")
    assert results.rows == rows(int(reports[-1]) if reports else 0)
    assert not results.is_closed
    assert repair(path) == len(results.rows)


def test_a_file_that_cannot_be_written_at_all_is_not_made(path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", python_path())
    code = FULL.replace(
        "writer = Writer", "resource.setrlimit(resource.RLIMIT_FSIZE, (9000, -1))\nwriter = Writer"
    )

    ended = run_alone([sys.executable, "-c", code, str(path), "1"], seconds=60)

    assert ended.stderr.splitlines()[-1].startswith("OSError: [Errno 27] File too large")
    assert list(path.parent.iterdir()) == []


# One writer


def test_two_runs_cannot_write_one_file(path):
    with locked(path):
        code = (
            "import sys; from pathlib import Path; from mcts_cluster.storage.lock import locked\n"
            "with locked(Path(sys.argv[1])): print('both')"
        )
        ended = run_alone([sys.executable, "-c", code, str(path)], seconds=60)

    assert ended.returncode == 1
    assert f"job.h5: is being written by another run (process {os.getpid()} on " in ended.stderr
    assert list(path.parent.iterdir()) == []


def test_a_lock_ends_with_its_owner(path):
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from mcts_cluster.storage.lock import locked\n"
        "with locked(Path(sys.argv[1])): os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert run_alone([sys.executable, "-c", code, str(path)], seconds=60).returncode < 0

    with locked(path):
        pass

    assert list(path.parent.iterdir()) == []


# What other programs see


def test_every_field_says_what_it_is(path):
    with h5py.File(written(path, rows(3))) as file:
        silent = []
        file.visititems(
            lambda name, item: (
                silent.append(name)
                if isinstance(item, h5py.Dataset) and not item.attrs.get("long_name")
                else None
            )
        )
        assert file["job/text"][()].decode() == EMPTY.text

    assert [name for name in silent if not name.startswith("job/")] == ["readme"]


def test_a_viewer_finds_a_plot_of_the_success_rates(path):
    with h5py.File(written(path, rows(30))) as file:
        group = file[file.attrs["default"]]
        signal, axis = group[group.attrs["signal"]], group[group.attrs["axes"]]
        errors = group[f"{signal.name}_errors"]

        assert group.attrs["NX_class"] == "NXdata"
        assert (signal.shape, errors.shape, axis[:].tolist()) == ((2,), (2,), [500, 1000])
        assert signal.attrs["units"] == "%"


def test_a_curve_is_over_what_rises():
    def over(*pairs):
        return axis_of(
            [MatchRecord(MatchKey("a", "b"), 1, simulations=s, machines=m) for s, m in pairs]
        )

    assert over((100, 8), (200, 8)) == "simulations"
    assert over((100, 4), (100, 8)) == "machines"
    assert over((100, 4), (200, 8)) == "simulations"
    assert over((100, 8), (100, 4)) == ""


@pytest.mark.parametrize(
    ("numbers", "is_one"),
    [([1, 2, 3], True), ([0, 1], False), ([2, 1], False), ([1, 1], False), ([5], False)],
)
def test_an_axis_rises(numbers, is_one):
    assert is_axis(numbers) == is_one


def test_h5dump_of_any_age_reads_the_file(path):
    if not shutil.which("h5dump"):
        pytest.skip("no h5dump here (Debian: apt install hdf5-tools)")

    ended = run_alone(["h5dump", str(written(path, rows(40)))], seconds=60)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert 'DATASET "success_rate"' in ended.stdout
    assert '(0): "because of 0 ' in ended.stdout


def test_silx_plots_the_file(path):
    reason = "no silx here: pip install '.[viewer]'"
    nxdata = pytest.importorskip("silx.io.nxdata", reason=reason)
    with h5py.File(written(path, rows(40))) as file:
        plot = nxdata.get_default(file)

        assert plot.is_valid
        assert plot.title == "a title"
        assert plot.axes[0][()].tolist() == [500, 1000]
        assert plot.errors is not None


@pytest.mark.parametrize(
    ("games", "chunk"), [(1, 512), (65536, 512), (65537, 1024), (10**7, 131072)]
)
def test_the_chunks_of_a_column_never_are_many(games, chunk):
    assert new_file.chunk_for(games) == chunk
    assert games / chunk <= new_file.MAX_CHUNKS
