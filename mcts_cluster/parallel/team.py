"""A team: p machines laid over r ranks, 1 <= r <= p, that choose the moves of one player together.

    rank 0, leads      game ── TeamSession ── Team: machines 0, 1, 2
                                  │           ║ sums, both ways
    rank 1, follows            orders ──── Team: machines 3, 4, 5, 6

The leader has the session at the game; the other ranks follow() its orders, which say what to
search and never what was found. That travels in sums only: each rank adds up what its machines want
summed, the ranks add that up, and every machine is sent the total. With r = 1 a whole cluster is
simulated in one process; with a budget in simulations every r gives the same moves, bit for bit,
because sums of integers do not depend on how they are made.

What joins ranks is a Ranks: here those of a process alone, in cluster.py those of MPI.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from time import monotonic
from typing import Any, Protocol, TypeVar

import numpy

from mcts_cluster import games
from mcts_cluster.errors import UserError
from mcts_cluster.games import Game
from mcts_cluster.parallel.exchange_stats import Exchanges
from mcts_cluster.parallel.machine import Budget, Machine
from mcts_cluster.parallel.sharing import STRATEGIES
from mcts_cluster.parallel.sharing.exchange import Exchange, JointDecision, Numbers, Sharing
from mcts_cluster.players.mcts import Mcts, MoveEstimate, expected, line_of
from mcts_cluster.players.player import Player, Watch

T = TypeVar("T")

EXCHANGES = 10  # a move, where no period is given
MIN_PERIOD = 0.001  # seconds

Order = tuple[Any, ...]


class Sum(Protocol):
    """Numbers on their way to be summed."""

    def look(self) -> None:
        """Help them on; to be called now and then."""

    def finish(self) -> Numbers:
        """Wait for the sums."""


class Ranks(Protocol):
    """The processes that a team is laid over, as one of them sees them."""

    number: int
    count: int

    def start(self, numbers: Numbers) -> "Sum":
        """Begin to sum over all ranks."""

    def least(self, numbers: Numbers) -> Numbers:
        """Return the least of all ranks, number by number."""

    def broadcast(self, order: Order) -> None:
        """Of the leader: give an order to all the others."""

    def next_order(self) -> Order:
        """Of all the others: sleep until there is an order."""

    def first(self, count: int) -> "Ranks":
        """Return the first of these ranks; all of those are to ask for it."""


@dataclass
class Summed:
    numbers: Numbers

    def look(self) -> None:
        pass

    def finish(self) -> Numbers:
        return self.numbers


class Alone:
    """A process that has no others."""

    number = 0
    count = 1

    def start(self, numbers: Numbers) -> Sum:
        return Summed(numbers)

    def least(self, numbers: Numbers) -> Numbers:
        return numbers

    def broadcast(self, order: Order) -> None:
        pass

    def next_order(self) -> Order:
        raise AssertionError("nobody leads")

    def first(self, count: int) -> "Alone":
        return self


ALONE = Alone()


@dataclass
class Counters:
    """What the exchanges of a move cost; seconds are the mean of the ranks."""

    exchanges: int = 0
    sums: int = 0  # of an exchange there are as many as levels
    bytes: int = 0  # that this rank has put into sums
    seconds: float = 0.0  # of all exchanges, the conversation with the trees and waiting included
    waiting: float = 0.0  # for the slowest rank
    late: int = 0  # simulations that all machines made while sums were on their way
    simulations: list[int] = field(default_factory=list)  # of each machine of the team


def summed(past: Sequence[Counters]) -> Exchanges:
    """Return what some moves cost together."""
    machines = [sum(column) for column in zip(*(c.simulations for c in past), strict=True)]
    return Exchanges(
        exchanges=sum(counters.exchanges for counters in past),
        exchange_bytes=sum(counters.bytes for counters in past),
        exchange_seconds=sum(counters.seconds for counters in past),
        waiting_seconds=sum(counters.waiting for counters in past),
        late_simulations=sum(counters.late for counters in past),
        least_simulations=min(machines, default=0),
        most_simulations=max(machines, default=0),
    )


def in_lockstep(exchanges: Iterable[Exchange[T]]) -> Exchange[list[T]]:
    """Hold one conversation with several machines as if they were one.

    What they want summed is summed for them, and each is sent the total.
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
            assert not asked, "the machines do not hold the same conversation"
            return results
        sums = yield numpy.sum(asked, axis=0)


def carry_out(steps: Exchange[T], total: Callable[[Numbers], Numbers]) -> T:
    """Hold a conversation to its end."""
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

    def __init__(self, player: "TeamPlayer", game: Game, game_seed: int) -> None:
        self.sharing = player.sharing
        self.ranks = player.ranks.first(self.sharing.machines)
        self.strategy = STRATEGIES[self.sharing.strategy]
        machines, ranks = self.sharing.machines, self.ranks.count
        first, end = (k * machines // ranks for k in (self.ranks.number, self.ranks.number + 1))
        self.machines = [Machine(player.machine, game, game_seed, n) for n in range(first, end)]
        self.counters = Counters()

    def search(self, simulations: int, seconds: float, on_a_clock: bool = False) -> JointDecision:
        """Search with all machines, on all ranks at a time; return what they agree on.

        As soon as one machine is done they all are, so that nobody waits for another one's clock.
        The seconds are of each machine; `on_a_clock` they are somebody else's, too.
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
        self.count()
        return decision

    def search_then_exchange(self) -> JointDecision:
        while not self.done:
            for machine in self.machines:
                machine.search_on()
            decision = self.exchange()
        return decision

    def search_while_exchanging(self) -> JointDecision:
        """Search on while sums are on their way, one a period; what they tell is as old as that."""
        steps, under_way = self.steps(), None
        numbers: Numbers | None = None
        while True:
            before = self.simulated
            for machine in self.machines:
                machine.search_on(under_way.look if under_way else None)
            began = monotonic()
            if under_way:
                self.counters.late += self.simulated - before
                sums = self.finish(under_way)
                if self.done:
                    self.counters.seconds += monotonic() - began
                    return self.exchange()
                try:
                    numbers = steps.send(sums)
                except StopIteration:
                    self.counters.exchanges += 1
                    steps, numbers = self.steps(), None
            under_way = self.start(next(steps) if numbers is None else numbers)
            self.counters.seconds += monotonic() - began

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
        self.counters.seconds += monotonic() - began
        return decisions[0]

    def start(self, numbers: Numbers) -> Sum:
        """Begin a sum, in which it also travels how many machines are done."""
        self.counters.sums += 1
        self.counters.bytes += 8 * (len(numbers) + 1)
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

    def count(self) -> None:
        """Tell all ranks what each machine did, and what they all spent on exchanges."""
        counters = self.counters
        made = numpy.zeros(self.sharing.machines + 2, numpy.int64)
        for machine in self.machines:
            made[machine.number] = machine.simulated
        made[-2:] = counters.late, 1e9 * counters.seconds
        total = self.ranks.start(made).finish().tolist()
        *counters.simulations, counters.late, nanoseconds = total
        counters.seconds = 1e-9 * nanoseconds / self.ranks.count
        if self.ranks.count > 1:
            # Who came last has waited least, and for nobody: the rest is what a sum takes.
            waits = numpy.array(self.waits)
            waited = self.ranks.start(waits - self.ranks.least(waits)).finish()
            counters.waiting = 1e-9 * float(waited.sum()) / self.ranks.count


@dataclass(frozen=True)
class TeamPlayer:
    """A team, as a job file states it: what each machine is, and how they share."""

    machine: Mcts
    sharing: Sharing
    ranks: Ranks = field(default=ALONE, compare=False, repr=False)

    @property
    def simulations(self) -> int:
        """Of each machine, like the seconds and the threads."""
        return self.machine.simulations

    @property
    def seconds(self) -> float:
        return self.machine.seconds

    @property
    def threads(self) -> int:
        return self.machine.threads

    def session(self, game: Game, game_seed: int) -> "TeamSession":
        return TeamSession(self, game, game_seed)


class TeamSession:
    """The session of a team, on the rank that leads.

    Public attributes (treat as read-only): counters, of the last move; simulations, of all machines
    and moves; exchanges, of all moves.
    """

    numbers = count()

    def __init__(self, player: TeamPlayer, game: Game, game_seed: int) -> None:
        self.player = player
        self.game = game
        self.ranks = player.ranks
        self.number = next(self.numbers)
        self.decision: JointDecision | None = None
        self.at: list[int] = []  # the moves after which they agreed
        self.searching = False
        self.simulations = 0
        self.past: list[tuple[int, Counters]] = []  # of each search, and the moves before it
        stated = replace(player, ranks=ALONE)
        self.ranks.broadcast(
            ("sit", self.number, stated, games.packed(game), game.numbers, game_seed)
        )
        self.team = Team(player, game, game_seed)
        self.leader = self.team.machines[0]

    def close(self) -> None:
        # After a failure in the middle of a search the others would not hear.
        if not self.searching:
            self.ranks.broadcast(("leave", self.number))
        self.team.machines.clear()

    @property
    def counters(self) -> Counters:
        return self.team.counters

    def choose(self, seconds: float | None = None, watch: Watch = None) -> int:
        """Return the move that all agree on, after the budget or `seconds` if that is less.

        Meanwhile `watch` is called again and again, while this rank's machines search.
        """
        budget = self.player.machine
        limits = [limit for limit in (budget.seconds, self.for_each(seconds)) if limit]
        self.leader.follow()
        if self.leader.wins_by_passing():
            return self.game.core.points
        for machine in self.team.machines:
            machine.watch = watch
        try:
            return self.search(budget.simulations, min(limits, default=0.0), bool(seconds)).move
        finally:
            for machine in self.team.machines:
                machine.watch = None

    def expects(self, move: int) -> float:
        """Return the result that all machines together expect of a move they chose, 0 to 1."""
        assert self.decision
        if self.decision.is_won(move):
            return 1.0
        return expected(self.game.core.to_play, *self.decision.statistics[move].tolist())

    def for_each(self, seconds: float | None) -> float:
        """Return what of a time is left to each machine, where some share a rank."""
        turns = -(-self.player.sharing.machines // self.team.ranks.count)
        return (seconds or 0.0) / turns

    def think(self, seconds: float) -> None:
        """Search for so long, without a decision."""
        self.search(0, self.for_each(seconds), on_a_clock=True)

    def search(self, simulations: int, seconds: float, on_a_clock: bool) -> JointDecision:
        self.at = self.game.numbers
        self.decision = None
        self.ranks.broadcast(("search", self.number, self.at, simulations, seconds, on_a_clock))
        self.searching = True
        try:
            self.decision = self.team.search(simulations, seconds, on_a_clock)
        except UserError as mistake:
            # The other ranks are in the middle of a search, and would wait for sums for ever.
            if self.ranks.count > 1:
                raise RuntimeError(f"in a search with other ranks: {mistake}") from mistake
            raise
        self.searching = False
        self.simulations += sum(self.counters.simulations)
        self.past.append((len(self.at), self.counters))
        return self.decision

    @property
    def exchanges(self) -> Exchanges:
        return summed([counters for _, counters in self.past])

    @property
    def exchanges_by_move(self) -> list[tuple[int, Exchanges]]:
        return [(ply, summed([counters])) for ply, counters in self.past]

    def lines(self) -> list[MoveEstimate]:
        """Return what all machines together think of every move, the one they play first.

        How each goes on is what the first machine expects.
        """
        search = self.leader.follow()
        if self.decision is None or self.at != self.game.numbers:
            return self.leader.lines()
        best, votes = self.decision.move, self.decision.votes
        statistics = self.decision.statistics.tolist()
        found = [(child, statistics[child["move"]]) for child in search.children()]
        lines = [line_of(search, child, row) for child, row in found if row[0]]
        return sorted(lines, key=lambda x: (x.move != best, -votes[x.move], -x.visits, x.move))

    def owners(self, count: int, judge_seed: int) -> list[float]:
        return self.leader.owners(count, judge_seed)


@contextmanager
def leading(ranks: Ranks) -> Iterator[None]:
    """Lead the other ranks, and let them go at the end; also after a user's mistake."""
    try:
        yield
    except UserError:
        ranks.broadcast(("end",))
        raise
    ranks.broadcast(("end",))


def follow(ranks: Ranks) -> None:
    """Carry out the leader's orders until it says that it was the last.

    A team of fewer machines than ranks does without the last ones.
    """
    sessions: dict[int, tuple[Game, Team]] = {}
    while (order := ranks.next_order())[0] != "end":
        word, number, *rest = order
        if word == "sit":
            player, packed, moves, game_seed = rest
            if ranks.number < player.sharing.machines:
                game = games.unpacked(packed, moves)
                sessions[number] = game, Team(replace(player, ranks=ranks), game, game_seed)
        elif word == "leave":
            sessions.pop(number, None)
        elif number in sessions:
            assert word == "search"
            game, team = sessions[number]
            moves, simulations, seconds, on_a_clock = rest
            go_to(game, moves)
            team.search(simulations, seconds, on_a_clock)


def go_to(game: Game, moves: list[int]) -> None:
    """Bring a game to where another one is."""
    while game.numbers != moves[: len(game.numbers)]:
        game.undo()
    for move in moves[len(game.numbers) :]:
        game.play_number(move)


def over(player: Player, ranks: Ranks) -> Player:
    """Return a player, laid over these ranks if it is a team."""
    return replace(player, ranks=ranks) if isinstance(player, TeamPlayer) else player
