"""The solver of capturing races, against every line of play in corners made at random."""

import random

import pytest
from conftest import rest_in_proof
from semeai_cases import SIZE, Outcomes, random_corner

from cext.go_semeai import Semeai
from mcts_cluster.games import from_text


def game_of(corner, color="black"):
    return from_text(corner.text(), color).core


def point(corner, cell):
    x, y = corner.cells[cell]
    return y * SIZE + x


def first(corner, cells):
    return point(corner, (cells & -cells).bit_length() - 1)


def races(seed, most_empty, count):
    """Yield so many races: the corner, its outcomes, and a stone of each chain."""
    chance = random.Random(seed)
    while count:
        corner = random_corner(
            chance, chance.randint(3, 5), chance.randint(3, 5), chance.randint(3, most_empty)
        )
        for black, white in corner.races() if corner else ():
            outcomes = Outcomes(corner, black, white, most=20_000)
            if outcomes.complete and count:
                count -= 1
                yield corner, outcomes, first(corner, black), first(corner, white)


@pytest.mark.parametrize("seed", rest_in_proof(range(100), range(10)))
def test_races_in_corners(seed):
    solver, answered, asked = Semeai(), 0, 0
    for corner, outcomes, black, white in races(seed, 6, 12):
        for color in (0, 1):
            asked += 1
            wanted, cells = outcomes.read(color)
            moves = {SIZE * SIZE if cell is None else point(corner, cell) for cell in cells}
            found, right = solver.read(game_of(corner), black, white, bool(color))
            if found in ("ko", "unsure"):
                continue
            answered += 1
            # What takes a ko keeps the outcome only for whoever wins it.
            assert (found, set(right) - moves) == (wanted, set()), corner.text()
            assert right
    assert answered > 0.75 * asked


def test_colours_are_alike():
    for corner, _, black, white in races(99, 6, 20):
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
