"""Those who play the games of a run: what a master needs of them, and how each plays a task.

The master hands out tasks and takes in rows. Some tasks more are under way than games, so that who
ends one has the next at hand and does not wait for the master to look.

However a run ends, its worker processes end with it: they ignore signals, and the master
recalls them; where the master is killed, they notice that it is gone.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from platform import node
from typing import TYPE_CHECKING, Protocol

from mcts_cluster import games
from mcts_cluster.matches.game_record import GameRecord, WorkerInfo
from mcts_cluster.parallel.mpi import own_cores
from mcts_cluster.running.signals import SIGNALS

if TYPE_CHECKING:
    from mcts_cluster.matches.experiment import Experiment
    from mcts_cluster.matches.setup import Setup, Task

SPEED_PLAYOUTS = 10_000


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

    def __init__(self, setup: Setup, experiment: Experiment, rank: int = 0) -> None:
        self.setup = setup
        self.experiment = experiment
        self.worker = WorkerInfo(node(), rank, os.getpid(), speed())

    def play(self, task: Task) -> GameRecord:
        row = self.experiment.play(self.setup, task)
        return replace(row, worker=self.worker)


def speed() -> float:
    """Return the playouts a second that this process reaches here, measured in a tenth of one."""
    playouts = games.from_checked("go", {"size": 9}).playouts(SPEED_PLAYOUTS, 1)
    return playouts.total / playouts.seconds


def ignore_signals() -> None:
    """Do nothing on signals: the master decides when to stop, and tells.

    With handlers, because programs that are started here would inherit the ignoring itself.
    """
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
