"""The games of a run on the ranks of an MPI job: rank 0 is the master, all others play.

    master ── the job, tasks, RECALL, END ──► worker ── orders (team) ──► those who play with it
    master ◄── rows, how many tasks were dropped, what went wrong ── worker

A worker is a rank that plays games alone, or the first of several over which the machines of teams
are laid; of the others the master knows no more than how many they are.

Messages are tuples, a word first and from a worker its rank second. Both sides look for messages
and sleep between two looks: an MPI library that waits burns a core. A worker has one task at a time
as long as games take longer than the way there and back, and the more the shorter they are. The
communicator is an argument.
"""

from __future__ import annotations

import time
import traceback
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace
from platform import node
from typing import TYPE_CHECKING, Any

from mcts_cluster.errors import UserError
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.running.workers import TaskPlayer, ignore_signals

if TYPE_CHECKING:
    from mcts_cluster.jobs.job import Job
    from mcts_cluster.matches.setup import Setup, Task
    from mcts_cluster.parallel.mpi import Comm
    from mcts_cluster.parallel.mpi_ranks import MpiRanks

MASTER = 0
# Of games under way at a worker, all that together last so long are queued, up to a number.
QUEUE_SECONDS = 0.05
MAX_QUEUE = 32
MIN_PAUSE = 0.0001
MAX_PAUSE = 0.005

JOB, TASK, RECALL, END = "job", "task", "recall", "end"
READY, ROW, DROPPED = "ready", "row", "dropped"
MISTAKE, FAILED = "mistake", "failed"


class WorkerFailed(Exception):
    """A defect met by a worker: the message has its rank, its host and its traceback."""


class Pause:
    """Sleeps between two looks, the longer the longer nothing has been seen."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.seconds = MIN_PAUSE

    def sleep(self) -> None:
        time.sleep(self.seconds)
        self.seconds = min(1.5 * self.seconds, MAX_PAUSE)


def messages(comm: Comm) -> Iterator[tuple[Any, ...]]:
    """Yield whatever has arrived."""
    while message := comm.improbe():
        yield message.recv()


def workers(comm: Comm, together: int) -> range:
    """Return the ranks that the master speaks with, where so many play a game together."""
    return range(1, comm.size, together)


class MpiWorkers:
    """The worker ranks, as their master sees them; a context manager."""

    def __init__(self, comm: Comm, job: Job, together: int = 1) -> None:
        self.comm = comm
        self.ranks = comm.size
        self.loads = dict.fromkeys(workers(comm, together), 0)
        self.slots = len(self.loads)
        self.seconds = deque([1.0], 200)  # that the last games took
        self.depth = 1
        for rank in self.loads:
            comm.send((JOB, (job.setup, job.experiment)), rank)
        places = Counter(self.greeted())
        self.hosts = ", ".join(f"{host} ({count})" for host, count in sorted(places.items()))
        # Those with the least load come first: rank by rank, load by load.
        self.queues = [deque(self.loads), *(deque[int]() for _ in range(MAX_QUEUE))]

    def greeted(self) -> Iterator[str]:
        """Wait for all workers, and yield the hosts that they and theirs are on."""
        left, pause = self.slots, Pause()
        while left:
            for _, _, hosts in messages(self.comm):
                left -= 1
                yield from hosts
            pause.sleep()

    def __enter__(self) -> MpiWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def has_room(self) -> bool:
        return any(self.queues[: self.depth])

    def submit(self, task: Task) -> None:
        load = next(load for load, queue in enumerate(self.queues) if queue)
        rank = self.queues[load].popleft()
        self.queues[load + 1].append(rank)
        self.loads[rank] = load + 1
        self.comm.send((TASK, task), rank)

    def under_way(self) -> int:
        return sum(self.loads.values())

    def relieve(self, rank: int, count: int = 1) -> None:
        load = self.loads[rank]
        self.queues[load].remove(rank)
        self.queues[load - count].append(rank)
        self.loads[rank] = load - count

    def rows(self, seconds: float) -> list[GameRecord]:
        deadline, pause = time.monotonic() + seconds, Pause()
        while True:
            rows = list(self.arrived())
            if rows or time.monotonic() >= deadline or not self.under_way():
                return rows
            pause.sleep()

    def arrived(self) -> Iterator[GameRecord]:
        for word, rank, content in messages(self.comm):
            if word == MISTAKE:
                raise UserError(content)
            if word == FAILED:
                raise WorkerFailed(content)
            self.relieve(rank, content if word == DROPPED else 1)
            if word == ROW:
                self.seconds.append(content.ended - content.began)
                yield content
        mean = sum(self.seconds) / len(self.seconds)
        self.depth = min(MAX_QUEUE, 1 + round(QUEUE_SECONDS / max(mean, 1e-6)))

    def recall(self) -> None:
        for rank, load in self.loads.items():
            if load > 1:
                self.comm.send((RECALL, None), rank)

    def abandon(self) -> None:
        """Do nothing: only the end of the whole job ends a rank in a game."""


def dismiss(comm: Comm, together: int) -> None:
    """Let all workers end; they are idle."""
    for rank in workers(comm, together):
        comm.send((END, None), rank)


def serve(comm: Comm, ranks: MpiRanks) -> None:
    """Play what the master sends, or what the first of these ranks is sent, until all is played."""
    ignore_signals()
    hosts = ranks.hosts()
    if ranks.count == 1:
        play_tasks(comm, ranks, hosts)
        return
    # Imported where teams are laid over ranks: every worker pays for every import.
    from mcts_cluster.parallel import leader

    if ranks.number:
        leader.follow(ranks)
    else:
        with leader.leading(ranks):
            play_tasks(comm, ranks, hosts)


def play_tasks(comm: Comm, ranks: MpiRanks, hosts: list[str]) -> None:
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
            comm.send(played(player, task, comm.rank), MASTER)
        else:
            pause.sleep()


def laid_over(ranks: MpiRanks, setup: Setup) -> Setup:
    if ranks.count == 1:
        return setup
    players = {name: player.over(ranks) for name, player in setup.players.items()}
    return replace(setup, players=players)


def played(player: TaskPlayer, task: Task, rank: int) -> tuple[str, int, GameRecord | str]:
    try:
        return ROW, rank, player.play(task)
    except UserError as error:
        return MISTAKE, rank, str(error)
    except Exception:
        where = f"rank {rank} on {node()}, game {task.number} of {str(task.match)!r}"
        return FAILED, rank, f"{where}:\n{traceback.format_exc()}"
