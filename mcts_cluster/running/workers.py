"""Those who play the games of a run: what a master needs of them, and processes of this machine.

The master hands out tasks and takes in rows. Some tasks more are under way than games, so that who
ends one has the next at hand and does not wait for the master to look.

However a run ends, its worker processes end with it: they do not hear signals, they are told; and
where this process is killed and can tell them nothing, they notice that it is gone.
"""

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from platform import node
from typing import Protocol

from mcts_cluster import games
from mcts_cluster.bgp import versions
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.game_record import GameRecord, WorkerInfo
from mcts_cluster.matches.match import play_or_void
from mcts_cluster.matches.match_settings import Match
from mcts_cluster.matches.schedule import Task
from mcts_cluster.parallel.mpi import own_cores
from mcts_cluster.running.signals import SIGNALS

SPEED_PLAYOUTS = 10_000


# Matches whose players are remembered: those of a campaign come and go.
MAX_FOUND = 100


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


def ignore_signals() -> None:
    """Do nothing on signals: the master decides when to stop, and tells.

    With handlers, because programs that are started here would inherit the ignoring itself.
    """
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
