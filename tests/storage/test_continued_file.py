"""A closed file takes more rows where it is, and no kill in the middle of that loses one."""

import errno
import os
import sys
from dataclasses import replace
from io import BytesIO

import h5py
import pytest
from crashes import crash_points, logged
from some_rows import EMPTY, rows, written
from test_kills import WRITE

from mcts_cluster.errors import RunFailure, UserError
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.storage import continued_file, journal, new_file, reader
from mcts_cluster.storage.integrity.examination import findings
from mcts_cluster.storage.lock import locked
from mcts_cluster.storage.results import MatchRecord, RunRecord
from mcts_cluster.storage.writer import Writer

SECOND = RunRecord(began=5e8, version="2", cores=4, hosts="there (4), and é", first_game=50)


@pytest.fixture
def path(tmp_path):
    return written(tmp_path / "job.h5", rows(50))


def with_run(path, **others):
    old = reader.read(path)
    return replace(old, runs=(*old.runs, SECOND), **others)


MORE = rows(50, 90)


def go_on(path, results, more=MORE):
    writer = Writer(path, results)
    writer.append(more)
    writer.close(3)


def content(path):
    """Return all that a reader finds, and the tallies and counts that others do."""
    results = reader.read(path)
    # When the runs have ended.
    runs = [replace(run, ended=0.0, busy=0.0) for run in results.runs]
    with h5py.File(path) as file:
        names = [f"matches/{name}" for name in file["matches"]] + ["games/count"]
        # As text, in which NaN equals itself.
        of_others = {name: str(file[name][()].tolist()) for name in names}
    return results.rows, runs, results.matches, results.title, results.text, of_others


def as_anew(path, monkeypatch):
    monkeypatch.setattr("mcts_cluster.storage.writer.continued", lambda *_: None)
    return path.with_name("anew.h5")


def test_it_is_the_same_file_with_more_in_it(path, monkeypatch):
    number, results = path.stat().st_ino, with_run(path)

    go_on(path, results)

    assert path.stat().st_ino == number
    assert findings(path) == []
    other = as_anew(path, monkeypatch)
    go_on(other, results)
    assert content(path) == content(other)
    assert reader.read(path).rows == rows(90)


def test_it_goes_on_again_and_again(path):
    number = path.stat().st_ino
    for end in range(60, 100, 10):
        go_on(path, with_run(path), rows(end - 10, end))

    assert path.stat().st_ino == number
    results = reader.read(path)
    assert (results.rows, len(results.runs)) == (rows(90), 5)
    assert findings(path) == []
    # Less than a copy for each time.
    assert path.stat().st_size < 2 * written(path.with_name("anew.h5"), rows(90)).stat().st_size


def test_matches_and_texts_of_the_job_are_changed(path, monkeypatch):
    number = path.stat().st_ino
    more = MatchRecord(MatchKey("new", "b"), 40)
    wanted = replace(EMPTY.matches[0], games=200)
    results = with_run(
        path, title="another é", text="# more\n", matches=(wanted, EMPTY.matches[1], more)
    )

    go_on(path, results)

    assert path.stat().st_ino == number
    assert findings(path) == []
    other = as_anew(path, monkeypatch)
    go_on(other, results)
    assert content(path) == content(other)


def left_open(path):
    Writer(path, with_run(path)).abandon()


def without_checksums(path):
    with h5py.File(path, "r+") as file:
        del file["checks"]


def without_a_column(path):
    with h5py.File(path, "r+") as file:
        del file["runs/replayed"]
        del file["checks"]
        new_file.checksums.create(file)
        new_file.checksums.ChecksumsWriter(file, continued_file.datasets_of(file))


@pytest.mark.parametrize("change", [left_open, without_checksums, without_a_column])
def test_a_file_of_another_form_is_made_anew(change, path):
    change(path)
    results, number = with_run(path), path.stat().st_ino

    go_on(path, results, rows(len(results.rows), 90))

    assert path.stat().st_ino != number
    assert reader.read(path).rows == rows(90)
    assert findings(path) == []


def test_a_file_whose_chunks_are_too_small_is_made_anew(path):
    number = path.stat().st_ino
    matches = (replace(EMPTY.matches[0], games=10**6), EMPTY.matches[1])

    go_on(path, with_run(path, matches=matches))

    assert path.stat().st_ino != number
    assert reader.read(path).rows == rows(90)


def test_a_match_between_others_has_it_made_anew(path):
    number = path.stat().st_ino
    first, second = EMPTY.matches

    matches = (first, MatchRecord(MatchKey("x", "b"), 9), second)
    go_on(path, with_run(path, matches=matches))

    assert path.stat().st_ino != number
    assert reader.read(path).rows == rows(90)


class Killed(BaseException):
    pass


def test_a_kill_in_the_middle_of_a_change_is_made_good(path, monkeypatch):
    """Whichever of its writes is the last one."""
    before, results, write_all = path.read_bytes(), with_run(path), journal.write_all
    steps = 0

    def killed(descriptor, content, start):
        nonlocal steps
        steps -= 1
        if steps < 0:
            # In the middle of a page.
            write_all(descriptor, content[:100], start)
            raise Killed
        write_all(descriptor, content, start)

    states = []
    for number in range(100):
        path.write_bytes(before)
        steps = number
        monkeypatch.setattr(journal, "write_all", killed)
        try:
            continued_file.continued(path, results)
        except Killed:
            monkeypatch.setattr(journal, "write_all", write_all)
            if journal.journal_of(path).exists():
                is_whole_or_says_what_to_do(path)
            with locked(path):
                pass
            assert findings(path) == []
            states.append(len(reader.read(path).runs))
        else:
            break

    # First the kill changes nothing, then it is as if it had not been.
    assert states == sorted(states)
    assert set(states) == {1, 2}
    assert len(reader.read(path).runs) == 2
    assert not journal.journal_of(path).exists()


def is_whole_or_says_what_to_do(path):
    try:
        results = reader.read(path)
    except UserError as error:
        assert str(error).endswith("; run again, or repair the file")
    else:
        assert (results.rows, len(results.runs)) in ((rows(50), 1), (rows(50), 2))


def test_a_broken_journal_is_none(path):
    before = path.read_bytes()
    for content in (b"", b"short", bytes(100), os.urandom(9000)):
        journal.journal_of(path).write_bytes(content)
        assert journal.finish(path)
        assert not journal.finish(path)
        assert path.read_bytes() == before


def test_a_journal_of_another_file_changes_nothing(path, monkeypatch):
    monkeypatch.setattr(journal, "finish", lambda path: False)
    continued_file.continued(path, with_run(path))
    monkeypatch.undo()
    # As if somebody had put an older copy in its place.
    written(path, rows(30))
    before = path.read_bytes()

    assert journal.finish(path)

    assert path.read_bytes() == before
    assert not journal.journal_of(path).exists()


def test_a_disk_without_room_leaves_the_file_as_it_was(path, monkeypatch):
    before, results, pwrite = path.read_bytes(), with_run(path), os.pwrite

    def full(descriptor, content, start):
        if start + len(content) > len(before):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return pwrite(descriptor, content, start)

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(RunFailure, match="cannot be written: No space left on device"):
        Writer(path, results)

    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_kill_at_no_moment_of_going_on_loses_a_row(tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "READ_ATTEMPTS", 1)
    monkeypatch.setattr(new_file, "MIN_CHUNK", 8)
    path = written(tmp_path / "job.h5", rows(40))
    before, every = path.read_bytes(), rows(80)

    arguments = [tmp_path / "job.h5", tmp_path / "notes", "80", "20", "8"]
    log = logged(tmp_path, [sys.executable, "-c", WRITE, *arguments])

    images = {image: n for image, n in crash_points(log, before) if n is not None}
    crash = tmp_path / "crash.h5"
    for image, reported in list(images.items())[::4]:
        crash.write_bytes(image)
        found = reader.read(crash).rows
        assert len(found) >= reported
        assert found == every[: len(found)]
    assert set(images.values()) == {40, 60, 80}
    assert path.stat().st_ino and len(reader.read(path).rows) == 80


def test_an_overlay_reads_as_a_file_does_that_is_written(tmp_path):
    path, twin = tmp_path / "file", BytesIO(bytes(range(256)) * 64)
    path.write_bytes(twin.getvalue())
    with path.open("rb") as file:
        overlay = journal.Overlay(file.fileno())
        for start, size in ((10, 5), (4090, 20), (8192, 4096), (16380, 100), (20000, 7)):
            for one in (overlay, twin):
                one.seek(start)
                one.write(b"x" * size)
        overlay.truncate(20004)
        twin.truncate(20004)
        for one in (overlay, twin):
            one.seek(0)
        assert overlay.read(20004) == twin.read(20004)
        assert overlay.seek(0, os.SEEK_END) == 20004
        changed = bytearray(path.read_bytes().ljust(20004, b"\0"))
        for start, _, page in overlay.changes():
            changed[start : start + len(page)] = page
        assert changed[:20004] == twin.getvalue()
        assert path.read_bytes() == bytes(range(256)) * 64


def test_viewers_plot_the_matches_that_it_has_now(path):
    third = MatchRecord(MatchKey("a", "c"), 90, simulations=200)
    matches = (*reader.read(path).matches, third)

    go_on(path, with_run(path, matches=matches))

    with h5py.File(path) as file:
        plot = file["entry/plot"]
        # 500, 1,000, 200: they rise no more.
        assert plot.attrs["axes"] == "number"
        assert plot["number"][:].tolist() == [0, 1, 2]
        assert plot["success_rate"] == file["matches/success_rate"]
        assert "simulations" not in plot
