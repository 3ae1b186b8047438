"""The cost of an exchange on the ranks of this job: `bench exchanges`.

Reading and writing the trees is measured in seconds of a rank's processor, which hardly depend on
other users of the machine; sums over ranks in seconds of the wall. exchange_model.py predicts from
both the cost on more ranks.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from os import cpu_count
from statistics import median
from time import perf_counter, perf_counter_ns, process_time
from typing import Any, TypeVar

import numpy
from rich.table import Table

from cext import build_info
from mcts_cluster import games
from mcts_cluster.parallel import mpi, mpi_ranks
from mcts_cluster.parallel.leader import TeamPlayer
from mcts_cluster.parallel.ranks import ALONE, Ranks
from mcts_cluster.parallel.sharing.exchange import Exchange, JointDecision, Numbers, Sharing
from mcts_cluster.parallel.team import Team
from mcts_cluster.players.mcts import defaults

T = TypeVar("T")

# And a period: simulations that take about a third of a second, as the scalability paper has it.
BOARDS = {
    "go9": ("go", 9, 13_000),
    "go19": ("go", 19, 2_800),
    "havannah8": ("havannah", 8, 58_000),
}
A_SECOND = 3  # exchanges
STRATEGIES = ("slow-root", "slow-tree")
WORKLOADS = [f"{board}.{strategy}" for board in BOARDS for strategy in STRATEGIES]
MACHINES = (1, 4)  # on a rank, by default
MAX_MACHINES = 1000
PERIODS = 3
NUMBERS = (1, 100, 1_000, 10_000)  # in a sum
SUMS, BATCHES = 10, 20  # one after the other, and how often that in a round


@dataclass(frozen=True)
class ExchangeCost:
    """A mean exchange of a search from the empty board, as one rank sees it."""

    board: str
    sharing: str
    machines: int  # on the rank
    sums: float
    nodes: float  # whose moves are shared
    bytes: float  # in all its sums together
    cpu_seconds: float  # of the rank, to read and write the trees of all its machines
    seconds: float  # of the wall, sums included, of the last rank, which waits for no other


@dataclass(frozen=True)
class SumTime:
    """How long one sum over the ranks takes, on the wall."""

    numbers: int
    seconds: float


@dataclass(frozen=True)
class Measured:
    """What was measured on some ranks."""

    ranks: int
    hosts: int
    cores: int  # of the first host
    exchanges: tuple[ExchangeCost, ...]
    sums: tuple[SumTime, ...]
    commit: str = ""  # of the code that was measured
    mpi_library: str = ""

    def as_object(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_object(cls, found: dict[str, Any]) -> "Measured":
        parts = {
            "exchanges": tuple(ExchangeCost(**row) for row in found["exchanges"]),
            "sums": tuple(SumTime(**row) for row in found["sums"]),
        }
        return cls(**found | parts)


class MeasuredTeam(Team):
    """A team that measures its exchanges, and counts the nodes that are shared.

    Public attributes (treat as read-only): cpu_seconds, of the processor; nodes; took, the
    nanoseconds of each exchange.
    """

    cpu_seconds = 0.0
    nodes = 0
    took: tuple[int, ...] = ()

    def exchange(self) -> JointDecision:
        began = perf_counter_ns()
        decision = super().exchange()
        self.took += (perf_counter_ns() - began,)
        return decision

    def steps(self) -> Exchange[Any]:
        return self.measured(super().steps())

    def measured(self, steps: Exchange[T]) -> Exchange[T]:
        # A node has four numbers a move; the root, with one more a move and two, counts as one.
        node = 4 * (self.machines[0].game.core.points + 1)
        sums: Numbers | None = None
        while True:
            began = process_time()
            try:
                numbers = next(steps) if sums is None else steps.send(sums)
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                self.cpu_seconds += process_time() - began
            self.nodes += len(numbers) // node
            sums = yield numbers


def measure(names: Iterable[str], machines: Sequence[int], rounds: int) -> Measured | None:
    """Measure on all ranks of this job; return the figures on the first one."""
    if mpi.launched() == 1:
        return measure_on(ALONE, 1, names, machines, rounds)
    with mpi_ranks.world() as ranks:
        measured = measure_on(ranks, len(set(ranks.hosts())), names, machines, rounds)
        return None if ranks.number else measured


def measure_on(
    ranks: Ranks, hosts: int, names: Iterable[str], machines: Sequence[int], rounds: int
) -> Measured:
    exchanges = tuple(
        middle([exchange(board, strategy, count, ranks, seed) for seed in range(rounds)])
        for board, _, strategy in (name.partition(".") for name in names)
        for count in machines
    )
    sums = tuple(sum_time(ranks, numbers, rounds) for numbers in NUMBERS) if ranks.count > 1 else ()
    library = mpi.mpi_library() if ranks.count > 1 else ""
    return Measured(
        ranks.count, hosts, cpu_count() or 1, exchanges, sums, build_info.commit(), library
    )


def exchange(board: str, strategy: str, machines: int, ranks: Ranks, seed: int) -> ExchangeCost:
    """Search once with so many machines on each rank."""
    name, size, period = BOARDS[board]
    player = replace(defaults("mogo", games.GAMES[name]), simulations=1, megabytes=64)
    sharing = Sharing(strategy, machines * ranks.count, period)
    team = MeasuredTeam(TeamPlayer(player, sharing, ranks), games.new(name, size=size), seed)
    team.search(PERIODS * period, 0.0)
    counters, count = team.counters, team.counters.exchanges
    return ExchangeCost(
        board,
        strategy,
        machines,
        sums=counters.sums / count,
        nodes=team.nodes / count,
        bytes=counters.exchange_bytes / count,
        cpu_seconds=team.cpu_seconds / count,
        seconds=1e-9 * median(ranks.least(numpy.array(team.took)).tolist()),
    )


def middle(found: list[ExchangeCost]) -> ExchangeCost:
    """Return the median of each figure; the least seconds of the wall, as other users add to it."""
    figures = ("sums", "nodes", "bytes", "cpu_seconds")
    middles = {name: median(getattr(x, name) for x in found) for name in figures}
    return replace(found[0], **middles, seconds=min(x.seconds for x in found))


def sum_time(ranks: Ranks, numbers: int, rounds: int) -> SumTime:
    row = numpy.zeros(numbers, numpy.int64)
    took: list[float] = []
    for _ in range(rounds * BATCHES):
        began = perf_counter()
        # In a row, because a rank that is late for a single sum finds it done.
        for _ in range(SUMS):
            ranks.start(row).finish()
        took.append((perf_counter() - began) / SUMS)
    # The least, because other users of the machine only add to it.
    return SumTime(numbers, min(took))


def tables(measured: Measured) -> list[Table]:
    title = f"an exchange, three a second; ranks {measured.ranks}, hosts {measured.hosts}"
    exchanges = Table(title=title, title_justify="left")
    exchanges.add_column("board and sharing")
    for heading in ("machines", "sums", "nodes", "bytes", "CPU ms", "ms", "% CPU"):
        exchanges.add_column(heading, justify="right")
    for one in measured.exchanges:
        exchanges.add_row(
            f"{one.board}.{one.sharing}",
            f"{one.machines}",
            f"{one.sums:.1f}",
            f"{one.nodes:.1f}",
            f"{one.bytes:,.0f}",
            f"{1e3 * one.cpu_seconds:.2f}",
            f"{1e3 * one.seconds:.2f}",
            f"{100 * A_SECOND * one.cpu_seconds / one.machines:.2f}",
        )
    if not measured.sums:
        return [exchanges]
    sums = Table(title="a sum over all ranks", title_justify="left")
    for heading in ("numbers", "ms"):
        sums.add_column(heading, justify="right")
    for sum_ in measured.sums:
        sums.add_row(f"{sum_.numbers:,}", f"{1e3 * sum_.seconds:.3f}")
    return [exchanges, sums]
