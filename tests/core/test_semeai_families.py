"""The solver of capturing races, against families of them: by all lines of play, and by counting.

The counting is Müller's, from "Race to capture: analyzing semeai in Go": who has how many liberties
more, how many shared ones there are, and whose eye is of the larger kind.
"""

import random
from itertools import product

import pytest
from conftest import rest_in_proof
from semeai_cases import BLACK, LOST, SEKI, WHITE, WON, Drawing, Outcomes, random_corner
from semeai_checks import first, game_of, is_right
from semeai_families import EYES, SINGLE_EYES, Family

from cext.go_semeai import Semeai

# Large eyes have so many positions that the liberties are fewer.
LIBERTIES = {
    "small": [((3, 2), 0), ((1, 3), 1), ((2, 2), 2), ((3, 1), 3)],
    "large": [((2, 1), 0), ((1, 1), 1), ((1, 2), 2)],
}
EYE_AND_NONE = [
    (outside, shared, eyes)
    for size in EYES
    for outside, shared in LIBERTIES["small" if size < 6 else "large"]
    for eye in EYES[size]
    for eyes in ((eye, ""), ("", eye))
]
SMALL = [
    ((1, 2), shared, (black, white))
    for shared in (0, 1, 2, 3)
    for black, white in product(("*", "**", "***", "** *", "** **"), ("*", "**", "***"))
]
NO_EYES = [((4, 4), shared, ("", "")) for shared in range(7)]
FAMILIES = EYE_AND_NONE + SMALL + NO_EYES


@pytest.mark.parametrize("number", rest_in_proof(range(len(FAMILIES)), range(7, 190, 12)))
def test_positions_of_a_family(number):
    outcomes, solver, chance = Family(*FAMILIES[number]).outcomes, Semeai(), random.Random(number)
    assert outcomes.complete

    positions = outcomes.positions()
    for state in chance.sample(positions, min(30, len(positions))) + outcomes.starts():
        assert is_right(solver, outcomes, state)


# By counting

# Liberties of an eye of so many points, without stones in it.
EYE_LIBERTIES = [0, 1, 2, 3, 5, 8, 12, 17]


def points(eye):
    return eye.count("*") + eye.count("o")


def exclusive(outside, eye):
    return outside + EYE_LIBERTIES[points(eye)] - eye.count("o")


def kind(eye):
    """Small eyes are of one kind, larger ones each of its own."""
    return min(points(eye), 1) if points(eye) < 4 else points(eye)


def advantage_needed(attacker, defender, shared):
    """Return how many exclusive liberties more than the other a side needs, if it begins."""
    if not shared:
        return 0
    if kind(attacker) > kind(defender):
        return -shared
    return shared if attacker or defender else shared - 1


def counted(outside, shared, eyes, to_play):
    """Return the outcome for Black by counting."""

    def wins(side):
        more = exclusive(outside[side], eyes[side]) - exclusive(outside[1 - side], eyes[1 - side])
        needed = advantage_needed(eyes[side], eyes[1 - side], shared)
        return more >= needed + (side != to_play)

    assert not (wins(BLACK) and wins(WHITE))
    return WON if wins(BLACK) else LOST if wins(WHITE) else SEKI


def counts(seed):
    """Yield races that are about as close as can be: for each pair of eyes, shared liberties."""
    chance = random.Random(seed)
    for black, white, shared in product(SINGLE_EYES, SINGLE_EYES, range(7)):
        needed = advantage_needed(black, white, shared)
        # From one liberty fewer than needed to one more than for moving second.
        for more in range(needed - 1, needed + 3):
            outside = chance.randint(0, 12)
            other = exclusive(outside, black) - more - exclusive(0, white)
            both = (outside + shared + black.count("*"), other + shared + white.count("*"))
            # In atari there is nothing to count.
            if 0 <= other <= 12 and min(both) > 1:
                yield (outside, other), shared, (black, white)


@pytest.mark.parametrize("seed", rest_in_proof(range(20), range(1)))
def test_counting_agrees(seed):
    solver, asked = Semeai(), 0
    for outside, shared, eyes in counts(seed):
        family = Family(outside, shared, eyes)
        game = game_of(family.drawing)
        black, white = (first(family.drawing, chain) for chain in family.racers)
        for to_play in (BLACK, WHITE):
            found, moves = solver.read(game, black, white, bool(to_play))
            assert found == counted(outside, shared, eyes, to_play), family.drawing.text()
            assert moves
            asked += 1
    assert asked > 1000


# By their decisive moves


def is_throw_in(outcomes, state, cell):
    """Tell whether a move is one stone that can be captured at once."""
    after = outcomes.moves[state][cell]
    return not isinstance(after, str) and 1 << cell in captures(outcomes, after)


def captures(outcomes, state):
    """Yield what a move captures, for each move."""
    stones, ko, color = state
    for cell in outcomes.moves[state]:
        played = cell not in (None, ko) and outcomes.corner.play(stones, color, cell)
        if played and played[1]:
            yield played[1]


def is_snapback(outcomes, state, cell):
    """Tell whether a stone is thrown in to capture more than the one that captures it."""
    after = outcomes.moves[state][cell]
    return is_throw_in(outcomes, state, cell) and any(
        captured >> taken & 1 and captured.bit_count() > 1
        for taken, then in outcomes.moves[after].items()
        if taken is not None
        and not isinstance(then, str)
        and outcomes.corner.play(after[0], after[2], taken)[1] == 1 << cell
        for captured in captures(outcomes, then)
    )


def is_approach(outcomes, state, cell):
    """Tell whether a move takes no liberty of a racing chain, and captures nothing."""
    corner, (stones, _, color) = outcomes.corner, state
    near = 0
    for side, chain in enumerate(outcomes.racers):
        near |= corner.beside(corner.chain(chain & -chain, stones[side]))
    return not near >> cell & 1 and not corner.play(stones, color, cell)[1]


@pytest.mark.parametrize(
    ("seed", "enough"), [(0, 1), *(pytest.param(n, 4, marks=pytest.mark.proof) for n in range(40))]
)
def test_where_one_move_decides(seed, enough):
    chance, solver = random.Random(seed), Semeai()
    answered = dict.fromkeys((is_throw_in, is_snapback, is_approach), 0)
    while min(answered.values()) < enough:
        corner = random_corner(chance, chance.randint(3, 5), chance.randint(3, 5), 5)
        for chains in corner.races() if corner else ():
            outcomes = Outcomes(corner, *chains, most=3_000)
            positions = outcomes.positions() if outcomes.complete else []
            left = set(answered)
            for state in chance.sample(positions, min(300, len(positions))):
                (cell, *others) = outcomes.keeping(state) or [None]
                if others or cell is None:
                    continue
                kinds = {decides for decides in left if decides(outcomes, state, cell)}
                if kinds and is_right(solver, outcomes, state):
                    left -= kinds
                    for decides in kinds:
                        answered[decides] += 1


# Drawn by hand, north first

DRAWINGS = {
    "bent four in the corner": [
        "oooooxxx",
        "XX.XXOOx",
        "OXXXOO.x",
        "OO.XO..x",
    ],
    "approach moves": [
        "x   x",
        "x   x",
        "xooox",
        ".ooo.o",
        ".XoX.o",
        "XXXXXo",
        "OOOOOxx",
        "...xxxxx",
    ],
    "two races at once": [
        "     xxxx",
        "ooooox.xx",
        ".ooo.OOOx",
        "XXXXXXXXoooo",
        "OOOOOOOOxxxx",
        "..xxxxxxx",
        "xxx",
    ],
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_positions_of_a_drawing(name):
    drawing, solver, chance = Drawing(tuple(DRAWINGS[name][::-1])), Semeai(), random.Random(name)
    outcomes = Outcomes(drawing, *next(drawing.races()))
    assert outcomes.complete and drawing.sound()

    assert all(is_right(solver, outcomes, state) for state in outcomes.starts())
    positions = outcomes.positions()
    answered = [
        is_right(solver, outcomes, state)
        for state in chance.sample(positions, min(200, len(positions)))
    ]
    # It is silent where a chain has reached a wall of its own.
    assert sum(answered) > 0.4 * len(answered)
