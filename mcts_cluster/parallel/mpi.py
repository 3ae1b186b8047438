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
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from mpi4py.MPI import Comm as Comm


# The variables in which launchers count the processes: mpich, Open MPI, PMIx, srun.
COUNTS = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "PMIX_SIZE", "SLURM_STEP_NUM_TASKS")
OF_OPEN_MPI = "OMPI_COMM_WORLD_SIZE"
TO_BE_READ = 0.3  # seconds that a launcher has to show an error before all ranks end
BETWEEN_LOOKS = 0.005  # seconds


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
        if path := os.environ.get("MPI4PY_LIBMPI"):
            raise NoMpi(f"{path}: no MPI library, which MPI4PY_LIBMPI must name") from error
        raise NoMpi(
            "no MPI library found: load your cluster's MPI module, "
            'or pip install "mcts_cluster[mpich]"'
        ) from error
    return MPI


def abort_with(comm: Comm, status: int) -> None:
    """End all ranks; it may come back while the launcher is on its way to end this one."""
    end: Callable[[int], object] = comm.Abort
    end(status)


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


def by_open_mpi(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether the launcher of Open MPI has started this process.

    It gives the output a terminal of its own, whether or not there is one, and kills all ranks in
    less than a second when it is interrupted or told to end.
    """
    return OF_OPEN_MPI in environment


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


def finish(patience: float = inf) -> bool:
    """End MPI on this rank when all others end it, too; return whether they do within seconds.

    Asleep, since a library that waits burns a core. What others have still sent is thrown away, as
    libraries refuse to end with messages that nobody has received.
    """
    mpi = load_mpi()
    comm = mpi.COMM_WORLD
    deadline = monotonic() + patience
    with Surviving():
        all_here = comm.Ibarrier()
        while not all_here.Test():
            if monotonic() >= deadline:
                return False
            discard(comm)
            sleep(BETWEEN_LOOKS)
        discard(comm)
        mpi.Finalize()
        return True
    return False


def discard(comm: Comm) -> None:
    """Receive whatever has arrived, for nothing."""
    while message := comm.improbe():
        message.recv()


class Surviving:
    """Passes over what fails because a rank is lost.

    Public attributes (treat as read-only): has_lost, whether anything did.
    """

    has_lost = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> bool:
        self.has_lost = error is not None and is_loss(error)
        return self.has_lost


def is_loss(error: BaseException) -> bool:
    """Return whether an operation has failed because a rank is lost."""
    if "mpi4py.MPI" not in sys.modules:
        return False
    mpi = load_mpi()
    # Few libraries can tell (ULFM).
    losses = [getattr(mpi, name, None) for name in ("ERR_PROC_FAILED", "ERR_PROC_FAILED_PENDING")]
    return isinstance(error, mpi.Exception) and error.Get_error_class() in losses


def lost(comm: Comm) -> list[int]:
    """Return all ranks that are lost, and have the library go on without them."""
    try:
        group = comm.Get_failed()
        comm.Ack_failed(group.size)
    except (load_mpi().Exception, NotImplementedError):
        # The library cannot tell.
        return []
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
    except BaseException as error:
        if is_loss(error):
            # Every rank pays for every import.
            from mcts_cluster.exit_statuses import STOPPED

            end_all("mcts-cluster: {} ends, because another rank is lost", STOPPED)
        abort()


def abort() -> None:
    """Report the exception of this rank, and end all ranks."""
    from mcts_cluster.exit_statuses import GIVEN_UP

    end_all(f"{{}}:\n{traceback.format_exc().rstrip()}", GIVEN_UP)


def end_all(text: str, status: int) -> None:
    """Say something of this rank, and end all ranks."""
    mpi = load_mpi()
    host, world = mpi.Get_processor_name(), mpi.COMM_WORLD
    sys.stderr.write(text.replace("{}", f"rank {world.rank} of {world.size} on {host}") + "\n")
    sys.stderr.flush()
    # The launcher brings it to the user, and kills all, itself included, at once.
    sleep(TO_BE_READ)
    world.Abort(status)
