"""What to play next: arithmetic on rows, independent of processes, ranks and files.

Two words: a game is issued to a free worker, and its row fixes it. Given the rows of earlier runs,
a schedule continues them, so that games which a run has lost are issued by the next.

All matches grow evenly, each by the share of its games, so that a run which ends early leaves a
whole table. In each the games are issued in the order of their numbers, and so in turns with one
colour and the other.

A void game is issued again. The first time it is the same game, with the same seed, which another
worker tries: where the worker was at fault, this is the game that was wanted. If it is void there,
too, the next attempt has another seed. After MAX_ATTEMPTS of them in this run the game is left to
the next one; so is a match of which so many attempts failed and no game was played.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Generic, TypeVar

from mcts_cluster.matches.experiment import Bar
from mcts_cluster.matches.game_record import GameRecord, Outcome
from mcts_cluster.matches.portion import ALL, Portion
from mcts_cluster.matches.setup import MatchKey, Task
from mcts_cluster.success_rates import success

MAX_ATTEMPTS = 3
# Times that an attempt may be void, each at another worker.
MAX_TRIES = 2

# What a game is known by.
Game = TypeVar("Game", bound=Hashable)


class Attempts(Generic[Game]):
    """What becomes of void games.

    Public attributes (treat as read-only): failed, how many attempts of this run have failed.
    """

    def __init__(self) -> None:
        self.void: Counter[tuple[Game, int]] = Counter()  # by game and attempt
        self.now: Counter[Game] = Counter()  # in this run, by game
        self.failed = 0

    def count(self, game: Game, attempt: int) -> None:
        """Count a void row of a game."""
        self.void[game, attempt] += 1
        self.now[game] += 1
        self.failed += self.void[game, attempt] == MAX_TRIES

    def begin_run(self) -> None:
        """Forget which games earlier runs have left."""
        self.now.clear()
        self.failed = 0

    def following(self, game: Game) -> int:
        """Return the attempt that comes next."""
        attempt = 0
        while self.void[game, attempt] >= MAX_TRIES:
            attempt += 1
        return attempt

    def is_left(self, game: Game) -> bool:
        """Return whether a game is left to the next run."""
        return self.now[game] >= MAX_ATTEMPTS * MAX_TRIES


@dataclass
class ScheduledMatch:
    """A match of the schedule: of its games, which are played, under way, or to be played."""

    match: MatchKey
    numbers: Sequence[int]  # of its games
    played: int = 0
    points: float = 0.0  # of the first player
    issued: int = 0  # those that are played, under way or left to the next run
    following: int = 0  # from this place in `numbers` on none was issued, but those of `taken`
    # By the places in `numbers`, those of earlier runs: a byte a game, as there may be millions.
    taken: bytearray = field(default_factory=bytearray)
    again: list[tuple[int, int]] = field(default_factory=list)  # a heap of numbers and attempts
    attempts: Attempts[int] = field(default_factory=Attempts)

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
        return not self.played and self.attempts.failed >= MAX_ATTEMPTS

    def continue_from(self, row: Outcome | GameRecord) -> None:
        """Count a game of earlier runs; of several rows the first that is not void."""
        place = bisect_left(self.numbers, row.number)
        if place == self.games or self.numbers[place] != row.number:
            return
        if not self.taken:
            self.taken = bytearray(self.games)
        if row.points is None:
            self.attempts.count(row.number, row.attempt)
        elif not self.taken[place]:
            self.taken[place] = True
            self.issued += 1
            self.count(row.points)

    def begin_run(self) -> None:
        """Put back the games that were void in earlier runs, and no more."""
        self.attempts.begin_run()
        for number in sorted({number for number, _ in self.attempts.void}):
            place = bisect_left(self.numbers, number)
            if not self.taken[place]:
                self.taken[place] = True
                self.issued += 1
                self.put_back(number)

    def issue(self) -> Task | None:
        """Return the next game, if there is one."""
        while self.following < len(self.taken) and self.taken[self.following]:
            self.following += 1
        if self.is_hopeless or not (self.again or self.following < self.games):
            return None
        self.issued += 1
        if self.again:
            return Task(self.match, *heappop(self.again))
        self.following += 1
        return Task(self.match, self.numbers[self.following - 1])

    def fix(self, row: GameRecord | Outcome) -> None:
        if row.points is not None:
            self.count(row.points)
            return
        self.attempts.count(row.number, row.attempt)
        if not self.attempts.is_left(row.number):
            self.put_back(row.number)

    def count(self, points: float) -> None:
        self.played += 1
        self.points += points

    def put_back(self, number: int) -> None:
        self.issued -= 1
        heappush(self.again, (number, self.attempts.following(number)))


class Schedule:
    """The games of a job, or of a portion of it, given how many each match has.

    Public attributes (treat as read-only): matches, by their keys, those without a game left out;
    noun, what is played.
    """

    def __init__(
        self,
        games: Mapping[MatchKey, int],
        rows: Iterable[GameRecord | Outcome] = (),
        portion: Portion = ALL,
        noun: str = "game",
    ) -> None:
        self.noun = noun
        numbers = {match: portion.numbers(count) for match, count in games.items()}
        self.matches = {match: ScheduledMatch(match, own) for match, own in numbers.items() if own}
        for row in rows:
            if own := self.matches.get(row.match):
                own.continue_from(row)
        for own in self.matches.values():
            own.begin_run()

    def issue(self) -> Task | None:
        """Return the next game; nothing where all are issued, or void again and again."""
        for one in sorted(self.matches.values(), key=lambda one: one.share):
            if task := one.issue():
                return task
        return None

    def fix(self, row: GameRecord | Outcome) -> None:
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
        if not self.left:
            return ""
        is_one = self.left == 1
        return f"1 {self.noun} is" if is_one else f"{self.left:,} {self.noun}s are"

    @property
    def left(self) -> int:
        return self.games - self.played

    def bars(self) -> list[Bar]:
        # First all, because a terminal shows no more bars than it has lines.
        return [
            Bar(f"{self.noun}s", self.played, self.games),
            *(Bar(str(c.match), c.played, c.games, c.rate) for c in self.matches.values()),
        ]

    def news(self) -> list[str]:
        return []
