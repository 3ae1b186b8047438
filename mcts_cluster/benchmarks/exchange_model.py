"""A model of the cost of an exchange on more ranks than were measured: `bench predict`.

A rank reads and writes the trees of its machines, which takes the longer the more nodes are shared;
and an exchange has some sums, each of as many rounds as the ranks can be halved:

    seconds = CPU seconds of the rank + sums x ceil(log2 ranks) x a round of so many bytes

`bench exchanges` has measured both parts. A round is taken from the file with the fewest ranks, so
that the files with more of them test the model.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
from rich.table import Table

from mcts_cluster import text_files
from mcts_cluster.benchmarks.exchange_costs import A_SECOND, BOARDS, ExchangeCost, Measured
from mcts_cluster.errors import UserError
from mcts_cluster.parallel.sharing.exchange import Sharing
from mcts_cluster.reports.pictures.figures import new_figure, words

RANKS = (32, 256, 1024, 4096)


@dataclass(frozen=True)
class Network:
    """The time of a round of a sum: from one rank to another and back."""

    bytes: tuple[float, ...]
    seconds: tuple[float, ...]

    @classmethod
    def of(cls, measured: Measured) -> "Network":
        rounds = rounds_of(measured.ranks)
        return cls(
            tuple(8.0 * one.numbers for one in measured.sums),
            tuple(one.seconds / rounds for one in measured.sums),
        )

    @property
    def byte(self) -> float:
        """The seconds that a byte takes, of many."""
        more, longer = self.bytes[-1] - self.bytes[-2], self.seconds[-1] - self.seconds[-2]
        return max(0.0, longer / more)

    def round(self, size: float) -> float:
        """Return the seconds of so many bytes, interpolated or extrapolated."""
        beyond = max(0.0, size - self.bytes[-1]) * self.byte
        return float(numpy.interp(size, self.bytes, self.seconds)) + beyond

    def sum(self, ranks: int, size: float) -> float:
        return rounds_of(ranks) * self.round(size)


@dataclass(frozen=True)
class Group:
    """What was measured on one network, the fewest ranks first."""

    name: str
    files: Sequence[Measured]

    @property
    def network(self) -> Network:
        return Network.of(self.files[0])


def rounds_of(ranks: int) -> int:
    """Return ceil(log2 ranks)."""
    return (ranks - 1).bit_length()


@dataclass(frozen=True)
class Shape:
    """An exchange as the trees make it, with one machine on a rank."""

    name: str
    cpu_seconds: float
    sums: float
    bytes: float

    def seconds(self, ranks: int, network: Network) -> float:
        return self.cpu_seconds + self.sums * network.sum(ranks, self.bytes / self.sums)


def shapes(measured: Measured) -> list[Shape]:
    """Return the measured shapes, and for each board the largest that slow tree can have."""
    found = {(one.board, one.sharing): one for one in measured.exchanges if one.machines == 1}
    some = [
        Shape(f"{b}.{s}", one.cpu_seconds, one.sums, one.bytes) for (b, s), one in found.items()
    ]
    for board in BOARDS:
        root, tree = found.get((board, "slow-root")), found.get((board, "slow-tree"))
        if root and tree and tree.nodes > root.nodes:
            some.append(largest(root, tree))
    return some


def largest(root: ExchangeCost, tree: ExchangeCost) -> Shape:
    """Return the slow tree exchange with as many nodes on each level as the threshold allows."""
    sharing = Sharing()
    nodes = sharing.depth * int(100 / sharing.threshold)
    per_node = [
        (y - x) / (tree.nodes - root.nodes)
        for x, y in ((root.cpu_seconds, tree.cpu_seconds), (root.bytes, tree.bytes))
    ]
    cpu_seconds, size = (
        x + nodes * more for x, more in zip((root.cpu_seconds, root.bytes), per_node, strict=True)
    )
    return Shape(f"{root.board}.slow-tree at most", cpu_seconds, sharing.depth + 1.0, size)


def groups_of(files: Sequence[Measured]) -> list[Group]:
    """Return the networks that sums were measured on: inside one host, and between several."""
    kinds = {
        "one host": [x for x in files if x.hosts == 1],
        "hosts": [x for x in files if x.hosts > 1],
    }
    found = {name: [x for x in kind if x.sums] for name, kind in kinds.items()}
    return [Group(name, some) for name, some in found.items() if some]


def read(path: Path) -> Measured:
    try:
        return Measured.from_object(json.loads(text_files.read(path)))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(f"{path}: must be output of bench exchanges --json") from None


def sums_table(group: Group) -> Table:
    """Compare the measured times of sums with those of the model."""
    title = f"milliseconds of a sum, {group.name}: measured, model"
    table = Table(title=title, title_justify="left")
    table.add_column("ranks")
    for one in group.files[0].sums:
        table.add_column(f"{8 * one.numbers:,} bytes", justify="right")
    for measured in group.files:
        cells = [
            f"{1e3 * x.seconds:.3f}  {1e3 * group.network.sum(measured.ranks, 8 * x.numbers):.3f}"
            for x in measured.sums
        ]
        table.add_row(f"{measured.ranks:,}", *cells)
    return table


def exchanges_table(some: Sequence[Shape], group: Group) -> Table:
    title = f"milliseconds of an exchange, {group.name}; percent of the time at {A_SECOND} a second"
    table = Table(title=title, title_justify="left")
    table.add_column("a machine a rank")
    for ranks in RANKS:
        table.add_column(f"{ranks:,} ranks", justify="right")
    for shape in some:
        seconds = [shape.seconds(ranks, group.network) for ranks in RANKS]
        cells = [f"{1e3 * one:.2f}  {100 * A_SECOND * one:.2f}" for one in seconds]
        table.add_row(shape.name, *cells)
    return table


# The picture

COLOURS = ("#1f5fa8", "#c2571a")
STYLES = ("-", "--", ":")
DRAWN = ("go9.slow-tree", "go19.slow-tree", "go19.slow-tree at most")


def drawn(groups: Sequence[Group], some: Sequence[Shape]) -> Any:
    """Draw the model over the ranks as lines, and the measurements as points."""
    figure = new_figure((10, 4.5))
    ranks = [2**power for power in range(1, 13)]
    left, right = figure.subplots(1, 2)
    for group, colour in zip(groups, COLOURS, strict=False):
        network = group.network
        for one, style, mark in zip(group.files[0].sums[::2], STYLES, "os", strict=False):
            found = [(x.ranks, 1e3 * seconds_of(x, one.numbers)) for x in group.files]
            line = [1e3 * network.sum(r, 8 * one.numbers) for r in ranks]
            label = f"{words(group.name)}, {8 * one.numbers:,} bytes"
            left.plot(ranks, line, style, color=colour, label=label)
            left.plot(*zip(*found, strict=True), mark, color=colour)
        for name, style, mark in zip(DRAWN, STYLES, "os^", strict=True):
            for shape in [shape for shape in some if shape.name == name]:
                line = [1e3 * shape.seconds(r, network) for r in ranks]
                right.plot(ranks, line, style, color=colour, label=f"{words(group.name)}, {name}")
            board, _, sharing = name.partition(".")
            points = [
                (x.ranks, 1e3 * one.seconds)
                for x in group.files
                for one in x.exchanges
                if (one.board, one.sharing, one.machines) == (board, sharing, 1)
            ]
            if points:
                right.plot(*zip(*points, strict=True), mark, color=colour)
    right.axhline(10 / A_SECOND, color="0.6", linewidth=1)
    right.annotate(f"1 % at {A_SECOND} a second", (2, 10 / A_SECOND), va="bottom", color="0.4")
    for axes, title in ((left, "a sum"), (right, "an exchange")):
        axes.set(title=title, xlabel="ranks", ylabel="milliseconds", xscale="log", yscale="log")
        axes.set_xticks(ranks[::2], [f"{r:,}" for r in ranks[::2]])
        axes.minorticks_off()
        axes.legend(fontsize=7)
    return figure


def seconds_of(measured: Measured, numbers: int) -> float:
    [seconds] = [one.seconds for one in measured.sums if one.numbers == numbers]
    return seconds
