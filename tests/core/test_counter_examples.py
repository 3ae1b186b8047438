"""The counter-examples in jobs/: each of them is proved again, by what its proof names."""

import re
from pathlib import Path

import pytest
from closed_fights import (
    BLACK,
    WHITE,
    ClosedFight,
    around,
    best_moves,
    catches,
    chain_of,
    name,
    play,
    point,
    points_of,
    seen_from,
)

from cext.go_semeai import Semeai
from mcts_cluster.games import from_text
from mcts_cluster.positions import position_file

JOBS = Path(__file__).parents[2] / "jobs"
FILES = ("counter-examples", "counter-examples-go19", "table3", "table3-30k")
POSITIONS = {
    f"{file}-{one.name}": one
    for file in FILES
    for one in position_file.read(str(JOBS / f"{file}.txt"))[0]
}
SIDES = {"black": BLACK, "white": WHITE}


def race(one, own, enemy, outcome):
    """Return the moves that keep the outcome of a race, and its region; None is the pass."""
    core = from_text(one.diagram, one.to_play).core
    solver, chains = Semeai(500_000), (core.number(own), core.number(enemy))
    found, moves = solver.read(core, *chains)
    assert found == outcome
    names = {None if move == core.points else core.name(move) for move in moves}
    return names, {core.name(cell) for cell in solver.cells(core, *chains)}


def race_to_play(one, own, enemy, outcome):
    moves, _ = race(one, own, enemy, outcome)
    assert moves == set(one.good_moves)


def race_to_leave(one, own, enemy, outcome):
    moves, region = race(one, own, enemy, outcome)
    assert None in moves
    assert not region & set(one.good_moves)
    if "; " not in one.proof:
        assert set(one.good_moves) >= moves_outside(one, region)


def moves_outside(one, region):
    """Return the moves outside of a region, but for those into own eyes."""
    board, side = points_of(one.diagram), SIDES[one.to_play]
    return {
        name(p)
        for p, color in board.items()
        if color is None
        and name(p) not in region
        and {board[near] for near in around(p) if near in board} != {side}
        and play(board, side, p)
    }


def fight_to_play(one, target, outcome):
    found, moves = ClosedFight(one.diagram, target).read(SIDES[one.to_play])
    assert (found, moves) == ("captured" if "captured" in outcome else "lives", {*one.good_moves})


def fight_to_leave(one, target, outcome):
    fight = ClosedFight(one.diagram, target)
    for color in (BLACK, WHITE):
        assert fight.read(color)[0] == ("captured" if "captured" in outcome else "lives")
    assert not {name(cell) for cell in fight.cells} & set(one.good_moves)


def ladder(one, target):
    board, side, target = points_of(one.diagram), SIDES[one.to_play], point(target)
    assert {name(p) for p in catches(board, target)} == set(one.good_moves)
    assert len(chain_of(board, target)[1]) == 2
    # No net does: after any other move the chain runs, and no ladder catches it.
    for p, color in board.items():
        if color is None and name(p) not in one.good_moves and (after := play(board, side, p)):
            runs = (play(after, 1 - side, move) for move in chain_of(after, target)[1])
            assert any(board and not catches(board, target) for board in runs), name(p)


def count(one, points):
    board, side = points_of(one.diagram), SIDES[one.to_play]
    places = [point(one) for one in points.split()]
    assert best_moves(board, side, places)[1] == set(one.good_moves)
    # The rest is settled: every other empty point is enclosed by one colour.
    for p, color in board.items():
        if color is None and p not in places:
            assert len(seen_from(board, p)[1]) == 1


PROOFS = {
    r"the solver of races: (\w+) against (\w+) is (\w+) by these moves only": race_to_play,
    r"the solver of races: (\w+) against (\w+) is (\w+), whoever moves first": race_to_leave,
    r"exhaustive search: (\w+) (is captured|lives) by th\w+ moves? only": fight_to_play,
    r"exhaustive search: (\w+) (is captured|lives), whoever moves first": fight_to_leave,
    r"a ladder read out: (\w+) is caught by this atari only": ladder,
    r"counting points on an otherwise settled board: all orders of play at ([\w ]+)": count,
}


@pytest.mark.parametrize("one", POSITIONS.values(), ids=POSITIONS)
def test_a_position_is_proved(one):
    for part in one.proof.split("; "):
        [(test, found)] = [
            (test, match) for text, test in PROOFS.items() if (match := re.fullmatch(text, part))
        ]
        test(one, *found.groups())


@pytest.mark.parametrize("one", POSITIONS.values(), ids=POSITIONS)
def test_a_position_is_legal(one):
    board = points_of(one.diagram)

    assert list(one.mistakes({"size": 19 if len(board) > 81 else 9})) == []
    assert all(chain_of(board, p)[1] for p, color in board.items() if color is not None)


def test_the_situations_of_table_3_are_counter_examples():
    of_table = [POSITIONS[f"table3-{name}"] for name in ("must-play", "must-not-play")]
    others = [POSITIONS[f"counter-examples-{one.name}"] for one in of_table]

    for one, other in zip(of_table, others, strict=True):
        assert (one.diagram, one.to_play) == (other.diagram, other.to_play)
    assert POSITIONS["table3-30k-must-not-play"] == of_table[1]


def test_there_are_positions_for_both_colours():
    for file, least in (("counter-examples-go19-", 4), ("counter-examples-", 20)):
        sides = [one.to_play for key, one in POSITIONS.items() if key.startswith(file)]
        assert len(sides) >= least
        assert set(sides) == {"black", "white"}


@pytest.mark.parametrize("key", [key for key in POSITIONS if "go19" in key])
def test_on_19x19_all_but_the_fights_is_settled(key):
    board = points_of(POSITIONS[key].diagram)
    regions = {
        frozenset(region): colors
        for p, color in board.items()
        if color is None
        for region, colors in [seen_from(board, p)]
    }
    open_to_both = [region for region, colors in regions.items() if len(colors) == 2]

    assert open_to_both
    assert sum(map(len, open_to_both)) <= 20


# What proves the positions can itself be wrong


def test_a_ladder_ends_at_a_breaker():
    board = ". . . . . .\n. X X . . .\n. X O . . .\n. . . . . .\n. . . . . .\n. . . . . .\n"
    assert catches(points_of(board), point("C4")) == set()
    running = points_of(board.replace(". X O . . .", ". X O X . .", 1))
    assert catches(running, point("C4")) == {point("C3")}


def test_an_eye_of_two_points_does_not_live():
    wall = "O O O O O O\n"
    fight = ClosedFight(
        ". O . O . O\n" + wall + "X X X X O .\n. . . X O O\nX X X X O .\n" + "O O O O O O\n", "A4"
    )
    assert fight.read(WHITE) == ("captured", {"B3"})
    assert fight.read(BLACK) == ("lives", {"B3"})
