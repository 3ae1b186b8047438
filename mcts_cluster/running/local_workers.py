"""Workers as processes of this machine."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.synchronize import Event
from platform import node
from threading import Thread
from typing import Self

from mcts_cluster.errors import UserError
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.experiment import Experiment
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.setup import Setup, Task
from mcts_cluster.running.worker import SIGNALS, TaskPlayer, ignore_signals


class LocalWorkers:
    """Worker processes on this machine, a context manager."""

    ranks = 1
    placement = ""

    def __init__(self, job: Job, count: int) -> None:
        self.slots = count
        self.hosts = f"{node()} ({count})"
        self.games: set[Future[GameRecord | None]] = set()
        context = get_context("spawn")
        self.recalled = context.Event()
        self.pool = ProcessPoolExecutor(
            count, context, begin, (job.setup, job.experiment, self.recalled)
        )

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


def begin(setup: Setup, experiment: Experiment, recalled: Event) -> None:
    """Make a worker of this process."""
    global player, is_recalled
    player, is_recalled = TaskPlayer(setup, experiment), recalled.is_set
    ignore_signals()
    end_with_parent()


def play(task: Task) -> GameRecord | None:
    return None if is_recalled() else player.play(task)


player: TaskPlayer


is_recalled: Callable[[], bool]


def end_with_parent() -> None:
    """End this process as soon as the one that started it is gone."""

    def watch() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
