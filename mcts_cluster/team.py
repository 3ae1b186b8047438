"""A team: p machines laid over r ranks, 1 <= r <= p, that choose the moves of one player together.

    rank 0, leads      game ── TeamSeat ── Team: machines 0, 1, 2
                                  │           ║ sums, both ways
    rank 1, follows            orders ──── Team: machines 3, 4, 5, 6

The leader has the seat at the game; the other ranks follow() its orders, which say what to search
and never what was found. That travels in sums only: each rank adds up what its machines want
summed, the ranks add that up, and every machine is sent the total. With r = 1 a whole cluster is
simulated in one process; with a budget in simulations every r gives the same moves, bit for bit,
because sums of integers do not depend on how they are made.

What joins ranks is a Ranks: here those of a process alone, in cluster.py those of MPI.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from time import monotonic
from typing import Any, Protocol, TypeVar

import numpy

from mcts_cluster import games
from mcts_cluster.errors import UserError
from mcts_cluster.games import Game
from mcts_cluster.machine import Budget, Machine
from mcts_cluster.mcts import Line, Mcts, line_of
from mcts_cluster.player import Player
from mcts_cluster.share import STRATEGIES
from mcts_cluster.share.talk import Agreement, Numbers, Sharing, Talk

T = TypeVar("T")

EXCHANGES = 10  # a move, where no period is given
LEAST_PERIOD = 0.001  # seconds

Order = tuple[Any, ...]


class Ranks(Protocol):
    """The processes that a team is laid over, as one of them sees them."""

    number: int
    count: int

    def total(self, numbers: Numbers) -> Numbers:
        """Return the sums over all ranks."""

    def least(self, numbers: Numbers) -> Numbers:
        """Return the least of all ranks, number by number."""

    def tell(self, order: Order) -> None:
        """Of the leader: give an order to all the others."""

    def hear(self) -> Order:
        """Of all the others: sleep until there is an order."""


class Alone:
    """A process that has no others."""

    number = 0
    count = 1

    def total(self, numbers: Numbers) -> Numbers:
        return numbers

    def least(self, numbers: Numbers) -> Numbers:
        return numbers

    def tell(self, order: Order) -> None:
        pass

    def hear(self) -> Order:
        raise AssertionError("nobody leads")


ALONE = Alone()


@dataclass
class Counters:
    """What the exchanges of a move cost this rank. Waiting is for the slowest rank, and is mean."""

    exchanges: int = 0
    sums: int = 0  # of an exchange there are as many as levels
    bytes: int = 0  # that this rank has put into sums
    seconds: float = 0.0  # of all exchanges, the conversation with the trees and waiting included
    waiting: float = 0.0
    simulations: list[int] = field(default_factory=list)  # of each machine of the team


def converse(talks: Iterable[Talk[T]], total: Callable[[Numbers], Numbers]) -> list[T]:
    """Hold one conversation with several machines in step; return what each has come to."""
    talks = list(talks)
    said: Numbers | None = None
    while True:
        asked: list[Numbers] = []
        results: list[T] = []
        for talk in talks:
            try:
                asked.append(next(talk) if said is None else talk.send(said))
            except StopIteration as end:
                results.append(end.value)
        if results:
            assert not asked, "the machines do not hold the same conversation"
            return results
        said = total(numpy.sum(asked, axis=0))


class Team:
    """The machines of this rank.

    Public attributes (treat as read-only): machines; counters, of the last move.
    """

    def __init__(self, player: "TeamPlayer", game: Game, game_seed: int) -> None:
        self.ranks = player.ranks
        self.sharing = player.sharing
        self.strategy = STRATEGIES[self.sharing.strategy]
        machines, ranks = self.sharing.machines, self.ranks.count
        first, end = (k * machines // ranks for k in (self.ranks.number, self.ranks.number + 1))
        self.machines = [Machine(player.machine, game, game_seed, n) for n in range(first, end)]
        self.counters = Counters()

    def search(self, simulations: int, seconds: float) -> Agreement:
        """Search with all machines, on all ranks at a time; return what they agree on."""
        self.counters = Counters()
        self.arrivals: list[int] = []
        budget = self.budget(simulations, seconds)
        for machine in self.machines:
            machine.begin(budget)
        while True:
            for machine in self.machines:
                machine.search_on()
            agreement = self.exchange()
            if agreement.done:
                self.count()
                return agreement

    def budget(self, simulations: int, seconds: float) -> Budget:
        sharing, period, period_seconds = self.sharing, 0, 0.0
        if not self.strategy.only_at_the_end:
            period, period_seconds = sharing.period, sharing.period_seconds
            if not (period or period_seconds):
                period = -(-simulations // EXCHANGES)
                period_seconds = max(LEAST_PERIOD, seconds / EXCHANGES) if seconds else 0.0
        own_time = sharing.machines > self.ranks.count
        return Budget(simulations, seconds, period, period_seconds, own_time)

    def exchange(self) -> Agreement:
        began = monotonic()
        self.arrived = False
        share = self.strategy.share
        agreements = converse((share(m, self.sharing) for m in self.machines), self.total)
        self.counters.exchanges += 1
        self.counters.seconds += monotonic() - began
        return agreements[0]

    def total(self, numbers: Numbers) -> Numbers:
        began = monotonic()
        sums = self.ranks.total(numbers)
        if not self.arrived:
            # Only in the first sum of an exchange is anybody waited for.
            self.arrivals.append(int(1e9 * (monotonic() - began)))
            self.arrived = True
        self.counters.sums += 1
        self.counters.bytes += numbers.nbytes
        return sums

    def count(self) -> None:
        """Tell all ranks what each machine did, and how long they waited for each other."""
        simulations = numpy.zeros(self.sharing.machines, numpy.int64)
        for machine in self.machines:
            simulations[machine.number] = machine.simulated
        self.counters.simulations = self.ranks.total(simulations).tolist()
        if self.ranks.count > 1:
            # Who came last has waited least, and for nobody: the rest is what a sum takes.
            taken = numpy.array(self.arrivals)
            waited = self.ranks.total(taken - self.ranks.least(taken))
            self.counters.waiting = 1e-9 * float(waited.sum()) / self.ranks.count


@dataclass(frozen=True)
class TeamPlayer:
    """A team, as a job file states it: what each machine is, and how they share."""

    machine: Mcts
    sharing: Sharing
    ranks: Ranks = field(default=ALONE, compare=False, repr=False)

    def seat(self, game: Game, game_seed: int) -> "TeamSeat":
        return TeamSeat(self, game, game_seed)


class TeamSeat:
    """The seat of a team, on the rank that leads.

    Public attributes (treat as read-only): counters, of the last move.
    """

    numbers = count()

    def __init__(self, player: TeamPlayer, game: Game, game_seed: int) -> None:
        machines, ranks = player.sharing.machines, player.ranks.count
        if machines < ranks:
            raise UserError(f"machines {machines}: at least one for each of the {ranks} ranks")
        self.player = player
        self.game = game
        self.ranks = player.ranks
        self.number = next(self.numbers)
        self.agreement: Agreement | None = None
        self.at: list[int] = []  # the moves after which they agreed
        self.searching = False
        stated = replace(player, ranks=ALONE)
        self.ranks.tell(("sit", self.number, stated, games.packed(game), game.numbers, game_seed))
        self.team = Team(player, game, game_seed)
        self.leader = self.team.machines[0]

    def close(self) -> None:
        # After a failure in the middle of a search the others would not hear.
        if not self.searching:
            self.ranks.tell(("leave", self.number))
        self.team.machines.clear()

    @property
    def counters(self) -> Counters:
        return self.team.counters

    def choose(self, seconds: float | None = None) -> int:
        """Return the move that all agree on, after the budget or `seconds` if that is less."""
        budget = self.player.machine
        limits = [limit for limit in (budget.seconds, self.for_each(seconds)) if limit]
        self.leader.follow()
        if self.leader.wins_by_passing():
            return self.game.core.points
        return self.search(budget.simulations, min(limits, default=0.0)).move

    def for_each(self, seconds: float | None) -> float:
        """Return what of a time is left to each machine, where some share a rank."""
        turns = -(-self.player.sharing.machines // self.ranks.count)
        return (seconds or 0.0) / turns

    def think(self, seconds: float) -> None:
        """Search for so long, without a decision."""
        self.search(0, self.for_each(seconds))

    def search(self, simulations: int, seconds: float) -> Agreement:
        self.at = self.game.numbers
        self.ranks.tell(("search", self.number, self.at, simulations, seconds))
        self.searching = True
        self.agreement = self.team.search(simulations, seconds)
        self.searching = False
        return self.agreement

    def lines(self) -> list[Line]:
        """Return what all machines together think of every move, the one they play first.

        How each goes on is what the first machine expects.
        """
        search = self.leader.follow()
        if self.agreement is None or self.at != self.game.numbers:
            return self.leader.lines()
        votes, statistics = self.agreement.votes, self.agreement.statistics
        found = [(child, statistics[child["move"]].tolist()) for child in search.children()]
        lines = [line_of(search, child, row) for child, row in found if row[0]]
        return sorted(lines, key=lambda line: (-votes[line.move], -line.visits, line.move))

    def owners(self, count: int, judge_seed: int) -> list[float]:
        return self.leader.owners(count, judge_seed)


@contextmanager
def leading(ranks: Ranks) -> Iterator[None]:
    """Lead the other ranks, and let them go at the end; also after a user's mistake."""
    try:
        yield
    except UserError:
        ranks.tell(("end",))
        raise
    ranks.tell(("end",))


def follow(ranks: Ranks) -> None:
    """Carry out the leader's orders until it says that it was the last."""
    seats: dict[int, tuple[Game, Team]] = {}
    while (order := ranks.hear())[0] != "end":
        word, number, *rest = order
        if word == "sit":
            player, packed, moves, game_seed = rest
            game = games.unpacked(packed, moves)
            seats[number] = game, Team(replace(player, ranks=ranks), game, game_seed)
        elif word == "leave":
            del seats[number]
        else:
            assert word == "search"
            game, team = seats[number]
            moves, simulations, seconds = rest
            go_to(game, moves)
            team.search(simulations, seconds)


def go_to(game: Game, moves: list[int]) -> None:
    """Bring a game to where another one is."""
    while game.numbers != moves[: len(game.numbers)]:
        game.undo()
    for move in moves[len(game.numbers) :]:
        game.play_number(move)


def over(player: Player, ranks: Ranks) -> Player:
    """Return a player, laid over these ranks if it is a team."""
    return replace(player, ranks=ranks) if isinstance(player, TeamPlayer) else player
