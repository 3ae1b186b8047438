"""Go as Python sees it: copies, set-up, numbers, and what is refused."""

import pytest

from cext.go import Go
from mcts_cluster.games import from_text


def test_a_copy_is_the_same_game_and_goes_its_own_way():
    game = Go(5, komi=0.5, superko="situational")
    for name in ("C3", "B2", "pass"):
        game.play(game.number(name))

    copy = game.copy()

    for name in ("size", "points", "to_play", "ply", "passes", "komi", "superko"):
        assert getattr(copy, name) == getattr(game, name), name
    assert copy.draw() == game.draw()
    copy.check()
    copy.play(copy.number("D4"))
    copy.check()
    assert (game.color(game.number("D4")), game.ply, game.passes) == (0, 3, 1)


# After two more moves Black could bring this position back, White to play.
REPEATABLE = """
    . . .
    X O O
    . X ."""


@pytest.mark.parametrize(
    ("superko", "reason"), [("simple", None), ("positional", "superko"), ("situational", None)]
)
def test_superko_knows_the_start_position(superko, reason):
    game = from_text(REPEATABLE, superko=superko)
    for move in ("C1", "A1"):
        game.play(move)

    assert game.core.why_illegal(game.core.number("B1")) == reason
    assert game.core.copy().why_illegal(game.core.number("B1")) == reason


@pytest.mark.parametrize("values", [{"size": 9.5}, {"size": 9.0}, {"size": "9"}, {"handicap": 2.5}])
def test_a_size_or_a_handicap_that_is_no_whole_number_is_refused(values):
    [(name, value)] = values.items()
    with pytest.raises(TypeError, match=f"^{name} {value!r}: must be a whole number$"):
        Go(**values)


@pytest.mark.parametrize(
    ("black", "white", "message"),
    [
        ([9], [], "point 9 is off the board"),
        ([], [-1], "point -1 is off the board"),
        ([4], [4], "two stones on B2"),
        ([4, 4], [], "two stones on B2"),
        ([0], [1, 3], "the stone on A1 has no liberty"),
        ([1, 3], [0], "the stone on A1 has no liberty"),
        (range(9), [], "the stone on A1 has no liberty"),
    ],
)
def test_an_impossible_position_is_refused(black, white, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        Go(3).set_up(black, white)


def test_setting_up_starts_the_game_anew():
    game = Go(3)
    for move in (4, 9, 0, 9, 9):
        game.play(move)
    assert game.is_over

    game.set_up([0], [8], 2)

    assert (game.ply, game.passes, game.to_play, game.ko) == (0, 0, 2, None)
    assert [game.color(point) for point in range(9)] == [1, 0, 0, 0, 0, 0, 0, 0, 2]
    game.check()


# Not only beside the board: 20 lies in memory that a bigger board would use.
@pytest.mark.parametrize("move", [-(10**6), -1, 10, 20])
def test_a_number_that_stands_for_no_move_is_refused(move):
    game = Go(3)

    assert not game.is_legal(move)
    assert game.why_illegal(move) == "off the board"
    with pytest.raises(ValueError, match=f"^move {move} is not legal here$"):
        game.play(move)


def test_playing_an_illegal_move_is_refused():
    game = Go(3)
    game.play(4)

    with pytest.raises(ValueError, match=r"^move 4 is not legal here$"):
        game.play(4)
    assert game.ply == 1


@pytest.mark.parametrize("point", [-1, 9])
def test_a_point_off_the_board_has_no_colour(point):
    with pytest.raises(ValueError, match=f"^point {point} is off the board$"):
        Go(3).color(point)


def marked(game):
    """The names of the points that a printed board marks."""
    rows = [line[3:].split()[: game.size] for line in reversed(game.draw().splitlines()[1:-1])]
    return {
        game.name(row * game.size + column)
        for row, marks in enumerate(rows)
        for column, mark in enumerate(marks)
        if mark == "+"
    }


@pytest.mark.parametrize(
    ("size", "points"),
    [
        (6, ""),
        (8, "C3 F3 C6 F6"),
        (9, "C3 E3 G3 C5 E5 G5 C7 E7 G7"),
        (12, "C3 K3 C10 K10"),
        (13, "D4 G4 K4 D7 G7 K7 D10 G10 K10"),
    ],
)
def test_a_printed_board_marks_the_handicap_points(size, points):
    assert marked(Go(size)) == set(points.split())


@pytest.mark.parametrize("to_play", [-1, 0, 3])
def test_only_two_players_can_be_to_move(to_play):
    with pytest.raises(ValueError, match=f"^player {to_play} is to move: must be 1 or 2$"):
        Go(3).set_up([], [], to_play)


def test_a_stone_that_is_taken_and_set_again_is_refused():
    with pytest.raises(ValueError, match=r"^two stones on A1$"):
        Go(3).set_up([0], [1, 3, 0])


def test_a_refused_position_leaves_an_empty_board():
    game = Go(3)

    with pytest.raises(ValueError, match="off the board"):
        game.set_up(iter([0, 1, 9]), [], 2)

    assert game.to_play == 1
    assert len(game.legal_moves()) == 10
    game.check()


def test_stones_may_come_from_an_iterator():
    with pytest.raises(ValueError, match="has no liberty"):
        Go(2).set_up(iter([0, 3]), iter([1, 2]))


def test_a_number_without_a_point_has_no_name():
    with pytest.raises(ValueError, match=r"^point -1 is off the board$"):
        Go(3).name(-1)
