"""Programs that play badly in every other sense: a void game and a line, and nothing is left."""

import shlex
import sys
from pathlib import Path

import psutil
import pytest
from conftest import is_alive, run_alone, wait_until

from mcts_cluster import games
from mcts_cluster.matches import match
from mcts_cluster.matches.setup import Match, MatchKey, Setup
from mcts_cluster.players import gtp_program
from mcts_cluster.players.flat import FlatMonteCarlo
from mcts_cluster.players.gtp_program import EngineError, Program

# A whole program; what it does at genmove stands in its place.
PROGRAM = """
import os, signal, subprocess, sys, time
note = open(sys.argv[1], "a", buffering=1)
{start}
def say(text):
    sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode())
    sys.stdout.buffer.flush()
for line in sys.stdin:
    words = line.split()
    if words[0] == "genmove":
{genmove}
    if words[0] == "quit":
{quit}
    say("=\\n\\n")
    if words[0] == "quit":
        break
"""
MEGABYTES = 10**6


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(gtp_program, "SECONDS_TO_END", 0.3)


@pytest.fixture
def opponent(tmp_path):
    """Return a function that makes a program."""

    def make(genmove="pass", start="", quit="pass", seconds=5):
        path = tmp_path / "opponent.py"
        path.write_text(PROGRAM.format(start=start, genmove=inner(genmove), quit=inner(quit)))
        command = shlex.join([sys.executable, "-S", str(path), str(tmp_path / "note")])
        return Program(command, seconds)

    return make


def inner(code):
    return "\n".join(f"        {line}" for line in code.split("\n"))


def played(program):
    pair = Match(MatchKey("a", "b"), 1)
    setup = Setup(1, "go", {"size": 5}, {"a": program, "b": FlatMonteCarlo(4)})
    return match.play_or_void(setup, pair, 0)


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


def started():
    return [
        one
        for one in psutil.Process().children(recursive=True)
        if "resource_tracker" not in " ".join(one.cmdline())
    ]


ENDLESS_LINE = "say('= ')\nwhile True: say('x' * 65536)"
ENDLESS_LINES = "say('= \\n')\nwhile True: say('x\\n' * 30000)"
ENDLESS_GARBAGE = "while True: say(os.urandom(65536).replace(b'\\n', b''))"
ENDLESS_BLANKS = "while True: say('\\n' * 65536)"

FAULTS = {
    "silent": ("time.sleep(60)", "nothing for 1 s"),
    "a line without end": (ENDLESS_LINE, "more than 1,000,000 bytes"),
    "lines without end": (ENDLESS_LINES, "more than 1,000,000 bytes"),
    "garbage without end": (ENDLESS_GARBAGE, "more than 1,000,000 bytes"),
    "blank lines without end": (ENDLESS_BLANKS, "more than 1,000,000 bytes"),
    "a byte a moment": ("while True:\n    say('x')\n    time.sleep(0.05)", "nothing for 1 s"),
    "a long move": ("say('= ' + 'x' * 1000000 + '\\n\\n')", "xxx..."),
    "a long failure": ("say('? ' + 'x' * 1000000 + '\\n\\n')", "'? xxx"),
    "bytes": ("say(b'= \\xff\\x00\\x1b[2J\\n\\n')", "is not a point"),
    "dead": ("os._exit(7)", "nothing and ended with status 7"),
    "crashed": ("os.kill(os.getpid(), signal.SIGSEGV)", "nothing and was ended by signal 11"),
    "closed": ("os.close(1)\ntime.sleep(60)", "nothing and was ended by signal 15"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_answer_makes_a_game_void_with_a_short_line(fault, opponent):
    genmove, said = FAULTS[fault]
    process = psutil.Process()
    before = process.memory_info().rss

    row = played(opponent(genmove, seconds=1 if "1 s" in said else 60))

    assert row.points is None
    assert said in row.how
    assert len(row.how) < 2000
    assert row.how.isprintable()
    assert started() == []
    assert process.memory_info().rss - before < 100 * MEGABYTES


def test_what_it_says_beside_its_answers_is_not_kept(opponent):
    chatter = "sys.stderr.write('thinking ' * 4_000_000)\nsys.stderr.flush()\nsay('= pass\\n\\n')"
    process = psutil.Process()
    before = process.memory_info().rss

    row = played(opponent(f"{chatter}\ncontinue", seconds=60))

    assert row.points is not None
    assert process.memory_info().rss - before < 50 * MEGABYTES


# Whom it leaves behind: the last of them in a session of its own.
CHILD = [sys.executable, "-S", "-c", "import time; time.sleep(300)"]
CHILDREN = f"""
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for alone in (False, True):
    child = subprocess.Popen({CHILD!r}, start_new_session=alone)
    print(child.pid, file=note)
print(os.getpid(), file=note)
"""


@pytest.mark.parametrize("quit", ["pass", "time.sleep(60)", "os._exit(0)"])
def test_no_process_is_left_of_a_program(quit, opponent, tmp_path):
    session = opponent(start=CHILDREN, quit=quit).session(games.new("go", size=5), 1)
    family = [int(word) for word in (tmp_path / "note").read_text().split()]
    assert len(family) == 3
    assert all(map(is_alive, family))

    session.close()

    wait_until(lambda: not any(map(is_alive, family)))
    assert started() == []


def test_programs_that_fail_leave_no_file_open(opponent):
    program = opponent("os._exit(7)")
    played(program)
    files = open_files()

    for _ in range(20):
        with pytest.raises(EngineError):
            session = program.session(games.new("go", size=5), 1)
            session.choose()

    assert open_files() == files
    assert started() == []


def test_a_run_against_it_ends_and_says_so(opponent, tmp_path):
    program = opponent(ENDLESS_GARBAGE)
    job = tmp_path / "job.toml"
    job.write_text(
        f"[game]\nsize = 5\n[player.bad]\ncommand = {program.command!r}\n"
        "[player.good]\nplayouts = 4\n[[match]]\nplayers = ['bad', 'good']\ngames = 2\n"
    )
    words = ["-m", "mcts_cluster", "run", str(job), "-o", str(tmp_path / "job.h5")]

    ended = run_alone([sys.executable, *words], seconds=120)

    assert ended.returncode == 1
    assert "it answered more than 1,000,000 bytes" in ended.stderr
    assert len(ended.stderr) < 20_000
    assert "\x1b" not in ended.stderr
