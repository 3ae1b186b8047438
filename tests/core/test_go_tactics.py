"""Liberties, captures and ladders: diagrams, and readers that know the rules of Go only."""

import random

import pytest
from conftest import rest_in_proof
from core_inside import inside

from cext.go import Go
from mcts_cluster.games import from_text


def chain_of(game, stone):
    """Return the stones of a chain, its liberties, and the enemy stones beside it."""
    size, color = game.size, game.color(stone)
    chain, liberties, enemies, border = {stone}, set(), set(), [stone]
    while border:
        row, column = divmod(border.pop(), size)
        for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
            if 0 <= r < size and 0 <= c < size and r * size + c not in chain:
                point = r * size + c
                if game.color(point) == color:
                    chain.add(point)
                    border.append(point)
                elif game.color(point):
                    enemies.add(point)
                else:
                    liberties.add(point)
    return chain, liberties, enemies


def captures_of(game, stone):
    """Return where enemies beside a chain could be taken."""
    found = set()
    for enemy in chain_of(game, stone)[2]:
        liberties = chain_of(game, enemy)[1]
        if len(liberties) == 1:
            found |= liberties
    return found


class Reader:
    """Reads ladders as go_tactics.pxd defines them, with the public rules of the game."""

    def __init__(self, most=60):
        self.left = most
        self.gave_up = False

    def caught(self, game, stone):
        """Tell whether a chain in atari, and to move, is caught whatever it does."""
        if captures_of(game, stone):
            return False
        (liberty,) = chain_of(game, stone)[1]
        if not game.is_legal(liberty):
            return True
        after = played(game, liberty)
        liberties = chain_of(after, stone)[1]
        if len(liberties) != 2:
            return len(liberties) < 2
        self.left -= 1
        if self.left < 0:
            self.gave_up = True
            return False
        return any(self.caught_from(after, stone, attack) for attack in liberties)

    def caught_from(self, game, stone, attack):
        """Tell whether an enemy's move catches a chain of two liberties."""
        return game.is_legal(attack) and self.caught(played(game, attack), stone)


def some_position(size, plies, seed):
    """Return a game of Go after some random moves."""
    game = Go(size, superko="simple")
    chance = random.Random(seed)
    for _ in range(plies):
        moves = [move for move in game.sensible_moves() if move < game.points]
        if not moves or game.is_over:
            break
        game.play(chance.choice(moves))
    return game


def positions(count):
    """Yield positions of all sizes and stages, crowded ones for the most part."""
    for seed in range(count):
        size = 3 + seed % 7
        yield some_position(size, seed * 37 % (2 * size * size), seed)


def stones(game):
    return [move for move in range(game.points) if game.color(move)]


def test_liberties_and_captures_are_those_of_flooding():
    for game in positions(300):
        for stone in stones(game):
            check_liberties(game, stone)


@pytest.mark.parametrize("size", [4, 5, 7, 9])
def test_eyes_that_a_playout_has_sealed_are_liberties_too(size):
    chance = random.Random(size)
    sealed = 0

    def watch(game):
        nonlocal sealed
        eyes = {move for move in range(game.points) if inside.is_sealed(game, move)}
        for stone in chance.sample(stones(game), min(len(stones(game)), 8)):
            check_liberties(game, stone)
            sealed += bool(chain_of(game, stone)[1] & eyes)

    for seed in range(8):
        inside.walk(None, Go(size), seed, watch)

    assert sealed > 20


def check_liberties(game, stone):
    for find, expected in (
        (inside.liberties_of, chain_of(game, stone)[1]),
        (inside.captures_beside, captures_of(game, stone)),
    ):
        assert sorted(find(game, stone, 400)) == sorted(expected)
        for most in (1, 2, 3):
            found = find(game, stone, most)
            assert len(found) == len(set(found)) == min(most, len(expected))
            assert set(found) <= expected


def with_turn(game, player):
    """Return the position with this player to move."""
    if game.to_play == player:
        return game
    other = game.copy()
    other.play(game.points)
    return other


@pytest.mark.parametrize("count", rest_in_proof([1500, 2500], [1500]))
def test_ladders_are_those_of_a_reader_that_tries_everything(count):
    read = {True: 0, False: 0}
    for game in positions(count):
        for stone in stones(game):
            for found, expected in readings(game, stone):
                assert found == expected, f"{game.draw()} {game.name(stone)}"
                read[found] += 1
    assert min(read.values()) > 2 * count // 5


def readings(game, stone):
    """Yield what the core says of a chain in danger, and what the reader says."""
    liberties = chain_of(game, stone)[1]
    mine, theirs = with_turn(game, game.color(stone)), with_turn(game, 3 - game.color(stone))
    in_atari = [mine] if len(liberties) == 1 else []
    if len(liberties) == 2:
        in_atari = [played(theirs, liberty) for liberty in liberties if theirs.is_legal(liberty)]
    for position in in_atari:
        reader = Reader()
        # What attacks at a liberty may capture, and leave two.
        if len(chain_of(position, stone)[1]) == 1:
            caught = reader.caught(position, stone)
            if not reader.gave_up:
                yield inside.in_ladder(position, stone), caught


def played(game, move):
    after = game.copy()
    after.play(move)
    return after


def test_reading_leaves_the_position_as_it_is():
    for seed in range(30):
        game = some_position(7, 60, seed)
        before = game.draw()

        for stone in stones(game):
            if len(chain_of(game, stone)[1]) == 1:
                inside.in_ladder(game, stone)

        assert game.draw() == before
        game.check()


LADDER = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . X . . . . .
    X O . . . . .
    . X X . . . ."""

DIAGRAMS = [
    ("a ladder", LADDER, "B2", True),
    ("a breaker", LADDER.replace(". . . . . . .", ". . . . O . .", 3), "B2", False),
    (
        "a breaker beside the way",
        """
    . . . . . . .
    . . . . . . .
    . . . . . O .
    . . . . . . .
    . X . . . . .
    X O . . . . .
    . X X . . . .""",
        "B2",
        False,
    ),
    (
        "a stone far from the way",
        """
    O . . . . . .
    O . . . . . .
    . . . . . . .
    . . . . . . .
    . X . . . . .
    X O . . . . .
    . X X . . . .""",
        "B2",
        True,
    ),
    (
        "at the edge there is nowhere to go",
        """
    . . . . .
    . . . . .
    . . . . .
    X X X . .
    X O . . .""",
        "B1",
        True,
    ),
    (
        "an attacker in atari is captured",
        """
    . . . . .
    . . . . .
    . . . . .
    . X X . .
    X O . . .""",
        "B1",
        False,
    ),
    (
        "one that comes into atari on the way is captured",
        """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . O . . .
    . X O X . . .
    X O . . . . .
    . X X . . . .""",
        "B2",
        False,
    ),
    (
        "suicide is no escape",
        """
    . . . . .
    . . . . .
    X X X . .
    O X X X .
    . X . . .""",
        "A2",
        True,
    ),
    (
        "three liberties are enough",
        """
    . . . . .
    . . . . .
    . X . . .
    X O . . .
    . X . . .""",
        "B2",
        False,
    ),
    (
        "joining friends with liberties",
        """
    . . . . .
    . . . . .
    X X X . .
    X O . O .
    X X X . .""",
        "B2",
        False,
    ),
]


def rotated(rows):
    return ["".join(row[i] for row in reversed(rows)) for i in range(len(rows))]


def cells(core, stone):
    """Return the rows of a diagram with a mark where a stone is."""
    row, column = divmod(core.number(stone), core.size)
    return core.size - 1 - row, column


@pytest.mark.parametrize("colors", ["XO", "OX"])
@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize(
    ("name", "diagram", "stone", "caught"), DIAGRAMS, ids=[row[0] for row in DIAGRAMS]
)
def test_ladders_on_diagrams(name, diagram, stone, caught, turns, colors):
    rows = [line.replace(" ", "") for line in diagram.split("\n") if line.strip()]
    row, column = cells(from_text(diagram).core, stone)
    for _ in range(turns):
        rows = rotated(rows)
        row, column = column, len(rows) - 1 - row
    text = "\n".join(rows).translate(str.maketrans("XO", colors))
    to_play = "white" if colors == "XO" else "black"

    core = from_text(text, to_play=to_play).core

    move = (core.size - 1 - row) * core.size + column
    assert core.color(move) == core.to_play
    assert Reader().caught(core, move) == caught
    assert inside.in_ladder(core, move) == caught


def test_only_an_atari_from_the_right_side_catches():
    core = from_text("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X X . . . .
        X O O . . . .
        . X . . . . .
        . . . . . . .""").core
    stone = core.number("B3")

    attacks = [played(core, core.number(name)) for name in ("C2", "D3")]

    caught = [inside.in_ladder(attack, stone) for attack in attacks]

    assert caught == [Reader().caught(attack, stone) for attack in attacks]
    assert sorted(caught) == [False, True]
