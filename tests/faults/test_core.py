"""The core with wrong arguments: an exception, whatever they are, and never a signal."""

import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest

from cext.go import Go
from cext.go_bias_patterns import Patterns
from cext.go_policy import GoPolicy
from cext.go_semeai import Semeai
from cext.havannah import Havannah
from cext.havannah_policy import HavannahPolicy
from cext.rng import Generator
from cext.search import Search
from cext.simulation import Worker

CALLS = Path(__file__).with_name("core_calls.py")


def make_calls(seed, count, log, seconds):
    ended = subprocess.run(
        [sys.executable, str(CALLS), str(seed), str(count), str(log)],
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    last = log.read_text() if log.exists() else ""
    assert ended.returncode == 0, f"{ended.returncode} after {last}\n{ended.stderr[-2000:]}"
    returned = int(ended.stdout.split()[0])
    assert returned > count / 10


@pytest.mark.parametrize("seed", [1, 2])
def test_no_call_ends_the_process(seed, tmp_path):
    make_calls(seed, 1500, tmp_path / "log", 120)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 150))
def test_no_call_of_many_ends_the_process(seed, tmp_path):
    make_calls(seed, 20_000, tmp_path / "log", 600)


def searched(**settings):
    search = Search(Go(5), nodes=5000, **settings)
    search.run(100, 1)
    return search


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: HavannahPolicy().playouts(Go(9), 1, 1), "HavannahPolicy is not for Go"),
        (lambda: GoPolicy().advice(Havannah(4)), "GoPolicy is not for Havannah"),
        (lambda: GoPolicy().owners(Havannah(4), 1, 1), "GoPolicy is not for Havannah"),
        (lambda: HavannahPolicy().playout_moves(Go(9), 1), "HavannahPolicy is not for Go"),
        (lambda: Search(Go(5), HavannahPolicy()), "HavannahPolicy is not for Go"),
        (lambda: GoPolicy(threads=0, playout_replay=1), "0 threads: must be 1 or more"),
        (lambda: Go(9).playouts(-1, 1), "-1 playouts: must be 0 or more"),
        (lambda: GoPolicy().playouts(Go(9), -1, 1), "-1 playouts: must be 0 or more"),
        (lambda: searched().run(-(2**63), 1), "-9223372036854775808 simulations: must be 0"),
        (lambda: Search(Go(5), unit=2**31 - 1), "unit 2147483647: must be 1 to 1e"),
        (lambda: Search(Go(5), expand_at=0), "expand_at 0: must be 1 or more"),
        (lambda: Worker(searched()).play_out([99], Generator(1)), "move 99 is not legal here"),
        (lambda: Worker(searched()).learn_from(3, []), "player 3 has won"),
        (lambda: Worker(searched()).learn_from(1, [26]), "move 26 is off the board"),
        (lambda: Semeai().cells(Go(9), 0, 81), "no stone on A1"),
        (lambda: Semeai().read(Go(9), 0, -1), "no stone on A1"),
        (lambda: Patterns([(0.5, [(1, 0, "X")])]).at(Go(9), [99]), "99"),
        (lambda: searched().tree.keep(10**6), "there is no node 1000000"),
    ],
)
def test_what_is_out_of_range_is_refused_in_a_line(call, error):
    with pytest.raises(ValueError, match=f"^(.* )?{error}") as told:
        call()
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("game", [Go, Havannah])
def test_a_game_that_nobody_has_set_up_is_one_of_the_smallest_size(game):
    one = game.__new__(game)

    assert one.size == 2
    assert one.name(0)
    assert one.playouts(5, 1).total == 5
    one.check()


def test_a_tree_is_not_cleared_below_a_search_that_runs():
    search = Search(Go(9), nodes=100_000)
    began, done, told, errors = Event(), Event(), [], []
    thread = Thread(target=run_until, args=(search, began, done, errors))
    thread.start()
    began.wait(60)
    for call in (search.tree.clear, lambda: search.tree.keep(1), lambda: search.advance(0)):
        with pytest.raises(RuntimeError) as found:
            call()
        told.append(str(found.value))
    done.set()
    thread.join()

    assert all(line.endswith("in another thread; wait for its end") for line in told)
    assert [type(error) for error in errors] == [InterruptedError]
    search.tree.clear()
    assert search.tree.used == 1


def run_until(search, began, done, errors):
    def watch():
        began.set()
        if done.is_set():
            raise InterruptedError

    try:
        search.run(10**9, 1, watch=watch)
    except InterruptedError as error:
        errors.append(error)


def test_a_tree_with_another_root_is_not_searched_as_before():
    search = searched()
    below = int(search.children()["first_child"].max())
    search.tree.keep(below)

    for call in (
        lambda: search.run(10, 1),
        lambda: search.advance(3),
        lambda: search.worker().seek(False),
    ):
        with pytest.raises(RuntimeError, match="another root than its search"):
            call()

    search.tree.clear()
    assert search.run(10, 1) == 10


def test_playouts_without_end_hear_that_they_are_interrupted():
    code = (
        "import os, signal\nfrom cext.go import Go\nfrom cext.go_policy import GoPolicy\n"
        "for play in (Go(9).playouts, lambda n, s: GoPolicy().playouts(Go(9), n, s),"
        " lambda n, s: GoPolicy().owners(Go(9), n, s)):\n"
        "    signal.setitimer(signal.ITIMER_REAL, 0.3)\n"
        "    try:\n        play(2**62, 1)\n    except InterruptedError:\n        print('heard')\n"
    )
    handler = (
        "import signal\ndef stop(*_): raise InterruptedError\nsignal.signal(signal.SIGALRM, stop)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", handler + code], capture_output=True, text=True, timeout=60
    )

    assert ended.stdout == "heard\n" * 3
