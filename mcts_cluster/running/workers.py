"""Those who play the games of a run: what a master needs of them, and processes of this machine.

The master hands out tasks and takes in rows. Some tasks more are under way than games, so that who
ends one has the next at hand and does not wait for the master to look.

However a run ends, its worker processes end with it: they do not hear signals, they are told; and
where this process is killed and can tell them nothing, they notice that it is gone.
"""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.synchronize import Event
from platform import node
from threading import Thread
from typing import Protocol, Self

from mcts_cluster import games
from mcts_cluster.bgp import versions
from mcts_cluster.errors import UserError
from mcts_cluster.jobs.jobfile import Job, Match
from mcts_cluster.matches.match import GameRecord, WorkerInfo, play_or_void
from mcts_cluster.matches.schedule import Task
from mcts_cluster.parallel.mpi import own_cores

SPEED_PLAYOUTS = 10_000
# Matches whose players are remembered: those of a campaign come and go.
MAX_FOUND = 100

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)


def cores() -> int:
    return len(own_cores())


class Workers(Protocol):
    """Workers of any kind, as their master sees them."""

    slots: int  # games played at a time
    ranks: int
    hosts: str

    def has_room(self) -> bool:
        """Tell whether another task would be taken at once, or soon."""

    def submit(self, task: Task) -> None:
        """Have a game played."""

    def under_way(self) -> int:
        """Return how many tasks have no row yet."""

    def rows(self, seconds: float) -> Sequence[GameRecord]:
        """Return what has been played since, after some time at most; raises what a game raises."""

    def recall(self) -> None:
        """Take back what has not been begun."""

    def abandon(self) -> None:
        """Stop all games under way."""


class TaskPlayer:
    """Plays the tasks of a job, one after another, somewhere."""

    def __init__(self, job: Job, rank: int = 0) -> None:
        self.job = job
        self.found: dict[str, tuple[Job, Match]] = {}
        self.worker = WorkerInfo(node(), rank, os.getpid(), speed())

    def play(self, task: Task) -> GameRecord:
        job, match = self.setting(task.match)
        row = play_or_void(job, match, task.number, task.attempt)
        return replace(row, worker=self.worker)

    def setting(self, name: str) -> tuple[Job, Match]:
        """Return a match, and a job that knows its players."""
        if name not in self.found:
            if len(self.found) >= MAX_FOUND:
                self.found.clear()
            self.found[name] = versions.found(self.job, name)
        return self.found[name]


def speed() -> float:
    """Return the playouts a second that this process reaches here, measured in a tenth of one."""
    playouts = games.new("go", size=9).playouts(SPEED_PLAYOUTS, 1)
    return playouts.total / playouts.seconds


class LocalWorkers:
    """Worker processes on this machine, a context manager."""

    ranks = 1

    def __init__(self, job: Job, count: int) -> None:
        self.slots = count
        self.hosts = f"{node()} ({count})"
        self.games: set[Future[GameRecord | None]] = set()
        context = get_context("spawn")
        self.recalled = context.Event()
        self.pool = ProcessPoolExecutor(count, context, begin, (job, self.recalled))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind:
            # The pool would first play to the end what it has begun, and some games more.
            self.abandon()
        self.pool.shutdown()

    def has_room(self) -> bool:
        return len(self.games) < self.slots + 1 + self.slots // 8

    def submit(self, task: Task) -> None:
        # The pool starts a process for a task, as long as it has not enough.
        with signals_held_back():
            try:
                self.games.add(self.pool.submit(play, task))
            except BrokenProcessPool as error:
                raise killed() from error

    def under_way(self) -> int:
        return len(self.games)

    def rows(self, seconds: float) -> list[GameRecord]:
        ended, self.games = wait(self.games, seconds, FIRST_COMPLETED)
        failed = {game for game in ended if game.exception()}
        if failed == ended and failed:
            error = next(iter(failed)).exception()
            raise killed() if isinstance(error, BrokenProcessPool) else error or AssertionError
        # First what was played; the failures will still be there.
        self.games |= failed
        return [row for game in ended - failed if (row := game.result())]

    def recall(self) -> None:
        self.recalled.set()

    def abandon(self) -> None:
        for worker in active_children():
            worker.kill()
        self.pool.shutdown(cancel_futures=True)


def killed() -> UserError:
    """Return what to say of a worker process that is gone; it cannot say why."""
    return UserError(
        "a process that played games was killed, perhaps for want of memory; "
        "run again to play what is missing"
    )


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Put signals off until the end of the block; processes started in it hold them back, too."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In a worker process.


def begin(job: Job, recalled: Event) -> None:
    """Make a worker of this process."""
    global player, is_recalled
    player, is_recalled = TaskPlayer(job), recalled.is_set
    ignore_signals()
    end_with_parent()


def play(task: Task) -> GameRecord | None:
    return None if is_recalled() else player.play(task)


player: TaskPlayer
is_recalled: Callable[[], bool]


def ignore_signals() -> None:
    """Do nothing on signals: the master decides when to stop, and tells.

    With handlers, because programs that are started here would inherit the ignoring itself.
    """
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


def end_with_parent() -> None:
    """End this process as soon as the one that started it is gone."""

    def watch() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
