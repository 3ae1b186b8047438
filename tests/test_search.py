"""UCT against a plain transcription of the paper's Algorithm 1, and what every search must keep."""

import math
from threading import Thread
from time import sleep

import pytest

from cext.go import Go
from cext.havannah import Havannah
from cext.rng import Generator
from cext.search import Search, logarithm_of
from cext.solver import Solver


class Transcription:
    """Algorithm 1, word for word: T maps situations, named by the moves from the root."""

    def __init__(self, game, widening, generator):
        self.start = game
        self.widening = widening
        self.generator = generator
        self.visits = {}  # N_T
        self.sums = {}  # S_T, of player 1's rewards

    def simulate(self):
        self.perform_simulation(self.start, ())

    def perform_simulation(self, game, path):
        if game.is_over:
            reward = {0: 0.5, 1: 1, 2: 0}[game.winner()]
        elif self.visits.get(path, 0) > 0:
            move = self.choose(game, path)
            after = game.copy()
            after.play(move)
            reward = self.perform_simulation(after, (*path, move))
        else:
            # MC until the end; only the first of its situations enters the tree.
            reward = {0: 0.5, 1: 1, 2: 0}[game.playout_winner(self.generator)]
        self.visits[path] = self.visits.get(path, 0) + 1
        self.sums[path] = self.sums.get(path, 0) + reward
        return reward

    def choose(self, game, path):
        count = self.visits[path]
        moves = heuristic_order(game)
        if self.widening:
            moves = moves[: max(1, math.floor(self.widening * count**0.25 + 1e-12))]
        epsilon = 1 if game.to_play == 1 else -1
        return max(moves, key=lambda move: self.score(epsilon, (*path, move), count))

    def score(self, epsilon, path, count):
        visits = self.visits.get(path, 0)
        if visits == 0:
            return math.inf
        return epsilon * self.sums[path] / visits + math.sqrt(2 * math.log(count) / visits)


def heuristic_order(game):
    """H, as far as it goes: ascending numbers; the pass of Go is always there, and last."""
    moves = game.sensible_moves()
    return moves + [game.points] * (isinstance(game, Go) and game.points not in moves)


def paths(search):
    """Return the visits and results of every visited node, by the moves that lead to it."""
    nodes = search.tree.array()
    found = {}

    def walk(index, path):
        node = nodes[index]
        if node["visits"]:
            found[path] = (int(node["visits"]), node["results"] / 2)
            for child in range(node["first_child"], node["first_child"] + node["children"]):
                walk(child, (*path, int(nodes[child]["move"])))

    walk(0, ())
    return found


GAMES = [Go(3), Go(5, komi=0.5), Go(3, komi=1), Havannah(3), Havannah(4, swap=True)]


@pytest.mark.parametrize("widening", [0, 1, 3.5])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{type(game).__name__}-{game.size}")
def test_the_search_is_the_paper_s_visit_for_visit(game, widening):
    search = Search(game, widening=widening)
    paper = Transcription(game, widening, Generator(5))

    search.run(1500, 5)
    for _ in range(1500):
        paper.simulate()

    assert paths(search) == {path: (paper.visits[path], paper.sums[path]) for path in paper.visits}


def test_simulations_are_neither_lost_nor_counted_twice():
    search = Search(Go(9))

    search.run(3000, 1)
    search.run(2000, 2)

    nodes = search.tree.array()
    expanded = nodes[nodes["children"] > 0]
    assert nodes[0]["visits"] == 5000
    for node in expanded:
        first = node["first_child"]
        children = nodes[first : first + node["children"]]
        # The first visit was a playout from here; all others went on.
        assert children["visits"].sum() == node["visits"] - 1
    assert (nodes["results"] <= 2 * nodes["visits"]).all()


def test_a_seed_decides_the_search():
    searches = [Search(Go(9)) for _ in range(3)]

    for search, seed in zip(searches, (1, 1, 2), strict=True):
        search.run(500, seed)

    assert paths(searches[0]) == paths(searches[1]) != paths(searches[2])


def test_a_full_tree_goes_on_without_growing():
    search = Search(Go(9), nodes=500)

    search.run(2000, 1)

    nodes = search.tree.array()
    assert search.tree.used == len(nodes) <= 500
    assert nodes[0]["visits"] == 2000
    assert search.children()["visits"].sum() == 1999


def test_numpy_sees_the_tree_itself():
    search = Search(Havannah(4))
    search.run(100, 1)
    nodes = search.tree.array()

    search.run(100, 2)

    assert nodes[0]["visits"] == 200
    assert not nodes.flags.writeable
    del search
    assert nodes[0]["visits"] == 200


@pytest.mark.parametrize("size", [2, 3])
def test_a_won_position_is_found_to_be_won(size):
    game = Havannah(size)
    search = Search(game)

    search.run(200_000, 1)

    assert search.best_move() in Solver().best_moves(game)


def test_a_capture_that_decides_the_game_is_found():
    game = Go(5, komi=0.5)
    for name in ("C3", "C2", "B2", "D2", "D3", "E2", "B1", "C1", "E3", "D1"):
        game.play(game.number(name))
    search = Search(game)

    search.run(20_000, 1)

    # White's stones are one chain, and E1 is its last liberty.
    assert game.name(search.best_move()) == "E1"


@pytest.mark.parametrize(("simulations", "visited"), [(2, 1), (3, 2), (26, 25)])
def test_of_equals_the_lowest_number_is_best(simulations, visited):
    search = Search(Go(5))

    search.run(simulations, 1)

    assert search.children()["visits"].tolist() == [1] * visited + [0] * (26 - visited)
    assert search.best_move() == 0


def test_a_finished_game_has_no_best_move():
    game = Go(3)
    game.play(9)
    game.play(9)
    search = Search(game)

    search.run(10, 1)

    assert search.tree.array()[0]["visits"] == 10
    with pytest.raises(ValueError, match=r"^a search without moves"):
        search.best_move()


def test_an_early_pass_ends_a_game_that_is_won():
    # White has passed; Black, ahead, need not play on.
    game = Go(5, komi=0.5)
    for name in ("C3", "pass"):
        game.play(game.number(name))
    search = Search(game)

    search.run(5000, 1)

    assert search.best_move() == game.points


@pytest.mark.parametrize("x", [1, 2, 3, 10, 1000, 65537, 1_000_003, 2**31 - 1])
def test_the_logarithm_is_exact_to_a_few_units_in_the_last_place(x):
    assert logarithm_of(x) == pytest.approx(math.log(x), rel=4e-16, abs=1e-300)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"widening": -1}, "widening -1.0: 0 or more is wanted"),
        ({"widening": math.nan}, "widening nan: 0 or more is wanted"),
        ({"nodes": 0}, "a tree of 0 nodes: at least 1 is wanted"),
    ],
)
def test_senseless_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        Search(Go(5), **settings)


@pytest.mark.parametrize("threads", [1, 2])
def test_other_threads_of_python_go_on_during_a_search(threads):
    search = Search(Go(9))
    running = Thread(
        target=search.run, args=(10**9, 1), kwargs={"seconds": 0.5, "threads": threads}
    )
    running.start()

    for _ in range(5):
        sleep(0.001)
    went_on = running.is_alive()
    running.join()

    assert went_on


@pytest.mark.parametrize("seed", [0, 2**63, 2**64 - 1])
def test_several_threads_take_any_seed(seed):
    search = Search(Go(5))

    assert search.run(500, seed, threads=3) == 500
