"""The rules of Go on small diagrams, each worked out by hand."""

import pytest

from mcts_cluster.games import from_text, new


def stones(game):
    """The board as bare rows, north first."""
    core, size = game.core, game.size
    return [
        "".join(".XO"[core.color(row * size + column)] for column in range(size))
        for row in range(size - 1, -1, -1)
    ]


def test_a_stone_without_liberties_is_taken():
    game = from_text("""
        . . .
        X . .
        O . .""")

    game.play("B1")

    assert stones(game) == ["...", "X..", ".X."]


def test_a_chain_is_taken_as_a_whole():
    game = from_text("""
        . X X . .
        X O O X .
        . X O X .
        . . . . .
        . . . . .""")

    game.play("C2")

    assert stones(game) == [".XX..", "X..X.", ".X.X.", "..X..", "....."]


def test_several_chains_are_taken_at_once():
    game = from_text("""
        . X . X .
        X O . O X
        . X . X .
        . . . . .
        . . . . .""")
    game.play("C5")
    game.pass_()
    game.play("C3")
    game.pass_()

    game.play("C4")

    assert stones(game) == [".XXX.", "X.X.X", ".XXX.", ".....", "....."]


def test_a_stone_that_takes_its_last_liberty_from_the_enemy_is_no_suicide():
    game = from_text("""
        . O X .
        O X . .
        X . . .
        . . . .""")

    game.play("A4")

    assert stones(game) == ["X.X.", ".X..", "X...", "...."]


@pytest.mark.parametrize("point", ["A3", "C1"])
def test_suicide_of_one_stone_is_refused(point):
    game = from_text(
        """
        . X .
        X X X
        . X .""",
        to_play="white",
    )

    assert point not in game.legal_moves()
    assert game.core.why_illegal(game.core.number(point)) == "suicide"


def test_suicide_of_a_chain_is_refused():
    game = from_text(
        """
        O . X . .
        X X X . .
        . . . . .
        . . . . .
        . . . . .""",
        to_play="white",
    )

    assert game.core.why_illegal(game.core.number("B5")) == "suicide"
    assert "B5" not in game.legal_moves()


KO = """
    . X O .
    X . X O
    . X O .
    . . . ."""


def test_a_ko_may_not_be_retaken_at_once():
    game = from_text(KO, to_play="white", superko="simple")

    game.play("B3")

    assert stones(game)[1] == "XO.O"
    assert game.core.ko == game.core.number("C3")
    assert game.core.why_illegal(game.core.number("C3")) == "ko"


def test_a_ko_may_be_retaken_after_a_move_elsewhere():
    game = from_text(KO, to_play="white")
    for move in ("B3", "A1", "D1"):
        game.play(move)

    game.play("C3")

    assert stones(game)[1] == "X.XO"


def test_a_pass_lifts_the_simple_ko():
    game = from_text(KO, to_play="white", superko="simple")
    game.play("B3")
    game.pass_()

    assert game.core.ko is None


def test_taking_two_stones_is_no_ko():
    game = from_text(
        """
        . X O O .
        X . X X O
        . X O O .
        . . . . .
        . . . . .""",
        to_play="white",
        superko="simple",
    )

    game.play("B4")

    assert stones(game)[1] == "XO..O"
    assert game.core.ko is None


# Moves, and one more that a simple ko allows: it would bring back the position after move 4.
SAME_PLAYER_TO_MOVE = ("B2 A2 C2 B3 pass C3 A3", "B3")
OTHER_PLAYER_TO_MOVE = ("B1 C2 A2 B2 C1 A1", "B1")


@pytest.mark.parametrize(
    ("superko", "repetition", "reason"),
    [
        ("simple", SAME_PLAYER_TO_MOVE, None),
        ("positional", SAME_PLAYER_TO_MOVE, "superko"),
        ("situational", SAME_PLAYER_TO_MOVE, "superko"),
        ("simple", OTHER_PLAYER_TO_MOVE, None),
        ("positional", OTHER_PLAYER_TO_MOVE, "superko"),
        ("situational", OTHER_PLAYER_TO_MOVE, None),
    ],
)
def test_superko_forbids_what_has_been(superko, repetition, reason):
    moves, last = repetition
    game = new("go", size=3, superko=superko)
    for move in moves.split():
        game.play(move)

    assert game.core.why_illegal(game.core.number(last)) == reason
    assert (last in game.legal_moves()) == (reason is None)


def test_two_passes_end_the_game():
    game = new("go", size=5)
    game.pass_()
    assert not game.is_over

    game.pass_()

    assert game.is_over
    assert game.legal_moves() == []


def test_a_stone_between_passes_keeps_the_game_going():
    game = new("go", size=5)

    for move in ("pass", "C3", "pass"):
        game.play(move)

    assert not game.is_over


SCORES = [
    ("the empty board", [".....", ".....", ".....", ".....", "....."], 0),
    ("one stone owns the board", [".....", ".....", "..X..", ".....", "....."], 25),
    ("a wall divides it", ["..XO.", "..XO.", "..XO.", "..XO.", "..XO."], 5),
    ("a shared liberty is nobody's", ["..X.O", "..X.O", "..X.O", "..X.O", "..X.O"], 10),
    ("stones count wherever they stand", ["O.X..", "X.X..", "XXX..", ".....", "....."], 21),
]


@pytest.mark.parametrize(("name", "diagram", "area"), SCORES, ids=[row[0] for row in SCORES])
@pytest.mark.parametrize("komi", [-3.5, 0, 7, 7.5])
def test_area_score(name, diagram, area, komi):
    game = from_text("\n".join(diagram), komi=komi)

    lead = area - komi

    assert game.core.area() == area
    assert game.score() == lead
    assert game.winner() == ("black" if lead > 0 else "white" if lead < 0 else None)
