"""MPI: the only module that may import mpi4py, and only once a function needs it.

So that everything which needs no ranks also works where there is no MPI library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcts_cluster.errors import UserError

if TYPE_CHECKING:
    from types import ModuleType


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
