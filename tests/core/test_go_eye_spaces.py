"""Small eye spaces: their vital points on every shape, and what fills them."""

import random

import pytest
from core_inside import inside

from cext.go import Go
from cext.go_policy import DEFAULTS, GoPolicy
from mcts_cluster.games import from_text

NO_PRIORS = {name: 0 for name in DEFAULTS if name.startswith("prior_")}

# Spaces of three to six points with a vital one, and the middle of each.
DRAWN = """
    .*.   .*   .*.   ..    .    ..
           .    .    *.   .*.   .*.
                     .     .     .
"""


def started(size, plies, seed):
    """Return a game of Go after some random moves."""
    game = Go(size, superko="simple")
    chance = random.Random(seed)
    for _ in range(plies):
        if not game.is_over:
            game.play(chance.choice(game.sensible_moves()[:-1] or [game.points]))
    return game


def shapes(rows):
    """Return the drawings of a picture, side by side, as lists of cells and their middles."""
    lines = [line.rstrip() for line in rows.strip("\n").splitlines()]
    cells = {
        (r, c): mark for r, line in enumerate(lines) for c, mark in enumerate(line) if mark != " "
    }
    found = []
    while cells:
        group = grown({min(cells)}, set(cells))
        middle = next(cell for cell in group if cells[cell] == "*")
        found.append((group, middle))
        cells = {cell: mark for cell, mark in cells.items() if cell not in group}
    return found


def beside(cell):
    r, c = cell
    return {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)}


def grown(group, cells):
    while more := {other for cell in group for other in beside(cell) & cells} - group:
        group = group | more
    return group


def turned(cells):
    """Yield the eight turns of a tuple of cells, in their order."""
    for flip in (1, -1):
        for _ in range(4):
            cells = [(c, -r) for r, c in cells]
            yield [(r, flip * c) for r, c in cells]


def placed(cells):
    """Return cells moved to the corner, in their order."""
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    return tuple((r - top, c - left) for r, c in cells)


def vital_by_drawing():
    """Return the middle of each drawn shape, by its cells in any turn."""
    found = {}
    for group, middle in shapes(DRAWN):
        for cells in turned([middle, *sorted(group - {middle})]):
            moved = placed(cells)
            found[frozenset(moved)] = moved[0]
    return found


def polyominoes(size):
    """Return all connected sets of so many cells, moved to the corner."""
    found = {frozenset({(0, 0)})}
    for _ in range(size - 1):
        found = {
            frozenset(placed([*group, other]))
            for group in found
            for cell in group
            for other in beside(cell) - group
        }
    return found


def surrounded(cells, size, offset):
    """Return a board of white stones, but for these cells and a liberty in a corner."""
    empty = {(r + offset, c + offset) for r, c in cells}
    rows = [
        ["." if (r, c) in empty or (r, c) == (size - 1, size - 1) else "O" for c in range(size)]
        for r in range(size)
    ]
    return from_text("\n".join(" ".join(row) for row in rows)).core


def at(core, cell, offset):
    """Return the move of a cell, whose row counts from the north."""
    return (core.size - 1 - cell[0] - offset) * core.size + cell[1] + offset


@pytest.mark.parametrize("size", range(1, 8))
def test_the_vital_point_of_every_shape_is_the_one_drawn(size):
    drawn = vital_by_drawing()
    with_one = 0
    for cells in polyominoes(size):
        core = surrounded(cells, 10, 1)
        middle = drawn.get(cells)
        vital = None if middle is None else at(core, middle, 1)
        points = {at(core, cell, 1) for cell in cells}
        for point in points:
            assert inside.eye_space(core, 2, point) == (points, vital), core.draw()
        with_one += vital is not None
    assert with_one == {3: 6, 4: 4, 5: 9, 6: 4}.get(size, 0)


def test_eight_points_are_no_small_space():
    core = surrounded({(0, c) for c in range(8)}, 11, 1)
    assert inside.eye_space(core, 2, at(core, (0, 0), 1)) is None


def test_a_space_is_bounded_by_one_colour():
    core = from_text(
        """
        . . . O .
        O O O O .
        . . . . .
        X X X . .
        . . X . ."""
    ).core
    top, bottom = core.number("B5"), core.number("A1")
    assert inside.eye_space(core, 2, top) == ({core.number(m) for m in ("A5", "B5", "C5")}, top)
    assert inside.eye_space(core, 1, top) is None
    assert inside.eye_space(core, 1, bottom) == ({bottom, core.number("B1")}, None)


CORNER = """
    . . O O O
    . . O O O
    . . O O O
    O O O O O
    O O O O ."""
NO_CORNER = """
    O O O O O
    . . O O O
    . . O O O
    . . O O O
    O O O O ."""
TAKEN = """
    O O O O O
    O . X . O
    O O O O O
    O O O O O
    O O O O ."""
# Four in a bent line have no vital point. With two stones inside, a third one at C4 leaves one
# point; with one stone it does not.
TWO_INSIDE = """
    O O O O O
    O . . O O
    O O X O O
    O O X O O
    O O O O ."""
ONE_INSIDE = """
    O O O O O
    O . . O O
    O O . O O
    O O X O O
    O O O O ."""


@pytest.mark.parametrize(
    ("diagram", "start", "vital"),
    [
        (CORNER, "A5", "A4"),
        (NO_CORNER, "A4", None),
        (TAKEN, "B4", None),
        (TWO_INSIDE, "B4", "C4"),
        (ONE_INSIDE, "B4", None),
    ],
    ids=["corner", "no corner", "taken", "two inside", "one inside"],
)
def test_corners_and_stones_inside_count(diagram, start, vital):
    core = from_text(diagram).core

    found = inside.eye_space(core, 2, core.number(start))

    assert found[1] == (core.number(vital) if vital else None)


# Black fills A5 to C5 from within; the stones that it makes there are captured.
FILLING = """
    X X X . O
    . . O O O
    O O O O O
    O O O O O
    O O O O ."""


@pytest.mark.parametrize(("move", "size"), [("B4", 4), ("A4", 0), ("D5", 0), ("E1", 1)])
def test_stones_are_deadly_by_their_shape(move, size):
    core = from_text(FILLING).core
    assert inside.deadly_stones(core, core.number(move)) == size


def test_seven_stones_leave_room_for_two_eyes():
    core = from_text("X X X X X X .\n" + "O O O O O O O\n" * 5 + "O O O O O O .").core
    assert inside.deadly_stones(core, core.number("G7")) == 0


def spaces(core):
    """Yield the small spaces of a position by definition: bounded by one colour, and its points."""
    for wall in (1, 2):
        cells = {divmod(move, core.size) for move in range(core.points) if core.color(move) != wall}
        while cells:
            group = grown({min(cells)}, cells)
            cells -= group
            if len(group) <= 7:
                yield wall, group


def test_priors_know_the_spaces_of_any_position():
    policy, none = (GoPolicy(**NO_PRIORS | {"prior_nakade": visits}) for visits in (10, 0))
    drawn = vital_by_drawing()
    found = 0
    for seed in range(400):
        core = started(7, 20 + seed % 40, seed)
        if core.is_over:
            continue
        before, after = none.advice(core), policy.advice(core)
        liked = set(after["move"][after["visits"] > before["visits"]].tolist())
        assert (after["visits"] - before["visits"] == (after["wins"] - before["wins"]) / 2).all()
        for wall, group in spaces(core):
            moved = placed(sorted(group))
            middle = drawn.get(frozenset(moved))
            if middle is None:
                continue
            row, column = sorted(group)[moved.index(middle)]
            move = row * core.size + column
            if core.color(move) == 0 and move in after["move"].tolist():
                assert move in liked, f"{core.draw()} {wall} {core.name(move)}"
                found += 1
    assert found > 20
