"""Which moves people play: the model against a plain transcription, and what it must prefer."""

import math
import random
from collections import Counter
from functools import cache

import pytest
from core_inside import inside

from cext import go_habits
from cext.go import Go
from cext.go_policy import DEFAULTS, GoPolicy
from mcts_cluster.games import from_text

# Nothing else has an opinion.
HABIT_ONLY = {name: 0 for name in DEFAULTS if name.startswith("prior_")} | {"prior_habit": 1000}


# The model, word for word


def position(size, plies, seed):
    """Return a game after some random moves, passes among them, and its last two moves."""
    game, chance, last = Go(size, superko="simple"), random.Random(seed), [None, None]
    for _ in range(plies):
        move = game.points if chance.random() < 0.02 else chance.choice(game.sensible_moves())
        if game.passes == 1 and move == game.points:
            break
        game.play(move)
        last = [move if move < game.points else None, last[0]]
    return game, *last


def neighbours(game, move):
    row, column = divmod(move, game.size)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * game.size + c for r, c in around if 0 <= r < game.size and 0 <= c < game.size]


def chain(game, move):
    found = [move]
    for stone in found:
        same = [n for n in neighbours(game, stone) if game.color(n) == game.color(move)]
        found += [n for n in same if n not in found]
    return found


def liberties(game, move):
    return {n for s in chain(game, move) for n in neighbours(game, s) if not game.color(n)}


def deeds(game, move):
    me, enemy = game.to_play, 3 - game.to_play
    after = game.copy()
    after.play(move)
    around = neighbours(game, move)
    mine = [n for n in around if game.color(n) == me]
    theirs = [n for n in around if game.color(n) == enemy]
    taken = [n for n in theirs if not after.color(n)]

    def captured(stone):
        beside = {n for s in chain(game, stone) for n in neighbours(game, s)}
        if any(game.color(n) == me and len(liberties(game, n)) == 1 for n in beside):
            return 3
        return min(2, len(chain(game, stone)))

    # Stones that are met from several sides are counted as often, but one is one.
    in_peril = len(liberties(after, move)) == 1 and not any(
        len(chain(game, stone)) > 1 for stone in taken
    )

    def escaped(stone):
        if in_peril or inside.in_ladder(game, stone):
            return 1
        return 2 if len(chain(game, stone)) == 1 else 3

    return {
        "capture": max(map(captured, taken), default=0),
        "escape": max((escaped(n) for n in mine if len(liberties(game, n)) == 1), default=0),
        "peril": (1 + (len(chain(after, move)) > 1)) if in_peril else 0,
        "attack": int(any(len(liberties(game, n)) == 2 for n in theirs)),
    }


@cache
def letters():
    """Return the letter of each surrounding, a 3x3 drawing of X to move, by symmetry."""
    codes = {}
    # The order is that of the numbers made of the colours at these places, the last one first.
    places = (7, 3, 5, 1, 6, 8, 0, 2)

    def number(drawing):
        return sum(".XO#".index(drawing[p]) << 2 * i for i, p in enumerate(places))

    def turns(drawing):
        for _ in range(4):
            drawing = "".join(drawing[i] for i in (6, 3, 0, 7, 4, 1, 8, 5, 2))
            yield drawing
            yield "".join(drawing[i] for i in (2, 1, 0, 5, 4, 3, 8, 7, 6))

    for off in ("", "678", "03678"):
        free = [i for i in range(9) if i != 4 and str(i) not in off]
        for choice in range(3 ** len(free)):
            drawing = ["#" if str(i) in off else "*" for i in range(9)]
            for i in free:
                choice, color = divmod(choice, 3)
                drawing[i] = ".XO"[color]
            same = list(turns("".join(drawing)))
            codes[min(map(number, same))] = same
    return {
        drawing: letter
        for (_, same), letter in zip(sorted(codes.items()), go_habits.SHAPES, strict=True)
        for drawing in same
    }


def shape(game, move):
    row, column = divmod(move, game.size)
    colors = ".XO" if game.to_play == 1 else ".OX"
    drawing = ""
    for r in (row + 1, row, row - 1):
        for c in (column - 1, column, column + 1):
            on_board = 0 <= r < game.size and 0 <= c < game.size
            color = colors[game.color(r * game.size + c)] if on_board else "#"
            drawing += "*" if (r, c) == (row, column) else color
    letter = letters()[drawing]
    return ord(letter) - ord("#") - 45 - (letter > "\\")


def far(game, move, other):
    if other is None:
        return 0
    (row, column), (r, c) = divmod(move, game.size), divmod(other, game.size)
    along, across = abs(row - r), abs(column - c)
    return min(12, along + across + max(along, across))


def line(game, move):
    row, column = divmod(move, game.size)
    most = 4 if game.size > 13 else 3
    from_edge = min(row, column, game.size - 1 - row, game.size - 1 - column, most)
    stones = [divmod(m, game.size) for m in range(game.points) if game.color(m)]
    nearest = min((max(abs(r - row), abs(c - column)) for r, c in stones), default=9)
    return go_habits.LINES[0 if nearest <= 2 else 1 if nearest == 3 else 2][from_edge]


def transcribed(game, last, before):
    """Return how likely each move is."""
    found = {}
    for move in game.sensible_moves():
        if move < game.points:
            tenths = shape(game, move) + line(game, move)
            tenths += sum(go_habits.DEEDS[name][deed] for name, deed in deeds(game, move).items())
            tenths += (
                go_habits.LAST[far(game, move, last)] + go_habits.BEFORE[far(game, move, before)]
            )
            found[move] = math.exp(tenths / 10)
    total = sum(found.values())
    return {move: product / total for move, product in found.items()}


def habits(game, **weights):
    """Return the won visits of each move, as the policy has them."""
    table = GoPolicy(**HABIT_ONLY | weights).advice(game)
    assert (table["wins"] == 2 * table["visits"]).all()
    assert (table["worth"] == table["visits"]).all()
    found = dict(zip(table["move"].tolist(), table["visits"].tolist(), strict=True))
    assert found.pop(game.points) == 0
    return found


@pytest.mark.parametrize("size", [3, 5, 9, 13, 15, 19, 25])
def test_moves_are_as_likely_as_the_model_says(size):
    for seed in range(12):
        game, last, before = position(size, random.Random(seed).randrange(2 * size * size), seed)
        if game.is_over:
            continue
        expected = {
            move: 1000 * math.sqrt(likely)
            for move, likely in transcribed(game, last, before).items()
        }

        found = habits(game)

        assert found.keys() == expected.keys()
        for move, visits in found.items():
            assert visits == pytest.approx(expected[move] - 0.5, abs=0.51), game.name(move)


def test_half_the_weight_is_half_the_visits():
    game, *_ = position(9, 30, 1)

    whole, half = habits(game), habits(game, prior_habit=500)

    assert all(abs(half[move] - visits / 2) <= 1 for move, visits in whole.items())
    assert max(half.values()) > 50


# What people play


def beside(game, last):
    """Return how likely a playout's step `near` plays each move, and that it plays none."""
    row, column = divmod(last, game.size)
    around = [
        (r * game.size + c, 0.3 if r == row or c == column else 0.0)
        for r in (row - 1, row, row + 1)
        for c in (column - 1, column, column + 1)
        if 0 <= r < game.size and 0 <= c < game.size and not game.color(r * game.size + c)
    ]
    # What is no move, or a bad one, is drawn in vain; but nobody looks at the ko.
    shares = {m: int(20 * math.exp(shape(game, m) / 10 + more)) for m, more in around}
    shares.pop(game.ko, None)
    total = 20 + sum(shares.values())
    sensible = set(game.sensible_moves())
    found = {
        m: share / total
        for m, share in shares.items()
        if m in sensible and not inside.atari_left_by(game, m)
    }
    return found, 1 - sum(found.values())


@pytest.mark.parametrize("seed", range(12))
def test_playouts_answer_beside_the_last_move_as_people_would(seed):
    game, last, _ = position(7, 8 + seed, seed)
    steps = {name: 0 for name in DEFAULTS if name.startswith("playout_")}
    policy = GoPolicy(**steps | {"playout_near": 100})
    count = 3000

    found = Counter(policy.playout_moves(game, n)[0] for n in range(count))

    shares, other = beside(game, last)
    sensible = game.sensible_moves()
    assert shares
    for move in sensible:
        expected = shares.get(move, 0) + other / len(sensible)
        error = math.sqrt(count * expected * (1 - expected))
        assert abs(found[move] - count * expected) < 4.5 * error + 1
    assert set(found) <= set(sensible)


def likely(diagram, *moves):
    """Return the won visits of all moves after some, by name."""
    game = from_text(diagram, superko="simple")
    for name in moves:
        game.play(name)
    return {game.core.name(move): visits for move, visits in habits(game.core).items()}


EMPTY = ". . . . . . . . .\n" * 9


def test_people_begin_on_the_third_line_rather_than_below():
    found = likely(EMPTY)

    assert found["C3"] == found["G7"] == max(found.values())
    assert all(found[low] < found["C3"] / 5 for low in ("A1", "A5", "B2", "B5", "J9"))


def test_people_answer_near_the_last_move():
    found = likely(EMPTY, "C3", "G7")

    assert found["G6"] > 1.4 * found["C6"]


def test_people_capture_what_attacks_their_stones():
    found = likely("""
        . . . . . . .
        . . . . . . .
        . . . X . . .
        . O X O X . .
        . . O . . . .
        . . . . . . .
        . . . . . . .""")

    # D3 takes D4, which has C4 in atari.
    assert found["D3"] == max(found.values()) > 2 * found["E3"]


def test_both_colors_and_all_symmetries_are_alike():
    black = likely(EMPTY, "C4", "D5", "G3")
    turned = likely(EMPTY, "pass", "D7", "E6", "C3")

    # A quarter turn: A1 goes to A9, B1 to A8.
    columns = "ABCDEFGHJ"
    assert turned == {
        name if name == "pass" else f"{columns[int(name[1]) - 1]}{9 - columns.index(name[0])}": won
        for name, won in black.items()
    }
