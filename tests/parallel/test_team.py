"""A team in one process: the session, the budget, the counters, the orders to other ranks."""

from dataclasses import replace
from functools import partial

import numpy
import pytest

from mcts_cluster import games
from mcts_cluster.errors import UserError
from mcts_cluster.gtp.program import team_player
from mcts_cluster.parallel.exchange_stats import NONE, ExchangeStats
from mcts_cluster.parallel.leader import TeamPlayer, follow, go_to, leading
from mcts_cluster.parallel.ranks import ALONE, Summed
from mcts_cluster.parallel.sharing import STRATEGIES
from mcts_cluster.parallel.sharing.exchange import Sharing
from mcts_cluster.parallel.sharing.fast_tree import is_over
from mcts_cluster.parallel.team import carry_out, in_lockstep
from mcts_cluster.players.mcts import BANDITS, Mcts

MOGO = Mcts(simulations=100, megabytes=4)


def in_session(sharing=None, player=MOGO, ranks=ALONE, **settings):
    game = games.new("go", **{"size": 5} | settings)
    sharing = sharing or Sharing(machines=4)
    return game, TeamPlayer(player, sharing, ranks).session(game, 1)


class Alone:
    """A process alone which pretends to have others, and keeps the orders."""

    def __init__(self, number=0, count=2):
        self.number = number
        self.count = count
        self.orders = []

    def start(self, numbers):
        return Summed(numbers)

    def least(self, numbers):
        return numbers

    def broadcast(self, order):
        self.orders.append(order)

    def next_order(self):
        return self.orders.pop(0)

    def first(self, count):
        return self


# The session


def test_the_session_of_a_team_can_think_and_has_owners():
    _, session = in_session()

    assert session.can_think
    assert len(session.owners(2, 1)) == session.game.core.points


def test_the_same_seed_gives_the_same_game():
    def play():
        game, session = in_session()
        for _ in range(8):
            game.play_number(session.choose())
        return game.numbers

    assert play() == play()


def test_more_machines_find_another_game():
    played = set()
    for machines in (1, 2, 5):
        game, session = in_session(Sharing(machines=machines))
        for _ in range(8):
            game.play_number(session.choose())
        played.add(tuple(game.numbers))

    assert len(played) == 3


def test_lines_tell_what_all_machines_found_together():
    _, session = in_session(Sharing(machines=4))
    move = session.choose()

    lines = session.estimates()

    assert lines[0].move == lines[0].moves[0] == move
    # The first simulation of each machine went to no move.
    assert sum(line.visits for line in lines) == 4 * 99
    assert [line.visits for line in lines] == sorted((x.visits for x in lines), reverse=True)
    assert 0 < lines[0].rate < 1 and 0 < lines[0].prior < 1


def test_lines_expect_the_result_for_who_is_to_play():
    game, session = in_session(komi=-50)
    session.choose()
    assert session.estimates()[0].rate > 0.9

    game.play("C3")
    session.choose()

    assert session.estimates()[0].rate < 0.1


def test_lines_of_a_position_that_was_not_searched_are_those_of_the_first_machine():
    game, session = in_session()
    game.play_number(session.choose())

    assert session.estimates() == session.leader.estimates() != []


def test_in_a_majority_the_move_that_is_played_is_the_first_line():
    for number in range(10):
        game = games.new("go", size=5)
        session = TeamPlayer(replace(MOGO, simulations=30), Sharing("majority", 5)).session(
            game, number
        )
        move = session.choose()

        assert session.estimates()[0].move == move


def test_a_won_game_is_ended_by_a_pass_without_a_search():
    game, session = in_session(komi=-30)
    for _ in range(13):
        game.play_number(min(move for move in game.core.legal_moves()))
        game.pass_()
    assert game.core.to_play == 1

    assert session.choose() == game.core.points
    assert session.counters.exchanges == 0


def test_thinking_is_a_search_that_goes_on():
    _, session = in_session(Sharing(machines=2))
    session.think(0.02)
    before = sum(line.visits for line in session.estimates())

    session.think(0.02)

    assert sum(line.visits for line in session.estimates()) > before


@pytest.mark.parametrize("strategy", ["slow-tree", "fast-tree"])
def test_each_machine_may_have_several_threads(strategy):
    _, session = in_session(Sharing(strategy, 3), replace(MOGO, threads=2))
    session.choose()

    assert session.counters.simulations == [100] * 3
    found = [int(machine.local_root()[0]) for machine in session.team.machines]
    assert found == ([300, 0, 0] if strategy == "fast-tree" else [100] * 3)


# The budget


def test_without_a_period_there_are_ten_exchanges_a_move():
    _, session = in_session()
    session.choose()
    assert session.counters.exchanges == 10

    _, session = in_session(player=replace(MOGO, simulations=0, seconds=0.2))
    budget = session.team.budget(0, 0.2)
    assert budget.period_seconds == pytest.approx(0.02)


def test_machines_that_share_a_rank_have_seconds_of_their_own():
    _, session = in_session(Sharing(machines=4), replace(MOGO, simulations=0, seconds=0.05))
    session.choose()

    budget = session.team.budget(0, 0.05)
    assert (budget.turns, budget.by_processor) == (4, True)
    alone = in_session(Sharing(machines=1))[1].team.budget(0, 0.05)
    assert (alone.turns, alone.by_processor) == (0, False)
    assert all(machine.used >= 0.04 for machine in session.team.machines)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_with_next_to_no_time_every_machine_has_a_move_to_propose(strategy):
    game, session = in_session(Sharing(strategy, machines=32), replace(MOGO, megabytes=1))
    # The move with the lowest number is taken.
    game.play("A1")

    move = session.choose(0.001)

    assert game.core.is_legal(move) and session.decision.statistics[move, 0] > 0
    assert min(session.counters.simulations) >= 2


def test_on_somebody_s_clock_machines_take_turns_by_the_wall():
    _, session = in_session(Sharing(machines=4))
    budget = session.team.budget(0, 0.05, on_a_clock=True)

    assert (budget.turns, budget.by_processor) == (4, False)


@pytest.mark.parametrize(("ranks", "turns"), [(1, 8), (2, 4), (5, 1), (8, 0)])
def test_a_fast_tree_ends_when_the_machines_of_its_rank_have_had_their_time(ranks, turns):
    _, session = in_session(Sharing("fast-tree", machines=8), ranks=Alone(count=ranks))
    machine = session.leader
    machine.budget = session.team.budget(0, 1.0)
    machine.simulated = 100
    now, machine.clock = 10.0, lambda: now
    own = max(1, turns)

    assert machine.budget.turns == turns
    assert not is_over(machine, now - 0.9 * own)
    assert is_over(machine, now - 1.1 * own)


def test_a_mistake_in_a_search_with_other_ranks_is_a_defect():
    for ranks, error in ((ALONE, UserError), (Alone(), RuntimeError)):
        _, session = in_session(ranks=ranks)

        def renew():
            raise UserError("megabytes 4: this machine has no room for it")

        session.team.machines[1].follow = renew
        # Alone, nobody waits for sums; others would for ever.
        with pytest.raises(error, match="megabytes 4: this machine has no room for it"):
            session.choose()


def test_a_time_limit_is_shared_by_the_machines_of_a_rank():
    _, session = in_session(Sharing(machines=4))

    assert session.for_each(2.0) == 0.5
    assert session.for_each(None) == 0
    _, session = in_session(Sharing(machines=4), ranks=Alone(count=3))
    assert session.for_each(2.0) == 1.0


# The counters


def test_counters_tell_what_an_exchange_took():
    _, session = in_session(Sharing("slow-root", 4, period=40))
    session.choose()
    counters = session.counters

    assert (counters.exchanges, counters.sums) == (3, 3)
    # Done, visits and results of the root, and proofs and four columns of the 26 moves, eight bytes
    # each.
    assert counters.exchange_bytes == 3 * 8 * (3 + 5 * 26)
    assert counters.simulations == [100] * 4
    assert counters.exchange_seconds > 0 and counters.waiting_seconds == 0


def test_a_seat_counts_the_exchanges_of_its_moves():
    game, session = in_session(Sharing("slow-root", 4, period=40))
    assert session.exchanges == NONE
    spent = []
    for _ in range(2):
        game.play_number(session.choose())
        game.pass_()
        spent.append(session.counters)

    assert session.exchanges == ExchangeStats(
        exchanges=6,
        exchange_bytes=sum(counters.exchange_bytes for counters in spent),
        min_simulations=200,
        max_simulations=200,
    )
    assert (
        session.exchanges.exchange_seconds
        == sum(counters.exchange_seconds for counters in spent)
        > 0
    )


def test_waiting_is_what_goes_beyond_the_one_who_came_last():
    class Late(Alone):
        def least(self, numbers):
            return numbers - 3_000_000_000

    _, session = in_session(Sharing("slow-root", 4, period=40), ranks=Late())
    session.choose()

    # Three exchanges, of which each took three seconds longer here; the other rank is silent.
    assert session.counters.waiting_seconds == pytest.approx(9 / 2)


def test_done_travels_with_the_statistics():
    class OtherIsDone(Alone):
        """As if the other rank had a machine, and that was done at its third exchange."""

        sums = 0

        def start(self, numbers):
            self.sums += 1
            return Summed(numpy.append(numbers[:-1], numbers[-1] + (self.sums == 3)))

    for overlap in (False, True):
        sharing = Sharing("slow-root", 4, period=10, overlap=overlap)
        _, session = in_session(sharing, ranks=OtherIsDone())
        session.choose()

        # Who hears it late has searched for a period more.
        assert session.leader.simulated == (40 if overlap else 30)
        assert session.counters.sums == (4 if overlap else 3)


# Late sums


def test_with_overlap_a_level_is_on_its_way_during_a_period():
    _, session = in_session(Sharing("slow-root", 4, period=20, overlap=True))
    session.choose()
    counters = session.counters

    assert counters.simulations == [100] * 4
    # Of five periods all but the first have a sum on its way. The fifth says that they are done,
    # and is not heard: instead there is one that is not late.
    assert counters.late_simulations == 4 * 80
    assert (counters.sums, counters.exchanges) == (6, 5)


def test_late_sums_are_another_search_and_the_same_every_time():
    def play(overlap):
        game, session = in_session(Sharing(machines=3, period=10, overlap=overlap))
        for _ in range(6):
            game.play_number(session.choose())
        return game.numbers, session.leader.search.tree.array().tolist()

    assert play(True) == play(True) != play(False)


def test_late_sums_are_looked_at_now_and_then():
    looks = []

    class Slow(Alone):
        def start(self, numbers):
            summed = Summed(numbers)
            summed.look = lambda: looks.append(1)
            return summed

    _, session = in_session(
        Sharing("slow-root", 2, period=200, overlap=True),
        replace(MOGO, simulations=600),
        ranks=Slow(),
    )
    session.choose()

    # One machine here, and two periods of 200 with a sum on its way, in pieces of 64.
    assert len(looks) == 2 * 4


# Orders


def test_a_leader_says_what_to_search_and_never_what_was_found():
    ranks = Alone()
    game, session = in_session(Sharing(machines=4), ranks=ranks)
    move = session.choose()
    game.play_number(move)
    session.choose(1.5)
    session.close()

    begin, first, second, close = ranks.orders
    number = session.number
    assert begin == ("begin", number, TeamPlayer(MOGO, Sharing(machines=4)), begin[3], [], 1)
    assert first == ("search", number, [], 100, 0.0, False)
    assert second == ("search", number, [move], 100, 0.75, True)
    assert close == ("close", number)


def test_each_rank_has_its_part_of_the_machines():
    for count in (1, 2, 3, 7, 8):
        numbers = []
        for number in range(count):
            _, session = in_session(Sharing(machines=8), ranks=Alone(number, count))
            assert len(session.team.machines) in (8 // count, 8 // count + 1)
            numbers += [machine.number for machine in session.team.machines]
        assert numbers == list(range(8))


def test_gtp_refuses_more_ranks_than_machines():
    with pytest.raises(
        UserError, match="machines: 2 is too small, must be at least 3, one for each rank"
    ):
        team_player({"simulations": 9, "machines": 2}, "go", Alone(count=3))


def test_a_rank_beyond_the_machines_of_a_team_does_nothing():
    leader, last = Alone(count=3), Alone(2, count=3)
    asked = []
    leader.first, last.first = partial(Alone, 0), asked.append
    with leading(leader):
        _, session = in_session(Sharing(machines=2), ranks=leader)
        session.choose()
        session.close()

    last.orders = leader.orders
    assert [order[0] for order in last.orders] == ["begin", "search", "close", "end"]
    follow(last)

    assert not asked


def test_only_teams_are_laid_over_ranks():
    ranks = Alone(count=3)

    assert MOGO.over(ranks) is MOGO
    assert TeamPlayer(MOGO, Sharing(machines=2)).over(ranks).ranks is ranks


def test_who_follows_does_what_the_leader_did(monkeypatch):
    leader, follower, made = Alone(), Alone(1), []
    monkeypatch.setattr(follower, "start", lambda numbers: made.append(numbers) or Summed(numbers))
    with leading(leader):
        game, session = in_session(Sharing(machines=4), ranks=leader)
        game.play_number(session.choose())
        game.play_number(session.choose())
        game.undo()
        session.choose()
        session.close()
    follower.orders = leader.orders

    follow(follower)

    assert follower.orders == []
    # The other half of the machines; for each move the exchanges, the counts and the waiting.
    assert sum(len(numbers) == 3 + 5 * 26 for numbers in made) == 3 * 10


def test_a_users_mistake_lets_the_others_go_and_a_failure_does_not():
    ranks = Alone()
    with pytest.raises(UserError), leading(ranks):
        raise UserError("mistake")
    assert ranks.orders == [("end",)]

    ranks = Alone()
    with pytest.raises(ZeroDivisionError), leading(ranks):
        _, session = in_session(ranks=ranks)
        session.team.search = lambda *_: 1 / 0
        try:
            session.choose()
        finally:
            session.close()
    assert [order[0] for order in ranks.orders] == ["begin", "search"]


@pytest.mark.parametrize(
    "moves", [[], [3], [3, 4, 5], [7, 4, 5, 6], [3, 9]], ids=lambda moves: len(moves)
)
def test_a_game_is_brought_to_where_another_one_is(moves):
    game = games.new("go", size=5)
    for move in (3, 4, 5):
        game.play_number(move)

    go_to(game, moves)

    assert game.numbers == moves


# The exchange


def test_machines_go_through_an_exchange_in_step():
    def steps(number):
        said = yield numpy.array([number])
        said = yield said * number
        return int(said[0])

    sums = []
    ended = carry_out(
        in_lockstep([steps(1), steps(2), steps(4)]), lambda n: sums.append(n.tolist()) or n
    )

    assert sums == [[7], [49]]
    assert ended == [49, 49, 49]


def test_machines_that_do_not_agree_when_to_end_are_a_defect():
    def steps(number):
        yield numpy.array([number])
        if number:
            yield numpy.array([number])

    with pytest.raises(AssertionError, match="not in the same exchange"):
        carry_out(in_lockstep([steps(0), steps(1)]), lambda numbers: numbers)


def test_the_bandit_of_each_machine_is_the_players():
    _, session = in_session(player=Mcts(simulations=50, megabytes=4, **BANDITS["uct"]))

    assert {machine.search.exploration for machine in session.team.machines} == {1.0}
