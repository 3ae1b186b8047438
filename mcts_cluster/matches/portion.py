"""The portion of a job that a run plays: all of its games, some numbers, or one of several parts.

Games do not depend on each other, so that several runs can share a job: on other sites, or as the
tasks of a job array. A part has whole pairs of games, of each match as many as any other part. The
pairs of a part stay its own when the job grows.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mcts_cluster.errors import UserError

PAIR = 2


@dataclass(frozen=True)
class Portion:
    """Which games of each match are played, by their numbers."""

    first: int = 0
    end: int | None = None  # the number after the last one
    part: int = 1
    parts: int = 1

    def has(self, number: int) -> bool:
        if self.end is not None and number >= self.end:
            return False
        return number >= self.first and number // PAIR % self.parts == self.part - 1

    def numbers(self, games: int) -> Sequence[int]:
        """Return the numbers in a match of so many games."""
        if self.parts == 1:
            return range(self.first, games if self.end is None else min(games, self.end))
        return list(filter(self.has, range(games)))

    def __bool__(self) -> bool:
        return self != ALL

    def __str__(self) -> str:
        if self.parts > 1:
            return f"part {self.part}/{self.parts}"
        return f"games {self.first}:{self.end}" if self else ""


ALL = Portion()


def some(text: str) -> Portion:
    """Return the games of a range, as "0:500" has it; raises UserError."""
    found = re.fullmatch(r"(\d{1,7}):(\d{1,7})", text)
    if not found:
        raise UserError(f"--games {text}: must be FIRST:END, such as 0:500 for games 0 to 499")
    first, end = map(int, found.groups())
    if end <= first:
        raise UserError(f"--games {text}: END must be larger than FIRST")
    return Portion(first, end)


def part(text: str) -> Portion:
    """Return one of several parts, as "3/8" has it; raises UserError."""
    found = re.fullmatch(r"(\d{1,7})/(\d{1,7})", text)
    number, of = map(int, found.groups()) if found else (0, 0)
    if not 1 <= number <= of:
        raise UserError(f"--part {text}: must be K/N, such as 3/8, from 1/N to N/N")
    return Portion(part=number, parts=of)


def read(text: str) -> Portion:
    """Return a portion as files have it."""
    word, _, value = text.partition(" ")
    return {"games": some, "part": part}[word](value) if word else ALL
