"""Every strategy of sharing keeps the same promises; then what each of them is."""

from dataclasses import replace

import numpy
import pytest

from cext.solver import Solver
from mcts_cluster import games
from mcts_cluster.parallel.leader import TeamPlayer
from mcts_cluster.parallel.machine import Budget, Machine
from mcts_cluster.parallel.sharing import STRATEGIES
from mcts_cluster.parallel.sharing.exchange import (
    AVERAGES,
    LOSS,
    WIN,
    JointDecision,
    Sharing,
    proofs,
)
from mcts_cluster.parallel.team import carry_out, in_lockstep
from mcts_cluster.players.mcts import BANDITS, Mcts

MOGO = Mcts(simulations=120, megabytes=4)
UCT = Mcts(simulations=120, megabytes=4, **BANDITS["uct"])
SOLVER = replace(MOGO, solve=True, simulations=400)
EVERY = pytest.mark.parametrize("strategy", STRATEGIES)
AVERAGING = pytest.mark.parametrize("strategy", ["slow-tree", "slow-root", "voting"])
GAMES = pytest.mark.parametrize("game", [("go", 5), ("havannah", 4)], ids=["go", "havannah"])


def new(game):
    name, size = game
    return games.new(name, size=size)


def machines_at(game, count, player=MOGO, simulations=120, unit=1):
    """Machines that have searched, each for itself, the later ones less."""
    machines = [Machine(player, new(game), 1, number, unit=unit) for number in range(count)]
    for machine in machines:
        machine.begin(Budget(simulations - 10 * machine.number))
        machine.search_on()
    return machines


def exchange(machines, strategy="slow-tree", **settings):
    """Carry out an exchange of machines; return their joint decision and all that was summed."""
    sharing = Sharing(strategy, len(machines), **settings)
    sums = []

    def total(numbers):
        sums.append(numbers.tolist())
        return numbers

    share = STRATEGIES[strategy].share
    return carry_out(in_lockstep(share(machine, sharing) for machine in machines), total), sums


def nodes(machine):
    return machine.search.tree.array().tolist()


def shared_paths(machines, depth=3, threshold=5.0):
    """The nodes that matter, by the words of the paper, found by looking at every tree."""
    visits = sum(machine.local_root()[0] for machine in machines)
    paths, level = [()], [()]
    for _ in range(depth):
        level = [
            (*path, int(move))
            for path in level
            for move, count in enumerate(sum(machine.local(path)[:, 0] for machine in machines))
            if count / visits >= threshold / 100
        ]
        paths += level
    return paths


# Every strategy


@EVERY
@GAMES
@pytest.mark.parametrize("player", [MOGO, UCT, SOLVER], ids=["mogo", "uct", "solver"])
@pytest.mark.parametrize("average", ["mean", "sum"])
def test_one_machine_is_the_player_alone(strategy, game, player, average):
    sharing = Sharing(strategy, period=17, average=average)
    team_game, alone_game = new(game), new(game)
    team = TeamPlayer(player, sharing).session(team_game, 3)
    alone = player.session(alone_game, 3)
    for _ in range(4):
        moves = team.choose(), alone.choose()

        assert moves[0] == moves[1]
        assert nodes(team.leader) == alone.search.tree.array().tolist()
        for one in (team_game, alone_game):
            one.play_number(moves[0])


@EVERY
@GAMES
def test_all_machines_agree(strategy, game):
    decisions, _ = exchange(machines_at(game, 5), strategy)

    assert len({one.move for one in decisions}) == 1
    assert all((one.votes == decisions[0].votes).all() for one in decisions)


@EVERY
def test_an_exchange_changes_nothing_that_was_found(strategy):
    machines = machines_at(("go", 5), 4)
    paths = shared_paths(machines)
    before = [[machine.local(path).tolist() for path in paths] for machine in machines]

    exchange(machines, strategy)

    assert before == [[machine.local(path).tolist() for path in paths] for machine in machines]
    assert [int(machine.local_root()[0]) for machine in machines] == [120, 110, 100, 90]


@EVERY
def test_who_talks_last_says_the_same_as_who_talks_first(strategy):
    forwards, sums = exchange(machines_at(("go", 5), 3), strategy)
    backwards, sums_again = exchange(machines_at(("go", 5), 3)[::-1], strategy)

    assert sums == sums_again
    assert forwards[0].move == backwards[0].move


@EVERY
@pytest.mark.parametrize("average", ["mean", "sum"])
def test_machines_play_a_game_and_count_every_simulation(strategy, average):
    game = new(("go", 5))
    session = TeamPlayer(MOGO, Sharing(strategy, 3, period=50, average=average)).session(game, 1)
    for _ in range(5):
        before = [int(machine.local_root()[0]) for machine in session.team.machines]
        move = session.choose()

        after = [int(machine.local_root()[0]) for machine in session.team.machines]
        unit = 3 if average == "mean" else 1
        found = [(b - a) / unit for a, b in zip(before, after, strict=True)]
        assert found == ([360, 0, 0] if strategy == "fast-tree" else [120] * 3)
        assert session.counters.simulations == [120] * 3
        game.play_number(move)
        for machine in session.team.machines:
            machine.follow()


@EVERY
@GAMES
@pytest.mark.parametrize("player", [MOGO, UCT], ids=["mogo", "uct"])
def test_late_sums_change_nothing_for_one_machine(strategy, game, player):
    team_game, alone_game = new(game), new(game)
    team = TeamPlayer(player, Sharing(strategy, period=17, overlap=True)).session(team_game, 3)
    alone = player.session(alone_game, 3)
    for _ in range(3):
        moves = team.choose(), alone.choose()

        assert moves[0] == moves[1]
        assert nodes(team.leader) == alone.search.tree.array().tolist()
        for one in (team_game, alone_game):
            one.play_number(moves[0])


# Those that average


@AVERAGING
@GAMES
@pytest.mark.parametrize("average", ["mean", "sum"])
def test_all_trees_hold_the_average_of_what_was_found(strategy, game, average):
    machines = machines_at(game, 3)
    paths = shared_paths(machines, 3 if strategy == "slow-tree" else 0)
    sums = {path: sum(machine.local(path) for machine in machines) for path in paths}

    exchange(machines, strategy, average=average)

    divisor = 3 if average == "mean" else 1
    for path, found in sums.items():
        common = [machine.search.statistics(path) for machine in machines]
        assert (common[0] == common[1]).all() and (common[1] == common[2]).all()
        assert abs(common[0] - found / divisor).max() <= (0.5 if divisor == 1 else 1.5)
        assert (common[0][:, 0] == numpy.floor(found[:, 0] / divisor + 0.5)).all()
    assert len({tuple(nodes(machine)[0][:2]) for machine in machines}) == 1


@AVERAGING
@pytest.mark.parametrize("count", [2, 7, 32])
def test_the_mean_is_exact_down_to_a_part_of_a_visit(strategy, count):
    machines = machines_at(("go", 5), count, simulations=10 * count + 5, unit=count)
    paths = shared_paths(machines, 2 if strategy == "slow-tree" else 0)
    sums = {path: sum(machine.local(path) for machine in machines) for path in paths}

    exchange(machines, strategy, average="mean", depth=2)

    for path, found in sums.items():
        for machine in machines:
            assert (count * machine.search.statistics(path) == found).all()


def test_teams_with_the_mean_count_in_parts_of_a_visit():
    mean = Sharing(machines=40, average="mean")

    assert Sharing(machines=40, average="sum").unit(MOGO) == 1
    assert mean.unit(MOGO) == mean.unit(replace(MOGO, seconds=2.0)) == 40
    assert mean.unit(Mcts(seconds=2.0)) == 40
    assert 1 <= mean.unit(Mcts(simulations=10**9)) < 40
    # Twice the visits of a tree are less than what 32 bits hold, also if it keeps earlier ones.
    for simulations in (10**6, 10**7, 10**9):
        unit = mean.unit(Mcts(simulations=simulations))
        assert unit == 1 or 8 * unit * simulations < 2**32


@AVERAGING
def test_rave_is_shared_or_not(strategy):
    for rave in (True, False):
        machines = machines_at(("go", 5), 2)
        before = [machine.search.statistics()[:, 2:].tolist() for machine in machines]

        exchange(machines, strategy, rave=rave)

        after = [machine.search.statistics()[:, 2:].tolist() for machine in machines]
        assert (after[0] == after[1]) == rave
        assert (after == before) == (not rave)


@AVERAGING
def test_averaging_twice_is_averaging_once(strategy):
    machines = machines_at(("go", 5), 3)
    _, first = exchange(machines, strategy)
    trees = [nodes(machine) for machine in machines]

    _, second = exchange(machines, strategy)

    assert first == second
    assert trees == [nodes(machine) for machine in machines]


@pytest.mark.parametrize("average", AVERAGES)
def test_wins_never_exceed_visits(average):
    machines = machines_at(("go", 5), 7, simulations=90)

    exchange(machines, average=average)

    for machine in machines:
        for path in shared_paths(machines):
            rows = machine.search.statistics(path)
            assert (rows[:, 1::2] <= 2 * rows[:, 0::2]).all() and rows.min() >= 0


def test_no_sum_is_more_than_a_tree_can_count():
    sums = numpy.array([[2**33, 2**34, 2**32, 2**31], [7, 3, 2, 4]])

    common = Sharing(machines=8, average="sum").common(sums, 2**33)

    assert common.max() < 2**32
    assert common[0].tolist() == [2**33 // 9 + 1, 2 * (2**33 // 9 + 1), 2**32 // 9, 2**31 // 9]


def test_what_is_found_while_sums_are_on_their_way_is_not_lost():
    machines = machines_at(("go", 5), 3)
    sums = sum(machine.local() for machine in machines)
    sharing = Sharing("slow-root", 3, average="mean")
    talk = in_lockstep(STRATEGIES["slow-root"].share(m, sharing) for m in machines)
    said = next(talk)
    before = [machine.local() for machine in machines]
    for machine in machines:
        machine.begin(Budget(50))
        machine.search_on()
    since = [machine.local() - own for machine, own in zip(machines, before, strict=True)]

    with pytest.raises(StopIteration):
        talk.send(said)

    for machine, found in zip(machines, since, strict=True):
        assert found[:, 0].sum() == 50
        common = (sums[:, 0] + 1) // 3
        assert (machine.search.statistics()[:, 0] == common + found[:, 0]).all()


# Slow tree


def test_slow_tree_shares_the_nodes_that_the_paper_names():
    machines = machines_at(("go", 5), 3, simulations=400)
    wanted = shared_paths(machines)
    assert {len(path) for path in wanted} == {0, 1, 2, 3}

    exchange(machines, depth=3)

    told = set.union(*(set(machine.received) for machine in machines))
    assert told == set(wanted)


@pytest.mark.parametrize(("depth", "threshold"), [(0, 5.0), (1, 5.0), (2, 20.0), (9, 1.0)])
def test_depth_and_threshold_say_which(depth, threshold):
    machines = machines_at(("go", 5), 3, simulations=400)
    wanted = shared_paths(machines, depth, threshold)

    exchange(machines, depth=depth, threshold=threshold)

    told = set.union(*(set(machine.received) for machine in machines))
    assert told <= set(wanted)
    # Nodes that nobody has expanded are there too, and nothing is said of them.
    found = {path for path in wanted if any(machine.local(path).any() for machine in machines)}
    assert told == found


def test_a_machine_that_has_not_expanded_a_shared_node_learns_it():
    busy, idle = (Machine(MOGO, new(("go", 5)), 1, number) for number in range(2))
    for machine, simulations in ((busy, 400), (idle, 2)):
        machine.begin(Budget(simulations))
        machine.search_on()
    path = (busy.search.best_move(),)
    assert not idle.search.statistics(path).any()

    exchange([busy, idle])

    assert (idle.search.statistics(path) == busy.search.statistics(path)).all()
    assert idle.search.statistics(path).any() and not idle.local(path).any()


def test_a_full_tree_takes_part_without_learning():
    busy, full = machines_at(("go", 5), 2)
    full.search = type(full.search)(full.game.core, nodes=30)
    full.forget()
    full.search.run(50, 1)
    path = (busy.search.best_move(),)

    exchange([busy, full], average="mean")

    assert path in busy.received and path not in full.received


def test_slow_root_is_slow_tree_of_depth_0():
    trees = []
    for strategy in ("slow-tree", "slow-root"):
        machines = machines_at(("go", 5), 3)
        _, sums = exchange(machines, strategy, depth=0)
        trees.append((sums, [nodes(machine) for machine in machines]))

    assert trees[0] == trees[1]


def test_voting_and_majority_speak_once_a_move_and_slow_tree_once_a_period():
    exchanges = {}
    for strategy in STRATEGIES:
        session = TeamPlayer(MOGO, Sharing(strategy, 2, period=40)).session(new(("go", 5)), 1)
        session.choose()
        exchanges[strategy] = session.counters.exchanges

    assert exchanges.pop("slow-tree") == exchanges.pop("slow-root") == 3
    assert set(exchanges.values()) == {1}


# Fast tree


@GAMES
@pytest.mark.parametrize("virtual_loss", [0, 1, 3])
def test_in_a_fast_tree_every_loss_that_was_assumed_is_taken_back(game, virtual_loss):
    player = replace(MOGO, virtual_loss=virtual_loss)
    session = TeamPlayer(player, Sharing("fast-tree", 4)).session(new(game), 1)
    session.choose()
    tree = session.leader.search.tree.array()

    assert tree[0]["visits"] == 4 * 120
    for node in tree:
        children = tree[node["first_child"] :][: max(0, int(node["children"]))]
        assert children["visits"].sum() <= node["visits"]
        assert children["results"].sum() <= node["results"] <= 2 * node["visits"]


def test_a_fast_tree_learns_from_playouts_of_all_machines():
    trees = []
    for machines in (1, 4):
        player = replace(MOGO, simulations=480 // machines)
        session = TeamPlayer(player, Sharing("fast-tree", machines)).session(new(("go", 5)), 1)
        session.choose()
        trees.append(session.leader.search.tree.array()[0])
        assert all(machine.local_root()[0] == 0 for machine in session.team.machines[1:])

    # As many simulations, of which RAVE tells as much, and not the same ones.
    assert trees[0]["visits"] == trees[1]["visits"] and trees[0]["results"] != trees[1]["results"]


def test_a_fast_tree_takes_two_sums_for_each_simulation_of_a_machine():
    sums = {}
    for strategy in ("fast-tree", "slow-tree"):
        session = TeamPlayer(MOGO, Sharing(strategy, 4)).session(new(("go", 5)), 1)
        session.choose()
        sums[strategy] = session.counters.sums, session.counters.exchange_bytes

    # And two in which they end and agree.
    assert sums["fast-tree"][0] == 2 * 120 + 2 > 5 * sums["slow-tree"][0]
    assert sums["fast-tree"][1] > 10 * sums["slow-tree"][1]


def test_a_fast_tree_may_have_seconds_and_knows_won_games():
    for komi in (7.5, -100):
        game = games.new("go", size=3, komi=komi)
        session = TeamPlayer(
            replace(MOGO, simulations=0, seconds=0.05), Sharing("fast-tree", 2)
        ).session(game, 1)
        for _ in range(4):
            game.play_number(session.choose())
            assert len(set(session.counters.simulations)) == 1


# Votes


def test_of_equal_votes_the_lowest_number_wins():
    votes = numpy.array([1, 3, 0, 3])

    assert JointDecision(votes, numpy.zeros((4, 2), int)).move == 1


@AVERAGING
def test_the_most_simulations_of_all_machines_win(strategy):
    machines = machines_at(("go", 5), 4)
    visits = sum(machine.local()[:, 0] for machine in machines)

    decisions, _ = exchange(machines, strategy)

    assert decisions[0].votes.tolist() == visits.tolist()
    assert decisions[0].move == visits.tolist().index(max(visits))


def test_in_a_majority_every_machine_has_one_vote():
    machines = machines_at(("go", 5), 6)
    votes = [0] * 26
    for machine in machines:
        votes[machine.search.best_move()] += 1

    decisions, _ = exchange(machines, "majority")

    assert decisions[0].votes.tolist() == votes
    assert decisions[0].move == votes.index(max(votes))


def test_without_sharing_the_first_machine_is_heard():
    machines = machines_at(("go", 5), 4)

    decisions, _ = exchange(machines, "none")

    assert decisions[0].votes.tolist() == machines[0].local()[:, 0].tolist()
    assert {one.move for one in decisions} == {machines[0].search.best_move()}


# Proofs


@pytest.mark.parametrize(
    ("votes", "proven", "move"),
    [
        ([5, 9, 0, 3], [1, 1, 1, 1], 1),
        ([5, 9, 0, 3], [2, 2, 2, 2 + WIN], 3),
        ([5, 9, 0, 3], [2 + WIN, 2, 2, 2 + 2 * WIN], 0),
        ([5, 9, 0, 3], [2, 2 + LOSS, 2, 2 + 2 * LOSS], 0),
        ([5, 9, 0, 3], [2 + LOSS, 2 + LOSS, 2, 2 + LOSS], 2),
        # Only what is a move at all can be better than a lost one.
        ([5, 9, 0, 3], [2 + LOSS, 2 + LOSS, 0, 2 + LOSS], 1),
        ([5, 9, 9, 3], [10_000 * (1 + LOSS), 10_000, 10_000 + WIN, 10_000 * (1 + WIN)], 2),
    ],
)
def test_a_proof_of_any_machine_comes_before_all_votes(votes, proven, move):
    found = JointDecision(numpy.array(votes), numpy.zeros((4, 2), int), numpy.array(proven))

    assert found.move == move


def test_proofs_are_those_of_the_tree_for_who_is_to_move():
    game = new(("havannah", 2))
    for name in ("a1", "b1", "c2"):
        game.play(name)
    machine = Machine(SOLVER, game, 1, 0)
    machine.begin(Budget(2000))
    machine.search_on()
    values = {}
    for move in game.core.legal_moves():
        after = game.core.copy()
        after.play(move)
        values[move] = Solver().value(after) if not after.is_over else after.winner()

    found = proofs(machine)

    mover = game.core.to_play
    assert values and {move for move in range(len(found)) if found[move]} <= values.keys()
    for move in numpy.flatnonzero(found):
        assert (found[move] & WIN > 0) <= (values[int(move)] == mover)
        assert (found[move] & LOSS > 0) <= (values[int(move)] == 3 - mover)
    assert (found > 1).any()


@AVERAGING
def test_what_one_machine_proves_all_play(strategy):
    machines = machines_at(("havannah", 4), 3)
    child = machines[1].search.children()[-1]
    move = int(child["move"])
    found = proofs(machines[1])
    found[move] += WIN
    talk_proofs = {1: found}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "mcts_cluster.parallel.sharing.exchange.proofs",
            lambda machine: talk_proofs.get(machine.number, proofs(machine)),
        )
        decisions, _ = exchange(machines, strategy)

    assert {one.move for one in decisions} == {move}
