"""A machine: one tree of a team, with its local and its received statistics kept apart.

Of every shared move its tree holds local + received statistics, so that its simulations use both.
The received ones are kept here, next to the tree, by the moves that lead from the root to the node.
So local = tree - received, to the last visit, also after the game has gone on: then the paths lose
their first move. Received numbers may be negative, as when the average is below the local ones.

A machine decides itself how long it searches until the next exchange, and when it is done with the
move. Its clock is that of the wall, or, where it takes turns with other machines of its rank, one
that runs in its own turns only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic, process_time

import numpy
from numpy import int64
from numpy.typing import NDArray

from cext.rng import Generator
from cext.search import Search
from mcts_cluster.games import Game
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.players.mcts_session import NO_LIMIT, MctsSession
from mcts_cluster.players.player import Watch
from mcts_cluster.seeds import seed

Path = tuple[int, ...]
Table = NDArray[int64]  # a row a move: visits, results, rave_visits, rave_results
COLUMNS = 4

PIECE = 64  # simulations
MIN_SECONDS = 1e-4  # of a search


@dataclass(frozen=True)
class Budget:
    """The budget of each machine for a move, and the time between exchanges; 0 is no limit.

    Machines that take turns have seconds of the processor each: so a cluster is simulated, whatever
    else this computer does. Where a referee's clock runs, they are seconds of the wall.
    """

    simulations: int = 0
    seconds: float = 0.0
    period: int = 0  # simulations
    period_seconds: float = 0.0
    turns: int = 0  # how many machines take turns on this rank; 0 where each has its own
    by_processor: bool = False  # how those that take turns count their seconds

    def __post_init__(self) -> None:
        assert self.simulations or self.seconds


class Machine(MctsSession):
    """The search of one machine, in step with a game.

    Public attributes (treat as read-only): number, of the machines of its team; received, by paths;
    simulated and done, of this move.
    """

    def __init__(
        self,
        player: Mcts,
        game: Game,
        game_seed: int,
        number: int,
        *,
        unit: int = 1,
        machines: int = 1,
    ) -> None:
        """Begin with an empty tree, which has room for the budget of so many machines.

        In its statistics a simulation counts `unit`.
        """
        self.unit = unit
        self.machines = machines
        # The first one searches as a player without a team would.
        super().__init__(player, game, seed(game_seed, "machine", number) if number else game_seed)
        self.number = number
        self.watch: Watch = None
        self.forget()

    def forget(self) -> None:
        self.received: dict[Path, Table] = {}
        self.received_root = numpy.zeros(2, int64)

    def new_search(self) -> Search:
        return self.player.search(self.game.core, unit=self.unit, machines=self.machines)

    # The game goes on.

    def renew(self) -> None:
        super().renew()
        self.forget()

    def advance(self, move: int) -> None:
        received, here = self.received, self.received.get(())
        kept = bool((self.search.children()["move"] == move).any())
        super().advance(move)
        self.forget()
        if kept:
            self.received = {
                path[1:]: table for path, table in received.items() if path[:1] == (move,)
            }
            if here is not None:
                self.received_root = here[move, :2].copy()

    # Statistics, in units.

    def local(self, path: Path = ()) -> Table:
        """Return the local statistics of the moves from a node."""
        found = self.search.statistics(path)
        return found - self.received[path] if path in self.received else found

    def local_root(self) -> Table:
        """Return the local statistics of the position: visits and results."""
        root = self.search.tree.array()[0]
        return numpy.array([root["visits"], root["results"]], int64) - self.received_root

    def receive(self, local: Table, common: Table, path: Path = ()) -> None:
        """Set the statistics of a node's moves to `common`, where `local` was what it had sent.

        Simulations since then are added. Columns that are not given stay as they are.
        """
        before = self.received.get(path)
        received = numpy.zeros((len(common), COLUMNS), int64) if before is None else before.copy()
        received[:, : common.shape[1]] = common - local
        change = received if before is None else received - before
        # A node without children and without received statistics is left as it is.
        if change.any() and self.search.add(change, path):
            self.received[path] = received

    def receive_root(self, local: Table, common: Table) -> None:
        received = common - local
        self.search.add_to_root(*(received - self.received_root).tolist())
        self.received_root = received

    # Time.

    def begin(self, budget: Budget) -> None:
        """Begin to search for a move."""
        self.follow()
        self.budget = budget
        self.generator = Generator(self.next_seed())
        self.began = monotonic()
        self.used = 0.0
        self.simulated = 0
        self.done = False

    @property
    def spent(self) -> float:
        return self.used if self.budget.turns else monotonic() - self.began

    @property
    def is_proven(self) -> bool:
        return bool(self.search.tree.array()[0]["proven"])

    def search_on(self, between: Callable[[], object] | None = None) -> None:
        """Search until the next exchange is due, and call `between` now and then.

        However little time there is, a machine has a move to propose.
        """
        budget = self.budget
        left = (budget.simulations or NO_LIMIT) - self.simulated
        end = self.simulated + min(left, budget.period or NO_LIMIT)
        stop = self.next_stop()
        while self.simulated < end:
            # The clock is read once: it may jump while others have the processor.
            seconds = stop - self.spent
            if seconds < MIN_SECONDS and self.simulated:
                break
            piece = end - self.simulated
            if not self.run_on(min(piece, PIECE) if between else piece, max(seconds, MIN_SECONDS)):
                break
            if between:
                between()
            # No time can add to a proof.
            if budget.seconds and self.is_proven:
                break
        self.done = self.simulated >= (budget.simulations or NO_LIMIT)
        if budget.seconds:
            self.done = self.done or self.is_proven or budget.seconds - self.spent < MIN_SECONDS

    def next_stop(self) -> float:
        """Return when to exchange, in seconds from the beginning of the move.

        That is at a multiple of the period, so that a machine that was late once is not late for
        ever, and at least half a period away.
        """
        budget = self.budget
        end = budget.seconds or inf
        if not budget.period_seconds:
            return end
        return min(end, (self.spent / budget.period_seconds + 1.5) // 1 * budget.period_seconds)

    def run_on(self, simulations: int, seconds: float) -> int:
        # Without a limit the clock is not read: on some systems it takes as long as a search.
        timed, by_processor = self.budget.turns and seconds < inf, self.budget.by_processor
        began = self.clock() if timed else 0.0
        made = self.search.run(
            simulations,
            self.generator,
            seconds=0 if seconds == inf else seconds,
            threads=self.player.threads,
            own_time=by_processor,
            watch=self.watch,
        )
        self.simulated += made
        if timed:
            spent = self.clock() - began
            self.used += spent / self.player.threads if by_processor else spent
        return made

    def clock(self) -> float:
        """Return the time as machines that take turns count it."""
        return process_time() if self.budget.by_processor else monotonic()
