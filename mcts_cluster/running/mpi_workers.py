"""The ranks of an MPI job as workers: what their master knows of them, and how it reaches them.

Of a worker that is several ranks together the master speaks with the first one (worker.py has its
side, and the messages). The communicator is an argument.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from mcts_cluster.parallel import mpi
from mcts_cluster.running.worker import END, JOB, Pause
from mcts_cluster.running.workers import LOST, Message

if TYPE_CHECKING:
    from mcts_cluster.jobs.job import Job
    from mcts_cluster.parallel.mpi import Comm
    from mcts_cluster.parallel.placement import Placement

# For all ranks to say that they are there. A run begins without those that are later.
SECONDS_TO_START = 60.0
# For all ranks to leave at the end. Those that are later are ended.
SECONDS_TO_LEAVE = 3.0
# Messages that may be under way before it is looked which of them have gone out.
MAX_POSTED = 64


def workers(comm: Comm, placement: Placement | None) -> Sequence[int]:
    """Return the ranks that the master speaks with: the first ones of teams, or all others."""
    return placement.leaders if placement else range(1, comm.size)


class MpiWorkers:
    """The worker ranks, as their master sees them; a context manager.

    Without a rank that is lost the run goes on if it `survives`, and the MPI library can.
    """

    def __init__(
        self, comm: Comm, job: Job, placement: Placement | None = None, survives: bool = False
    ) -> None:
        self.comm = comm
        self.survives = survives
        self.ranks = comm.size
        self.placement = str(placement or "")
        self.there: dict[int, str] = {}
        self.posted: list[Any] = []
        numbers = workers(comm, placement)
        self.slots = len(numbers)
        for rank in numbers:
            self.send(rank, (JOB, (job.setup, job.experiment)))
        places = Counter(chain.from_iterable(self.greetings()))
        self.hosts = ", ".join(f"{host} ({count})" for host, count in sorted(places.items()))

    def greetings(self) -> Iterator[Sequence[str]]:
        """Wait for all workers, at least for one, and yield the hosts that each and its are on."""
        deadline = time.monotonic() + SECONDS_TO_START
        while not self.there or (len(self.there) < self.slots and time.monotonic() < deadline):
            for word, rank, hosts in self.heard(1.0):
                if word == LOST:
                    self.slots -= 1
                else:
                    self.there[rank] = hosts[0]
                    yield hosts

    def __enter__(self) -> MpiWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def name(self, number: int) -> str:
        return f"rank {number} on {self.there.get(number, 'an unknown host')}"

    def send(self, number: int, message: tuple[str, Any]) -> None:
        # A rank that is frozen reads nothing, and the master must not wait for it.
        with mpi.Surviving(self.survives):
            self.posted.append(self.comm.isend(message, number))
        if len(self.posted) > MAX_POSTED:
            self.posted = [one for one in self.posted if not self.has_gone(one)]

    def has_gone(self, request: Any) -> bool:
        with mpi.Surviving(self.survives):
            return bool(request.Test())
        return True

    def heard(self, seconds: float) -> list[Message]:
        deadline, pause = time.monotonic() + seconds, Pause()
        while True:
            found = list(self.arrived())
            if found or time.monotonic() >= deadline:
                return found
            pause.sleep()

    def arrived(self) -> Iterator[Message]:
        is_empty = False
        while not is_empty:
            with mpi.Surviving(self.survives) as surviving:
                is_empty = True
                while message := self.comm.improbe():
                    yield message.recv()
            if surviving.has_lost:
                is_empty = False
                for rank in mpi.lost(self.comm):
                    yield LOST, rank, f"{self.name(rank)} is lost"

    def abandon(self) -> None:
        """Do nothing: only the end of the whole job ends a rank in a game."""


def dismiss(comm: Comm, placement: Placement | None = None) -> bool:
    """Let all workers end, and MPI with them; return whether all have.

    Those that are lost, frozen or in a game end by the end of the whole job.
    """
    with mpi.Surviving():
        return mpi.finish(SECONDS_TO_LEAVE, end(comm, placement))
    return False


def end(comm: Comm, placement: Placement | None = None) -> list[Any]:
    """Tell all workers that there is no more to play; return the requests of these messages."""
    ranks = (*workers(comm, placement), *(placement.idle if placement else ()))
    return [comm.isend((END, None), rank) for rank in ranks]
