"""Workers of any kind, as the master of a run sees them: how they are reached, and how they stand.

Their messages are those of worker.py. Two more are made on this side: LOST, where a worker is gone
for good, and REPLACED, where another one has taken its number, and knows of no task.

However a run ends, its worker processes end with it: they ignore signals, and the master
recalls them; where the master is killed, they notice that it is gone.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from mcts_cluster.errors import RunFailure
from mcts_cluster.exit_statuses import STOPPED
from mcts_cluster.parallel.mpi import own_cores

if TYPE_CHECKING:
    from mcts_cluster.matches.game_record import GameRecord
    from mcts_cluster.matches.setup import MatchKey, Task

LOST, REPLACED = "lost", "replaced"

# A game is overdue, and late, that takes so many times as long as any of its match, and so long.
OVERDUE, LATE = 2.0, 5.0
MIN_OVERDUE, MIN_LATE = 2.0, 10.0  # seconds
# Until so many games of a match have ended, none is late as long as there is something else to do.
MIN_GAMES = 5

# Of games under way at a worker, all that together last so long are queued, up to a number.
QUEUE_SECONDS = 0.05
MAX_QUEUE = 32

# A word, the number of a worker, and what belongs to the word.
Message = tuple[str, int, Any]


class WorkerFailed(Exception):
    """A defect met by a worker: the message has its name, its host and its traceback."""


class WrongRow(RunFailure):
    """A row is not that of the task which its worker was given."""


class NoWorkers(RunFailure):
    """All workers are lost, and another run may go on."""

    status = STOPPED


def cores() -> int:
    return len(own_cores())


@dataclass
class Pace:
    """How long the games of a match take, in seconds."""

    games: int = 0
    total: float = 0.0
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        self.games += 1
        self.total += seconds
        self.longest = max(self.longest, seconds)

    @property
    def usual(self) -> float:
        return self.total / self.games


class Paces:
    """How long games take.

    Public attributes (treat as read-only): depth, how many games a worker is to have: one as long
    as games take longer than the way there and back, and the more the shorter.
    """

    def __init__(self) -> None:
        self.paces: dict[MatchKey, Pace] = {}
        self.all = Pace()
        self.depth = 1
        self.last = deque([1.0], 200)

    def add(self, match: MatchKey, seconds: float) -> None:
        self.paces.setdefault(match, Pace()).add(seconds)
        self.all.add(seconds)
        self.last.append(seconds)
        mean = sum(self.last) / len(self.last)
        self.depth = min(MAX_QUEUE, 1 + round(QUEUE_SECONDS / max(mean, 1e-6)))

    def of(self, match: MatchKey) -> Pace:
        """Return the pace of a match, or that of all where none of its games has ended."""
        return self.paces.get(match, self.all)


@dataclass
class WorkerState:
    """A worker, as far as the master knows."""

    number: int
    host: str
    tasks: deque[Task] = field(default_factory=deque)  # the first one is being played
    since: float = 0.0  # it plays that
    void: int = 0  # games in a row
    is_set_aside: bool = False
    is_overdue: bool = False
    is_late: bool = False
    told: float = 0.0  # of how many seconds, in this game

    @property
    def is_open(self) -> bool:
        return not (self.is_set_aside or self.is_overdue)

    def is_overdue_after(self, spent: float, pace: Pace, is_idle: bool) -> bool:
        """Return whether a game that has taken so long is overdue, and note whether it is late.

        Where others have nothing to do, it is so earlier; before any game has ended, never.
        """
        if not pace.games:
            return False
        if is_idle or pace.games >= MIN_GAMES:
            self.is_late = spent > max(MIN_LATE, LATE * pace.longest)
        return self.is_late or (is_idle and spent > max(MIN_OVERDUE, OVERDUE * pace.longest))


class Roster:
    """The workers of a run, and which of them have how much to do.

    Public attributes (treat as read-only): states, by their numbers.
    """

    def __init__(self) -> None:
        self.states: dict[int, WorkerState] = {}
        # Those that are open, by how many tasks they have: worker by worker, load by load.
        self.open = [OrderedDict[int, None]() for _ in range(MAX_QUEUE + 1)]

    def add(self, state: WorkerState) -> None:
        self.states[state.number] = state
        self.open[0][state.number] = None

    def remove(self, state: WorkerState) -> None:
        """Forget a worker without tasks."""
        self.open[0].pop(state.number, None)
        del self.states[state.number]

    @contextmanager
    def moved(self, state: WorkerState) -> Iterator[None]:
        """Keep a worker where it belongs while its tasks or its standing change."""
        self.open[len(state.tasks)].pop(state.number, None)
        yield
        if state.is_open:
            self.open[len(state.tasks)][state.number] = None

    @property
    def has_idle(self) -> bool:
        return bool(self.open[0])

    def has_room(self, depth: int) -> bool:
        """Return whether somebody has fewer tasks than that."""
        return any(self.open[:depth])

    def least_busy(self) -> WorkerState:
        """Return a worker with the fewest tasks, of equals the first."""
        numbers = next(filter(None, self.open))
        return self.states[next(iter(numbers))]

    def readmit(self) -> bool:
        """Take those back that were set aside, where nobody else is left: it is not their fault."""
        aside = [one for one in self.states.values() if one.is_set_aside]
        if not aside or any(self.open):
            return False
        for one in aside:
            with self.moved(one):
                one.void, one.is_set_aside = 0, False
        return True


class Tries:
    """Where games were tried that are to be played elsewhere next."""

    def __init__(self) -> None:
        self.places: dict[tuple[MatchKey, int], list[tuple[str, int]]] = {}

    def add(self, row: GameRecord, number: int = -1) -> None:
        """Note where a row comes from, with the number of its worker in this run."""
        places = self.places.setdefault((row.match, row.number), [])
        places.append((row.worker.host, number))

    def has(self, task: Task) -> bool:
        return (task.match, task.number) in self.places

    def count(self, task: Task, state: WorkerState) -> tuple[int, int]:
        """Return how often a game was tried on the host of a worker, and by the worker itself."""
        places = self.places.get((task.match, task.number), [])
        hosts, numbers = zip(*places, strict=True) if places else ((), ())
        return hosts.count(state.host), numbers.count(state.number)


class Workers(Protocol):
    """Workers of any kind, by their numbers."""

    slots: int  # games played at a time
    ranks: int
    hosts: str
    placement: str  # of teams, nothing where each worker is a rank or a process

    @property
    def missing(self) -> Iterable[str]:
        """What there is to say of those that are not there, a line each."""

    @property
    def there(self) -> Mapping[int, str]:
        """The workers that can be sent tasks now, with their hosts; others say READY later."""

    def name(self, number: int) -> str:
        """Return what people call a worker, such as "rank 2 on h4"."""

    def send(self, number: int, message: tuple[str, Any]) -> None:
        """Send a message, without waiting until it is read."""

    def heard(self, seconds: float) -> Sequence[Message]:
        """Return what workers have sent, as soon as there is anything, after some time at most."""

    def abandon(self) -> None:
        """Stop all games under way."""
