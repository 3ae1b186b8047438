"""What to play next: arithmetic on rows, independent of processes, ranks and files.

Two words: a game is issued to a free worker, and its row fixes it. Given the rows of earlier runs,
a schedule continues them, so that games which a run has lost are issued by the next.

All matches grow evenly, each by the share of its games, so that a run which ends early leaves a
whole table. In each the games are issued in the order of their numbers, and so in turns with one
colour and the other.

A void game is issued again as another attempt, with another seed. One that was void MAX_ATTEMPTS
times in this run is left to the next; so is a match that was void MAX_VOID times and never
anything else.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from mcts_cluster.matches.experiment import Bar
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.portion import ALL, Portion
from mcts_cluster.matches.setup import MatchKey, Task
from mcts_cluster.success_rates import success

MAX_ATTEMPTS = 3
MAX_VOID = 6


@dataclass
class ScheduledMatch:
    """A match of the schedule: of its games, which are played, under way, or to be played."""

    match: MatchKey
    numbers: Sequence[int]  # of its games
    played: int = 0
    points: float = 0.0  # of the first player
    issued: int = 0  # those that are played, under way or left to the next run
    following: int = 0  # from this place in `numbers` on none was issued, but those in `taken`
    taken: set[int] = field(default_factory=set)
    again: list[tuple[int, int]] = field(default_factory=list)  # a heap of numbers and attempts
    void: Counter[int] = field(default_factory=Counter)  # of this run, by number

    @property
    def games(self) -> int:
        return len(self.numbers)

    @property
    def share(self) -> float:
        return self.issued / self.games

    @property
    def rate(self) -> str:
        """The success rate of the first player, with its standard error."""
        if not self.played:
            return ""
        rate, error = success(self.points, self.played)
        return f"{rate:.1f} ± {error:.1f} %"

    @property
    def is_hopeless(self) -> bool:
        return not self.played and self.void.total() >= MAX_VOID

    def continue_from(self, last: GameRecord) -> None:
        """Count a game of earlier runs by its last row."""
        self.taken.add(last.number)
        self.issued += 1
        if last.points is None:
            self.put_back(last)
        else:
            self.count(last.points)

    def issue(self) -> Task | None:
        """Return the next game, if there is one."""
        while self.following < self.games and self.numbers[self.following] in self.taken:
            self.taken.remove(self.numbers[self.following])
            self.following += 1
        if self.is_hopeless or not (self.again or self.following < self.games):
            return None
        self.issued += 1
        if self.again:
            return Task(self.match, *heappop(self.again))
        self.following += 1
        return Task(self.match, self.numbers[self.following - 1])

    def fix(self, row: GameRecord) -> None:
        if row.points is not None:
            self.count(row.points)
            return
        self.void[row.number] += 1
        if self.void[row.number] < MAX_ATTEMPTS:
            self.put_back(row)

    def count(self, points: float) -> None:
        self.played += 1
        self.points += points

    def put_back(self, void: GameRecord) -> None:
        self.issued -= 1
        heappush(self.again, (void.number, void.attempt + 1))


class Schedule:
    """The games of a job, or of a portion of it, given how many each match has.

    Public attributes (treat as read-only): matches, by their keys, those without a game left out.
    """

    def __init__(
        self,
        games: Mapping[MatchKey, int],
        rows: Iterable[GameRecord] = (),
        portion: Portion = ALL,
    ) -> None:
        numbers = {match: portion.numbers(count) for match, count in games.items()}
        self.matches = {match: ScheduledMatch(match, own) for match, own in numbers.items() if own}
        last: dict[tuple[MatchKey, int], GameRecord] = {}
        for row in rows:
            if not portion.has(row.number):
                continue
            before = last.get((row.match, row.number))
            if before is None or before.attempt < row.attempt:
                last[row.match, row.number] = row
        for row in last.values():
            self.matches[row.match].continue_from(row)

    def issue(self) -> Task | None:
        """Return the next game; nothing where all are issued, or void again and again."""
        for one in sorted(self.matches.values(), key=lambda one: one.share):
            if task := one.issue():
                return task
        return None

    def fix(self, row: GameRecord) -> None:
        """Count the record of a game that was issued."""
        self.matches[row.match].fix(row)

    @property
    def games(self) -> int:
        return sum(one.games for one in self.matches.values())

    @property
    def played(self) -> int:
        return sum(one.played for one in self.matches.values())

    @property
    def is_complete(self) -> bool:
        return self.played == self.games

    @property
    def missing(self) -> str:
        """What has not been played, the subject of a sentence; nothing if all has."""
        return {0: "", 1: "1 game is"}.get(self.left, f"{self.left:,} games are")

    @property
    def left(self) -> int:
        return self.games - self.played

    def bars(self) -> list[Bar]:
        # First all, because a terminal shows no more bars than it has lines.
        return [
            Bar("games", self.played, self.games),
            *(Bar(str(c.match), c.played, c.games, c.rate) for c in self.matches.values()),
        ]

    def news(self) -> list[str]:
        return []
