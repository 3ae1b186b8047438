"""MPI: the only module that may import mpi4py, and only when a function needs it.

So everything that needs no ranks also works where there is no MPI library.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Mapping
from contextlib import contextmanager
from math import inf
from time import monotonic, sleep
from typing import TYPE_CHECKING, Self

from mcts_cluster.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType
    from typing import Any

    from mpi4py.MPI import Comm as Comm


# The variables in which launchers count the processes: mpich, Open MPI, PMIx, srun.
COUNTS = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "PMIX_SIZE", "SLURM_STEP_NUM_TASKS")
TO_BE_READ = 0.3  # seconds that a launcher has to show an error before all ranks end
SECONDS_BETWEEN_LOOKS = 0.001  # at the end


class NoMpi(UserError):
    """Raised where ranks are needed and no MPI library can be loaded."""


def mpi_library() -> str:
    """Return the MPI library's name and version; does not start MPI."""
    text: str = load_mpi().Get_library_version()
    # Libraries go on about their build options, some after a comma, some on further lines.
    return " ".join(text.splitlines()[0].partition(",")[0].split())


def load_mpi() -> ModuleType:
    """Return mpi4py.MPI, loaded but not started unless it was before; raise NoMpi without it."""
    try:
        import mpi4py

        mpi4py.rc.initialize = False
        from mpi4py import MPI
    # mpi4py raises the first when it finds no library, and is itself absent or unfit in the second.
    except (RuntimeError, ImportError) as error:
        raise NoMpi(
            "no MPI library found: load your cluster's MPI module, "
            'or pip install "mcts_cluster[mpich]"'
        ) from error
    return MPI


def initialized() -> ModuleType:
    """Return mpi4py.MPI, started for ranks of several threads of which one communicates."""
    mpi = load_mpi()
    if not mpi.Is_initialized():
        mpi.Init_thread(mpi.THREAD_FUNNELED)
    return mpi


def launched(environment: Mapping[str, str] = os.environ) -> int:
    """Return how many processes the launcher has started; 1 without a launcher."""
    sizes = [environment.get(name, "") for name in COUNTS]
    return max([1, *(int(size) for size in sizes if size.isdigit())])


def start() -> Comm | None:
    """Start MPI and return all ranks, or nothing where this process is alone; raises UserError."""
    if launched() == 1:
        return None
    return all_ranks()


def all_ranks() -> Comm:
    """Start MPI and return all ranks of this job; raises UserError."""
    world: Comm = initialized().COMM_WORLD
    if world.size == 1 and launched() > 1:
        raise UserError(
            f"{launched()} processes were started, but {mpi_library()} sees one rank: "
            "the launcher belongs to another MPI library"
        )
    return world


def own_cores() -> set[int]:
    """Return the cores that this process may use, which a batch system may have limited."""
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def finish(seconds: float = inf, requests: Sequence[Any] = ()) -> bool:
    """End MPI on this rank once all others do; return whether they did, within so many seconds.

    The requests are of messages which the others may still have to read.
    """
    deadline = monotonic() + seconds
    with Surviving():
        pending = [load_mpi().COMM_WORLD.Ibarrier(), *requests]
        while not all(request.Test() for request in pending):
            if monotonic() > deadline:
                return False
            sleep(SECONDS_BETWEEN_LOOKS)
        load_mpi().Finalize()
        return True
    return False


class Surviving:
    """Passes over what fails because a rank is lost, where that is to be survived.

    Public attributes (treat as read-only): has_lost, whether anything did.
    """

    def __init__(self, survives: bool = True) -> None:
        self.survives = survives
        self.has_lost = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> bool:
        self.has_lost = self.survives and error is not None and is_loss(error)
        return self.has_lost


def is_loss(error: BaseException) -> bool:
    """Return whether an operation has failed because a rank is lost."""
    mpi = load_mpi()
    # Few libraries can tell (ULFM).
    losses = [getattr(mpi, name, None) for name in ("ERR_PROC_FAILED", "ERR_PROC_FAILED_PENDING")]
    return isinstance(error, mpi.Exception) and error.Get_error_class() in losses


def lost(comm: Comm) -> list[int]:
    """Return the ranks that are lost, and have the library go on without them."""
    group = comm.Get_failed()
    comm.Ack_failed(group.size)
    return [*group.Translate_ranks(None, comm.group)]


@contextmanager
def reported_once() -> Iterator[None]:
    """Report a user's mistake that every rank finds for itself on the first rank only."""
    try:
        yield
    except UserError:
        comm = start()
        if comm is not None:
            number = comm.rank
            finish()
            if number:
                sys.exit(2)
        raise


@contextmanager
def ending_all() -> Iterator[None]:
    """Report whatever goes wrong on this rank, and end all ranks."""
    try:
        yield
    except BaseException:
        abort()


def abort() -> None:
    """Report the exception of this rank, and end all ranks."""
    mpi = load_mpi()
    host, world = mpi.Get_processor_name(), mpi.COMM_WORLD
    text = f"rank {world.rank} of {world.size} on {host}:\n{traceback.format_exc()}"
    sys.stderr.write(text)
    sys.stderr.flush()
    # The launcher brings it to the user, and kills all, itself included, at once.
    sleep(TO_BE_READ)
    world.Abort(1)
