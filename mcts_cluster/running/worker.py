"""A worker: plays the tasks of a job, in a process of this machine or on ranks of an MPI job.

    master ── JOB, TASK, RECALL, END ──► worker ── orders (team) ──► those who play with it
    master ◄── READY, ROW, DROPPED, MISTAKE, FAILED ── worker

    JOB      what is played; the answer is READY with the hosts of the worker
    TASK     a game; the answer is its ROW, in the order of the tasks. Or a MISTAKE of the user, or
             that playing it has FAILED, a defect
    RECALL   drop all tasks but the one that is being played; the answer is how many are DROPPED,
             and none where there are none
    END      no answer

Under MPI rank 0 is the master, and all others serve it. A worker is a rank that plays games alone,
or the first of several over which the machines of teams are laid. Messages are tuples, a word first
and from a worker its rank second. Both sides look for messages and sleep between two looks: an MPI
library that waits burns a core. The communicator is an argument, or what stands for one.

Every rank loads this module, and for every import a thousand of them ask the same file server: what
only a master needs is elsewhere.
"""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from platform import node
from typing import TYPE_CHECKING, Any, Protocol

from mcts_cluster import games
from mcts_cluster.errors import UserError
from mcts_cluster.matches.game_record import GameRecord, WorkerInfo
from mcts_cluster.parallel import mpi

if TYPE_CHECKING:
    from mcts_cluster.matches.experiment import Experiment
    from mcts_cluster.matches.setup import Setup, Task
    from mcts_cluster.parallel.mpi import Comm
    from mcts_cluster.parallel.mpi_ranks import MpiRanks

MASTER = 0
MIN_PAUSE = 0.0001
MAX_PAUSE = 0.005
SPEED_PLAYOUTS = 10_000
# Those that ask a run to stop (signals.py).
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)

JOB, TASK, RECALL, END = "job", "task", "recall", "end"
READY, ROW, DROPPED = "ready", "row", "dropped"
MISTAKE, FAILED = "mistake", "failed"


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


class Pause:
    """Sleeps between two looks, the longer the longer nothing has been seen."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.seconds = MIN_PAUSE

    def sleep(self) -> None:
        time.sleep(self.seconds)
        self.seconds = min(1.5 * self.seconds, MAX_PAUSE)


class Line(Protocol):
    """A communicator, as far as a worker needs it."""

    @property
    def rank(self) -> int: ...

    def send(self, message: Any, to: int) -> None: ...

    def improbe(self, source: int) -> Any: ...


def messages(comm: Line) -> Iterator[tuple[Any, ...]]:
    """Yield whatever has arrived from the master."""
    while message := comm.improbe(MASTER):
        yield message.recv()


def serve(comm: Comm, ranks: MpiRanks | None) -> None:
    """Play what the master sends until all is played: alone, or together with some ranks.

    Of these the first one is sent tasks, and leads the others.
    """
    ignore_signals()
    if ranks is None:
        play_tasks(comm, None, [node()])
        return
    hosts = ranks.hosts()
    # Imported where teams are laid over ranks: every worker pays for every import.
    from mcts_cluster.parallel import leader

    if ranks.number:
        leader.follow(ranks)
    else:
        with leader.leading(ranks):
            play_tasks(comm, ranks, hosts)


def sleep_through(comm: Comm) -> None:
    """Do nothing until the end of the run, on a rank that is left over where teams are made."""
    ignore_signals()
    pause = Pause()
    while not any(word == END for word, _ in messages(comm)):
        pause.sleep()


def play_tasks(comm: Line, ranks: MpiRanks | None, hosts: list[str]) -> None:
    player: TaskPlayer | None = None
    tasks: deque[Task] = deque()
    pause = Pause()
    while True:
        for word, content in messages(comm):
            if word == END:
                return
            if word == JOB:
                setup, experiment = content
                player = TaskPlayer(laid_over(ranks, setup), experiment, comm.rank)
                comm.send((READY, comm.rank, hosts), MASTER)
            elif word == TASK:
                tasks.append(content)
            elif word == RECALL and tasks:
                # With none left there is nothing to tell a master who may not listen any more: it
                # ends when all rows have arrived.
                comm.send((DROPPED, comm.rank, len(tasks)), MASTER)
                tasks.clear()
            pause.reset()
        if tasks and player:
            task = tasks.popleft()
            comm.send(played(player, task), MASTER)
        else:
            pause.sleep()


def laid_over(ranks: MpiRanks | None, setup: Setup) -> Setup:
    if ranks is None:
        return setup
    players = {name: player.over(ranks) for name, player in setup.players.items()}
    return replace(setup, players=players)


def played(player: TaskPlayer, task: Task) -> tuple[str, int, GameRecord | str]:
    rank = player.worker.rank
    try:
        return ROW, rank, player.play(task)
    except UserError as error:
        return MISTAKE, rank, str(error)
    except Exception as error:
        if mpi.is_loss(error):
            # Of those that play with it.
            raise
        where = f"{player.worker}, game {task.number} of {str(task.match)!r}"
        return FAILED, rank, f"{where}:\n{traceback.format_exc().rstrip()}"
