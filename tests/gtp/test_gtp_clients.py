"""The engine as programs speak with it: Sabaki, clients of KataGo, and the bridge to a server.

Sabaki's own library is used where it is installed: npm install @sabaki/gtp, and NODE_PATH.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from gtp_talk import Thinking, ask, talk

from mcts_cluster.gtp.engine import Options
from mcts_cluster.gtp.go import GoEngine

ENGINE = [sys.executable, "-m", "mcts_cluster", "gtp", "simulations=200"]
NUMBER = r"-?\d+(?:\.\d+)?"
INFO = re.compile(
    rf"info move ([A-T]\d+|pass) visits (\d+) winrate ({NUMBER}) prior ({NUMBER}) order (\d+) "
    r"pv ((?:[A-T]\d+|pass)(?: (?:[A-T]\d+|pass))*)"
)


def engine(simulations=100, size=5):
    return GoEngine({"simulations": simulations}, {"size": size}, Options(0, None, 0.1))


# Sabaki


@pytest.fixture(scope="module")
def sabaki():
    """What an engine answers to Sabaki's library."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    found = subprocess.run([node, "-e", "require('@sabaki/gtp')"], capture_output=True)
    if found.returncode:
        pytest.skip("no @sabaki/gtp here: npm install @sabaki/gtp, and NODE_PATH")
    script = Path(__file__).with_name("sabaki.js")
    ended = subprocess.run([node, script, *ENGINE], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_sabaki_knows_the_engine(sabaki):
    assert (sabaki["name"], sabaki["protocol_version"]) == ("mcts_cluster", "2")
    assert {"lz-analyze", "kata-analyze", "undo", "set_free_handicap"} <= set(
        sabaki["list_commands"].split()
    )


def test_sabaki_puts_its_tree_on_the_board_and_takes_back(sabaki):
    assert sabaki["board"].count("X") == 1
    assert sabaki["board"].count("O") == 1
    assert [one["args"] for one in sabaki["history"]] == [
        *(["B", "E5"], ["W", "C3"], ["B", sabaki["move"]])
    ]
    assert sabaki["handicap"].count("X") == 2
    assert "black to play" in sabaki["handicap"]


def test_sabaki_sees_an_analysis_and_ends_it(sabaki):
    for lines, is_kata in ((sabaki["analyze"], False), (sabaki["kata"], True)):
        assert len(lines) >= 2
        for line in lines:
            parts = INFO.findall(line)
            assert parts
            assert all(("." in rate) == is_kata for _, _, rate, *_ in parts)
    owners = [float(x) for x in sabaki["kata"][-1].partition(" ownership ")[2].split()]
    assert len(owners) == 81
    assert all(-1 <= owner <= 1 for owner in owners)


def test_sabaki_asks_for_the_end_of_a_game(sabaki):
    assert re.fullmatch(r"[BW]\+\d+(\.5)?|0", sabaki["score"])
    assert re.fullmatch(r"(([A-J]\d ?)+\n?)*", sabaki["dead"])


# Clients of KataGo


@pytest.mark.parametrize(
    "words",
    [
        *("", "b", "10", "b 10", "interval 10", "b interval 10 maxmoves 9"),
        "b 10 rootInfo true ownership true ownershipStddev false pvVisits true",
    ],
)
def test_katago_s_clients_read_rates_as_parts_of_one(words):
    said = talk(engine(), f"kata-analyze {words}".strip(), looks=2)

    head, line = said.removesuffix("\n\n").split("\n")[:2]
    found = INFO.findall(line)
    assert head == "= " or head == "="
    assert found
    assert all(0 <= float(rate) <= 1 and "." in rate for _, _, rate, *_ in found)
    assert [int(order) for *_, order, _ in found] == list(range(len(found)))
    assert ("ownership" in line) == ("ownership true" in words)


def test_both_kinds_of_analysis_tell_the_same():
    told = []
    for kind in ("lz", "kata"):
        one = GoEngine({"simulations": 200}, {"size": 5}, None, make_player=Thinking)
        told.append(INFO.findall(talk(one, f"{kind}-analyze b 10", looks=2).split("\n")[1]))

    (leela, kata) = told
    assert [one[:2] for one in leela] == [one[:2] for one in kata]
    assert [float(one[2]) / 10_000 for one in leela] == [
        pytest.approx(float(one[2]), abs=1e-4) for one in kata
    ]


@pytest.mark.parametrize(("color", "sign"), [("b", 1), ("w", -1)])
def test_owners_stand_from_the_top_left_as_the_player_sees_them(color, sign):
    one = engine()
    # Black has the two upper rows and more, White one below.
    for column in "ABCDE":
        ask(one, f"play b {column}4")
        ask(one, f"play w {column}2")

    line = talk(one, f"kata-analyze {color} 1 ownership true", looks=2).split("\n")[1]

    owners = [sign * float(x) for x in line.partition(" ownership ")[2].split()]
    assert len(owners) == 25
    assert min(owners[:10]) > 0.5
    assert max(owners[15:]) < -0.5


def test_a_line_has_no_more_moves_than_are_asked_for():
    for kind in ("lz", "kata"):
        said = talk(engine(), f"{kind}-analyze b 10 maxmoves 2", looks=3)
        assert said.split("\n")[1].count("info move") == 2


@pytest.mark.parametrize(
    "words", ["b 10 ownership maybe", "b 10 avoid b c3 1", "b ownership", "b 10 maxmoves x"]
)
def test_what_is_not_known_is_refused_with_what_is(words):
    said = talk(engine(), f"kata-analyze {words}")

    assert said.startswith("? syntax error: ")


def test_a_move_is_analyzed_and_played():
    said = talk(engine(), "kata-genmove_analyze b 1 ownership true", looks=9)

    *lines, last = said.removeprefix("=").strip().split("\n")
    assert re.fullmatch(r"play [A-E][1-5]", last)
    assert all("." in INFO.search(line)[3] and " ownership " in line for line in lines)


# The bridge to a server (gtp2ogs), in its words


def test_a_server_s_game_is_played_to_its_end():
    one = engine(size=9)
    assert "kgs-time_settings" in ask(one, "list_commands").split("\n")
    for line in (
        *("boardsize 9", "clear_board", "komi 7.5", "kgs-time_settings byoyomi 600 30 5"),
        *("time_left black 600 0", "time_left white 600 0", "play black E5"),
    ):
        assert talk(one, line) == "= \n\n"
    moves = [ask(one, "genmove white")]
    for _ in range(4):
        moves.append(ask(one, "genmove black"))
        for line in ("time_left black 25 5", "time_left white 12 1"):
            assert talk(one, line) == "= \n\n"
        moves.append(ask(one, "genmove white"))
    ask(one, "play black pass")
    ask(one, "play white pass")

    assert all(re.fullmatch(r"[A-J][1-9]|pass", move) for move in moves)
    assert re.fullmatch(r"[BW]\+\d+\.5", ask(one, "final_score"))
    dead = talk(one, "final_status_list dead")
    assert re.fullmatch(r"= (([A-J]\d ?)+\n?)*\n\n?", dead)
