"""Opening HDF5 files and reading their datasets: the only module that imports h5py.

The import is inside a function, so that ranks start without loading HDF5.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcts_cluster.storage.integrity.snapshot import Snapshot

if TYPE_CHECKING:
    from h5py import Dataset as Dataset
    from h5py import File as File
    from h5py import Group as Group


# The oldest format with SWMR, which h5dump and viewers of ten years ago can read.
VERSIONS = ("v110", "v110")


def hdf5() -> Any:
    import h5py

    return h5py


@contextmanager
def opened(path: Path) -> Iterator[tuple[File, bool]]:
    """Open a file as it stands, and yield whether it was closed."""
    with path.open("rb", buffering=0) as bytes_of_file:
        snapshot = Snapshot(bytes_of_file)
        with hdf5().File(snapshot, "r") as file:
            yield file, snapshot.is_closed


def is_closed(path: Path) -> bool:
    """Return whether nobody writes a file, by its marks, or it is none."""
    try:
        with path.open("rb", buffering=0) as bytes_of_file:
            return Snapshot(bytes_of_file).is_closed
    except OSError:
        return True


def datasets_of(file: File) -> dict[str, Dataset]:
    groups = [name for name in file if isinstance(file[name], hdf5().Group) and name != "job"]
    return {f"{group}/{name}": file[group][name] for group in groups for name in file[group]}
