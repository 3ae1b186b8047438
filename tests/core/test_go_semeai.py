"""The solver of capturing races, against every line of play in corners made at random."""

import random

import pytest
from conftest import rest_in_proof
from semeai_cases import BLACK, WHITE, Corner, Outcomes, random_corner
from semeai_checks import first, game_of, is_right

from cext.go_semeai import Semeai
from mcts_cluster.games import from_text


def races(seed, most_empty, count):
    """Yield the outcomes of so many races."""
    chance = random.Random(seed)
    while count:
        corner = random_corner(
            chance, chance.randint(3, 5), chance.randint(3, 5), chance.randint(3, most_empty)
        )
        for chains in corner.races() if corner else ():
            outcomes = Outcomes(corner, *chains, most=20_000)
            if outcomes.complete and count:
                count -= 1
                yield outcomes


@pytest.mark.parametrize("seed", rest_in_proof(range(100), range(6)))
def test_races_in_corners(seed):
    solver = Semeai()
    answered = [
        is_right(solver, outcomes, state)
        for outcomes in races(seed, 6, 12)
        for state in outcomes.starts()
    ]
    assert sum(answered) > 0.75 * len(answered)


@pytest.mark.parametrize("seed", rest_in_proof(range(40), range(1)))
def test_what_comes_of_races_in_corners(seed):
    chance, solver = random.Random(seed), Semeai()
    for outcomes in races(1000 + seed, 9, 8):
        positions = outcomes.positions()
        answered = [
            is_right(solver, outcomes, state)
            for state in chance.sample(positions, min(30, len(positions)))
        ]
        assert answered


# Corners in which it was once wrong, south first, and how far the first wall goes.
ONCE_WRONG = [
    # An eye at the edge, and one that is still to be made elsewhere.
    (("OOXXX", ".OO.X", ".O.OX", "XOO.."), 7, BLACK),
    # A capture that saves, and is needed before White can approach.
    (("..XOO", "OOOOX", "OX.OO", "X.XOO", "XXXOO"), 3, WHITE),
    # A weak chain that only a point behind another weak chain touches.
    (("XXO..", ".XXOX", "OOXOO", "XO.OO", "XXOOO"), 7, BLACK),
    # The same cells with other stones around them.
    ((".O.", "O..", "OO.", "XX.", ".X."), 3, WHITE),
]


@pytest.mark.parametrize(("rows", "split", "wall"), ONCE_WRONG)
def test_where_it_was_wrong(rows, split, wall):
    corner, solver = Corner(rows, split, wall), Semeai()
    for chains in corner.races():
        outcomes = Outcomes(corner, *chains)
        answered = [is_right(solver, outcomes, state) for state in outcomes.starts()]
        assert any(answered)


def test_colours_are_alike():
    for outcomes in races(99, 6, 20):
        corner = outcomes.corner
        black, white = (first(corner, chain) for chain in outcomes.racers)
        swapped = str.maketrans("XO", "OX")
        game, other = game_of(corner), from_text(corner.text().translate(swapped), "black").core
        assert Semeai().read(game, black, white) == Semeai().read(other, black, white)
        # The same race from the other side.
        names = {"won": "lost", "lost": "won"}
        outcome, moves = Semeai().read(game, black, white)
        seen, same = Semeai().read(game, white, black, True)
        assert (seen, set(same)) == (names.get(outcome, outcome), set(moves))


def test_what_is_no_race():
    game = from_text("X X . O O\n" * 1 + ". . . . .\n" * 4, "black").core
    with pytest.raises(ValueError, match="no stone on C5"):
        Semeai().read(game, game.number("C5"), game.number("A5"))
    with pytest.raises(ValueError, match="two chains of one side do not race"):
        Semeai().read(game, game.number("A5"), game.number("B5"))
    assert Semeai().read(game, game.number("A5"), game.number("D5")) == ("unsure", [])
