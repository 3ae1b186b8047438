"""The rows of a campaign's tables in its file: candidates, looks at them, and verdicts.

`candidate` is a row of /candidates, except in /candidates itself.
"""

from dataclasses import dataclass

from mcts_cluster.columns import column
from mcts_cluster.players.bias_patterns import KINDS

CANDIDATES = "candidates"

MAX_VERSION_LENGTH = 1000
VERSION = f"S{MAX_VERSION_LENGTH}"
WORD = "S40"
LINE = "S120"


@dataclass(frozen=True)
class CandidateRow:
    """A candidate: it plays against the baseline, whose mutations so far were accepted."""

    first: str = column(VERSION, "the candidate, a version of the player")
    second: str = column(VERSION, "the baseline that it plays against")
    iteration: int = column("i4", "race, from 1")
    candidate: int = column("i4", "number in its race, from 1")
    accepted: int = column("i4", "mutations of the baseline")

    @property
    def players(self) -> tuple[str, str]:
        return self.first, self.second


@dataclass(frozen=True)
class PictureLine:
    """A line of the text of a candidate's patterns."""

    candidate: int = column("i4", "a row of /candidates")
    line: str = column(LINE, "a line of the text of its patterns")


@dataclass(frozen=True)
class CellRow:
    """A cell of a candidate's pattern."""

    candidate: int = column("i4", "a row of /candidates")
    strength: float = column("f8", "bias of the cell's pattern")
    dx: int = column("i2", "columns to the right of the move")
    dy: int = column("i2", "rows above the move")
    kind: int = column("i2", f"0 to 4: {', '.join(KINDS)}")


@dataclass(frozen=True)
class BatchEstimate:
    """The mean of a candidate after a batch of its games."""

    candidate: int = column("i4", "a row of /candidates")
    games: int = column("i8", "games that count after the batch: those with smaller numbers")
    mean: float = column("f8", "mean score of the candidate in them")
    low: float = column("f8", "lower end of an interval that holds after stopping, too")
    high: float = column("f8", "upper end of that interval")
    correlation: float | None = column(
        "f8", "correlation within pairs of games; NaN: not known yet", none_is_nan=True
    )


@dataclass(frozen=True)
class LookRecord:
    """A test of a candidate by a stopping rule: the bounds and the verdict."""

    candidate: int = column("i4", "a row of /candidates")
    tests: int = column("i4", "which look of this rule at this candidate, from 1")
    games: int = column("i8", "games that count so far")
    mean: float = column("f8", "mean score of the candidate")
    lower: float = column("f8", "lower bound")
    upper: float = column("f8", "upper bound")
    rule: str = column(WORD, "stopping rule; the first one of a candidate decides")
    verdict: str = column(WORD, "accepted, discarded, exhausted, or nothing yet")


@dataclass(frozen=True)
class VerdictRow:
    """A finished race, or one of several candidates that it accepted."""

    iteration: int = column("i4", "race, from 1")
    candidate: int = column("i4", "a candidate that was accepted, a row of /candidates; -1: none")
    games: int = column("i8", "games of the race that count")
    ended: float = column("f8", "end of the game that decided, Unix time", units="s")
    risk: float = column("f8", "risk of error of this race")
    spent: float = column("f8", "risk of error of all races so far")


CAMPAIGN_TABLES: dict[str, type] = {
    CANDIDATES: CandidateRow,
    "pictures": PictureLine,
    "cells": CellRow,
    "batches": BatchEstimate,
    "looks": LookRecord,
    "verdicts": VerdictRow,
}
