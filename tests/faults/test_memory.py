"""Memory of a process that plays: after some games no more than after many."""

import gc
from mmap import mmap

import pytest
from fuzzing import memory

from cext.go import Go
from cext.go_policy import GoPolicy
from cext.havannah import Havannah
from cext.havannah_policy import HavannahPolicy
from cext.search import Search
from mcts_cluster.jobs import jobfile
from mcts_cluster.matches.setup import Task

MEGABYTES = 10**6

JOB = """
[game]
name = "{game}"
size = 2
[player.a]
simulations = 3
megabytes = 1
[player.b]
simulations = 2
machines = 2
megabytes = 1
[player.c]
playouts = 2
[[match]]
players = ["a", "b"]
games = 1000000
[[match]]
players = ["a", "c"]
games = 1000000
"""


def games_of(game):
    """Return a function that plays the game of a number, of two matches in turn."""
    job = jobfile.read_text(JOB.replace("{game}", game))
    matches = [one.key for one in job.experiment.matches]

    def play(number):
        row = job.experiment.play(job, Task(matches[number % 2], number // 2))
        assert row.points is not None

    return play


def search_go(number):
    search = Search(Go(5), GoPolicy(playout_replay=1, prior_semeai=5), nodes=2000, rave=100)
    search.run(30, number)
    search.advance(search.best_move())
    search.run(10, number)


def search_havannah(number):
    search = Search(Havannah(3), HavannahPolicy(), nodes=2000, rave=100, solve=True)
    search.run(30, number, threads=2)
    search.worker().seek(False)


def playouts(number):
    Go(9).playouts(2, number)
    GoPolicy().owners(Go(5), 2, number)
    HavannahPolicy().playout_moves(Havannah(4), number)
    game = Go(5)
    for move in range(8):
        if game.is_legal(move):
            game.play(move)


WORK = {
    "games of Go": games_of("go"),
    "games of Havannah": games_of("havannah"),
    "searches of Go": search_go,
    "searches of Havannah": search_havannah,
    "playouts": playouts,
}


def growth(work, rounds):
    """Return by how many bytes this process grows in so many rounds, after some others."""
    for number in range(rounds // 4):
        work(number)
    gc.collect()
    before = memory()
    for number in range(rounds // 4, rounds + rounds // 4):
        work(number)
    gc.collect()
    return memory() - before


@pytest.mark.parametrize("kind", WORK)
def test_memory_stays_what_it_was(kind):
    # A board that is lost in each round would make twice that, a tree much more.
    assert growth(WORK[kind], 200) < 3 * MEGABYTES


@pytest.mark.soak
@pytest.mark.parametrize("kind", WORK)
def test_memory_stays_what_it_was_after_a_hundred_thousand(kind):
    assert growth(WORK[kind], 100_000) < 8 * MEGABYTES


def test_a_loss_of_memory_is_seen():
    kept = []

    def lose(number):
        # Of the system: what this process has freed before, and keeps, would be no growth.
        kept.append(mmap(-1, 300_000))
        kept[-1].write(b"x" * 300_000)

    assert growth(lose, 200) > 30 * MEGABYTES
