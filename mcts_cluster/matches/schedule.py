"""What to play next: arithmetic on rows, which knows of no process, rank or file.

Three words: a game is issued to whoever is free; its row fixes it; and if it is lost, with the
process that played it, it is rolled back and will be issued again. A schedule that is given the
rows of earlier runs continues them.

All matches grow evenly, each by the share of its games, so that a run which ends early leaves a
whole table. In each the games are issued in the order of their numbers, and so in turns with one
colour and the other.

A void game is issued again as another attempt, with another seed. One that was void MOST_ATTEMPTS
times in this run is given up until the next; so is a match that was void MOST_VOID times and never
anything else.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush

from mcts_cluster.matches.game_record import GameRecord

MAX_ATTEMPTS = 3
MAX_VOID = 6


@dataclass(frozen=True, order=True)
class Task:
    """A game to play: of which match, which of its games, and how often it was void before."""

    match: str
    number: int
    attempt: int = 0


@dataclass
class Cell:
    """A match of the schedule: of its games, which are played, under way, or to be played."""

    name: str
    games: int
    played: int = 0
    issued: int = 0  # those that are played, under way or given up
    following: int = 0  # from this number on none was issued, but for those in `taken`
    taken: set[int] = field(default_factory=set)
    again: list[Task] = field(default_factory=list)  # a heap
    void: Counter[int] = field(default_factory=Counter)  # of this run, by number

    @property
    def share(self) -> float:
        return self.issued / self.games

    @property
    def is_hopeless(self) -> bool:
        return not self.played and self.void.total() >= MAX_VOID

    @property
    def given_up(self) -> int:
        """How many games this run will not play any more."""
        if self.is_hopeless:
            return self.games
        return sum(count >= MAX_ATTEMPTS for count in self.void.values())

    def continue_from(self, last: GameRecord) -> None:
        """Count a game of earlier runs by its last row."""
        self.taken.add(last.number)
        self.issued += 1
        if last.points is not None:
            self.played += 1
        else:
            self.roll_back(Task(self.name, last.number, last.attempt + 1))

    def issue(self) -> Task | None:
        """Return the next game, if there is one."""
        while self.following in self.taken:
            self.taken.remove(self.following)
            self.following += 1
        if self.is_hopeless or not (self.again or self.following < self.games):
            return None
        self.issued += 1
        if self.again:
            return heappop(self.again)
        self.following += 1
        return Task(self.name, self.following - 1)

    def fix(self, row: GameRecord) -> None:
        if row.points is not None:
            self.played += 1
            return
        self.void[row.number] += 1
        if self.void[row.number] < MAX_ATTEMPTS:
            self.roll_back(Task(self.name, row.number, row.attempt + 1))

    def roll_back(self, task: Task) -> None:
        self.issued -= 1
        heappush(self.again, task)


class Schedule:
    """The games of a job, given how many each match has.

    Public attributes (treat as read-only): cells, by the names of their matches.
    """

    def __init__(self, games: Mapping[str, int], rows: Iterable[GameRecord] = ()) -> None:
        self.cells = {name: Cell(name, number) for name, number in games.items()}
        last: dict[tuple[str, int], GameRecord] = {}
        for row in rows:
            before = last.get((row.match, row.number))
            if before is None or before.attempt < row.attempt:
                last[row.match, row.number] = row
        for row in last.values():
            self.cells[row.match].continue_from(row)

    def issue(self) -> Task | None:
        """Return the next game; nothing where all are issued, or given up."""
        for cell in sorted(self.cells.values(), key=lambda cell: cell.share):
            if task := cell.issue():
                return task
        return None

    def fix(self, row: GameRecord) -> None:
        """Count what became of a game that was issued."""
        self.cells[row.match].fix(row)

    def roll_back(self, task: Task) -> None:
        """Take back a game that was issued and will have no row."""
        self.cells[task.match].roll_back(task)

    @property
    def games(self) -> int:
        return sum(cell.games for cell in self.cells.values())

    @property
    def played(self) -> int:
        return sum(cell.played for cell in self.cells.values())

    @property
    def is_complete(self) -> bool:
        return self.played == self.games

    @property
    def missing(self) -> str:
        """What has not been played, the subject of a sentence; nothing if all has."""
        left = self.games - self.played
        return {0: "", 1: "1 game is"}.get(left, f"{left:,} games are")

    @property
    def given_up(self) -> int:
        return sum(cell.given_up for cell in self.cells.values())
