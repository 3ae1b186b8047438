"""The contents of a file in memory: the job, its matches, its games, its runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from typing import Any

import numpy as np

from mcts_cluster.columns import SHORT, TEXT, column, derived, part
from mcts_cluster.matches.game_record import GameRecord, Outcome
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.storage.rows.joined_rows import JoinedRows
from mcts_cluster.storage.rows.stored_rows import StoredRows, columnar
from mcts_cluster.success_rates import success


@dataclass(frozen=True)
class MatchRecord:
    """A row of /matches."""

    key: MatchKey = part(MatchKey)
    games: int = column("i8", "games that the job asks for", name="wanted")
    published: str = column(TEXT, "name of the published figure to compare with", default="")
    # These two may be the axis of a plot.
    simulations: int = column(
        "i8",
        "simulations a move of the second player, or else of the first; 0: not limited",
        default=0,
    )
    opening: int = column(
        "i4", "moves at random at the start, the same in games 2k and 2k + 1", default=0
    )
    machines: int = column(
        "i4", "machines of the second player, or else of the first; 0: no team", default=0
    )

    @property
    @derived(TEXT, "both players, as people name the match")
    def name(self) -> str:
        return str(self.key)

    @property
    def players(self) -> tuple[str, str]:
        return self.key.players


@dataclass
class Tally:
    """The counts and the success rate of the games of a match."""

    games: int = column("i8", "games played, without void ones", default=0)
    void: int = column("i8", "void games", default=0)
    points: float = 0.0

    def add(self, points: float | None) -> None:
        if points is None:
            self.void += 1
        else:
            self.games += 1
            self.points += points

    @property
    @derived("f8", "success rate of the first player, in all games", units="%")
    def success_rate(self) -> float:
        return success(self.points, self.games)[0] if self.games else nan

    @property
    @derived("f8", "standard error of the success rate", units="%")
    def success_rate_errors(self) -> float:
        return success(self.points, self.games)[1] if self.games else nan


@dataclass(frozen=True)
class RunRecord:
    """A time at which the job was started or continued."""

    began: float = column("f8", "start of the run, Unix time", units="s")
    ended: float = column(
        "f8", "end of the run, Unix time; NaN: under way, or killed", units="s", default=nan
    )
    status: int = column("i4", "exit status; -1: under way, or killed", default=-1)
    busy: float = column(
        "f8", "share of the time in which workers played; NaN: not known yet", default=nan
    )
    first_game: int = column("i8", "first row of /games that this run wrote", default=0)
    slots: int = column("i4", "games played at a time", default=1)
    ranks: int = column("i4", "MPI ranks, 1 without MPI", default=1)
    cores: int = column("i4", "cores that the master could use", default=1)
    hosts: str = column(TEXT, "hosts, with the number of workers on each", default="")
    version: str = column(TEXT, "version of mcts_cluster", default="")
    commit: str = column(TEXT, "commit that it was built from", default="")
    build_flags: str = column(TEXT, "flags that it was built with", default="")
    compiler: str = column(TEXT, "compiler that it was built with", default="")
    python: str = column(TEXT, "version of Python", default="")
    mpi_library: str = column(TEXT, "MPI library in use, empty without MPI", default="")
    arguments: str = column(
        TEXT, "command line, files in that folder or at home without its path", default=""
    )
    folder: str = column(TEXT, "name of the folder in which it was started", default="")
    placement: str = column(
        TEXT,
        "where the ranks of teams were, and how many ranks were left over; empty: no teams of them",
        missing="",
        optional=True,
        default="",
    )
    portion: str = column(
        TEXT,
        "what it was to play, such as games 0:500, races 1:51 or part 3/8; empty: all",
        missing="",
        optional=True,
        default="",
    )
    replayed: int = column(
        "i8", "games that another worker played, too", missing=0, optional=True, default=0
    )
    disagreed: int = column(
        "i8", "how many of them were other games there", missing=0, optional=True, default=0
    )
    disagreement: str = column(
        SHORT,
        "the first of these, with both workers; empty: none",
        missing="",
        optional=True,
        default="",
    )


@dataclass(frozen=True)
class GrowingTable:
    """A table of a campaign, whose rows are appended as games end."""

    content: Sequence[Any] = ()  # the rows that are known, records of its kind
    expected: int = 0  # rows, about


@dataclass(frozen=True)
class Results:
    """All that is in a file."""

    title: str
    game: str
    text: str  # the job, as it was written
    overrides: str  # of --set, a line each
    settings: str  # every setting of the job, as JSON
    matches: tuple[MatchRecord, ...]
    rows: Sequence[GameRecord] = ()
    runs: tuple[RunRecord, ...] = ()
    is_closed: bool = field(default=True, compare=False)  # not being written, nor left by a kill
    tables: Mapping[str, GrowingTable] = field(default_factory=dict)  # of a campaign
    kind: str = "matches"  # of the experiment: matches, campaign, positions

    @property
    def games(self) -> StoredRows:
        """The rows as columns."""
        return columnar(self.rows, GameRecord)

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the outcome of each game."""
        if isinstance(self.rows, JoinedRows):
            for row in self.rows:
                yield Outcome(row.match, row.number, row.points, row.attempt, row.ended)
            return
        keys = self.games.linked["match"]
        for columns in self.games.parts("match", "number", "points", "attempt", "ended"):
            cells = (column.tolist() for column in columns)
            for match, number, points, attempt, ended in zip(*cells, strict=True):
                known = None if isnan(points) else points
                yield Outcome(keys[match], number, known, attempt, ended)

    def void(self) -> Iterator[GameRecord]:
        """Yield the rows of void games."""
        first = 0
        for [points] in self.games.parts("points"):
            for place in np.flatnonzero(np.isnan(points)).tolist():
                yield self.rows[first + place]
            first += len(points)

    @property
    def played(self) -> int:
        """How many games there are that are not void."""
        parts = self.games.parts("points")
        return sum(int(np.count_nonzero(~np.isnan(points))) for [points] in parts)


def axis_of(matches: Sequence[MatchRecord]) -> str:
    """Return the column over which the matches make a curve, if there is one."""
    for name in ("simulations", "machines"):
        if is_axis([getattr(match, name) for match in matches]):
            return name
    return ""


def is_axis(numbers: Sequence[int]) -> bool:
    """Return whether numbers can be the axis of a plot: they rise, from more than 0."""
    return all(a < b for a, b in zip([0, *numbers], numbers, strict=False)) and len(numbers) > 1
