"""Rows of several files: which are taken, and these one after another."""

from dataclasses import replace

import numpy as np
import pytest
from some_rows import EMPTY, rows

from mcts_cluster.errors import UserError
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.running import merging
from mcts_cluster.storage.rows import joined_rows, owners
from mcts_cluster.storage.rows.joined_rows import JoinedRows
from mcts_cluster.storage.rows.stored_rows import columnar

FIRST, SECOND = (match.key for match in EMPTY.matches[:2])


def games_of(*numbers, match=FIRST, void=False):
    points = None if void else 1.0
    return [GameRecord(match, number, points, "area") for number in numbers]


def found(*files):
    matches = {}
    return owners.owners([columnar(own, GameRecord) for own in files], matches), matches


def numbers_of(games, matches):
    names = {number: key for key, number in matches.items()}
    return [(names[game >> 32], game & 0xFFFFFFFF) for game in games.tolist()]


@pytest.mark.parametrize("window", [1, 2, 2**16])
def test_each_game_has_one_owner(window, monkeypatch):
    monkeypatch.setattr(owners, "WINDOW", window)
    own, matches = found(
        games_of(0, 1, 2) + games_of(0, 7, match=SECOND),
        games_of(7, 9, match=SECOND) + games_of(2, 3),
        games_of(9, 2),
    )

    elsewhere = [numbers_of(games, matches) for games in own.elsewhere]
    assert elsewhere == [[], [(FIRST, 2), (SECOND, 7)], [(FIRST, 2)]]
    assert numbers_of(own.shared, matches) == [(FIRST, 2), (SECOND, 7)]


@pytest.mark.parametrize("window", [1, 2**16])
def test_the_owner_has_the_game_that_counts_or_has_tried_it_most(window, monkeypatch):
    monkeypatch.setattr(owners, "WINDOW", window)
    own, matches = found(
        games_of(0, 1, 2, void=True),
        games_of(0) + games_of(1, 1, 2, void=True),
        games_of(0, 1, void=True) + games_of(0),
    )

    elsewhere = [[number for _, number in numbers_of(games, matches)] for games in own.elsewhere]
    assert elsewhere == [[0, 1], [2], [0, 1]]
    assert numbers_of(own.shared, matches) == [(FIRST, 0)]


def test_files_without_games_own_none():
    own, _ = found([], games_of(1), [])

    assert [len(games) for games in own.elsewhere] == [0, 0, 0]
    assert len(own.shared) == 0


@pytest.mark.parametrize("block", [1, 3, 4096])
def test_rows_of_several_tables_are_one_sequence(block, monkeypatch):
    monkeypatch.setattr(joined_rows, "BLOCK", block)
    one, other = rows(20), [replace(row, number=row.number + 100) for row in rows(10)]
    places = np.array([0, 1, 5, 9])
    joined = JoinedRows(
        [
            (columnar(one, GameRecord), range(2, 20)),
            (columnar(other, GameRecord), places),
            (columnar([], GameRecord), range(0)),
        ]
    )
    expected = (*one[2:], *(other[place] for place in places))

    assert len(joined) == 22
    assert tuple(joined) == expected
    assert joined[15:20] == expected[15:20]
    assert joined[-1] == expected[-1]
    assert joined[::-3] == expected[::-3]


def in_memory(*some):
    return replace(EMPTY, rows=some, kind="campaign")


def test_of_a_game_that_a_file_has_twice_the_first_row_is_compared(tmp_path):
    again = replace(rows(2)[1], moves=(5,), attempt=7)
    one, other = (in_memory(*rows(2), again) for _ in range(2))

    found, _ = merging.rows_and_runs({tmp_path / "a.h5": one, tmp_path / "b.h5": other})

    assert list(found) == [*rows(2), again]
    with pytest.raises(UserError, match="game 1 of a against b is another one"):
        merging.rows_and_runs({tmp_path / "a.h5": one, tmp_path / "b.h5": in_memory(again)})
