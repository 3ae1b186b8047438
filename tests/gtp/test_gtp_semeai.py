"""GTP: capturing races, one by one and those of a collection."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from gtp_talk import ask, talk
from semeai_families import Family

from mcts_cluster.gtp.go import GoEngine

# Black has to win a ko.
KO = [
    *4 * (".........",),
    "OOOOOX...",
    "XOOX.X...",
    ".X.OOX...",
    "XXXOOX...",
    "XO.OXX...",
]

SUITE = Path(__file__).parents[3] / "shared" / "positions" / "capturing-races.jsonl.gz"


def engine_at(rows):
    """Return an engine with these stones on the board, the northern row first."""
    size = len(rows)
    one = GoEngine({"simulations": 10}, {"size": size})
    stones = [
        f"{letter} {one.vertex((size - 1 - y) * size + x)}"
        for y, row in enumerate(rows)
        for x, letter in enumerate(row)
        if letter != "."
    ]
    words = " ".join(stones).replace("X ", "b ").replace("O ", "w ")
    assert ask(one, f"gogui-play_sequence {words}") == ""
    return one


def engine_of(outside, shared, eyes=("", "")):
    """Return an engine with Black's chain on A11 and White's on A9, and liberties of each."""
    text = Family(outside, shared, eyes).drawing.text()
    return engine_at([row.replace(" ", "") for row in text.splitlines()])


@pytest.mark.parametrize(
    ("outside", "shared", "eyes", "black_first", "white_first"),
    [
        ((2, 2), 0, ("", ""), "1 1 A8", "1 1 A12"),
        ((3, 2), 0, ("", ""), "1 1 PASS", "0 0 PASS"),
        ((3, 3), 2, ("", ""), "1 0 PASS", "1 0 PASS"),
        ((1, 3), 1, ("", ""), "0 0 PASS", "1 1 PASS"),
        ((1, 5), 3, ("*", ""), "1 1 A8", "1 1 A12"),
    ],
)
def test_who_wins_a_race(outside, shared, eyes, black_first, white_first):
    one = engine_of(outside, shared, eyes)

    assert ask(one, "analyze_semeai a11 a9") == black_first
    assert ask(one, "analyze_semeai A9 A11") == white_first


def test_the_side_of_the_first_stone_begins_whoevers_turn_it_is():
    one = engine_of((2, 2), 0)
    before = ask(one, "showboard")
    assert before.endswith("white to play")

    assert ask(one, "analyze_semeai a11 a9") == "1 1 A8"
    assert ask(one, "showboard") == before
    ask(one, "play w a12")
    assert ask(one, "analyze_semeai a11 a9") == "0 0 PASS"
    assert ask(one, "undo") == ""
    assert ask(one, "analyze_semeai a11 a9") == "1 1 A8"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "syntax error: must be OWN ENEMY"),
        ("a11", "syntax error: must be OWN ENEMY"),
        ("a11 a9 a8", "syntax error: must be OWN ENEMY"),
        ("a11 z99", "syntax error: 'z99' is off the board: its points are A1 to T19"),
        ("a11 pass", "syntax error: a pass is no vertex with a stone"),
        ("a1 a9", "no stone on A1"),
        ("a11 b11", "two chains of one side do not race"),
        # A wall is no chain that anybody could capture.
        ("a11 a13", "unsure"),
    ],
)
def test_what_it_does_not_answer(words, reason):
    one = engine_of((2, 2), 0)

    assert talk(one, f"analyze_semeai {words}") == f"? {reason}\n\n"


def test_a_ko_is_not_answered():
    one = engine_at(KO)

    assert talk(one, "analyze_semeai a1 d1") == "? unsure\n\n"


@pytest.mark.proof
@pytest.mark.skipif(not SUITE.exists(), reason="the collection of races is not here")
def test_races_of_a_collection():
    answers = Counter()
    with gzip.open(SUITE, "rt") as lines:
        questions = list(map(json.loads, lines))
    for question in questions:
        one = engine_at(question["rows"].split("/"))
        said = talk(one, f"analyze_semeai {question['own']} {question['enemy']}")
        kind = "others" if question["id"].startswith("Misc") else "counted"
        answers[kind] += 1
        if said == "? unsure\n\n":
            continue
        lives, kills, move = said.removeprefix("= ").split()
        right = (lives, kills) == (question["defends"], question["attacks"])
        answers[kind, "answered"] += 1
        answers[kind, "right"] += right and move in question["moves"]

    assert answers["counted", "answered"] >= 0.9 * answers["counted"]
    assert answers["counted", "right"] >= 0.98 * answers["counted", "answered"]
