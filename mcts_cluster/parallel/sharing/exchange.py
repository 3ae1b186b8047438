"""The common parts of the strategies: the exchange, the average, the joint decision.

An exchange is a generator for each machine of a team. It yields the numbers to be summed over all
machines and receives the sums; the caller adds them up. The machines go through an exchange in
step: every decision in it must depend on sums, which all of them have. At its end all have
the same joint decision. Sums may be late: a machine may have searched on since it sent its local
statistics.
"""

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from math import ceil
from typing import TypeVar

import numpy
from numpy import int64
from numpy.typing import NDArray

from mcts_cluster.parallel.machine import Machine, Path, Table
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.settings.declaration import setting

T = TypeVar("T")
Numbers = NDArray[int64]
Exchange = Generator[Numbers, Numbers, T]

AVERAGES = ("mean", "sum")
# The highest count that a tree receives, whatever the sum: it has 32 bits, and results are twice.
MAX_COUNT = 2**30
# More than any machine makes in a second.
SIMULATIONS_PER_SECOND = 500_000


def strategies() -> Iterable[str]:
    # The strategies import this module.
    from mcts_cluster.parallel.sharing import STRATEGIES

    return STRATEGIES


@dataclass(frozen=True)
class Sharing:
    """Which statistics a team shares, and how often; a period of 0 is a tenth of the budget."""

    strategy: str = setting(
        "slow-tree", key="sharing", choices=strategies, meaning="the sharing strategy, below"
    )
    machines: int = setting(
        1,
        least=1,
        most=10**4,
        meaning="number of machines; makes the player a team, and the other settings need it",
    )
    period: int = setting(
        0,
        least=1,
        most=10**9,
        usual="a tenth of the budget",
        meaning="simulations of each machine between two exchanges",
    )
    period_seconds: float = setting(
        0.0,
        least=0.001,
        most=1e6,
        usual="a tenth of the budget",
        meaning="seconds between two exchanges",
    )
    depth: int = setting(
        3,
        key="share_depth",
        least=0,
        most=100,
        meaning="d of the paper: nodes down to this depth have their moves shared; the root has "
        "depth 0",
    )
    threshold: float = setting(
        5.0,
        key="share_threshold",
        least=0.1,
        most=100,
        meaning="x of the paper: nodes with this share of the root's simulations, in percent",
    )
    average: str = setting(
        "sum",
        choices=AVERAGES,
        meaning="all trees receive the mean of the statistics of the machines, as in the paper, or "
        "their sum",
    )
    rave: bool = setting(True, key="share_rave", meaning="average the statistics of RAVE too")
    overlap: bool = setting(False, meaning="search on while sums are on their way")
    agreement: bool = setting(
        False,
        meaning="count after each move how many machines would play the same reply, "
        "in one more sum",
    )

    def unit(self, player: Mcts) -> int:
        """Return what a simulation counts in the trees of a team, so that means are whole.

        Less where the counts of a tree, which may keep those of earlier moves, became too high.
        """
        if self.average != "mean":
            return 1
        by_time = ceil(player.seconds * player.threads * SIMULATIONS_PER_SECOND)
        simulations = min(player.simulations or by_time, by_time or player.simulations)
        return max(1, min(self.machines, MAX_COUNT // (4 * max(1, simulations))))

    def common(self, sums: Table, visits: int) -> Table:
        """Return the statistics that all trees receive, of a root with so many visits.

        The mean, or the sum, of columns that are visits and results by turns.
        """
        divisor = self.machines if self.average == "mean" else 1 + visits // MAX_COUNT
        common = sums.copy() if divisor == 1 else (sums + divisor // 2) // divisor
        common[..., 1::2] = numpy.minimum(common[..., 1::2], 2 * common[..., 0::2])
        return common


@dataclass(frozen=True)
class JointDecision:
    """The result of an exchange, the same on all machines."""

    votes: Numbers  # for each move, by its number
    statistics: Table  # visits and results of each move
    proofs: Numbers | None = (
        None  # of each move, as proofs() has them; None where they do not count
    )

    @property
    def move(self) -> int:
        """The move with the most votes, of equals the one with the lowest number.

        A move that any machine has proven to win comes before all others, and one that is proven
        to lose after them.
        """
        votes = self.votes
        if self.proofs is not None:
            wins, losses = won(self.proofs), self.proofs // LOSS > 0
            candidates = self.proofs > 0
            better = next(moves for moves in (wins, candidates & ~losses, ~wins) if moves.any())
            votes = numpy.where(better & (candidates | ~candidates.any()), votes, -1)
        return int(votes.argmax())

    def is_won(self, move: int) -> bool:
        """Return whether any machine has proven that a move wins."""
        return self.proofs is not None and bool(won(self.proofs)[move])


# Summed over up to 10,000 machines, three counts fit in one number: of those that have the move in
# their trees, that have proven that it wins, and that it loses.
WIN, LOSS = 2**20, 2**40


def won(proofs: Numbers) -> NDArray[numpy.bool_]:
    """Return for each move whether any machine has proven that it wins."""
    return proofs // WIN % (LOSS // WIN) > 0


def proofs(machine: Machine) -> Numbers:
    """Return for each move whether it is in the tree, plus WIN or LOSS where that is proven."""
    children = machine.search.children()
    found = numpy.zeros(len(machine.local()), int64)
    found[children["move"]] = 1
    for value, winner in ((WIN, children["player"]), (LOSS, 3 - children["player"])):
        found[children["move"][children["proven"] == winner]] += value
    return found


def average(machine: Machine, sharing: Sharing, depth: int) -> Exchange[JointDecision]:
    """Average the moves of the root and of the selected nodes, down to a depth, level by level.

    A node is selected if it has the threshold's share of the root's simulations, of all machines
    together. Every machine identifies it by its path, so that no keys need to be sent.
    """
    columns = 4 if sharing.rave else 2
    local_root, local = machine.local_root(), machine.local()[:, :columns]
    sums = yield numpy.concatenate([local_root, proofs(machine), local.ravel()])
    root, proven, rows = numpy.split(sums, [2, 2 + len(local)])
    rows = rows.reshape(local.shape)
    visits = int(root[0])
    machine.receive_root(local_root, sharing.common(root, visits))
    machine.receive(local, sharing.common(rows, visits))
    decision = JointDecision(rows[:, 0], rows[:, :2], proven)
    level: list[Path] = [()]
    tables = rows[numpy.newaxis]
    for _ in range(depth):
        selected = 100 * tables[..., 0] >= max(1.0, sharing.threshold * visits)
        level = [(*level[k], move) for k, move in numpy.argwhere(selected).tolist()]
        if not level:
            break
        tables_here = numpy.stack([machine.local(path)[:, :columns] for path in level])
        sums = yield tables_here.ravel()
        tables = sums.reshape(tables_here.shape)
        for path, local, common in zip(
            level, tables_here, sharing.common(tables, visits), strict=True
        ):
            machine.receive(local, common, path)
    return decision
