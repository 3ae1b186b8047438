"""The player that is a team, its session on the leading rank, and the orders to the other ranks.

An order has the position to search, and the budget; statistics are sent in sums only.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from mcts_cluster import games
from mcts_cluster.errors import UserError
from mcts_cluster.games import Game
from mcts_cluster.parallel.exchange_stats import Counters, ExchangeStats, summed
from mcts_cluster.parallel.ranks import ALONE, Ranks
from mcts_cluster.parallel.sharing import STRATEGIES
from mcts_cluster.parallel.sharing.exchange import JointDecision, Sharing
from mcts_cluster.parallel.team import EXCHANGES, Team
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.players.mcts_session import estimate_of, expected
from mcts_cluster.players.player import MoveEstimate, Player, Session, Watch

# For estimates: simulations of a move, of one machine.
MIN_OF_A_MACHINE = 10


@dataclass(frozen=True)
class TeamPlayer(Player):
    """A team, as a job file states it: the machine, and how machines share."""

    machine: Mcts
    sharing: Sharing
    ranks: Ranks = field(default=ALONE, compare=False, repr=False)

    @property
    def simulations(self) -> int:
        return self.machine.simulations

    @property
    def seconds(self) -> float:
        return self.machine.seconds

    @property
    def threads(self) -> int:
        return self.machine.threads

    @property
    def machines(self) -> int:
        return self.sharing.machines

    @property
    def why_not_repeatable(self) -> str:
        by_clock = "exchanges by the clock" if self.sharing.period_seconds else ""
        return super().why_not_repeatable or by_clock

    def over(self, ranks: Ranks) -> Player:
        return replace(self, ranks=ranks)

    def budgets(self) -> Mapping[str, float]:
        return self.machine.budgets()

    def quicker(self, simulations: int) -> "tuple[TeamPlayer, float]":
        """Return a team with as many exchanges for fewer simulations.

        And how much longer it takes itself.
        """
        machine, sharing = self.machine, self.sharing
        if machine.simulations and not (
            machine.seconds or sharing.period or sharing.period_seconds
        ):
            sharing = replace(sharing, period=-(-machine.simulations // EXCHANGES))
        smaller, scale = machine.quicker(max(MIN_OF_A_MACHINE, simulations // sharing.machines))
        return replace(self, machine=smaller, sharing=sharing), scale

    def stand_in(self, simulations: int) -> Player:
        budget = self.machine.simulations * self.sharing.machines
        return replace(self.machine, simulations=budget).stand_in(simulations)

    def as_kept(self, settings: Mapping[str, Any]) -> "TeamPlayer":
        return replace(self, machine=self.machine.as_kept(settings["machine"]))

    def fits(self, game: Game) -> int:
        """Return for how many simulations of a machine its tree has room.

        The one tree of fast tree has those of all machines, and room for them, if it follows from
        the budget.
        """
        found = self.machine.fits(game)
        searches = STRATEGIES[self.sharing.strategy].searches
        return found // self.machines if searches and self.machine.megabytes else found

    def session(self, game: Game, game_seed: int) -> "TeamSession":
        return TeamSession(self, game, game_seed)


class TeamSession(Session):
    """The session of a team, on the rank that leads.

    Public attributes (treat as read-only): counters, of the last move; simulations, of all machines
    and moves; exchanges, of all moves.
    """

    can_think = True
    numbers = count()

    def __init__(self, player: TeamPlayer, game: Game, game_seed: int) -> None:
        self.player = player
        self.game = game
        self.ranks = player.ranks
        self.number = next(self.numbers)
        self.decision: JointDecision | None = None
        self.at: list[int] = []  # the moves after which they decided
        self.searching = False
        self.past: list[tuple[int, Counters]] = []  # of each search, and the moves before it
        stated = replace(player, ranks=ALONE)
        self.ranks.broadcast(
            ("begin", self.number, stated, games.packed(game), game.numbers, game_seed)
        )
        self.team = Team(player, game, game_seed)
        self.leader = self.team.machines[0]

    def close(self) -> None:
        # After a failure in the middle of a search the other ranks receive no order.
        if not self.searching:
            self.ranks.broadcast(("close", self.number))
        self.team.machines.clear()

    @property
    def counters(self) -> Counters:
        return self.team.counters

    def choose(self, seconds: float | None = None, watch: Watch = None) -> int:
        """Return the move of the joint decision, after the budget or `seconds` if that is less.

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

    def expected_result(self, move: int) -> float | None:
        """Return the result that all machines together expect of a move they chose, 0 to 1."""
        if self.decision is None:
            return None
        if self.decision.is_won(move):
            return 1.0
        return expected(self.game.core.to_play, *self.decision.statistics[move].tolist())

    def for_each(self, seconds: float | None) -> float:
        """Return the part of a time that each machine has, where several share a rank."""
        turns = -(-self.player.sharing.machines // self.team.ranks.count)
        return (seconds or 0.0) / turns

    def think(self, seconds: float) -> None:
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
        self.full_searches += self.counters.full
        self.past.append((len(self.at), self.counters))
        return self.decision

    @property
    def exchanges(self) -> ExchangeStats:
        return summed([counters for _, counters in self.past])

    @property
    def exchanges_by_move(self) -> list[tuple[int, ExchangeStats]]:
        return [(ply, summed([counters])) for ply, counters in self.past]

    def estimates(self) -> list[MoveEstimate]:
        """Return the estimates of all machines together, that of the joint decision first.

        The variations are those of the first machine.
        """
        search = self.leader.follow()
        if self.decision is None or self.at != self.game.numbers:
            return self.leader.estimates()
        best, votes = self.decision.move, self.decision.votes
        statistics = self.decision.statistics.tolist()
        found = [(child, statistics[child["move"]]) for child in search.children()]
        estimates = [estimate_of(search, child, row) for child, row in found if row[0]]
        return sorted(estimates, key=lambda x: (x.move != best, -votes[x.move], -x.visits, x.move))

    def owners(self, count: int, seed: int) -> list[float]:
        return self.leader.owners(count, seed)


@contextmanager
def leading(ranks: Ranks) -> Iterator[None]:
    """Lead the other ranks, and end their loops at the end; also after a user's mistake."""
    try:
        yield
    except UserError:
        ranks.broadcast(("end",))
        raise
    ranks.broadcast(("end",))


def follow(ranks: Ranks) -> None:
    """Carry out the leader's orders until the order to end.

    The last ranks have nothing to do for a team of fewer machines than ranks.
    """
    sessions: dict[int, tuple[Game, Team]] = {}
    while (order := ranks.next_order())[0] != "end":
        word, number, *rest = order
        if word == "begin":
            player, packed, moves, game_seed = rest
            if ranks.number < player.sharing.machines:
                game = games.unpacked(packed, moves)
                sessions[number] = game, Team(replace(player, ranks=ranks), game, game_seed)
        elif word == "close":
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
