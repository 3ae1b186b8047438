"""Games as people see them: names of moves, printed boards, undo, and why a move is refused."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcts_cluster.errors import UserError
from mcts_cluster.games import IllegalMove, from_text, new, packed, set_up, unpacked

SIZES = range(2, 26)
SEEDS = st.integers(0, 2**32)


def fixed(examples):
    return settings(max_examples=examples, derandomize=True, deadline=None)


def random_game(size, seed, fraction, **choices):
    """Play about `fraction` of a long random game, own eyes filled, with a few passes."""
    game = new("go", size=size, **choices)
    moves = random.Random(seed)
    plies = int(fraction * min(3 * size * size, 250))
    while len(game.moves) < plies and not game.is_over:
        play_at_random(game, moves)
    return game


def play_at_random(game, moves):
    core = game.core
    # A second pass would end the game.
    if core.passes == 0 and moves.random() < 0.03:
        return game.pass_()
    for move in moves.sample(range(core.points), core.points):
        if core.is_legal(move):
            return game.play_number(move)
    return game.pass_()


def state(game):
    """Everything that can be seen of a game; the reasons show what superko remembers."""
    core = game.core
    reasons = [core.why_illegal(move) for move in range(core.points + 1)]
    counts = (core.ko, core.ply, core.passes, core.area())
    return str(game), game.moves, game.to_play, game.is_over, reasons, counts


def played(moves, **choices):
    game = new("go", **choices)
    for move in moves.split():
        game.play(move)
    return game


# A game from its start to its end


def test_a_new_game_is_empty_and_black_begins():
    game = new("go", size=9, komi=7.5)

    assert (game.size, game.to_play, game.is_over, game.moves) == (9, "black", False, [])
    assert game.legal_moves() == [f"{c}{r}" for r in range(1, 10) for c in "ABCDEFGHJ"] + ["pass"]


def test_go_is_9x9_with_komi_7_5_unless_told_otherwise():
    game = new()

    assert (game.size, game.core.komi, game.core.superko) == (9, 7.5, "positional")


def test_players_take_turns():
    game = new("go", size=9)
    colors = []

    for move in ("E5", "pass", "e4", " A1 "):
        colors.append(game.to_play)
        game.play(move)

    assert colors == ["black", "white", "black", "white"]
    assert game.moves == ["E5", "pass", "E4", "A1"]


def test_two_passes_end_the_game_and_leave_no_legal_move():
    game = played("pass", size=5)
    assert not game.is_over

    game.pass_()

    assert game.is_over
    assert game.legal_moves() == []


@pytest.mark.parametrize(
    ("komi", "score", "winner"),
    [(2, 0, None), (0.5, 1.5, "black"), (-3, 5, "black"), (2.5, -0.5, "white")],
)
def test_the_winner_is_who_has_more_points_after_komi(komi, score, winner):
    # Five stones against three; the empty point is nobody's.
    game = from_text(
        """
        X . O
        X X O
        X X O""",
        komi=komi,
    )

    assert (game.score(), game.winner()) == (score, winner)


def test_playouts_leave_the_game_as_it_is():
    game = played("E5 C3 G7")
    before = state(game)

    result = game.playouts(50, 1)

    assert result.total == 50
    assert state(game) == before


# The printed board


def test_a_printed_board_shows_the_last_move_and_who_is_to_play():
    game = played("D4 E5 F5 C3 G7")

    assert str(game) == (
        "    A B C D E F G H J\n"
        " 9  . . . . . . . . .  9\n"
        " 8  . . . . . . . . .  8\n"
        " 7  . . + . + .(X). .  7\n"
        " 6  . . . . . . . . .  6\n"
        " 5  . . + . O X + . .  5\n"
        " 4  . . . X . . . . .  4\n"
        " 3  . . O . + . + . .  3\n"
        " 2  . . . . . . . . .  2\n"
        " 1  . . . . . . . . .  1\n"
        "    A B C D E F G H J\n"
        "white to play"
    )


def test_brackets_fit_at_both_edges():
    first, last = played("A2", size=2), played("A2 B1", size=2)

    assert str(first) == "    A B\n 2 (X).  2\n 1  . .  1\n    A B\nwhite to play"
    assert str(last) == "    A B\n 2  X .  2\n 1  .(O) 1\n    A B\nblack to play"


def test_a_pass_has_no_brackets_and_an_ended_game_says_so():
    game = played("B2 pass pass", size=3)

    assert str(game) == (
        "    A B C\n 3  . . .  3\n 2  . X .  2\n 1  . . .  1\n    A B C\nthe game is over: "
        "black wins by 1.5"
    )


def test_the_widest_board_has_25_letters_and_two_digits():
    lines = str(played("Z25", size=25)).splitlines()

    assert lines[0] == lines[-2] == "    A B C D E F G H J K L M N O P Q R S T U V W X Y Z"
    assert lines[1] == "25 " + " ." * 24 + "(X) 25"
    assert lines[-3] == " 1 " + " ." * 25 + "  1"


@pytest.mark.parametrize("size", SIZES)
@fixed(4)
@given(seed=SEEDS, fraction=st.floats(0, 1))
def test_a_printed_game_can_be_read_back(size, seed, fraction):
    game = random_game(size, seed, fraction)

    again = from_text(str(game), komi=game.core.komi)

    points = range(game.core.points)
    assert [again.core.color(p) for p in points] == [game.core.color(p) for p in points]
    assert again.size == size
    assert again.score() == game.score()
    if not game.is_over:
        assert again.to_play == game.to_play


def test_an_ended_game_is_read_back_as_a_position_that_goes_on():
    game = from_text(str(played("B2 pass pass", size=3)))

    assert (game.is_over, game.to_play, game.core.area()) == (False, "black", 9)


# Undo and copies


@pytest.mark.parametrize("size", SIZES)
@fixed(4)
@given(seed=SEEDS, fraction=st.floats(0.05, 1))
def test_undo_returns_to_exactly_the_state_before(size, seed, fraction):
    game = random_game(size, seed, fraction)
    moves = random.Random(seed)
    states = []
    while len(states) < 4 and not game.is_over:
        states.append(state(game))
        play_at_random(game, moves)

    for before in reversed(states):
        game.undo()
        assert state(game) == before
        game.core.check()


def test_a_move_taken_back_does_not_count_as_a_repetition():
    game = played("B1 C2 A2 B2", size=3)
    game.play("C1")
    game.undo()

    game.play("C1")

    assert game.moves[-1] == "C1"


def test_undo_brings_a_ko_back_and_an_ended_game_to_life():
    game = from_text(KO, to_play="white")
    for move in ("B3", "pass", "pass"):
        game.play(move)

    game.undo()
    game.undo()

    assert not game.is_over
    assert refusal(game, "C3") == "move 2: black cannot play C3: ko"


def test_undo_keeps_the_start_position():
    game = from_text(KO, to_play="white", komi=3)
    before = state(game)
    game.play("B3")

    game.undo()

    assert state(game) == before
    assert game.core.komi == 3


def test_the_start_of_a_game_is_a_copy_of_its_first_position():
    game = from_text(". X .\n. . O\n. . .", to_play="white")
    game.play("A1")

    game.start.play(0)

    assert game.start.draw() == from_text(". X .\n. . O\n. . .").core.draw()
    assert (game.start.to_play, game.start.ply) == (2, 0)


def test_there_is_nothing_to_undo_at_the_start():
    game = played("E5")
    game.undo()

    with pytest.raises(IllegalMove) as refused:
        game.undo()

    assert str(refused.value) == "there is no move to undo"


@pytest.mark.parametrize("superko", ["simple", "positional", "situational"])
@fixed(10)
@given(size=st.integers(2, 9), seed=SEEDS, fraction=st.floats(0, 0.9))
def test_a_copy_and_its_original_are_independent(superko, size, seed, fraction):
    game = random_game(size, seed, fraction, superko=superko, komi=0.5)
    before = state(game)
    copy = game.copy()
    assert state(copy) == before
    assert (copy.core.superko, copy.core.komi) == (superko, 0.5)

    if not copy.is_over:
        play_at_random(copy, random.Random(seed))
    while copy.moves:
        copy.undo()

    assert state(game) == before
    assert state(copy) == state(new("go", size=size, superko=superko, komi=0.5))


def test_undo_of_the_original_leaves_the_copy():
    game = played("E5 C3")
    copy = game.copy()
    before = state(copy)

    game.undo()
    game.play("G7")

    assert state(copy) == before


# Refused moves

KO = """
    . X O .
    X . X O
    . X O .
    . . . ."""


def refusal(game, move):
    """Return why a move is refused, having seen that nothing else has happened."""
    before = state(game)
    with pytest.raises(IllegalMove) as refused:
        game.play(move)
    assert state(game) == before
    return str(refused.value)


def test_an_occupied_point_is_refused():
    assert refusal(played("E5"), "E5") == "move 2: white cannot play E5: occupied"


def test_suicide_is_refused():
    game = from_text("O . X\nX X X\n. . .", to_play="white")

    assert refusal(game, "B3") == "move 1: white cannot play B3: suicide"


def test_a_ko_is_refused():
    game = from_text(KO, to_play="white")
    game.play("B3")

    assert refusal(game, "C3") == "move 2: black cannot play C3: ko"


# On 3x3, with a last move that would bring back the board after the fourth: it takes the stone that
# has just taken two, which is no simple ko. Black was to play after the fourth move; after the last
# one it would be Black's turn in the first game, White's in the second.
SAME_PLAYER_TO_MOVE = ("B2 A2 C2 B3 pass C3 A3", "B3", "move 8: white cannot play B3: superko")
OTHER_PLAYER_TO_MOVE = ("B1 C2 A2 B2 C1 A1", "B1", "move 7: black cannot play B1: superko")


@pytest.mark.parametrize(
    ("superko", "repetition"),
    [
        ("positional", SAME_PLAYER_TO_MOVE),
        ("situational", SAME_PLAYER_TO_MOVE),
        ("positional", OTHER_PLAYER_TO_MOVE),
    ],
)
def test_a_repetition_is_refused(superko, repetition):
    moves, last, reason = repetition
    game = played(moves, size=3, superko=superko)

    assert refusal(game, last) == reason


@pytest.mark.parametrize(
    ("superko", "repetition"),
    [
        ("simple", SAME_PLAYER_TO_MOVE),
        ("simple", OTHER_PLAYER_TO_MOVE),
        ("situational", OTHER_PLAYER_TO_MOVE),
    ],
)
def test_a_repetition_is_played_where_the_superko_rule_has_nothing_against_it(superko, repetition):
    moves, last, _ = repetition
    game = played(moves, size=3, superko=superko)

    game.play(last)

    board, after_the_fourth = str(game), str(played(" ".join(moves.split()[:4]), size=3))
    assert only_stones(board) == only_stones(after_the_fourth)


def only_stones(board):
    return [mark for mark in board if mark in ".XO"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("K5", "'K5' is off the board: its points are A1 to J9"),
        ("E10", "'E10' is off the board: its points are A1 to J9"),
        ("E0", "'E0' is off the board: its points are A1 to J9"),
        *(
            (name, f"{name!r} is not a point, must be a letter and a number, like E5")
            for name in ("I5", "", " ", "5E", "E", "5", "E-1", "E+1", "E1.0", "E 5", "E5 E6", "EE5")
        ),
        # Digits and letters to Unicode, but not to us.
        *(
            (name, f"{name!r} is not a point, must be a letter and a number, like E5")
            for name in ("E٥", "E²", "E⑤", "É5", "ß5", "Ｅ5")
        ),
    ],
)
def test_what_is_no_point_of_the_board_is_refused(name, reason):
    assert refusal(new("go", size=9), name) == f"move 1: {reason}"


@pytest.mark.parametrize("name", ["E5", "pass"])
def test_nothing_is_played_after_the_end(name):
    game = played("pass pass")

    assert refusal(game, name) == f"move 3: black cannot play {name}: the game is over"


@pytest.mark.parametrize("number", [-1, 82, 10**6])
def test_a_number_that_stands_for_no_move_is_refused(number):
    with pytest.raises(IllegalMove) as refused:
        new("go", size=9).play_number(number)

    assert str(refused.value) == f"move 1: black cannot play {number}: off the board"


# Settings

WRONG_SETTINGS = [
    ({"size": 1}, "game.size: 1 is too small, must be at least 2"),
    ({"size": 26}, "game.size: 26 is too large, must be at most 25"),
    ({"size": -9}, "game.size: -9 is too small, must be at least 2"),
    ({"size": "9"}, 'game.size: "9" must be a whole number'),
    ({"size": 9.5}, "game.size: 9.5 must be a whole number"),
    ({"size": True}, "game.size: true must be a whole number"),
    ({"komi": 0.25}, "game.komi: 0.25 must be a multiple of 0.5"),
    ({"komi": float("nan")}, "game.komi: nan must be at least -1000"),
    ({"komi": float("inf")}, "game.komi: inf is too large, must be at most 1000"),
    ({"komi": 1000.5}, "game.komi: 1000.5 is too large, must be at most 1000"),
    ({"komi": "7.5"}, 'game.komi: "7.5" must be a number'),
    ({"komi": None}, "game.komi: None must be a number"),
    ({"komi": False}, "game.komi: false must be a number"),
    (
        {"superko": "japanese"},
        'game.superko: "japanese" is unknown; known are simple, positional, situational',
    ),
    ({"superko": 1}, "game.superko: 1 must be a string"),
    ({"handicap": 1}, "game.handicap: 1: size 9 allows 2 to 9 stones"),
    ({"handicap": 10}, "game.handicap: 10 is too large, must be at most 9"),
    ({"handicap": -2}, "game.handicap: -2 is too small, must be at least 0"),
    ({"size": 5, "handicap": 2}, "game.handicap: 2: size 5 allows none"),
    ({"size": 7, "handicap": 5}, "game.handicap: 5: size 7 allows 2 to 4 stones"),
    ({"size": 18, "handicap": 5}, "game.handicap: 5: size 18 allows 2 to 4 stones"),
    ({"handicap": 2.0}, "game.handicap: 2.0 must be a whole number"),
    ({"sise": 9}, 'game.sise: unknown key; did you mean "size"?'),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG_SETTINGS, ids=str)
def test_wrong_settings_are_refused(wrong, message):
    with pytest.raises(UserError) as refused:
        new("go", **wrong)

    assert str(refused.value) == message


def test_an_unknown_game_is_refused():
    with pytest.raises(UserError) as refused:
        new("chess")

    assert str(refused.value) == "game 'chess': allowed are go, havannah"


@pytest.mark.parametrize("komi", [-1000, 0, 6.5, 7, 1000])
def test_komi_may_be_any_half_point_up_to_1000(komi):
    assert new("go", komi=komi).score() == -komi


# Handicaps, from the table of the Go Text Protocol 2, fixed_handicap

GTP_HANDICAPS = {
    (9, 2): "C3 G7",
    (9, 3): "C3 G7 C7",
    (9, 4): "C3 G7 C7 G3",
    (9, 5): "C3 G7 C7 G3 E5",
    (9, 6): "C3 G7 C7 G3 C5 G5",
    (9, 7): "C3 G7 C7 G3 C5 G5 E5",
    (9, 8): "C3 G7 C7 G3 C5 G5 E3 E7",
    (9, 9): "C3 G7 C7 G3 C5 G5 E3 E7 E5",
    (13, 2): "D4 K10",
    (13, 3): "D4 K10 D10",
    (13, 4): "D4 K10 D10 K4",
    (13, 5): "D4 K10 D10 K4 G7",
    (13, 6): "D4 K10 D10 K4 D7 K7",
    (13, 7): "D4 K10 D10 K4 D7 K7 G7",
    (13, 8): "D4 K10 D10 K4 D7 K7 G4 G10",
    (13, 9): "D4 K10 D10 K4 D7 K7 G4 G10 G7",
    (19, 2): "D4 Q16",
    (19, 3): "D4 Q16 D16",
    (19, 4): "D4 Q16 D16 Q4",
    (19, 5): "D4 Q16 D16 Q4 K10",
    (19, 6): "D4 Q16 D16 Q4 D10 Q10",
    (19, 7): "D4 Q16 D16 Q4 D10 Q10 K10",
    (19, 8): "D4 Q16 D16 Q4 D10 Q10 K4 K16",
    (19, 9): "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
}


@pytest.mark.parametrize(("setting", "points"), GTP_HANDICAPS.items(), ids=str)
def test_handicap_stones_lie_where_gtp_puts_them(setting, points):
    size, handicap = setting
    core = new("go", size=size, handicap=handicap).core

    stones = {core.name(point): core.color(point) for point in range(core.points)}

    assert {name for name, color in stones.items() if color} == set(points.split())
    assert 2 not in stones.values()


@pytest.mark.parametrize(("size", "points"), [(7, "C3 E5 C5 E3"), (8, "C3 F6 C6 F3")])
def test_small_and_even_boards_have_four_handicap_points(size, points):
    core = new("go", size=size, handicap=4).core

    assert {core.name(p) for p in range(core.points) if core.color(p)} == set(points.split())


def test_white_begins_after_a_handicap():
    game = new("go", size=9, handicap=2)

    assert (game.to_play, game.moves) == ("white", [])


# Positions


def test_a_diagram_may_be_written_in_several_ways():
    bare = from_text("X.O\n...\n.X.")

    decorated = from_text(
        """
            A B C
         3  x , o  3
         2  . + .  2
         1  .(#).  1
            A B C
        black to play
        """
    )

    assert str(decorated) == str(bare)


def test_the_caller_knows_better_than_the_diagram_who_is_to_play():
    diagram = "X.\n..\nwhite to play"

    assert from_text(diagram).to_play == "white"
    assert from_text(diagram, to_play="black").to_play == "black"
    assert from_text("X.\n..").to_play == "black"


def test_a_row_of_stones_is_not_taken_for_column_letters():
    game = from_text("X.\nOO")

    assert game.core.color(0) == game.core.color(1) == 2


WRONG_DIAGRAMS = [
    ("", {}, "game.size: 0 is too small, must be at least 2"),
    ("X", {}, "game.size: 1 is too small, must be at least 2"),
    ("\n".join(["." * 26] * 26), {}, "game.size: 26 is too large, must be at most 25"),
    ("...\n.Y.\n...", {}, "diagram, line 2: 'Y' is not one of . , + X x # O o"),
    ("\n...\n...\n..", {}, "diagram, line 4: 2 points in a board of 3 rows"),
    ("....\n...\n...", {}, "diagram, line 1: 4 points in a board of 3 rows"),
    ("XO\nO.", {}, "position: the stone on A2 has no liberty"),
    ("XX\nXX", {}, "position: the stone on A1 has no liberty"),
    ("..\n..", {"to_play": "green"}, "to_play 'green': allowed are black and white"),
    ("..\n..", {"komi": 0.1}, "game.komi: 0.1 must be a multiple of 0.5"),
    ("..\n..", {"rules": 1}, "game.rules: unknown key; known are size, komi, superko, handicap"),
]


@pytest.mark.parametrize(("diagram", "choices", "message"), WRONG_DIAGRAMS)
def test_wrong_diagrams_are_refused(diagram, choices, message):
    with pytest.raises(UserError) as refused:
        from_text(diagram, **choices)

    assert str(refused.value) == message


def test_a_position_is_set_up_from_names():
    game = set_up(["A1", "B2"], ["c3"], "white", size=3, komi=0)

    assert str(game) == str(from_text("..O\n.X.\nX..", to_play="white"))


@pytest.mark.parametrize(
    ("black", "white", "message"),
    [
        (["A1", "A1"], [], "position: two stones on A1"),
        (["A1"], ["A1"], "position: two stones on A1"),
        (["D1"], [], "position: 'D1' is off the board: its points are A1 to C3"),
        (["A1"], ["A2", "B1"], "position: the stone on A1 has no liberty"),
    ],
)
def test_impossible_positions_are_refused(black, white, message):
    with pytest.raises(UserError) as refused:
        set_up(black, white, size=3)

    assert str(refused.value) == message


# Another process


def test_the_order_of_stones_makes_no_difference():
    one, other = (set_up(list(names), ["C3"], size=5) for names in (("A1", "D4"), ("D4", "A1")))

    assert one.playouts(50, 1)[:4] == other.playouts(50, 1)[:4]


@pytest.mark.parametrize(
    "game",
    [
        new("go", size=5, komi=-0.5, superko="simple"),
        new("go", size=9, handicap=3),
        set_up(["A1", "B2"], ["C3"], "white", size=3, komi=0, superko="situational"),
        new("havannah", size=4),
        new("havannah", size=3, swap=True),
    ],
    ids=lambda game: f"{type(game.core).__name__}-{game.size}",
)
def test_a_game_can_be_made_again_elsewhere_from_plain_data(game):
    moves = random.Random(1)
    for _ in range(6):
        game.play(moves.choice(game.legal_moves()))

    again = unpacked(json.loads(json.dumps(packed(game))), game.numbers)

    assert str(again) == str(game) and again.numbers == game.numbers
    assert again.core.legal_moves() == game.core.legal_moves()
    assert again.playouts(50, 1)[:4] == game.playouts(50, 1)[:4]
    settings = [name for name in game.core.settings if hasattr(game.core, name)]
    assert settings and all(getattr(again.core, n) == getattr(game.core, n) for n in settings)
