"""The portion of a job that a run plays: all of it, some games or races, or one of several parts.

Games of matches do not depend on each other, so that several runs can share a job: on other sites,
or as the tasks of a job array. A part has whole pairs of games, of each match as many as any other
part; they stay its own when the job grows. Of a campaign it has races.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mcts_cluster.errors import UserError

PAIR = 2
GAMES, RACES = "games", "races"
EXAMPLES = {GAMES: "0:500 for games 0 to 499", RACES: "1:51 for races 1 to 50"}


@dataclass(frozen=True)
class Portion:
    """Which games of each match are played, or which races of a campaign, by their numbers."""

    first: int = 0
    end: int | None = None  # the number after the last one
    part: int = 1
    parts: int = 1
    of: str = GAMES

    def has(self, number: int) -> bool:
        """Return whether a game of a match is one of it."""
        if self.end is not None and number >= self.end:
            return False
        return number >= self.first and number // PAIR % self.parts == self.part - 1

    def numbers(self, games: int) -> Sequence[int]:
        """Return the games of a match that has so many."""
        if self.parts == 1:
            return range(self.first, games if self.end is None else min(games, self.end))
        return list(filter(self.has, range(games)))

    def races(self, iterations: int) -> range:
        """Return the races of a campaign that has so many, from 1."""
        if self.end is not None:
            return range(self.first, min(self.end, iterations + 1))
        first, end = (iterations * part // self.parts for part in (self.part - 1, self.part))
        return range(first + 1, end + 1)

    def check(self, of: str) -> None:
        """Refuse a range of others; raises UserError."""
        if self.end is not None and self.of != of:
            raise UserError(f"--{self.of}: not for this job, must be --{of}")

    def __bool__(self) -> bool:
        return self != ALL

    def __str__(self) -> str:
        if self.parts > 1:
            return f"part {self.part}/{self.parts}"
        return f"{self.of} {self.first}:{self.end}" if self else ""


ALL = Portion()


def some(text: str, of: str = GAMES) -> Portion:
    """Return the games or races of a range, as "0:500" has it; raises UserError."""
    found = re.fullmatch(r"(\d{1,7}):(\d{1,7})", text)
    if not found:
        raise UserError(f"--{of} {text}: must be FIRST:END, such as {EXAMPLES[of]}")
    first, end = map(int, found.groups())
    if of == RACES and not first:
        raise UserError(f"--{of} {text}: FIRST must be at least 1")
    if end <= first:
        raise UserError(f"--{of} {text}: END must be larger than FIRST")
    return Portion(first, end, of=of)


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
    if word == "part":
        return part(value)
    return some(value, word) if word else ALL
