"""Workers as processes of this machine, each at the end of a pipe.

A process is started when it is first sent a task. One that dies is replaced: the next task starts
another process under its number.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from platform import node
from threading import Thread
from typing import Any, Self

from mcts_cluster.jobs.job import Job
from mcts_cluster.running.worker import END, JOB, SIGNALS, ignore_signals, play_tasks
from mcts_cluster.running.workers import REPLACED, Message

# For processes that have nothing to do; others are killed.
SECONDS_TO_END = 1.0


class PipeToMaster:
    """The pipe to the master in place of a communicator."""

    rank = 0

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe

    def send(self, message: Any, to: int) -> None:
        self.pipe.send(message)

    def improbe(self, source: int) -> Connection | None:
        return self.pipe if self.pipe.poll() else None


@dataclass(frozen=True)
class Started:
    """A worker process that was started, and the master's end of its pipe."""

    process: SpawnProcess
    pipe: Connection


class LocalWorkers:
    """Worker processes on this machine, a context manager."""

    ranks = 1
    placement = ""
    missing = ()

    def __init__(self, job: Job, count: int) -> None:
        self.slots = count
        self.hosts = f"{node()} ({count})"
        self.there = dict.fromkeys(range(count), node())
        self.job = job
        self.started: dict[int, Started] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if not kind:
            self.let_end()
        self.abandon()

    def name(self, number: int) -> str:
        return f"process {self.started[number].process.pid} on {node()}"

    def send(self, number: int, message: tuple[str, Any]) -> None:
        if number not in self.started:
            self.started[number] = start()
            self.send(number, (JOB, (self.job.setup, self.job.experiment)))
        # Where it is gone, that is seen when it should be heard.
        with suppress(OSError):
            self.started[number].pipe.send(message)

    def heard(self, seconds: float) -> list[Message]:
        numbers = {one.pipe: number for number, one in self.started.items()}
        ready = wait(numbers, seconds)
        return [self.message(numbers[pipe]) for pipe in numbers if pipe in ready]

    def message(self, number: int) -> Message:
        """Return the next message of a worker, or that it is gone."""
        try:
            word, _, content = self.started[number].pipe.recv()
        except (EOFError, OSError):
            return REPLACED, number, self.buried(number)
        return word, number, content

    def buried(self, number: int) -> str:
        """Forget a process that has died, and return how."""
        name, one = self.name(number), self.started.pop(number)
        one.pipe.close()
        one.process.join()
        status = one.process.exitcode or 0
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"{name} {how}"

    def let_end(self) -> None:
        """Let processes end that have nothing to do."""
        for number in self.started:
            self.send(number, (END, None))
        deadline = time.monotonic() + SECONDS_TO_END
        for one in self.started.values():
            one.process.join(max(0.0, deadline - time.monotonic()))

    def abandon(self) -> None:
        for one in self.started.values():
            one.process.kill()
        for one in self.started.values():
            one.process.join()
            one.pipe.close()
        self.started.clear()


def start() -> Started:
    """Start a process that plays what it is sent."""
    context = get_context("spawn")
    own, its = context.Pipe()
    process = context.Process(target=serve, args=(its,), daemon=True)
    with signals_held_back():
        process.start()
    # So that the pipe ends with the process.
    its.close()
    return Started(process, own)


def serve(pipe: Connection) -> None:
    """Play what the master sends, in a process of its own."""
    ignore_signals()
    end_with_parent()
    play_tasks(PipeToMaster(pipe), None, [node()])


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Put signals off until the end of the block; processes started in it hold them back, too."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """End this process as soon as the one that started it is gone."""

    def watch() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
