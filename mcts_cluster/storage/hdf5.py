"""Opening HDF5 files and reading their datasets: the only module that imports h5py.

The import is inside a function, so that ranks start without loading HDF5.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    """Open a file, and yield whether it was closed; one that was not opens as SWMR only."""
    with ExitStack() as stack:
        try:
            file = hdf5().File(path, "r", locking="best-effort")
            is_closed = True
        except OSError:
            # HDF5 waits for what a file lacks as if its writer were about to write it.
            if not is_marked_open(path):
                raise
            file = hdf5().File(path, "r", libver=VERSIONS, swmr=True, locking="best-effort")
            is_closed = False
        yield stack.enter_context(file), is_closed


def is_marked_open(path: Path) -> bool:
    """Return whether a writer has a file open, or was killed: by the flags of its superblock."""
    with path.open("rb") as file:
        head = file.read(12)
    return len(head) == 12 and head[8] >= 3 and bool(head[11] & 0b101)


def values(dataset: Any, count: int | None = None) -> Any:
    """Return a dataset, or its beginning, as Python's own values."""
    found = dataset[()] if count is None else dataset[:count]
    if isinstance(found, bytes):
        return found.decode(errors="replace")
    listed = found.tolist()
    if dataset.dtype.kind in "SO":
        return [text.decode(errors="replace") for text in listed]
    return listed


def datasets_of(file: File) -> dict[str, Dataset]:
    groups = [name for name in file if isinstance(file[name], hdf5().Group) and name != "job"]
    return {f"{group}/{name}": file[group][name] for group in groups for name in file[group]}
