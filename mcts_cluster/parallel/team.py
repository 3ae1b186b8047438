"""A team: p machines laid over r ranks, 1 <= r <= p, that choose the moves of one player together.

    rank 0, leads      game ── TeamSession ── Team: machines 0, 1, 2
                                  │           ║ sums, both ways
    rank 1, follows            orders ──── Team: machines 3, 4, 5, 6

The leader has the session at the game; the other ranks follow() its orders. Statistics travel in
sums only: each rank adds up the local statistics of its machines, the ranks add up their sums, and
every machine receives the total. With r = 1 a whole cluster is simulated in one process; with a
budget in simulations every r gives the same moves, bit for bit, because sums of integers do not
depend on the order of their terms.

Two implementations of Ranks: ranks.py for a single process, mpi_ranks.py for MPI.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

import numpy

from mcts_cluster.games import Game
from mcts_cluster.parallel.exchange_stats import Counters
from mcts_cluster.parallel.machine import Budget, Machine
from mcts_cluster.parallel.ranks import Sum
from mcts_cluster.parallel.sharing import STRATEGIES
from mcts_cluster.parallel.sharing.exchange import Exchange, JointDecision, Numbers

if TYPE_CHECKING:
    from mcts_cluster.parallel.leader import TeamPlayer

T = TypeVar("T")

EXCHANGES = 10  # a move, where no period is given
MIN_PERIOD = 0.001  # seconds


def in_lockstep(exchanges: Iterable[Exchange[T]]) -> Exchange[list[T]]:
    """Combine the exchanges of several machines into one: it yields their sums.

    Each machine receives the total.
    """
    exchanges = list(exchanges)
    sums: Numbers | None = None
    while True:
        asked: list[Numbers] = []
        results: list[T] = []
        for steps in exchanges:
            try:
                asked.append(next(steps) if sums is None else steps.send(sums))
            except StopIteration as end:
                results.append(end.value)
        if results:
            assert not asked, "the machines are not in the same exchange"
            return results
        sums = yield numpy.sum(asked, axis=0)


def carry_out(steps: Exchange[T], total: Callable[[Numbers], Numbers]) -> T:
    """Carry out an exchange to its end, by a function that returns totals."""
    try:
        numbers = next(steps)
        while True:
            numbers = steps.send(total(numbers))
    except StopIteration as end:
        result: T = end.value
        return result


class Team:
    """The machines of this rank.

    Public attributes (treat as read-only): machines; counters, of the last move.
    """

    def __init__(self, player: TeamPlayer, game: Game, game_seed: int) -> None:
        self.sharing = player.sharing
        self.ranks = player.ranks.first(self.sharing.machines)
        self.strategy = STRATEGIES[self.sharing.strategy]
        machines, ranks = self.sharing.machines, self.ranks.count
        first, end = (k * machines // ranks for k in (self.ranks.number, self.ranks.number + 1))
        self.machines = [
            Machine(
                player.machine,
                game,
                game_seed,
                number,
                unit=self.sharing.unit(player.machine),
                machines=machines if self.strategy.searches and number == 0 else 1,
            )
            for number in range(first, end)
        ]
        self.counters = Counters()

    def search(self, simulations: int, seconds: float, on_a_clock: bool = False) -> JointDecision:
        """Search with all machines, on all ranks at a time; return their joint decision.

        As soon as one machine is done they all are, so that no machine waits for the clock of
        another. The seconds are of each machine; `on_a_clock` they are those of the wall.
        """
        self.counters = Counters()
        self.waits: list[int] = []  # nanoseconds
        self.done = False
        budget = self.budget(simulations, seconds, on_a_clock)
        for machine in self.machines:
            machine.begin(budget)
        if self.strategy.searches:
            decision = self.exchange()
        elif self.sharing.overlap and not self.strategy.only_at_the_end:
            decision = self.search_while_exchanging()
        else:
            decision = self.search_then_exchange()
        if self.sharing.agreement:
            self.compare_replies(decision.move)
        self.count()
        return decision

    def search_then_exchange(self) -> JointDecision:
        while not self.done:
            for machine in self.machines:
                machine.search_on()
            decision = self.exchange()
        return decision

    def search_while_exchanging(self) -> JointDecision:
        """Search on while a sum is on its way; received statistics are a period old then."""
        steps, under_way = self.steps(), None
        numbers: Numbers | None = None
        while True:
            before = self.simulated
            for machine in self.machines:
                machine.search_on(under_way.look if under_way else None)
            began = monotonic()
            if under_way:
                self.counters.late_simulations += self.simulated - before
                sums = self.finish(under_way)
                if self.done:
                    self.counters.exchange_seconds += monotonic() - began
                    return self.exchange()
                try:
                    numbers = steps.send(sums)
                except StopIteration:
                    self.counters.exchanges += 1
                    steps, numbers = self.steps(), None
            under_way = self.start(next(steps) if numbers is None else numbers)
            self.counters.exchange_seconds += monotonic() - began

    def budget(self, simulations: int, seconds: float, on_a_clock: bool = False) -> Budget:
        sharing, period, period_seconds = self.sharing, 0, 0.0
        if not self.strategy.only_at_the_end:
            period, period_seconds = sharing.period, sharing.period_seconds
            if not (period or period_seconds):
                period = -(-simulations // EXCHANGES)
                period_seconds = max(MIN_PERIOD, seconds / EXCHANGES) if seconds else 0.0
        turns = len(self.machines) if sharing.machines > self.ranks.count else 0
        by_processor = turns > 0 and not on_a_clock
        return Budget(simulations, seconds, period, period_seconds, turns, by_processor)

    def steps(self) -> Exchange[list[JointDecision]]:
        return in_lockstep(self.strategy.share(machine, self.sharing) for machine in self.machines)

    def exchange(self) -> JointDecision:
        began = monotonic()
        decisions = carry_out(self.steps(), lambda numbers: self.finish(self.start(numbers)))
        self.counters.exchanges += 1
        self.counters.exchange_seconds += monotonic() - began
        return decisions[0]

    def start(self, numbers: Numbers) -> Sum:
        """Begin a sum; its last number counts the machines that are done."""
        self.counters.sums += 1
        self.counters.exchange_bytes += 8 * (len(numbers) + 1)
        done = sum(machine.done for machine in self.machines)
        return self.ranks.start(numpy.append(numbers, done))

    def finish(self, under_way: Sum) -> Numbers:
        began = monotonic()
        sums = under_way.finish()
        self.waits.append(int(1e9 * (monotonic() - began)))
        self.done = bool(sums[-1])
        return sums[:-1]

    @property
    def simulated(self) -> int:
        return sum(machine.simulated for machine in self.machines)

    def compare_replies(self, move: int) -> None:
        """Count the machines that know a reply to a move, and those that like the same one best."""
        votes = numpy.zeros(self.machines[0].game.core.points + 1, numpy.int64)
        for machine in self.machines:
            visits = machine.search.statistics((move,))[:, 0]
            votes[visits.argmax()] += bool(visits.any())
        total = self.ranks.start(votes).finish()
        self.counters.replies, self.counters.same_replies = int(total.sum()), int(total.max())

    def count(self) -> None:
        """Let all ranks have the simulations of each machine, and the mean cost of exchanges."""
        counters = self.counters
        made = numpy.zeros(self.sharing.machines + 3, numpy.int64)
        for machine in self.machines:
            made[machine.number] = machine.simulated
            made[-3] += machine.search.tree.full
        made[-2:] = counters.late_simulations, 1e9 * counters.exchange_seconds
        total = self.ranks.start(made).finish().tolist()
        *counters.simulations, counters.full, counters.late_simulations, nanoseconds = total
        counters.exchange_seconds = 1e-9 * nanoseconds / self.ranks.count
        if self.ranks.count > 1:
            # The last rank at a sum waits for no other: its wait is what the sum itself takes.
            waits = numpy.array(self.waits)
            waited = self.ranks.start(waits - self.ranks.least(waits)).finish()
            counters.waiting_seconds = 1e-9 * float(waited.sum()) / self.ranks.count
