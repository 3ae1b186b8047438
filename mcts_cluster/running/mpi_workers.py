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
from mcts_cluster.running.worker import END, JOB, READY, Pause
from mcts_cluster.running.workers import LOST, Message, NoWorkers

if TYPE_CHECKING:
    from mcts_cluster.jobs.job import Job
    from mcts_cluster.parallel.mpi import Comm
    from mcts_cluster.parallel.placement import Placement

# For all ranks to say that they are there. A run begins without those that are later.
SECONDS_TO_START = 60.0
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
        self.greeted: dict[int, Sequence[str]] = {}  # the hosts of each, and of those with it
        self.gone: set[int] = set()
        self.posted: list[Any] = []
        self.numbers = workers(comm, placement)
        self.slots = len(self.numbers)
        for rank in self.numbers:
            self.send(rank, (JOB, (job.setup, job.experiment)))
        self.missing = [*self.wait_for_greetings()]
        places = Counter(chain.from_iterable(self.greeted.values()))
        self.hosts = ", ".join(f"{host} ({count})" for host, count in sorted(places.items()))

    def wait_for_greetings(self) -> Iterator[str]:
        """Wait for all workers, at least for one; yield who is not there, a line each."""
        deadline = time.monotonic() + SECONDS_TO_START
        while not self.greeted or (self.unheard and time.monotonic() < deadline):
            yield from (text for word, _, text in self.heard(1.0) if word == LOST)
            if len(self.gone) == self.slots:
                raise NoWorkers("all workers are lost before they have begun")
        yield from (f"rank {rank} has not answered yet" for rank in self.unheard)

    @property
    def unheard(self) -> list[int]:
        known = self.greeted.keys() | self.gone
        return [rank for rank in self.numbers if rank not in known]

    @property
    def there(self) -> dict[int, str]:
        return {rank: hosts[0] for rank, hosts in self.greeted.items()}

    def __enter__(self) -> MpiWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def name(self, number: int) -> str:
        return f"rank {number} on {self.greeted.get(number, ['an unknown host'])[0]}"

    def send(self, number: int, message: tuple[str, Any]) -> None:
        # A rank that is frozen reads nothing, and the master must not wait for it. That one is lost
        # is seen when it should be heard.
        with mpi.Surviving():
            self.posted.append(self.comm.isend(message, number))
        if len(self.posted) > MAX_POSTED:
            self.posted = [one for one in self.posted if not self.has_gone(one)]

    def has_gone(self, request: Any) -> bool:
        with mpi.Surviving():
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
            with mpi.Surviving() as surviving:
                is_empty = True
                while found := self.comm.improbe():
                    word, rank, content = found.recv()
                    if word == READY:
                        self.greeted[rank] = content
                    yield word, rank, content
            if surviving.has_lost:
                is_empty = False
                yield from self.losses()

    def losses(self) -> Iterator[Message]:
        """Yield the ranks that are lost."""
        for rank in mpi.lost(self.comm):
            text = f"{self.name(rank)} is lost"
            if not self.survives:
                raise NoWorkers(f"{text}; run again to continue, or with --survive without it")
            if rank not in self.gone:
                self.gone.add(rank)
                yield LOST, rank, text

    def abandon(self) -> None:
        """Do nothing: only the end of the whole job ends a rank in a game."""


def dismiss(comm: Comm, placement: Placement | None = None) -> list[Any]:
    """Tell all workers that there is no more to play; return the requests of these messages."""
    ranks = (*workers(comm, placement), *(placement.idle if placement else ()))
    return [comm.isend((END, None), rank) for rank in ranks]
