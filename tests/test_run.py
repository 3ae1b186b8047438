"""The verb `run`, as a command: its table, its refusals, and how it ends when it must end early."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from conftest import is_alive, kill_tree, run_alone, wait_until
from rich.console import Console

from mcts_cluster import run
from mcts_cluster.jobfile import Job, Match
from mcts_cluster.player import Forgetful
from mcts_cluster.seeds import seed

JOB = """
title = "a small [job]"
seed = 1
[game]
size = 5
[player.a]
playouts = 20
[player.b]
playouts = 4
[[match]]
players = ["a", "b"]
games = 6
[[match]]
players = ["b", "b"]
games = 3
"""


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    monkeypatch.setenv("PYTHONUTF8", "1")


@pytest.fixture
def job(tmp_path):
    path = tmp_path / "job.toml"
    path.write_text(JOB)
    return path


def command(*words):
    return [sys.executable, "-m", "mcts_cluster", "run", *map(str, words)]


def test_a_job_is_played_and_its_table_printed(job):
    ended = run_alone(command(job), seconds=60)

    lines = [[cell.strip() for cell in line.split("│")] for line in ended.stdout.splitlines()]
    assert (ended.returncode, ended.stderr) == (0, "")
    assert lines[0] == ["a small [job]"]
    assert [line[1:3] for line in lines if len(line) > 1] == [
        ["a against b", "6"],
        ["b against b", "3"],
    ]


def test_nothing_but_text_is_printed_where_there_is_no_terminal(job):
    ended = run_alone(command(job), seconds=60)

    assert "\x1b" not in ended.stdout
    assert "\r" not in ended.stdout


def test_the_table_is_the_same_for_any_number_of_processes(job):
    tables = [run_alone(command(job, "--processes", n), seconds=60).stdout for n in (1, 2, 3)]

    assert "a against b" in tables[0]
    assert tables[0] == tables[1] == tables[2]


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_no_encoding_of_the_output_costs_a_run_its_table(encoding, job, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    monkeypatch.setenv("PYTHONUTF8", "0")

    ended = run_alone([*command(job), "--processes", "1"], seconds=60)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "a against b" in ended.stdout


def test_a_bad_job_ends_with_status_2_and_a_line_for_each_mistake(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(JOB.replace("seed", "sede").replace("size = 5", "size = 30"))

    ended = run_alone(command(path), seconds=60)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        f"mcts-cluster: {path}: game: go: size 30: a Go board has 2 to 25 rows\n"
        f"{path}: sede: unknown key; did you mean 'seed'?\n"
    )


def test_a_missing_job_is_one_line(tmp_path):
    ended = run_alone(command(tmp_path / "none.toml"), seconds=60)

    assert ended.returncode == 2
    assert ended.stderr == f"mcts-cluster: {tmp_path / 'none.toml'}: No such file or directory\n"


def test_no_process_at_all_is_too_few(job):
    ended = run_alone(command(job, "--processes", "0"), seconds=60)

    assert ended.returncode == 2
    assert ended.stderr == "mcts-cluster: --processes 0: at least 1 is wanted\n"


def test_as_many_games_are_played_at_a_time_as_the_batch_system_leaves_cores():
    code = (
        "import os\n"
        "from mcts_cluster import run\n"
        "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
        "print(run.cores())"
    )

    assert run_alone([sys.executable, "-c", code], seconds=60).stdout == "1\n"


# What worker processes may do. The runs are scripts of their own: a hang must fail the test.


@dataclass(frozen=True)
class Stumbler(Forgetful):
    """A player who passes; in the first game of all something happens first."""

    happens: str

    def choose(self, game, game_seed):
        first = game_seed == seed(1, "a against a", 0)
        if first and self.happens == "a delay":
            time.sleep(0.3)
        elif first and self.happens == "an exception":
            raise ZeroDivisionError("on purpose")
        elif first and self.happens == "a death":
            os._exit(1)
        elif self.happens != "a delay":
            time.sleep(60)
        return game.points


def play_with_a_stumbler(happens):
    job = Job("", 1, "go", {"size": 5}, {"a": Stumbler(happens)}, (Match(("a", "a"), 9),))
    return run.play_all(job, 2, Console(stderr=True))


def stumble(happens, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    code = f"import test_run; print(test_run.play_with_a_stumbler({happens!r}))"
    return run_alone([sys.executable, "-c", code], seconds=30)


def test_rows_come_in_the_order_of_the_job_whichever_game_ends_first(monkeypatch):
    ended = stumble("a delay", monkeypatch)

    assert re.findall(r"number=(\d)", ended.stdout) == list("012345678")


def test_an_exception_in_a_worker_ends_the_run_at_once_with_its_traceback(monkeypatch):
    ended = stumble("an exception", monkeypatch)

    assert ended.returncode == 1
    assert ", in choose\n" in ended.stderr
    assert ended.stderr.endswith("\nZeroDivisionError: on purpose\n")


def test_a_worker_that_dies_ends_the_run_at_once(monkeypatch):
    ended = stumble("a death", monkeypatch)

    assert ended.returncode == 1
    assert "BrokenProcessPool" in ended.stderr.splitlines()[-1]


# Interrupted

# One move alone takes minutes.
ENDLESS = """
[game]
size = 19
[player.a]
playouts = 100_000_000
[[match]]
players = ["a", "a"]
games = 8
"""


@pytest.fixture
def endless(tmp_path):
    """A run that would never end, in a process group of its own, with both its workers at work."""
    path = tmp_path / "endless.toml"
    path.write_text(ENDLESS)
    # A program that was started with Ctrl-C ignored passes that on, and so must we not.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    started = subprocess.Popen(
        command(path, "--processes", "2"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    signal.signal(signal.SIGINT, before)
    itself = psutil.Process(started.pid)
    family = []
    try:
        wait_until(lambda: len(at_work(itself)) == 2)
        family += itself.children(recursive=True)
        yield started, family
    finally:
        if started.poll() is None:
            kill_tree(started)
        for process in filter(is_alive, family):
            process.kill()
        started.communicate()


def at_work(process):
    # Starting up takes less than this.
    children = process.children(recursive=True)
    return [child for child in children if is_alive(child) and child.cpu_times().user > 0.4]


@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["alone", "with its group"])
def test_ctrl_c_ends_a_run_at_once_without_a_word_and_leaves_nothing_behind(send, endless):
    started, family = endless

    send(started.pid, signal.SIGINT)
    out, err = started.communicate(timeout=10)

    assert (started.returncode, out, err) == (130, "", "")
    wait_until(lambda: not any(map(is_alive, family)))


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_workers_end_with_a_run_that_is_killed(name, endless):
    started, family = endless

    started.send_signal(signal.Signals[name])

    assert started.wait(timeout=10) == -signal.Signals[name]
    wait_until(lambda: not any(map(is_alive, family)))


def test_a_process_that_is_started_while_interrupts_are_held_back_never_hears_one():
    with run.interrupts_held_back():
        child = subprocess.run(
            [sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGINT)"],
            capture_output=True,
        )

    assert (child.returncode, child.stderr) == (0, b"")


def test_an_interrupt_that_is_held_back_comes_afterwards():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    reached = False
    try:
        with pytest.raises(KeyboardInterrupt):
            with run.interrupts_held_back():
                # Sent to the process, it could reach another thread, which holds nothing back.
                signal.pthread_kill(threading.get_ident(), signal.SIGINT)
                reached = True
            time.sleep(10)
    finally:
        signal.signal(signal.SIGINT, before)

    assert reached
