"""The ranks of an MPI job as workers: what their master knows of them, and sends them.

Of a worker that is several ranks together the master speaks with the first one (worker.py has its
side, and the messages). A worker has one task at a time as long as games take longer than the way
there and back, and the more the shorter they are. The communicator is an argument.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mcts_cluster.errors import UserError
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.running.worker import (
    DROPPED,
    END,
    FAILED,
    JOB,
    MISTAKE,
    RECALL,
    ROW,
    TASK,
    Pause,
    messages,
)

if TYPE_CHECKING:
    from mcts_cluster.jobs.job import Job
    from mcts_cluster.matches.setup import Task
    from mcts_cluster.parallel.mpi import Comm
    from mcts_cluster.parallel.placement import Placement

# Of games under way at a worker, all that together last so long are queued, up to a number.
QUEUE_SECONDS = 0.05
MAX_QUEUE = 32


class WorkerFailed(Exception):
    """A defect met by a worker: the message has its rank, its host and its traceback."""


def workers(comm: Comm, placement: Placement | None) -> Sequence[int]:
    """Return the ranks that the master speaks with: the first ones of teams, or all others."""
    return placement.leaders if placement else range(1, comm.size)


class MpiWorkers:
    """The worker ranks, as their master sees them; a context manager."""

    def __init__(self, comm: Comm, job: Job, placement: Placement | None = None) -> None:
        self.comm = comm
        self.ranks = comm.size
        self.placement = str(placement or "")
        self.loads = dict.fromkeys(workers(comm, placement), 0)
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


def dismiss(comm: Comm, placement: Placement | None = None) -> None:
    """Let all workers end; they are idle."""
    for rank in (*workers(comm, placement), *(placement.idle if placement else ())):
        comm.send((END, None), rank)
