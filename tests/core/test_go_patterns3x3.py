"""The shapes against a matcher of drawings that knows nothing of bits."""

import random
import re

import pytest
from core_inside import inside

from cext import go_patterns3x3
from cext.go import Go
from mcts_cluster.games import from_text

# What a code has where, beginning at the lowest bits, as (row from the north, column).
PLACES = [(2, 1), (1, 0), (1, 2), (0, 1), (2, 0), (2, 2), (0, 0), (0, 2)]


def is_real_eye(code, player):
    """Tell whether all neighbours are the player's, with fewer than two bad diagonals."""
    south, west, east, north, *corners = surrounding(code)
    sides = [(south, west), (south, east), (north, west), (north, east)]
    if any(
        (corner == "#") != ("#" in beside) for corner, beside in zip(corners, sides, strict=True)
    ):
        return False
    mine, theirs = ("B", "W") if player == 1 else ("W", "B")
    bad = corners.count(theirs) + ("#" in corners)
    return {south, west, east, north} <= {mine, "#"} and bad < 2


def turn(rows):
    """Turn three rows by a quarter."""
    return tuple("".join(row[i] for row in reversed(rows)) for i in range(3))


def symmetries(rows):
    """Return three rows in all eight symmetries."""
    found = set()
    for one in (rows, tuple(row[::-1] for row in rows)):
        for _ in range(4):
            found.add(tuple(one))
            one = turn(one)
    return found


def allowed_by(sign, mine, theirs):
    """Return what a sign of a drawing allows, where X is `mine`: of B, W, . and #."""
    return {
        "X": mine,
        "O": theirs,
        "x": theirs + ".#",
        "o": mine + ".#",
        ".": ".",
        "#": "#",
        "?": "BW.#",
    }[sign]


def surrounding(code):
    """Return what a code means: eight of B, W, . and #."""
    return "".join(".BW#"[code >> 2 * i & 3] for i in range(8))


def patterns(player, drawings):
    """Return a regular expression of the surroundings in which one of them is for a player."""
    found = set()
    for rows, who in drawings:
        for mine, theirs in ("BW", "WB"):
            # A letter says which of the drawing's colours is to move.
            if who and {"X": mine, "O": theirs}[who] != " BW"[player]:
                continue
            found.add(
                "".join(
                    f"[{allowed_by(rows[row][column], mine, theirs)}]" for row, column in PLACES
                )
            )
    return re.compile("|".join(found))


def meant(player, drawings):
    """Return the codes in which one of the drawings fits for a player."""
    pattern = patterns(player, drawings)
    return {code for code in range(65536) if pattern.fullmatch(surrounding(code))}


def turned(drawings):
    return [(rows, who) for *drawn, who in drawings for rows in symmetries(drawn)]


@pytest.fixture
def shapes():
    """Lets a test change the shapes."""
    yield go_patterns3x3.fill_shapes
    go_patterns3x3.fill_shapes()


@pytest.mark.parametrize("player", [1, 2])
def test_every_surrounding_has_a_shape_where_a_drawing_fits_and_nowhere_else(player):
    drawings = turned(go_patterns3x3.DRAWINGS)

    found = {code for code in range(65536) if inside.has_shape(code, player)}

    assert found == meant(player, drawings)
    assert 1000 < len(found) < 40_000


@pytest.mark.parametrize("drawing", go_patterns3x3.DRAWINGS, ids=lambda drawing: "/".join(drawing))
def test_each_drawing_is_found_as_it_is_drawn(drawing, shapes):
    *rows, who = drawing
    shapes([drawing])
    chance = random.Random(1)
    for turned_rows in symmetries(rows):
        for mine, theirs in ("BW", "WB"):
            for _ in range(20):
                code = 0
                for i, (row, column) in enumerate(PLACES):
                    wanted = turned_rows[row][column]
                    there = chance.choice(allowed_by(wanted, mine, theirs))
                    code |= ".BW#".index(there) << 2 * i

                players = {1, 2} if not who else {" BW".index({"X": mine, "O": theirs}[who])}
                assert all(inside.has_shape(code, player) for player in players)


def test_a_drawing_with_a_letter_is_for_that_player_only(shapes):
    for who, player in (("X", 1), ("O", 2), ("X", 2), ("O", 1)):
        shapes([("XXX", "X*O", "###", who)])
        found = {code for code in range(65536) if inside.has_shape(code, player)}
        expected = turned([("XXX", "X*O", "###", who)])
        assert found == meant(player, expected) != set()


def test_all_drawings_are_of_three_rows_and_known_signs():
    for *rows, who in go_patterns3x3.DRAWINGS:
        assert [len(row) for row in rows] == [3, 3, 3]
        assert rows[1][1] == "*"
        assert set("".join(rows)) <= set("XOxo.#?*")
        assert who in ("", "X", "O")


@pytest.mark.parametrize("size", [2, 3, 5, 9, 19])
def test_the_surroundings_on_the_board_are_what_stands_there(size):
    chance = random.Random(size)
    game = Go(size)
    sealed = 0

    def at(row, column):
        if not (0 <= row < size and 0 <= column < size):
            return "#"
        return ".BW"[here.color(row * size + column)]

    def watch(after):
        nonlocal here, sealed
        here = after
        for move in chance.sample(range(game.points), min(game.points, 6)):
            row, column = divmod(move, size)
            # The rows of a drawing come from the north.
            expected = "".join(at(row + 1 - south, column + east - 1) for south, east in PLACES)
            assert surrounding(inside.surroundings_of(after, move)) == expected
            code = inside.surroundings_of(after, move)
            assert inside.is_shape(after, move) == inside.has_shape(code, after.to_play)
            sealed += any(inside.is_sealed(after, m) for m in range(game.points))

    here = game
    for seed in range(1 + 60 // size):
        inside.walk(None, game, seed, watch)

    assert sealed or size < 4


def test_a_hane_is_a_shape_and_a_lone_point_is_none():
    core = from_text("""
        . . . . .
        . X O X .
        . . . . .
        . . . . .
        . . . . .""").core

    found = {core.name(m) for m in range(25) if not core.color(m) and inside.is_shape(core, m)}

    assert "C3" in found
    assert not {"A1", "C1", "E1", "B1", "D1", "C2"} & found


@pytest.mark.parametrize("player", [1, 2])
def test_no_shape_fills_a_real_eye_of_its_own(player):
    eyes = [code for code in range(65536) if is_real_eye(code, player)]

    assert len(eyes) > 16
    assert not any(inside.has_shape(code, player) for code in eyes)
