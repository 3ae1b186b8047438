"""How runs end early: killed, asked to stop, or interrupted."""

import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager

import psutil
import pytest
from conftest import is_alive, kill_tree, rest_in_proof, wait_until
from run_here import command, file_of, plain_surroundings, play_to  # noqa: F401

from mcts_cluster.running.local_workers import SIGNALS, signals_held_back
from mcts_cluster.running.signals import listening
from mcts_cluster.storage import reader

SLOW = """
seed = 1
[game]
size = 5
[player.a]
playouts = 1500
[[match]]
players = ["a", "a"]
games = 24
"""


@pytest.fixture
def slow(tmp_path):
    path = tmp_path / "slow.toml"
    path.write_text(SLOW)
    return path


def started(path, *words):
    return subprocess.Popen(
        command(path, "--processes", "2", *words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def has_rows(path, least):
    return file_of(path).exists() and len(reader.read(file_of(path)).rows) >= least


@pytest.mark.proof
def test_a_run_that_is_killed_again_and_again_plays_the_games_of_one_that_is_not(slow, tmp_path):
    whole = tmp_path / "whole.toml"
    for path in (slow, whole):
        path.write_text(SLOW.replace("games = 24", "games = 48"))
    ended, expected = play_to(whole)
    assert ended.returncode == 0

    for least in (1, 3):
        one = started(slow)
        wait_until(lambda: has_rows(slow, least))  # noqa: B023
        one.kill()
        one.communicate()
    ended, results = play_to(slow)

    assert ended.returncode == 0
    assert f"{file_of(slow)}: was left open, as by a kill; it is repaired\n" in ended.stderr
    assert sorted(results.rows, key=number_of) == sorted(expected.rows, key=number_of)
    assert [run.status for run in results.runs][-1] == 0
    assert {run.status for run in results.runs[:-1]} == {-1}


def number_of(row):
    return row.number


STATUSES = {"SIGTERM": 75, "SIGUSR1": 75, "SIGINT": 130}


@pytest.mark.parametrize("name", rest_in_proof(STATUSES, ["SIGTERM", "SIGINT"]))
def test_a_signal_lets_games_end_and_leaves_a_file_to_continue(name, slow):
    status, one = STATUSES[name], started(slow)
    wait_until(lambda: has_rows(slow, 1))

    # To all processes, as batch systems do.
    os.killpg(one.pid, signal.Signals[name])
    out, err = one.communicate(timeout=30)

    results = reader.read(file_of(slow))
    assert one.returncode == status
    assert results.is_closed
    assert [run.status for run in results.runs] == [status]
    assert "stopping: games under way have 20 s to end\n" in err
    assert f"{24 - len(results.rows)} games are missing; run again to play them\n" in err
    assert "a against a" in out
    # Every game that was begun has its row: none stands alone behind a gap of two.
    assert max(map(number_of, results.rows)) < len(results.rows) + 2


def test_oar_can_have_the_status_that_it_wants(slow):
    one = started(slow, "--stopped-status", "99")
    wait_until(lambda: has_rows(slow, 1))

    one.send_signal(signal.SIGUSR2)
    one.communicate(timeout=30)

    assert one.returncode == 99


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
    with endless_run(tmp_path, "20") as process:
        yield process


@pytest.fixture
def endless_with_little_grace(tmp_path):
    with endless_run(tmp_path, "0.5") as process:
        yield process


@contextmanager
def endless_run(tmp_path, grace):
    """A run that would never end, in a process group of its own, with both its workers at work."""
    path = tmp_path / "endless.toml"
    path.write_text(ENDLESS)
    # A program that was started with Ctrl-C ignored passes that on, and so must we not.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    started = subprocess.Popen(
        command(path, "--processes", "2", "--grace", grace),
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
def test_a_second_ctrl_c_ends_a_run_at_once_and_leaves_nothing_behind(send, endless):
    started, family = endless

    send(started.pid, signal.SIGINT)
    assert started.stderr.readline().startswith("stopping: ")
    send(started.pid, signal.SIGINT)
    _, err = started.communicate(timeout=10)

    assert started.returncode == 130
    said, _, spent = err.rpartition("played 0 games")
    assert said.endswith(".h5: 8 games are missing; run again to play them\n")
    assert spent == "; workers played 0.0 % of the time\n"
    wait_until(lambda: not any(map(is_alive, family)))


def test_games_that_do_not_end_in_the_grace_period_are_left(endless_with_little_grace):
    started, family = endless_with_little_grace

    started.send_signal(signal.SIGTERM)
    started.communicate(timeout=15)

    assert started.returncode == 75
    wait_until(lambda: not any(map(is_alive, family)))


def test_workers_end_with_a_run_that_is_killed(endless):
    started, family = endless

    started.kill()

    assert started.wait(timeout=10) == -signal.SIGKILL
    wait_until(lambda: not any(map(is_alive, family)))


@pytest.mark.parametrize("number", SIGNALS)
def test_a_process_that_is_started_while_signals_are_held_back_never_hears_one(number):
    with signals_held_back():
        code = f"import os; os.kill(os.getpid(), {int(number)})"
        child = subprocess.run([sys.executable, "-c", code], capture_output=True)

    assert (child.returncode, child.stderr) == (0, b"")


def test_a_signal_that_is_held_back_comes_afterwards():
    with listening(20) as stop:
        with signals_held_back():
            # Sent to the process, it could reach another thread, which holds nothing back.
            signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
            assert not stop.is_asked
        wait_until(lambda: stop.is_asked)

    assert stop.signal is signal.SIGTERM
