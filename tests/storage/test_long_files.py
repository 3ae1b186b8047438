"""Long files: columns that stay in the file tell the same as those in memory."""

import os
import subprocess
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import python_path, rest_in_proof, wait_until
from some_rows import EMPTY, rows, written
from test_kills import command

from mcts_cluster.__main__ import main
from mcts_cluster.errors import UserError
from mcts_cluster.matches.schedule import Schedule
from mcts_cluster.storage import reader
from mcts_cluster.storage.integrity import checked_file
from mcts_cluster.storage.integrity.examination import findings
from mcts_cluster.storage.rows import long_columns
from mcts_cluster.storage.rows.match_sums import different, match_sums, tallies
from mcts_cluster.storage.writer import make_anew

SHIPPED = Path(__file__).parents[2] / "results"
# Matches of teams and of one machine, with openings; a campaign; positions.
FILES = ["machines-go9.h5", "bgp-good-9x9-laptop.h5", "table3-laptop.h5"]
VERBS = [
    ["table"],
    ["table", "--format", "json"],
    ["export", "--format", "csv"],
    ["export", "--format", "sgf", "--game", "7", "-o", "-"],
    ["repair", "--check"],
]


@pytest.fixture
def long(monkeypatch):
    """Have all columns stay in their files, and few cells be read at once."""

    def begin():
        monkeypatch.setattr(checked_file, "MAX_BYTES_IN_MEMORY", 0)
        monkeypatch.setattr(long_columns, "CELLS_AT_ONCE", 1000)

    return begin


@pytest.fixture
def path(tmp_path):
    return written(tmp_path / "job.h5", rows(100))


def printed(*words):
    out = StringIO()
    with redirect_stdout(out):
        assert main([*map(str, words)]) == 0
    return out.getvalue()


@pytest.mark.parametrize("name", rest_in_proof(FILES, FILES[::2]))
def test_verbs_print_the_same(name, long, tmp_path):
    # With checksums, as files of today have them.
    path = tmp_path / name
    make_anew(path, reader.read(SHIPPED / name))
    before = [printed(verb, path, *options) for verb, *options in VERBS]

    long()

    assert reader.read(path).games.is_long
    assert [printed(verb, path, *options) for verb, *options in VERBS] == before
    assert printed("show", path)


def test_rows_are_the_same(path, long, monkeypatch):
    long()
    monkeypatch.setattr(long_columns, "CELLS_AT_ONCE", 7)
    results = reader.read(path)

    assert results.games.is_long
    assert results.rows == rows(100)
    assert results.rows[17] == rows(100)[17]
    assert results.rows[::-30] == rows(100)[::-30]
    assert results.played == sum(row.points is not None for row in rows(100))
    assert list(results.void()) == [row for row in rows(100) if row.points is None]
    named = [(o.match, o.number, o.points, o.attempt, o.ended) for o in results.outcomes()]
    assert named == [(r.match, r.number, r.points, r.attempt, r.ended) for r in rows(100)]


def test_sums_are_those_of_the_rows(path, long, monkeypatch):
    long()
    monkeypatch.setattr(long_columns, "CELLS_AT_ONCE", 7)
    games = reader.read(path).games
    sums, counts = match_sums(games), tallies(games)

    for match in EMPTY.matches:
        played = [r for r in rows(100) if r.match == match.key and r.points is not None]
        own = sums[match.key]
        assert own.games == counts[match.key].games == len(played)
        assert own.points == counts[match.key].points == sum(r.points for r in played)
        assert own.void == sum(r.match == match.key and r.points is None for r in rows(100))
        assert own.plies == sum(len(r.moves) for r in played)
        assert sum(own.endings.values()) == len(played)
        assert own.of_players["second", "replies"] == sum(
            max(0, r.exchanges[1].replies) for r in played
        )
        assert different(games, sums)[match.key] == len({(r.number % 2, r.moves) for r in played})


def test_parts_of_rows_are_rows(path, long, monkeypatch):
    long()
    monkeypatch.setattr(long_columns, "CELLS_AT_ONCE", 7)
    games = reader.read(path).games

    assert tuple(row for part in games.blocks() for row in part) == rows(100)
    assert games.between(17, 23)[2] == rows(100)[19]
    assert not games.between(17, 23).is_long
    assert list(games.between(100, 100)) == []


def test_several_files_together_have_fewer_columns_in_memory(path, monkeypatch):
    monkeypatch.setattr(checked_file, "MAX_BYTES_IN_MEMORY", 8 * 100)

    def is_kept(**options):
        return isinstance(reader.read(path, **options).games.cells["points"], np.ndarray)

    assert is_kept()
    assert not is_kept(together=2)


def test_a_schedule_goes_on_from_it(path, long):
    games = {match.key: 90 for match in EMPTY.matches}

    def left():
        schedule = Schedule(games, reader.read(path).outcomes())
        return list(iter(schedule.issue, None))

    before = left()
    long()

    assert left() == before
    assert len(before) > 50


def changed(path, name):
    with h5py.File(path, "r+") as file:
        cells = file[name][:]
        cells.view(np.uint8)[-3] ^= 4
        file[name][:] = cells


@pytest.mark.parametrize("name", ["points", "moves", "searches_end", "number", "seed", "worker"])
def test_damage_is_told_where_a_column_is_used(name, path, long):
    changed(path, f"games/{name}")
    long()

    results = reader.read(path)
    with pytest.raises(UserError, match=f"damaged: games/{name} has other values than were"):
        tuple(results.rows)
    assert findings(path) == [f"{path}: damaged: games/{name} has other values than were written"]


def test_a_file_is_read_while_it_grows(tmp_path, long):
    long()
    path = tmp_path / "job.h5"
    writer = subprocess.Popen(
        command(tmp_path, 100_000, 20, 512), env=os.environ | {"PYTHONPATH": python_path()}
    )
    try:
        wait_until(path.exists)
        counts = [0]
        while len(counts) < 8 or counts[-1] < 500:
            results = reader.read(path)
            assert results.rows == rows(len(results.rows))
            counts.append(len(results.rows))
        # What was read stays, whatever is written behind it.
        assert counts == sorted(counts)
        assert results.rows == rows(counts[-1])
    finally:
        writer.kill()
        writer.wait()


def test_what_was_read_stays_when_the_file_is_replaced(path, long):
    long()
    results = reader.read(path)
    make_anew(path, replace(EMPTY, rows=rows(10)))

    assert results.rows == rows(100)
    assert reader.read(path).rows == rows(10)
