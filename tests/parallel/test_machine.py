"""A machine: what it found itself, what it was told, and how long it searches."""

from dataclasses import replace
from itertools import count
from math import inf

import numpy
import pytest

from mcts_cluster import games
from mcts_cluster.parallel.machine import Budget, Machine
from mcts_cluster.players.mcts import BANDITS, Mcts

MOGO = Mcts(simulations=300, megabytes=10)
UCT = Mcts(simulations=300, megabytes=10, **BANDITS["uct"])
GAMES = pytest.mark.parametrize("game", [("go", 5), ("havannah", 4)], ids=["go", "havannah"])


def machine_at(game=("go", 5), player=MOGO, number=0):
    name, size = game
    return Machine(player, games.new(name, size=size), 1, number)


def searched(simulations=300, **settings):
    machine = machine_at(**settings)
    think(machine, simulations)
    return machine


def think(machine, simulations):
    machine.begin(Budget(simulations))
    machine.search_on()


def tell_at_random(machine, random, path=()):
    """Tell it numbers that a team could have found; returns what it had found itself."""
    own = machine.local(path)
    common = own.copy()
    common[:, 0::2] += random.integers(0, 50, common[:, 0::2].shape) * (own[:, 0::2] > 0)
    common[:, 1::2] += random.integers(0, 50, common[:, 1::2].shape) * (own[:, 0::2] > 0)
    machine.receive(own, common, path)
    return own


@GAMES
def test_what_it_found_is_the_tree_less_what_it_was_told(game):
    random = numpy.random.default_rng(1)
    machine = searched(game=game)
    best = machine.search.best_move()
    before = machine.local(), machine.local((best,))

    for path, own in zip([(), (best,)], before, strict=True):
        tell_at_random(machine, random, path)

        assert (machine.local(path) == own).all()
        assert (machine.search.statistics(path) != own).any()


@GAMES
def test_what_it_finds_after_it_was_told_is_counted_to_the_last_visit(game):
    random = numpy.random.default_rng(2)
    machine = searched(300, game=game)
    for round in range(1, 4):
        tell_at_random(machine, random)
        machine.receive_root(machine.local_root(), machine.local_root() + random.integers(0, 50, 2))

        think(machine, 100)

        # All simulations but the first one went on to a child.
        assert machine.local_root()[0] == 300 + 100 * round
        assert machine.local()[:, 0].sum() == 299 + 100 * round


def test_it_may_be_told_less_than_it_found():
    machine = searched()
    own = machine.local()

    machine.receive(own, own // 3)

    assert (machine.search.statistics() == own // 3).all()
    assert (machine.local() == own).all()


@GAMES
def test_what_it_was_told_goes_on_with_the_game(game):
    random = numpy.random.default_rng(3)
    machine = searched(2000, game=game)
    move = machine.search.best_move()
    reply = int(machine.search.statistics((move,))[:, 0].argmax())
    own = {path: tell_at_random(machine, random, path) for path in [(), (move,), (move, reply)]}
    tree = {path: machine.search.statistics(path) for path in own}

    for played in (move, reply):
        machine.game.play_number(played)
        machine.follow()

        below = {path[1:]: own[path] for path in own if path[:1] == (played,)}
        assert machine.local_root().tolist() == own[()][played, :2].tolist()
        for path, table in below.items():
            assert (machine.local(path) == table).all()
            assert (machine.search.statistics(path) == tree[(played, *path)]).all()
        own, tree = below, {path[1:]: tree[path] for path in tree if path[:1] == (played,)}


def test_where_the_tree_has_nothing_of_the_position_all_is_forgotten():
    machine = searched()
    tell_at_random(machine, numpy.random.default_rng(4))
    # No candidate of the first move: the policy would not play it, the game allows it.
    machine.search.tree.clear()
    machine.game.play("C3")

    machine.follow()

    assert machine.received == {} and machine.local_root().tolist() == [0, 0]


@pytest.mark.parametrize("player", [UCT, replace(MOGO, reuse_tree=False)])
def test_a_new_tree_was_told_nothing(player):
    machine = searched(player=player)
    tell_at_random(machine, numpy.random.default_rng(5))
    machine.game.play("C3")

    machine.follow()

    assert machine.received == {}
    assert machine.local_root().tolist() == machine.received_root.tolist() == [0, 0]


def test_a_node_that_it_did_not_expand_is_opened_for_what_it_is_told():
    machine = searched(5)
    path = (int(machine.local()[:, 0].argmin()),)
    assert not machine.search.statistics(path).any()
    told = numpy.zeros((26, 4), numpy.int64)
    told[3] = [70, 20, 7, 3]

    machine.receive(machine.local(path), told, path)

    assert machine.search.statistics(path).tolist() == told.tolist()
    assert not machine.local(path).any()


def test_a_node_that_there_is_nothing_to_say_of_stays_closed():
    machine = searched(5)
    path = (int(machine.local()[:, 0].argmin()),)
    used = machine.search.tree.used

    machine.receive(machine.local(path), machine.local(path), path)

    assert machine.search.tree.used == used and machine.received == {}


def test_where_there_is_no_room_it_is_not_told():
    machine = searched(5)
    machine.search = type(machine.search)(machine.game.core, nodes=30)
    machine.search.run(5, 1)
    path = (0,)
    told = numpy.ones((26, 4), numpy.int64)

    machine.receive(machine.local(path), told, path)

    assert machine.received == {}
    assert not machine.search.statistics(path).any()


def test_columns_that_are_not_shared_stay_as_they_are():
    machine = searched()
    own = machine.local()

    machine.receive(own[:, :2], own[:, :2] + 7 * (own[:, :2] > 0))

    assert (machine.search.statistics()[:, 2:] == own[:, 2:]).all()
    assert (machine.local() == own).all()


def test_machines_differ_and_the_first_one_is_as_a_player_alone():
    trees = [searched(number=n).search.tree.array().tolist() for n in (0, 0, 1, 2)]
    session = MOGO.session(games.new("go", size=5), 1)
    session.choose()

    assert trees[0] == trees[1] == session.search.tree.array().tolist()
    assert trees[0] != trees[2] != trees[3] != trees[0]


# How long


def test_simulations_come_in_periods_and_the_rest():
    machine = machine_at()
    machine.begin(Budget(simulations=100, period=30))
    counts = []
    while not machine.done:
        machine.search_on()
        counts.append(machine.simulated)

    assert counts == [30, 60, 90, 100]


class Clock:
    """A search that takes a millisecond for each simulation, on a clock that stands still else."""

    def __init__(self, machine):
        self.now = 0.0
        self.asked = []
        self.tree = machine.search.tree
        machine.search = self

    def run(self, simulations, generator, seconds, threads, own_time, watch):
        assert threads == 1
        self.asked.append(round(seconds, 6))
        made = simulations if not seconds else min(simulations, max(1, round(1000 * seconds)))
        self.now += made / 1000
        return made


@pytest.fixture(
    params=[{}, {"turns": 2}, {"turns": 2, "by_processor": True}],
    ids=["clock", "turns", "turns of the processor"],
)
def timed(request, monkeypatch):
    machine = machine_at()

    def begin(**budget):
        machine.begin(Budget(**request.param, **budget))
        return machine

    clock = Clock(machine)
    machine.follow = lambda: clock
    for name in ("monotonic", "process_time"):
        monkeypatch.setattr(f"mcts_cluster.parallel.machine.{name}", lambda: clock.now)
    return begin, clock


def test_seconds_come_in_periods_and_the_rest(timed):
    begin, clock = timed
    machine = begin(seconds=1.0, period_seconds=0.3)
    while not machine.done:
        machine.search_on()

    assert clock.asked == [0.3, 0.3, 0.3, 0.1]
    assert machine.simulated == 1000


def test_who_was_late_once_exchanges_in_time_again(timed):
    begin, clock = timed
    machine = begin(seconds=1.0, period_seconds=0.2)
    machine.search_on()
    machine.began -= 0.25  # as if an exchange had taken so long
    machine.used += 0.25

    machine.search_on()

    assert clock.asked == [0.2, 0.15]
    assert machine.spent == pytest.approx(0.6)


def test_the_first_limit_ends_it(timed):
    begin, _ = timed
    machine = begin(seconds=1.0, simulations=150, period=100)
    while not machine.done:
        machine.search_on()
    assert machine.simulated == 150

    machine = begin(seconds=0.05, simulations=150, period=100)
    machine.search_on()

    assert machine.done and machine.simulated == 50


@pytest.mark.parametrize("period", [0, 5000])
def test_who_has_proven_the_position_is_done_before_the_time_is_over(period):
    game = games.new("havannah", size=2)
    machine = Machine(replace(MOGO, solve=True), game, 1, 0)
    machine.begin(Budget(seconds=4.0, period=period))
    while not machine.done:
        machine.search_on()

    assert machine.is_proven
    assert machine.simulated < 10_000


@pytest.mark.parametrize("between", [None, lambda: None])
def test_a_machine_that_is_kept_from_its_core_has_a_move_all_the_same(between, monkeypatch):
    machine = machine_at()
    # Between any two looks at the clock a second has gone.
    monkeypatch.setattr("mcts_cluster.parallel.machine.monotonic", count().__next__)
    machine.begin(Budget(seconds=0.5))

    machine.search_on(between)

    assert machine.done and machine.simulated >= 2
    assert machine.local()[machine.search.best_move(), 0] > 0


def test_no_limit_at_all_is_no_budget():
    with pytest.raises(AssertionError):
        Budget()
    assert machine_at().player.seconds < inf
