"""The search by several threads, in a limited time, and when it stops early."""

import math
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import rest_in_proof
from searches import CAPTURE, FIELDS, GAMES, INFORMED, after, enough, paths

import cext.search
from cext.go import Go
from cext.go_policy import GoPolicy
from cext.havannah import Havannah
from cext.havannah_policy import HavannahPolicy
from cext.policy import Policy
from cext.search import Search


def check_statistics(search, simulations, threads):
    """Nothing is lost, nothing is counted twice, and every virtual loss is taken back."""
    nodes = search.tree.array()
    first, count = nodes["first_child"].tolist(), nodes["children"].tolist()
    sums = {name: [0, *nodes[name].cumsum(dtype="int64").tolist()] for name in FIELDS[:4]}
    values = {name: nodes[name].tolist() for name in FIELDS[:4]}
    assert values["visits"][0] == simulations
    assert values["rave_visits"][0] == values["rave_results"][0] == 0
    assert (nodes["results"] <= 2 * nodes["visits"].astype("int64")).all()
    assert (nodes["rave_results"] <= 2 * nodes["rave_visits"].astype("int64")).all()
    assert len(nodes) == 1 + sum(n for n in count if n > 0) or search.tree.used < len(nodes)
    for i in range(len(nodes)):
        if count[i] <= 0:
            continue
        below = slice(first[i], first[i] + count[i])
        ended = {name: values[name][i] - total(sums[name], below) for name in FIELDS[:2]}
        # What ended here did so before there were children. Of a thread on its way the virtual
        # losses may have been taken for visits, and more may have come while it was slow.
        late = search.virtual_loss * threads if threads > 1 and i else 0
        due = search.expand_at if i else min(2, search.expand_at)
        assert ended["visits"] >= max(0, due - 1 - late)
        assert threads > 1 or ended["visits"] == due - 1
        assert 0 <= ended["results"] <= 2 * ended["visits"]
        assert max(values["rave_visits"][below]) <= values["visits"][i]


def total(sums, part):
    return sums[part.stop] - sums[part.start]


@pytest.mark.parametrize("virtual_loss", rest_in_proof([0, 1, 3], [0, 3]))
@pytest.mark.parametrize("threads", rest_in_proof([1, 2, 3, 8], [1, 3, 8]))
@pytest.mark.parametrize(
    ("game", "policy", "settings"),
    [
        (Go(5), Policy(), {}),
        (Go(9), GoPolicy(), INFORMED),
        (Havannah(4), Policy(), INFORMED),
        (after(Go(2), "A1"), Policy(), {"expand_at": 1}),
    ],
    ids=["go", "go-informed", "havannah", "go-expand-at-once"],
)
@pytest.mark.parametrize("nodes", [300, 300_000], ids=["full", "roomy"])
def test_threads_lose_no_statistics(game, policy, settings, threads, virtual_loss, nodes):
    search = Search(game, policy, virtual_loss=virtual_loss, nodes=nodes, **settings)

    assert search.run(5000, 1, threads=threads) == 5000
    assert search.run(1000, 2, threads=threads) == 1000

    check_statistics(search, 6000, threads)
    assert search.tree.used <= nodes


@pytest.mark.parametrize("threads", [2, 8])
def test_threads_lose_no_statistics_when_time_is_up(threads):
    search = Search(Havannah(4), virtual_loss=3, rave=100)
    done = 0

    for seed in range(20):
        done += search.run(10**9, seed, seconds=0.01, threads=threads)

    check_statistics(search, done, threads)


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_other_threads_go_on_while_a_search_runs(threads):
    search = Search(Go(9), nodes=1000)
    beats = []
    running = threading.Event()
    running.set()

    def beat():
        while running.is_set():
            beats.append(time.monotonic())
            time.sleep(0.001)

    heart = threading.Thread(target=beat)
    heart.start()
    search.run(10**12, 1, seconds=0.5, threads=threads)
    running.clear()
    heart.join()

    assert len(beats) > 20


@pytest.mark.parametrize("virtual_loss", rest_in_proof([0, 1, 3], [0, 3]))
@pytest.mark.parametrize("expand_at", [1, 2, 5])
@pytest.mark.parametrize("game", [Go(5), Havannah(4)], ids=["go", "havannah"])
def test_one_thread_of_several_finds_what_it_finds_alone(
    game, expand_at, virtual_loss, monkeypatch
):
    # The others sleep. Without exploration nothing depends on the losses behind it.
    settings = {"exploration": 0, "rave": 50, "expand_at": expand_at, "first_play_urgency": 1}
    simulations = enough(2000, expand_at)
    alone = Search(game, **settings)
    alone.run(simulations, 1)
    monkeypatch.setattr(cext.search, "Thread", lambda target: threading.Thread())
    search = Search(game, virtual_loss=virtual_loss, **settings)

    search.run(simulations, 1, threads=3)

    assert paths(search) == paths(alone)


def test_threads_that_cannot_be_started_are_a_clean_end(monkeypatch):
    started = []

    class Thread(threading.Thread):
        def start(self):
            if len(started) == 2:
                raise RuntimeError("can't start new thread")
            started.append(self)
            super().start()

    monkeypatch.setattr(cext.search, "Thread", Thread)
    search = Search(Go(9))

    with pytest.raises(RuntimeError, match="can't start new thread"):
        search.run(10**12, 1, threads=4)

    assert not any(thread.is_alive() for thread in started)
    check_statistics(search, int(search.tree.array()[0]["visits"]), 4)


def test_a_search_that_runs_refuses_another_thread():
    search = Search(Go(9))
    running = threading.Thread(target=search.run, args=(10**9, 1), kwargs={"seconds": 2})
    running.start()
    while not search.tree.array()["visits"][0]:
        time.sleep(0.001)
    for ask in (lambda: search.run(5, 0), lambda: search.advance(0)):
        with pytest.raises(RuntimeError, match="this search is running"):
            ask()
    running.join()
    visits = search.tree.array()["visits"][0]
    assert search.run(5, 0) == 5
    assert search.tree.array()["visits"][0] == visits + 5
    search.advance(0)


@pytest.mark.parametrize("threads", [1, 3])
def test_control_c_ends_a_search(threads):
    code = (
        # Whoever runs the tests in the background may have had SIGINT ignored.
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from cext.go import Go; from cext.search import Search; print('searching', flush=True); "
        f"Search(Go(19), nodes=10**5).run(10**15, 1, threads={threads})"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "searching\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
        process.communicate()

    assert process.returncode == -signal.SIGINT
    assert err.endswith("KeyboardInterrupt\n")


def test_a_search_that_is_dropped_is_gone():
    search = Search(Go(5))
    search.run(100, 1, threads=2)
    tree = search.tree

    del search

    # The name and the argument here: nothing else holds the tree.
    assert sys.getrefcount(tree) == 2


# Time


@pytest.mark.parametrize("threads", [1, 3])
def test_a_search_takes_the_time_it_is_given(threads):
    search = Search(Go(9), nodes=1000)
    began, spent = time.monotonic(), -time.process_time()

    search.run(10**15, 1, seconds=0.3, threads=threads)

    spent += time.process_time()
    # Others may have the processor meanwhile: only their time can add to the limit.
    assert time.monotonic() - began >= 0.3
    assert spent < 0.5 + 0.3 * threads


def test_a_search_with_time_left_ends_after_its_simulations():
    assert Search(Go(5)).run(100, 1, seconds=1000) == 100


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("settings", [{}, INFORMED, {"expand_at": 1}, {"widening": 1}])
@pytest.mark.parametrize("game", GAMES[3:], ids=lambda game: f"{type(game).__name__}-{game.size}")
def test_the_shortest_time_is_enough_for_a_move(game, settings, threads):
    search = Search(game, **settings)

    search.run(10**12, 1, seconds=1e-9, threads=threads)

    assert search.best_move() in game.legal_moves()
    assert search.children()["visits"].any()


@pytest.mark.parametrize("visits", [1, 2, 3])
def test_the_shortest_time_is_enough_also_where_a_leaf_became_the_root(visits):
    search = Search(Go(5), expand_at=1000)
    while True:
        search.run(1, 1)
        children = search.children()
        if len(children) and children["visits"].max() == visits:
            break
    move = search.best_move()
    del children

    search.advance(move)
    search.run(10**12, 1, seconds=1e-9)

    assert search.tree.array()[0]["visits"] == visits + 1
    assert search.children()["visits"].sum() == 1
    assert search.best_move() != move


# Stopping early


def positions(count):
    """Yield positions of Go and Havannah, openings as well as endgames."""
    for seed in range(count):
        game = (Go(5, komi=0.5), Havannah(3), Go(7), Havannah(4))[seed % 4]
        moves = game.playout_moves(seed)
        for move in moves[: len(moves) * (seed % 11) // 12]:
            if move in game.legal_moves():
                game.play(move)
        if not game.is_over:
            yield game


def test_of_algorithm_1_a_policy_is_the_order_of_its_moves():
    policy = GoPolicy()
    game = after(Go(5), "C3", "C4", "D4")
    order = sorted(policy.advice(game).tolist(), key=lambda one: (-one[1], one[0]))
    assert len({heuristic for _, heuristic, *_ in order}) > 5

    search = Search(game, policy, widening=2, priors=False)
    search.run(600, 1)

    looked_at = [int(c["move"]) for c in search.children() if c["visits"]]
    # K n^(1/4) is 9.9 at the last visit.
    assert looked_at == [move for move, *_ in order[:9]]
    assert not search.tree.array()["prior_visits"].any()


def test_stopping_early_changes_no_move_of_who_solves():
    saved = 0
    for seed, game in enumerate(positions(160)):
        if isinstance(game, Havannah):
            whole, early = (
                Search(game, HavannahPolicy(prior_decisive=0), solve=True) for _ in "12"
            )

            whole.run(1500, seed)
            saved += 1500 - early.run(1500, seed, stop_early=True)

            assert early.best_move() == whole.best_move()
    # Where a move is proven to win.
    assert saved > 1600


def test_as_many_simulations_as_threads_are_enough_for_a_move():
    for seed in range(200):
        search = Search(Go(9), **INFORMED)
        search.run(2, seed, threads=2)

        assert search.best_move() >= 0
        assert search.tree.array()[0]["visits"] == 2


@pytest.mark.parametrize("count", rest_in_proof([75, 150], [75]))
@pytest.mark.parametrize("settings", [{}, INFORMED])
def test_stopping_early_changes_no_move(settings, count):
    saved = 0
    for seed, game in enumerate(positions(count)):
        whole, early = Search(game, **settings), Search(game, **settings)

        whole.run(3000, seed)
        done = early.run(3000, seed, stop_early=True)

        assert early.best_move() == whole.best_move()
        most, *others = sorted(early.children()["visits"].tolist(), reverse=True)
        assert done == 3000 or most - max(others, default=0) > 3000 - done
        saved += 3000 - done
    # It is of use, too.
    assert saved > 200 * count


@pytest.mark.parametrize("virtual_loss", rest_in_proof([0, 1, 100], [1, 100]))
@pytest.mark.parametrize("threads", [2, 8])
def test_threads_stop_early_only_where_the_rest_changes_nothing(threads, virtual_loss):
    for seed, game in enumerate(positions(12)):
        search = Search(game, virtual_loss=virtual_loss)

        done = search.run(20_000, seed, stop_early=True, threads=threads)

        most, *others = sorted(search.children()["visits"].tolist(), reverse=True)
        assert done == 20_000 or most - max(others, default=0) > 20_000 - done


def test_threads_stop_early_where_the_rest_changes_nothing():
    search = Search(after(Go(5, komi=0.5), *CAPTURE))

    # So many that the thread which looks has its turn before the others are done.
    assert search.run(2_000_000, 1, stop_early=True, threads=3) < 2_000_000


@pytest.mark.parametrize("seconds", [1000.0, 1e300, math.inf])
def test_with_much_time_a_search_stops_early_as_if_there_were_no_limit(seconds):
    for seed, game in enumerate(positions(12)):
        limited, free = Search(game), Search(game)

        done = limited.run(3000, seed, stop_early=True, seconds=seconds)

        assert done == free.run(3000, seed, stop_early=True)


def test_where_the_time_decides_a_search_stops_before_it_is_up():
    # After a few simulations the winning capture is far ahead; a million more would take seconds.
    game = after(Go(5, komi=0.5), *CAPTURE)
    search = Search(game, GoPolicy(prior_capture=300), **INFORMED)
    began = time.process_time()

    done = search.run(10**12, 1, seconds=1, stop_early=True, own_time=True)

    # Half the time is enough if the best move is visited always. No clock of the wall in this.
    assert 0.33 < time.process_time() - began < 0.96
    assert done < 10**12
    assert game.name(search.best_move()) == "E1"
