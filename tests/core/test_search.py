"""The search against a plain transcription of simulation.pxd, and what every search must keep."""

import math
import time
from collections import defaultdict
from itertools import product

import numpy
import pytest
from conftest import rest_in_proof
from core_inside import inside
from searches import CAPTURE, GAMES, after, enough, paths

from cext.exact_math import logarithm_of
from cext.go import Go
from cext.go_policy import GoPolicy
from cext.havannah import Havannah
from cext.havannah_policy import HavannahPolicy
from cext.policy import Policy
from cext.rng import Generator
from cext.search import Search
from cext.solver import Solver

DRAWN = 3


class Transcription:
    """simulation.pxd, word for word: statistics are of situations, named by the moves to them."""

    def __init__(
        self,
        game,
        policy,
        generator,
        *,
        exploration=1,
        rave=0,
        widening=0,
        bias=0,
        first_play_urgency=math.inf,
        expand_at=2,
        solve=False,
        priors=True,
        explore_every=0,
    ):
        self.game = game
        self.policy = policy
        self.generator = generator
        self.c, self.k, self.d = exploration, rave, bias
        self.widening = widening
        self.urgency = first_play_urgency
        self.expand_at = expand_at
        self.solve = solve
        self.priors = priors
        self.explore_every = explore_every
        self.proven = {}  # by path: who wins, or DRAWN
        self.advice = {}  # by path: the candidates of an expanded situation, in their order
        self.visits = defaultdict(int)
        self.results = defaultdict(int)  # of player 1: 2 for a win, 1 for a draw
        self.rave_visits = defaultdict(int)
        self.rave_results = defaultdict(int)

    def simulate(self):
        game = self.game.copy()
        path = ()
        while True:
            if game.is_over:
                winner, playout = game.winner(), []
                if self.solve:
                    self.proven[path] = winner or DRAWN
                    self.prove(path[:-1])
                break
            inner = path in self.advice or self.expand(game, path)
            if path and path in self.proven:
                winner, playout = self.proven[path] % DRAWN, []
                break
            if not inner:
                winner, playout = inside.play_out(self.policy, game, self.generator)
                break
            move = self.choose(game.to_play, path)
            path = (*path, move)
            game.play(move)
        result = {1: 2, 0: 1, 2: 0}[winner]
        for plies in range(len(path) + 1):
            self.visits[path[:plies]] += 1
            self.results[path[:plies]] += result
        if self.k:
            self.learn_rave(path, playout, result)

    def expand(self, game, path):
        due = self.expand_at if path else min(2, self.expand_at)
        if self.visits[path] + 1 < due or (path and path in self.proven):
            return False
        advice = [(int(move), *map(int, rest)) for move, *rest in self.policy.advice(game).tolist()]
        if not self.priors:
            advice = [(move, heuristic, 0, 0, *rest) for move, heuristic, _, _, *rest in advice]
        if self.widening:
            advice.sort(key=lambda candidate: -candidate[1])
        self.advice[path] = advice
        for move, *_, proven in advice:
            if self.solve and proven:
                self.proven[*path, move] = game.to_play if proven > 0 else 3 - game.to_play
        self.prove(path)
        return True

    def prove(self, path):
        """A move to a proven win proves a win; where all moves are proven, the best one counts."""
        while True:
            player = 1 + (self.game.to_play + len(path) + 1) % 2
            values = [self.proven.get((*path, move)) for move, *_ in self.advice[path]]
            if player in values:
                self.proven[path] = player
            elif None not in values:
                self.proven[path] = DRAWN if DRAWN in values else 3 - player
            else:
                return
            if not path:
                return
            path = path[:-1]

    def learn_rave(self, path, playout, result):
        """A move counts where its player is the first to make it, from the situation on."""
        sequence = [*path, *playout]
        for plies in range(len(path) + 1):
            first = {}
            for later, move in enumerate(sequence[plies:]):
                first.setdefault(move, later)
            for move, *_ in self.advice.get(path[:plies], ()):
                if move != self.game.points and first.get(move, 1) % 2 == 0:
                    self.rave_visits[*path[:plies], move] += 1
                    self.rave_results[*path[:plies], move] += result

    def choose(self, player, path):
        candidates = self.advice[path]
        if self.widening:
            most = math.floor(self.widening * self.visits[path] ** 0.25 + 1e-12)
            candidates = candidates[: max(1, most)]
        score = self.openness if len(path) == self.explored() else self.score
        return max(candidates, key=lambda candidate: score(player, path, candidate))[0]

    def explored(self):
        """Return the depth at which a simulation explores, or nothing."""
        simulations = self.visits[()]
        if self.explore_every and simulations and simulations % self.explore_every == 0:
            turn = f"{simulations // self.explore_every:b}"
            return len(turn) - len(turn.rstrip("0"))
        return None

    def openness(self, player, path, candidate):
        """The formula of the visits that explore."""
        move, _, prior_visits, prior_wins, _, _ = candidate
        child = (*path, move)
        if player == 2:
            prior_wins = 2 * prior_visits - prior_wins
        prior = 0.5 * prior_wins / prior_visits if prior_visits else 0.5
        n = self.visits[child] + 2
        won = 0.5 * self.results[child] + 2 * prior
        score = (n - won if player == 2 else won) / n
        score += 0.05 * math.sqrt(self.visits[path]) / (self.visits[child] + 1)
        return score + self.if_proven(player, child)

    def if_proven(self, player, child):
        if self.proven.get(child, DRAWN) == DRAWN:
            return 0
        return math.inf if self.proven[child] == player else -1e6

    def score(self, player, path, candidate):
        """The formula of simulation.pxd, its sums in the order that the core adds them in."""
        move, _, prior_visits, prior_wins, bias, _ = candidate
        child = (*path, move)
        n = self.visits[child] + prior_visits
        m = self.rave_visits[child]
        if player == 2:
            prior_wins = 2 * prior_visits - prior_wins
        won, rave_won = self.results[child] + prior_wins, self.rave_results[child]
        if not n + m:
            score = self.urgency
        else:
            score = self.mean(n, won, m, rave_won, player)
            if player == 2:
                won, rave_won = 2 * n - won, 2 * m - rave_won
            b = m / (m + n + m * n / self.k) if m else 0
            formula = (1 - b) * (won / 2 / n if n else 0) + b * (rave_won / 2 / m if m else 0)
            assert abs(score - formula) < 1e-12
        if self.c and n:
            score += self.c * math.sqrt(2 * logarithm_of(max(1, self.visits[path])) / n)
        if bias:
            score += 0.001 * self.d * bias * (1 / logarithm_of(2 + self.visits[child]))
        return score + self.if_proven(player, child)

    def mean(self, n, won, m, rave_won, player):
        if m:
            k = self.k
            mean = (0.5 * (k + m) * won + 0.5 * k * rave_won) / (k * (m + n) + m * n)
            return 1 - mean if player == 2 else mean
        return (n - 0.5 * won if player == 2 else 0.5 * won) / n

    def nodes(self):
        """Return every situation of the tree with its statistics and its advice."""
        found = {(): (self.visits[()], self.results[()], 0, 0, 0, 0, 0, self.proven.get((), 0))}
        for path, advice in self.advice.items():
            for move, _, prior_visits, prior_wins, bias, _ in advice:
                child = (*path, move)
                if (self.game.to_play + len(path)) % 2 == 0:
                    prior_wins = 2 * prior_visits - prior_wins
                found[child] = (
                    self.visits[child],
                    self.results[child],
                    self.rave_visits[child],
                    self.rave_results[child],
                    prior_visits,
                    prior_wins,
                    bias,
                    self.proven.get(child, 0),
                )
        return found


def compare(game, policy, simulations, **settings):
    """Search, and do it again by the transcription: every number in the trees must be the same."""
    simulations = enough(simulations, settings.get("expand_at"))
    search = Search(game, policy, **settings)
    by_hand = Transcription(game, policy, Generator(5), **settings)

    search.run(simulations, 5)
    for _ in range(simulations):
        by_hand.simulate()

    assert paths(search) == by_hand.nodes()
    return search


def name_of(game):
    return f"{type(game).__name__}-{game.size}-{game.to_play}"


def name_of_settings(settings):
    return ",".join(f"{key[:3]}={value}" for key, value in settings.items())


each_game = pytest.mark.parametrize("game", GAMES, ids=name_of)


@pytest.mark.parametrize("widening", [0, 1, 3.5])
@each_game
def test_the_search_is_the_paper_s_visit_for_visit(game, widening):
    compare(game, Policy(), 900, widening=widening)


def opinion(move, ply, player):
    """Some opinion on a move, and on every fifth move none."""
    noise = (move * 7919 + ply * 104729 + player * 31) % 1009
    if noise % 5 == 0:
        return 0, 0, 0, 0
    visits = noise % 7
    return noise % 13 - 6, visits, noise % (2 * visits + 1), noise % 400 - 200


MOGO = {"exploration": 0, "rave": 300, "first_play_urgency": 1, "expand_at": 4}
KNOWING = [
    MOGO,
    MOGO | {"first_play_urgency": 0.4, "expand_at": 1, "rave": 0.5},
    MOGO | {"widening": 2.5, "rave": 1e6},
    {"rave": 20, "exploration": 0.3, "expand_at": 3},
    {"first_play_urgency": 1.1, "exploration": 0.7, "expand_at": 1},
    {"exploration": 0, "expand_at": 1},
    {"bias": 0.8, "rave": 100, "exploration": 0.1, "first_play_urgency": 0.9},
    {"bias": 3, "exploration": 0, "widening": 1, "first_play_urgency": 0, "expand_at": 2},
    MOGO | {"solve": True, "expand_at": 1},
    {"solve": True, "widening": 2, "expand_at": 3},
    # Algorithm 1 with an order of moves that somebody has an opinion of.
    {"widening": 2, "priors": False},
    MOGO | {"explore_every": 4},
    {"exploration": 0, "first_play_urgency": 1, "explore_every": 1, "widening": 3, "solve": True},
]
each_setting = pytest.mark.parametrize("settings", KNOWING, ids=name_of_settings)


PAIRS = list(product(range(len(GAMES)), range(len(KNOWING))))


def name_of_pair(pair):
    return f"{name_of(GAMES[pair[0]])}-{name_of_settings(KNOWING[pair[1]])}"


# As there are 13 settings, an odd number, every second pair has all settings and all games.
@pytest.mark.parametrize("pair", rest_in_proof(PAIRS, PAIRS[::2]), ids=name_of_pair)
def test_the_search_is_the_formula_with_opinions_of_any_kind(pair):
    game, settings = GAMES[pair[0]], KNOWING[pair[1]]
    search = compare(game, inside.Advised(opinion), 250, **settings)

    assert bool(settings.get("rave")) == bool(search.tree.array()["rave_visits"].any())


@each_setting
@pytest.mark.parametrize("game", [Go(4, komi=1), Havannah(3)], ids=["go", "havannah"])
def test_the_search_is_the_formula_without_opinions(game, settings):
    compare(game, Policy(), 400, **settings)


@each_setting
@pytest.mark.parametrize("size", rest_in_proof([2, 3, 4], [2, 4]))
def test_the_search_is_the_formula_with_the_knowledge_of_havannah(size, settings):
    policy = HavannahPolicy(prior_decisive=1, prior_even=2, playout_win=50, playout_bridge=50)
    compare(Havannah(size), policy, 400, **settings)


@each_setting
@pytest.mark.parametrize("size", rest_in_proof([2, 3, 6], [2, 6]))
def test_the_search_is_the_formula_with_the_knowledge_of_go(size, settings):
    compare(Go(size, komi=0.5), GoPolicy(), 300, **settings)


@each_setting
@pytest.mark.parametrize("game", [Go(4, komi=1), Havannah(3)], ids=["go", "havannah"])
def test_a_search_that_counts_in_units_is_the_same_search(game, settings):
    # A power of two, by which no arithmetic is rounded otherwise.
    searches = [Search(game, inside.Advised(opinion), **settings, unit=unit) for unit in (1, 64)]
    for search in searches:
        assert search.run(400, 5, stop_early=True) <= 400

    one, many = (paths(search) for search in searches)
    assert {path: (*(64 * n for n in row[:4]), *row[4:]) for path, row in one.items()} == many


@pytest.mark.parametrize("policy", [Policy(), GoPolicy()], ids=["uniform", "informed"])
def test_a_search_that_explores_tries_every_move_again_and_again(policy):
    least = []
    for simulations in (1000, 16_000):
        search = Search(
            Go(5), policy, exploration=0, rave=1000, first_play_urgency=1, explore_every=8
        )
        search.run(simulations, 3)
        least.append(int(search.children()["visits"].min()))

    assert least[0] > 0
    assert least[1] > 2 * least[0]


def test_later_visits_of_a_move_let_its_bias_fade_by_the_logarithm():
    # More visits than the core has logarithms in store.
    game = Havannah(2)
    compare(game, inside.Advised(opinion), 9000, bias=40, exploration=0, first_play_urgency=1)


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


# What these seeds gave when this was written, as moves. Whoever changes them changes every stored
# game, and what another machine plays.
PINNED = [
    (Go(9), MOGO | {"rave": 333.3}, (42423, 41, 754, 672, 2788, 2636)),
    (Go(7, komi=5.5), {"widening": 4.2, "exploration": 0.61}, (66334, 24, 484, 518, 0, 0)),
    (
        Havannah(5),
        {"rave": 77.7, "exploration": 0.3, "expand_at": 3},
        (51121, 1, 1087, 1230, 2503, 2717),
    ),
]


@pytest.mark.parametrize(("game", "settings", "pinned"), PINNED)
def test_a_seed_gives_the_same_tree_on_every_machine_and_with_every_build(game, settings, pinned):
    search = Search(game, **settings)

    search.run(5000, 2026)

    children = search.children()
    best = children[children["move"] == search.best_move()][0]
    assert (
        search.tree.used,
        int(best["move"]),
        *(int(best[name]) for name in ("visits", "results", "rave_visits", "rave_results")),
    ) == pinned


# Other things that every search must keep


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
    assert search.tree.full
    assert nodes[0]["visits"] == 2000
    assert search.children()["visits"].sum() == 1999


def test_a_tree_is_full_until_there_is_room_again():
    search = Search(Go(9), nodes=500)
    assert not search.tree.full
    search.run(200, 1)
    assert search.tree.full

    search.advance(search.best_move())
    assert not search.tree.full
    search.run(2000, 1)
    assert search.tree.full
    search.tree.clear()
    assert not search.tree.full


def test_numpy_sees_the_tree_itself():
    search = Search(Havannah(4))
    search.run(100, 1)
    nodes = search.tree.array()

    search.run(100, 2)

    assert nodes[0]["visits"] == 200
    assert not nodes.flags.writeable
    del search
    assert nodes[0]["visits"] == 200


@pytest.mark.parametrize("simulations", rest_in_proof([50_000, 200_000], [50_000]))
@pytest.mark.parametrize("size", [2, 3])
def test_a_won_position_is_found_to_be_won(size, simulations):
    game = Havannah(size)
    search = Search(game)

    search.run(simulations, 1)

    assert search.best_move() in Solver().best_moves(game)


def test_a_capture_that_decides_the_game_is_found():
    game = after(Go(5, komi=0.5), *CAPTURE)
    search = Search(game)

    search.run(20_000, 1)

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
        ({"exploration": -0.1}, "exploration -0.1: must be 0 or more"),
        ({"rave": -1}, "rave -1.0: must be 0 or more"),
        ({"widening": -1}, "widening -1.0: must be 0 or more"),
        ({"bias": -1}, "bias -1.0: must be 0 or more"),
        ({"first_play_urgency": -1}, "first_play_urgency -1.0: must be 0 or more"),
        ({"virtual_loss": -1}, "virtual_loss -1: must be 0 or more"),
        ({"expand_at": 0}, "expand_at 0: must be 1 or more"),
        ({"nodes": 0}, "a tree of 0 nodes: must have 1 or more"),
        *(
            ({name: math.nan}, f"{name} nan: must be 0 or more")
            for name in ("exploration", "rave", "widening", "bias", "first_play_urgency")
        ),
        ({"policy": GoPolicy(), "game": Havannah(4)}, "GoPolicy is not for Havannah"),
    ],
)
def test_senseless_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        Search(**{"game": Go(5)} | settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"simulations": -1}, "-1 simulations: must be 0 or more"),
        ({"simulations": -(2**63)}, "-9223372036854775808 simulations: must be 0 or more"),
        ({"seconds": -1}, "-1.0 seconds: must be 0 or more"),
        ({"seconds": math.nan}, "nan seconds: must be 0 or more"),
        ({"threads": 0}, "0 threads: must be 1 or more"),
    ],
)
def test_a_senseless_run_is_refused_and_changes_nothing(settings, message):
    search = Search(Go(5))

    with pytest.raises(ValueError, match=f"^{message}$"):
        search.run(**{"simulations": 10, "seed": 1} | settings)

    assert search.tree.array()[0]["visits"] == 0


@pytest.mark.parametrize("threads", [1, 3])
def test_nothing_to_do_is_nothing_done(threads):
    assert Search(Go(5)).run(0, 1, threads=threads) == 0


@pytest.mark.parametrize("threads", [1, 4])
def test_a_finished_game_is_counted_and_gives_nothing_to_choose_from(threads):
    search = Search(after(Go(3, komi=0.5), "pass", "pass"), rave=100)

    # There is nothing to do but to count, so that threads meet at the counters all the time.
    search.run(1_000_000, 1, threads=threads, seconds=100)

    assert search.tree.array()[["visits", "results"]].tolist() == [(1_000_000, 0)]
    with pytest.raises(ValueError, match=r"^a search without moves"):
        search.best_move()


# A search in parts, and what others found


@pytest.mark.parametrize("parts", [[1000], [1] * 20 + [980], [300, 0, 700]], ids=len)
def test_a_search_in_parts_is_the_search_in_one_piece(parts):
    whole, parted = Search(Go(5), rave=50), Search(Go(5), rave=50)
    whole.run(1000, 7)
    generator = Generator(7)

    assert [parted.run(part, generator) for part in parts] == parts

    assert parted.tree.array().tolist() == whole.tree.array().tolist()


def test_the_parts_of_a_simulation_make_a_search():
    whole, parted = Search(Go(5), rave=50), Search(Go(5), rave=50)
    whole.run(300, 7)
    generator, worker = Generator(7), parted.worker()
    for _ in range(300):
        moves, winner = worker.seek(shared=False)
        worker.learn_from(*(worker.play_out(moves, generator) if winner < 0 else (winner, [])))

    assert parted.tree.array().tolist() == whole.tree.array().tolist()


@pytest.mark.parametrize("game", [Go(5), Havannah(4)], ids=["go", "havannah"])
@pytest.mark.parametrize("moves", [[-1], [10**6], [2**40], [7, 7]])
def test_a_worker_plays_legal_moves_only(game, moves):
    with pytest.raises((ValueError, OverflowError)):
        Search(game, rave=50).worker().play_out(moves, Generator(1))


@pytest.mark.parametrize(
    ("winner", "moves", "mistake"),
    [
        (3, [], "player 3 has won: 1, 2, or 0 for a draw is allowed"),
        (-1, [], "player -1 has won"),
        (1, [26], "move 26 is off the board"),
        (1, [3, -1], "move -1 is off the board"),
        (1, [0] * 9000, "9000 moves: a playout has 8192 at most"),
    ],
)
def test_a_worker_learns_from_playouts_only(winner, moves, mistake):
    search = Search(Go(5), rave=50)
    worker = search.worker()
    worker.seek(shared=False)

    with pytest.raises(ValueError, match=mistake):
        worker.learn_from(winner, moves)

    assert search.tree.array()[0]["visits"] == 0


def test_threads_go_on_with_a_generator_and_do_not_begin_again():
    search, generator = Search(Go(5)), Generator(7)

    search.run(100, generator, threads=2)

    assert generator.numbers(1) != Generator(7).numbers(1)


def test_own_seconds_are_those_of_the_processor():
    search = Search(Go(9))
    began = time.process_time()

    search.run(10**9, 1, seconds=0.1, own_time=True)

    # No clock of the wall in this: others may have the processor meanwhile.
    assert 0.09 < time.process_time() - began < 0.5


def by_move(search, path):
    """Return the statistics of the moves after some others, as the arena has them."""
    node = 0
    array = search.tree.array()
    for move in path:
        first, count = int(array[node]["first_child"]), int(array[node]["children"])
        node = first + array[first : first + count]["move"].tolist().index(move)
    names = ["visits", "results", "rave_visits", "rave_results"]
    return {
        int(child["move"]): [int(child[name]) for name in names]
        for child in search.children_of(node)
    }


@pytest.mark.parametrize("game", [Go(5), Havannah(3)], ids=["go", "havannah"])
def test_statistics_are_those_of_the_arena_in_the_order_of_the_moves(game):
    search = Search(game, rave=50)
    search.run(1000, 1)
    best = search.best_move()

    for path in ([], [best]):
        rows = search.statistics(path)

        found = by_move(search, path)
        assert rows.shape == (game.points + 1, 4)
        assert [rows[move].tolist() for move in found] == list(found.values())
        assert rows.sum() == sum(map(sum, found.values()))


def test_there_are_no_statistics_where_the_tree_ends():
    search = Search(Go(5))
    search.run(3, 1)

    for path in ([0], [0, 1, 2], [99], [-1]):
        assert not search.statistics(path).any()


def test_what_is_added_is_there_and_can_be_taken_away():
    search = Search(Go(5), rave=50)
    search.run(500, 1)
    before = search.tree.array().tolist()
    changes = numpy.arange(26 * 4).reshape(26, 4)
    known = search.statistics()[:, 0] > 0

    assert search.add(changes)
    assert (search.statistics() - changes)[known].min() >= 0
    assert search.add(-changes)
    search.add_to_root(5, 9)
    search.add_to_root(-5, -9)

    assert search.tree.array().tolist() == before


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
def test_columns_that_are_not_given_stay(columns):
    search = Search(Go(5), rave=50)
    search.run(500, 1)
    before = search.statistics()
    candidates = search.children()["move"]

    search.add(numpy.full((26, columns), 7), [])

    change = search.statistics() - before
    assert (change[candidates, :columns] == 7).all() and not change[:, columns:].any()


def test_a_node_is_opened_for_what_is_added():
    search = Search(Go(5))
    search.run(5, 1)
    used = search.tree.used

    assert search.add(numpy.ones((26, 2), int), [12])

    assert search.tree.used > used
    assert by_move(search, [12]) == {move: [1, 1, 0, 0] for move in range(26) if move != 12}


def test_nothing_is_added_where_there_is_no_node_no_game_or_no_room():
    changes = numpy.ones((26, 2), int)
    search = Search(Go(5), nodes=30)
    search.run(5, 1)
    over = Search(after(Go(5), "pass", "pass"))

    assert not search.add(changes, [0, 1])
    assert not search.add(changes, [0])
    assert not over.add(changes)
    assert over.tree.used == 1


@pytest.mark.parametrize("shape", [(25, 2), (26, 5), (26, 0)])
def test_changes_of_another_board_are_refused(shape):
    with pytest.raises(
        ValueError, match=r"^changes: must have a row a move, and one to four columns"
    ):
        Search(Go(5)).add(numpy.ones(shape, int))
