"""GTP for Havannah, as Castro speaks it."""

import re

import pytest
from gtp_talk import Thinking, ask, talk

from mcts_cluster import games
from mcts_cluster.gtp.clock import Limits
from mcts_cluster.gtp.havannah import HavannahEngine

DONE = "= \n\n"
NO_CELL = "is not a cell, must be a letter and a number, like e5"
NO_SWAP = "swap is allowed as the second move only, where the rule is on"


def engine(simulations=20, **settings):
    return HavannahEngine({"simulations": simulations}, {"size": 4} | settings)


def thinker(simulations=100, **settings):
    words = {"simulations": simulations}, {"size": 4} | settings
    return HavannahEngine(*words, make_player=Thinking)


def after(*lines, **settings):
    """Return an engine that has carried out these lines, all of them with success."""
    one = engine(**settings)
    for line in lines:
        ask(one, line)
    return one


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        *((f"boardsize {size}", DONE) for size in range(3, 11)),
        ("boardsize 16", DONE),
        ("boardsize 1", "? unacceptable size\n\n"),
        ("boardsize 17", "? unacceptable size\n\n"),
        ("play w e5", DONE),
        ("play WHITE E5", DONE),
        ("white e5", DONE),
        ("play b e5", "? it is the turn of white\n\n"),
        ("black e5", "? it is the turn of white\n\n"),
        ("genmove b", "? it is the turn of white\n\n"),
        ("play w a5", "? syntax error: 'a5' is off the board\n\n"),
        ("play w 55", f"? syntax error: '55' {NO_CELL}\n\n"),
        ("play w pass", f"? syntax error: 'pass' {NO_CELL}\n\n"),
        ("play w swap", f"? syntax error: {NO_SWAP}\n\n"),
        ("play w resign", DONE),
        ("undo", "? cannot undo\n\n"),
        ("undo 2", "? cannot undo\n\n"),
        ("komi 5", "? unknown command\n\n"),
        ("final_score", "? cannot score\n\n"),
        ("havannah_winner", "= none\n\n"),
        ("winner", "= none\n\n"),
        ("hguicoords", DONE),
        ("gridcoords", DONE),
        ("history", DONE),
        ("swap", "= Swap off\n\n"),
        ("swap 1", "= Swap on\n\n"),
        ("swap yes", "? syntax error: must be 0 or 1\n\n"),
        ("time -m", "? syntax error: an option without its number\n\n"),
        ("time -x 3", "? syntax error: must be -m, -g, -r, -i or -f with a number\n\n"),
        ("player_params -t 2", "? '-t': must be KEY=VALUE\n\n"),
        ("player_params simulations=1", "? simulations: 1 is too small, must be at least 2\n\n"),
    ],
)
def test_a_line_and_its_answer(line, answer):
    assert talk(engine(), line) == answer


def test_moves_alternate_and_white_begins():
    one = after("play w a1", "play b b2", "play w c3")

    assert ask(one, "history") == "a1 b2 c3"
    assert talk(one, "play b c3") == "? illegal move\n\n"
    assert ask(one, "undo 2") == ""
    assert ask(one, "history") == "a1"


def test_a_list_of_moves_is_played_in_turn():
    assert ask(after("playgame a1 b2 c3"), "history") == "a1 b2 c3"


def test_cells_can_have_little_golems_names():
    # On size 4, columns e to g begin one to three rows later; as Castro tells it too.
    one = after("playgame a1 e5 g7")

    ask(one, "gridcoords")
    assert ask(one, "history") == "a1 e4 g4"
    ask(one, "play b g1")
    ask(one, "hguicoords")

    assert ask(one, "history") == "a1 e5 g7 g4"


def test_all_legal_moves_are_told_in_the_notation_in_use():
    one = after("playgame a1 e5", "gridcoords")

    legal = ask(one, "all_legal").split()

    assert len(legal) == 37 - 2
    assert {"g1", "g4", "e1", "e5"} <= set(legal)
    assert not {"a1", "e4", "g5"} & set(legal)


def test_swap_is_a_move_where_the_rule_is_on():
    one = after("swap 1", "play w d4", "play b swap", "play w a1")

    assert ask(one, "history") == "d4 swap a1"
    assert ask(one, "showboard").count("X") == 1


def test_the_swap_rule_can_come_later_and_moves_stay():
    one = after("play w d4")

    assert ask(one, "swap 1") == "Swap on"
    ask(one, "play b swap")

    # Without the rule that swap was no move.
    assert talk(one, "swap 0") == "? illegal move\n\n"
    assert ask(one, "swap") == "Swap on"
    assert ask(one, "history") == "d4 swap"


def test_the_player_may_swap():
    one = HavannahEngine({"simulations": 20_000, "bandit": "uct"}, {"size": 3, "swap": True})
    ask(one, "play w b2")

    # The board's best cells are its corners; a stone beside the middle is worth having too.
    assert ask(one, "genmove b") == "swap"
    assert ask(one, "history") == "b2 swap"


def test_a_move_is_generated_with_and_without_a_color_and_a_time():
    one = thinker()

    for line in ("genmove", "genmove b", "genmove w 2.5", "genmove 0.5"):
        assert re.fullmatch(r"[a-g]\d", ask(one, line))

    assert one.player.asked == [None, None, 2.5, 0.5]


# Six corners of a ring around c3.
RING = "playgame b2 a1 c2 b1 b3 c1 d3 a2 c4 a3 d4"


def test_the_winner_is_told_and_nothing_is_played_after_the_end():
    one = after(RING)

    assert ask(one, "havannah_winner") == "white"
    assert ask(one, "final_score") == "W+"
    assert "white wins by ring" in ask(one, "showboard")
    for line in ("play b e5", "genmove b", "genmove", "reg_genmove b"):
        assert talk(one, line) == "? the game is over\n\n"
    assert talk(thinker_after(RING), "lz-analyze") == "? the game is over\n\n"


def thinker_after(line):
    one = thinker()
    ask(one, line)
    return one


def test_candidates_and_variation():
    one = thinker()
    before = [ask(one, "move_stats"), ask(one, "pv")]

    move = ask(one, "reg_genmove w")

    assert before == ["", ""]
    lines = [line.split(",") for line in ask(one, "move_stats").split("\n")]
    assert lines[0][0] == move == ask(one, "pv")
    assert sum(int(visits) for _, _, visits, *_ in lines) == 99
    assert all(0 <= float(line[1]) <= 1 and line[3:] == ["0", "0", "0"] for line in lines)


def test_a_variation_may_begin_with_a_swap():
    one = thinker(swap=True)
    ask(one, "play w d4")
    line = type("Line", (), {"moves": [one.game.numbers[0], 0, 1]})

    assert one.variation(line) == ["swap", "a1", "b1"]
    ask(one, "undo")
    assert one.variation(type("Line", (), {"moves": [0, 0, 1]})) == ["a1", "swap", "b1"]


def test_parameters_of_the_player_can_be_changed():
    one = engine(simulations=20)

    shown = [ask(one, "player_params")]
    ask(one, "player_params simulations=30 widening=2.5")
    talk(one, "player_params widening=-1")
    shown.append(ask(one, "player_params"))

    assert shown == ["simulations=20", "simulations=30\nwidening=2.5"]
    assert (one.player.simulations, one.player.widening) == (30, 2.5)


@pytest.mark.parametrize(
    ("line", "limits", "simulations"),
    [
        ("time -g 0 -r 0 -m 0 -f 0 -i 500", None, 500),
        ("time -m 2.5", Limits(0, 2.5), 20),
        ("time --move 10 --game 600 --flexible 1", Limits(600, 10), 20),
        ("time -s 2", None, 20),
    ],
)
def test_time_as_castro_has_it(line, limits, simulations):
    one = after(line)

    assert one.clock.limits == limits
    assert one.player.simulations == simulations


HGF = "(;FF[4]SZ[4]RU[LG];W[A1];B[swap];W[E4];B[D3])"


def test_a_record_is_loaded_to_its_end_or_before_a_move(tmp_path):
    (tmp_path / "game.hgf").write_text(HGF)
    one = engine(size=8)

    ask(one, f"loadsgf {tmp_path}/game.hgf")
    at_the_end = ask(one, "history")
    ask(one, f"loadsgf {tmp_path}/game.hgf 3")

    assert at_the_end == "a1 swap e5 d3"
    assert ask(one, "history") == "a1 swap"
    assert one.game.size == 4


def test_a_record_that_cannot_be_loaded_changes_nothing(tmp_path):
    (tmp_path / "bad.hgf").write_text("(;FF[4]SZ[4];W[a1];B[a1])")
    one = after("play w a1")

    answers = [talk(one, f"loadsgf {name}") for name in (f"{tmp_path}/bad.hgf", "/nowhere")]

    assert all(answer.startswith("? cannot load file: ") for answer in answers)
    assert ask(one, "history") == "a1"


@pytest.mark.parametrize("size", [3, 5, 10])
def test_two_engines_play_a_game_and_agree_on_it(size):
    white, black = (after(f"boardsize {size}", "swap 1", simulations=10) for _ in range(2))
    names = games.new("havannah", size=size, swap=True)

    while ask(white, "havannah_winner") == "none":
        color = names.to_play
        mover, other = (white, black) if color == "white" else (black, white)
        move = ask(mover, f"genmove {color}")
        ask(other, f"play {color[0]} {move}")
        names.play(move)

    assert ask(white, "havannah_winner") == ask(black, "havannah_winner") == names.winner()
    assert ask(white, "history") == ask(black, "history")
