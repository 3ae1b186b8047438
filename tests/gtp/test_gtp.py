"""The protocol, lines in and answers out; and the command, as other programs start it."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading

import pytest
from conftest import wait_until
from gtp_talk import Thinking, ask, talk
from hypothesis import given, settings
from hypothesis import strategies as st

import mcts_cluster
from mcts_cluster.errors import UserError
from mcts_cluster.gtp.arguments import settings_of
from mcts_cluster.gtp.engine import Options
from mcts_cluster.gtp.go import GoEngine
from mcts_cluster.gtp.havannah import HavannahEngine
from mcts_cluster.gtp.protocol import Lines, serve

FEW = {"simulations": 50}
FLAT = {"playouts": 50}  # a player that thinks in one piece and tells nothing


def thinker(options=None, **settings):
    return GoEngine({"simulations": 200}, {"size": 5} | settings, options, make_player=Thinking)


# Lines and answers


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("name", "= mcts_cluster\n\n"),
        ("7 name", "=7 mcts_cluster\n\n"),
        ("007 name", "=007 mcts_cluster\n\n"),
        ("4294967296 name", "=4294967296 mcts_cluster\n\n"),
        ("\t 7 \t name \t ", "=7 mcts_cluster\n\n"),
        ("7 name # what is it?", "=7 mcts_cluster\n\n"),
        ("name\r", "= mcts_cluster\n\n"),
        ("na\x07me\x7f", "= mcts_cluster\n\n"),
        ("", ""),
        ("  \t ", ""),
        ("# nothing", ""),
        ("\r", ""),
        ("protocol_version", "= 2\n\n"),
        ("version", f"= {mcts_cluster.__version__}\n\n"),
        ("clear_board", "= \n\n"),
        ("8 clear_board", "=8 \n\n"),
        ("known_command play", "= true\n\n"),
        ("known_command cheat", "= false\n\n"),
        ("known_command", "? syntax error: must be COMMAND\n\n"),
        ("name please", "? syntax error: must be without arguments\n\n"),
        ("cheat", "? unknown command\n\n"),
        ("3 cheat", "?3 unknown command\n\n"),
        ("-3 name", "? unknown command\n\n"),
        ("NAME", "? unknown command\n\n"),
        ("12", "?12 syntax error: no command\n\n"),
        ("quit now", "? syntax error: must be without arguments\n\n"),
    ],
)
def test_a_line_and_its_answer(line, answer):
    assert talk(GoEngine(FEW), line) == answer


def test_nothing_is_answered_after_quit():
    assert talk(GoEngine(FEW), "1 quit", "2 name") == "=1 \n\n"


def test_listed_commands_are_known_and_others_are_not():
    for engine in (GoEngine(FEW), GoEngine(FLAT), HavannahEngine(FLAT), thinker()):
        listed = ask(engine, "list_commands").split("\n")

        assert listed == sorted(set(listed))
        assert {"protocol_version", "name", "version", "known_command", "list_commands"} < {*listed}
        assert all(ask(engine, f"known_command {name}") == "true" for name in listed)
        for name in set(engine.handlers) - set(listed):
            assert ask(engine, f"known_command {name}") == "false"
            assert talk(engine, name) == "? unknown command\n\n"


def test_commands_that_need_a_thinker_are_there_for_one_only():
    assert "lz-analyze" in ask(thinker(), "list_commands").split()
    assert "lz-analyze" not in ask(GoEngine(FLAT), "list_commands").split()


def test_an_engine_describes_itself():
    described = ask(
        GoEngine({"simulations": 77}, {"size": 5}, Options(seed=3)), "gomill-describe_engine"
    )

    assert described.startswith(f"mcts_cluster {mcts_cluster.__version__}, commit ")
    assert "simulations=77" in described
    assert "size 5, komi 7.5, superko positional" in described
    assert "seed: 3" in described


def test_time_of_the_processor_grows_while_the_player_thinks():
    engine = GoEngine({"simulations": 20_000}, {"size": 5})
    before = float(ask(engine, "cputime"))

    ask(engine, "genmove b")

    assert before < float(ask(engine, "cputime")) < before + 60
    assert float(ask(engine, "gomill-cpu_time")) > 0


# Garbage

ARGUMENTS = (
    "b w black W e5 a1 d4 I9 t19 z99 swap pass PASS resign dead seki 0 1 2 5 -1 0.5 1e9 1e400 nan "
    "interval minmoves avoid none absolute canadian byoyomi simulations=9 # /nowhere 7"
)
COMMANDS = {*GoEngine.handlers, *HavannahEngine.handlers} - {"quit"}
WORDS = st.sampled_from([*sorted(COMMANDS), *ARGUMENTS.split()])
ANYTHING = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=12)
LINE = st.lists(WORDS | ANYTHING, max_size=5).map(" ".join) | ANYTHING
ANSWER = re.compile(r"([=?])(\d*)( .*)?\n(.+\n)*\n")


@pytest.mark.parametrize("kind", [GoEngine, HavannahEngine, "thinker"])
@settings(max_examples=150)
@given(lines=st.lists(LINE, max_size=12))
def test_garbage_gets_one_answer_a_line(kind, lines):
    # A size that keeps the moves of a game few, and the searches short.
    engine = (
        thinker(size=4)
        if kind == "thinker"
        else kind({"simulations": 4}, {"size": 4 if kind is GoEngine else 3})
    )

    for line in lines:
        command = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line).partition("#")[0].split()
        if "quit" in command:
            continue
        said = talk(engine, line)
        match = ANSWER.fullmatch(said)
        assert match if command else not said, (line, said)
        if command and command[0].isascii() and command[0].isdigit():
            assert match[2] == command[0]
        engine.game.core.check()
    engine.close()


# Settings in words


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ([], {}),
        (["simulations=1000"], {"simulations": 1000}),
        (["widening=2.5", "a=true"], {"widening": 2.5, "a": True}),
        (["superko=simple"], {"superko": "simple"}),
        (['superko="simple"'], {"superko": "simple"}),
        (["a=[1, 2]", "b={x = 1}"], {"a": [1, 2], "b": {"x": 1}}),
        (["game.size=9", "n=1", "game.komi=6.5"], {"game": {"size": 9, "komi": 6.5}, "n": 1}),
        (["a="], {"a": ""}),
        (["a=b=c"], {"a": "b=c"}),
        (["a b=3"], {"a b": 3}),
        (["komi=7,5"], {"komi": "7,5"}),
        (['a="'], {"a": '"'}),
    ],
)
def test_settings_are_read_as_in_a_job_file(words, values):
    assert settings_of(words) == values


@pytest.mark.parametrize("value", ["[" * 10_000, "1" * 5000])
def test_a_value_beyond_measure_is_a_string(value):
    assert settings_of([f"a={value}"]) == {"a": value}


@pytest.mark.parametrize(
    ("words", "mistake"),
    [
        (["simulations"], "'simulations': must be KEY=VALUE"),
        (["=3"], "'=3': must be KEY=VALUE"),
        (["a..b=3"], "'a..b=3': must be KEY=VALUE"),
        (["a=1\nb=2"], r"'a=1\nb=2': must be KEY=VALUE"),
        (["a=1", "a=2"], "'a=2': a has a value already"),
        (["a=1", "a.b=2"], "'a.b=2': a has a value already"),
        (["a.b" + ".c" * 3 + "=1", "a=2"], "'a=2': a has a value already"),
    ],
)
def test_what_is_no_setting_is_refused(words, mistake):
    with pytest.raises(UserError) as caught:
        settings_of(words)

    assert str(caught.value) == mistake


# The command

COMMAND = [sys.executable, "-m", "mcts_cluster", "gtp"]


def run(*words, typed=""):
    return subprocess.run(
        [*COMMAND, *words], input=typed, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize(
    ("words", "mistake"),
    [
        (["simulations=x"], 'simulations: "x" must be a whole number'),
        (["simulation=5"], 'simulation: unknown key; did you mean "simulations"?'),
        (["rave=-1"], "rave: -1 is too small, must be at least 0"),
        (["simulations=5", "widning=2"], 'widning: unknown key; did you mean "widening"?'),
        (
            ["--game", "havannah", "simulations=9", "playout_save=3"],
            'playout_save: unknown key; did you mean "playout_rings"?',
        ),
        (["game.size=99"], "game.size: 99 is too large, must be at most 25"),
        (["game.komi=7,5"], 'game.komi: "7,5" must be a number'),
        (
            ["game.superko=no"],
            'game.superko: "no" is unknown; known are simple, positional, situational',
        ),
        (["rave=abc"], 'rave: "abc" must be a number'),
        (["--lag", "1", "rave=abc", "--seed", "3"], 'rave: "abc" must be a number'),
        (["game=3"], "game: must be settings of the game, like game.size=9"),
        (["--game", "havannah", "game.komi=7"], "game.komi: unknown key; known are size, swap"),
        (
            ["rave=abc", "game.size=99"],
            'rave: "abc" must be a number\ngame.size: 99 is too large, must be at most 25',
        ),
        (["--seed", "-1"], "--seed: -1 is too small, must be at least 0"),
        (["--resign-below", "2"], "--resign-below: 2 must be from 0 to 1"),
        (["--lag", "-1"], "--lag: -1 must be from 0 to 60"),
        (
            ["--resign-below", "0.1", "playouts=9"],
            "--resign-below: this player does not estimate its moves",
        ),
    ],
)
def test_mistakes_in_the_words_are_a_line_each_and_status_2(words, mistake):
    ended = run(*words)

    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", f"mcts-cluster: {mistake}\n")


def test_a_player_without_a_budget_has_the_default_one():
    plain, given = (run(*words, typed="genmove b\n") for words in ([], ["rave=1000"]))

    assert (given.returncode, given.stdout) == (0, plain.stdout)


def test_settings_may_stand_between_options():
    words = ["game.size=5", "--lag", "0.2", "simulations=9", "--seed=3", "game.komi=0.5"]

    ended = run(*words, typed="get_komi\nshowboard\n")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("= 0.5\n\n= \n    A B C D E\n")


def test_the_end_of_the_input_ends_the_engine():
    ended = run("simulations=50", typed="1 name\n2 genmove b\n3 name")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert re.fullmatch(r"=1 mcts_cluster\n\n=2 [A-J]\d\n\n=3 mcts_cluster\n\n", ended.stdout)


def test_the_same_session_gives_the_same_moves_and_games_in_it_differ():
    game = "clear_board\n" + "genmove b\ngenmove w\n" * 5
    words = ["game.size=7", "simulations=100"]

    first = run("--seed", "1", *words, typed=2 * game)
    again = run("--seed", "1", *words, typed=2 * game)
    other = run("--seed", "2", *words, typed=2 * game)

    assert first.stdout == again.stdout != other.stdout
    games = first.stdout.split("= \n\n")[1:]
    assert len(games) == 2 and games[0] != games[1]


def test_starting_the_engine_imports_nothing_heavy():
    heavy = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, mcts_cluster.commands.gtp\n"
            "print({'h5py', 'rich', 'mpi4py'} & set(sys.modules))",
        ],
        capture_output=True,
        text=True,
    )

    assert heavy.stdout == "set()\n"


def test_help_has_examples():
    assert "mcts-cluster gtp --game havannah" in run("--help").stdout


@pytest.fixture
def started():
    """An engine in a process of its own, which can be interrupted."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        [*COMMAND, "game.size=19", "simulations=100_000_000"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    signal.signal(signal.SIGINT, before)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_each_answer_comes_at_once(started):
    for number in range(3):
        started.stdin.write(f"{number} name\n")
        started.stdin.flush()
        assert started.stdout.readline() == f"={number} mcts_cluster\n"
        assert started.stdout.readline() == "\n"


def test_ctrl_c_ends_an_engine_that_waits(started):
    started.stdin.write("name\n")
    started.stdin.flush()
    started.stdout.readline()

    started.send_signal(signal.SIGINT)

    # Not communicate, which would close the input first.
    assert started.wait(timeout=10) == 130
    assert started.stderr.read() == ""


# Lines from a descriptor


@pytest.fixture
def pipe():
    ends = os.pipe()
    yield ends
    for end in ends:
        with contextlib.suppress(OSError):
            os.close(end)


def test_lines_come_whole_however_they_are_written(pipe):
    source = Lines(pipe[0])
    for part in (b"na", b"me\nver", b"sion\n\nlast"):
        os.write(pipe[1], part)
    os.close(pipe[1])

    assert list(source) == ["name", "version", "", "last"]


def test_a_line_is_waiting_when_it_is_whole(pipe):
    source = Lines(pipe[0])
    seen = [source.are_waiting()]
    for part in (b"na", b"me\nquit"):
        os.write(pipe[1], part)
        seen.append(source.are_waiting())

    assert seen == [False, False, True]
    assert next(source) == "name"
    assert not source.are_waiting()


def test_the_end_is_waiting_too(pipe):
    source = Lines(pipe[0])
    os.close(pipe[1])

    assert source.are_waiting()
    assert list(source) == []


def test_bytes_that_are_no_utf_8_are_no_obstacle(pipe):
    os.write(pipe[1], b"na\xffme\n")

    assert next(Lines(pipe[0])) == "na\ufffdme"


def test_an_analysis_ends_when_a_line_comes(pipe):
    said = []
    source = Lines(pipe[0])
    os.write(pipe[1], b"1 lz-analyze b 1\n")
    session = threading.Thread(target=serve, args=(thinker(), source, said.append))
    session.start()
    wait_until(lambda: len(said) > 5)

    os.write(pipe[1], b"2 name\n")
    wait_until(lambda: said[-1] == "=2 mcts_cluster\n\n")
    os.close(pipe[1])
    session.join(10)

    assert not session.is_alive()
    assert said[0] == "=1\n"
    assert all(line.startswith("info move ") for line in said[1:-2])
    assert said[-2] == "\n"
