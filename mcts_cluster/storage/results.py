"""What is in a file, in memory: the job, its matches, its games, its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any

from mcts_cluster.matches.match import GameRecord
from mcts_cluster.storage.schema import Column


@dataclass(frozen=True)
class Table:
    """A group whose rows are appended, with a count of those that are valid, as the games are.

    `content` has the rows that are known, a list for each column.
    """

    columns: tuple[Column, ...]
    content: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    expected: int = 0  # rows, about


@dataclass(frozen=True)
class MatchRecord:
    """A match as a file knows it."""

    players: tuple[str, str]
    games: int
    published: str = ""
    simulations: int = 0  # a move of the second player, or else of the first: an axis
    opening: int = 0  # plies at random, the same in games 2k and 2k + 1
    machines: int = 0  # of the second player, or else of the first: another axis

    @property
    def name(self) -> str:
        return " against ".join(self.players)


@dataclass(frozen=True)
class RunRecord:
    """A time at which the job was started or continued; the names are those of /runs."""

    began: float
    ended: float = nan
    status: int = -1
    busy: float = nan
    first_game: int = 0
    slots: int = 1
    ranks: int = 1
    cores: int = 1
    hosts: str = ""
    version: str = ""
    commit: str = ""
    build_flags: str = ""
    compiler: str = ""
    python: str = ""
    mpi_library: str = ""
    arguments: str = ""
    folder: str = ""


@dataclass(frozen=True)
class Results:
    """All that is in a file."""

    title: str
    game: str
    text: str  # the job, as it was written
    overrides: str  # of --set, a line each
    settings: str  # all that the job amounts to, as JSON
    matches: tuple[MatchRecord, ...]
    rows: tuple[GameRecord, ...] = ()
    runs: tuple[RunRecord, ...] = ()
    is_closed: bool = field(default=True, compare=False)  # not being written, nor left by a kill
    tables: Mapping[str, Table] = field(default_factory=dict)  # of a campaign


def axis_of(matches: Sequence[MatchRecord]) -> str:
    """Return the column over which the matches make a curve, if there is one."""
    for name in ("simulations", "machines"):
        if is_axis([getattr(match, name) for match in matches]):
            return name
    return ""


def is_axis(numbers: Sequence[int]) -> bool:
    """Tell whether numbers can be the axis of a plot: they rise, from more than 0."""
    return all(a < b for a, b in zip([0, *numbers], numbers, strict=False)) and len(numbers) > 1
