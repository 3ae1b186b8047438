"""What is seen on a terminal: bars that end well, no orders of others, colours where wanted."""

import re
import shutil
import sys
import termios
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table
from rich.text import Text
from terminal_here import Terminal, seen

from mcts_cluster.__main__ import main
from mcts_cluster.errors import harmless
from mcts_cluster.terminal import guarded, log_console, wide_console

EXAMPLE = Path(__file__).parents[2] / "results" / "quickstart-example.h5"
COLOURS = re.compile(rb"\x1b\[[\d;]*(?:3\d|4\d|9\d)[\d;]*m")

JOB = """
title = "bars"
[game]
size = 9
[player.a]
playouts = 2000
[player.b]
playouts = 1000
[[match]]
players = ["a", "b"]
games = 500
[[match]]
players = ["b", "a"]
games = 500
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("job.toml").write_text(JOB)


@pytest.fixture
def on_terminal():
    if shutil.which("setsid") is None:
        pytest.skip("no setsid here, which gives a command its terminal")
    started = []

    def start(*words, **surroundings):
        started.append(Terminal([sys.executable, "-m", "mcts_cluster", *words], **surroundings))
        return started[-1]

    yield start
    for one in started:
        one.close()


def test_no_bar_stays_behind_after_ctrl_c(on_terminal):
    one = on_terminal("run", "job.toml", "--processes", "1", "--grace", "0.2")
    one.hear(until=b"games/hour")
    while_it_plays = termios.tcgetattr(one.end)[3]

    one.type(b"\x03")

    assert one.status() == 130
    lines = seen(one.out)
    assert sum(line.startswith("games ") for line in lines) == 1
    assert sum(line.startswith("a against b") for line in lines) == 1
    assert lines[1] == "stopping: games under way have 0.2 s to end"
    assert not while_it_plays & termios.ECHOCTL
    assert while_it_plays & termios.NOFLSH
    assert b"^C" not in one.out


def test_the_terminal_is_afterwards_as_it_was(on_terminal):
    one = on_terminal("run", "job.toml", "--processes", "1", "--set", "match.games=1")
    before = termios.tcgetattr(one.end)[3]

    one.hear(until=b"workers played")

    assert before & termios.ECHOCTL
    assert not before & termios.NOFLSH
    assert termios.tcgetattr(one.end)[3] == before
    assert one.status() == 0


def test_there_are_colours_on_a_terminal_only_and_none_that_are_not_wanted(
    on_terminal, capfdbinary
):
    words = ("run", "job.toml", "--processes", "1", "--set", "match.games=2", "-o")
    plain, coloured = on_terminal(*words, "a.h5", NO_COLOR="1"), on_terminal(*words, "b.h5")

    assert (plain.status(), coloured.status()) == (0, 0)
    assert COLOURS.search(coloured.out)
    assert not COLOURS.search(plain.out)
    assert main(["show", "a.h5"]) == 0
    assert b"\x1b" not in capfdbinary.readouterr().out


def test_what_a_launcher_writes_to_a_log_is_no_terminal(monkeypatch):
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "2")
    monkeypatch.setenv("FORCE_COLOR", "1")

    assert not wide_console().is_terminal
    assert not log_console().is_terminal


# Names and titles from files

ORDERS = "a \x1b[31mred\x1b[0m \x07\x9b2J \u202e name\r"


def test_a_terminal_without_columns_is_printed_on(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "0")

    wide_console().print("a word")

    assert capsys.readouterr().out == "a word\n"


def test_a_console_writes_orders_out():
    console = guarded(Console(file=StringIO(), force_terminal=True, width=80))
    table = Table(ORDERS)
    table.add_row(Text(ORDERS))

    console.print(Text(ORDERS, "bold"), table, ORDERS)

    text = console.file.getvalue()
    assert "\\u001b[31mred" in text
    # Its own orders are still there.
    assert "\x1b[1m" in text
    assert not re.search("\x1b\\[31m|\x07|\x9b|\u202e|\r", text)


def test_line_ends_and_tabs_and_all_scripts_are_harmless():
    text = "one\n\ttwo “±” 围棋 é\u00a0%"

    assert harmless(text) == text


NAMED = JOB.replace('"bars"', '"\\u001b[31mred"').replace('"a"', '"\\u001b[2Ja"')
NAMED = NAMED.replace("[player.a]", '[player."\\u001b[2Ja"]')
PRINTED = [
    ["check", "job.toml"],
    ["show", "results/job.h5"],
    ["replay", "results/job.h5", "0"],
    *(["table", "results/job.h5", "--format", form] for form in ("text", "markdown", "csv")),
    *(["table", "results/job.h5", "--format", form] for form in ("latex", "json")),
    *(["export", "results/job.h5", "--format", form] for form in ("sgf", "csv")),
]


def test_no_verb_prints_the_orders_that_are_in_names(capfd):
    Path("job.toml").write_text(NAMED.replace("500", "1").replace("000", "0"))
    assert main(["run", "job.toml", "--processes", "1"]) == 0
    said = {"run": capfd.readouterr()}
    for words in PRINTED:
        assert main(words) == 0
        said[" ".join(words)] = capfd.readouterr()

    assert {name for name, one in said.items() if "\x1b" in one.out + one.err} == set()
    assert {name for name, one in said.items() if "u001b" not in one.out} == set()


def test_nothing_stays_behind_of_an_estimate_that_is_interrupted(on_terminal):
    one = on_terminal("check", "job.toml")
    one.hear(until=b"pilot games of")
    before = len(one.out)

    one.type(b"\x03")

    assert one.status() == 130
    assert len(one.out) > before
    assert [line for line in seen(one.out) if line] == []
