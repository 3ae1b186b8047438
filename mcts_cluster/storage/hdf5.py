"""Opening HDF5 files and reading their datasets: the only module that imports h5py.

The import is inside a function, so that ranks start without loading HDF5.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcts_cluster.storage.integrity.snapshot import Snapshot

if TYPE_CHECKING:
    from h5py import Dataset as Dataset
    from h5py import File as File
    from h5py import Group as Group

# What h5py raises where a file has something else than there must be.
BROKEN = (
    *(OSError, KeyError, RuntimeError, IndexError, ValueError, TypeError),
    *(AttributeError, OverflowError, MemoryError),
)


# The oldest format with SWMR, which h5dump and viewers of ten years ago can read.
VERSIONS = ("v110", "v110")
# A group of links for viewers, which lead to columns of others.
LINKS = "entry"


def hdf5() -> Any:
    import h5py

    return h5py


class OpenFile:
    """A file as it stands, to be read until it is closed, or until nobody has it any more.

    Public attributes (treat as read-only): file; is_closed, whether nobody writes it.
    """

    def __init__(self, descriptor: int) -> None:
        """Take the descriptor of a file, which is closed with it."""
        self.bytes = open(descriptor, "rb", buffering=0)  # noqa: SIM115
        try:
            self.bytes.seek(0)
            snapshot = Snapshot(self.bytes)
            self.is_closed = snapshot.is_closed
            self.file: File = hdf5().File(snapshot, "r")
        except BaseException:
            self.bytes.close()
            raise

    def again(self) -> OpenFile:
        """Return the same file as it stands now."""
        return OpenFile(os.dup(self.bytes.fileno()))

    def close(self) -> None:
        if not self.bytes.closed:
            self.file.close()
            self.bytes.close()

    def __del__(self) -> None:
        if hasattr(self, "file"):
            self.close()


@contextmanager
def opened(path: Path) -> Iterator[OpenFile]:
    """Open a file as it stands."""
    source = OpenFile(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    try:
        yield source
    finally:
        source.close()


def reason(error: Exception) -> str:
    """Return what helps of an error of h5py: "... (truncated file: eof = 96, ...)" ends there."""
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno).lower()
    # A KeyError has its text in quotes.
    text = str(error.args[0]) if error.args else type(error).__name__
    inner = re.search(r"\((.*)\)", text)
    return re.split(r"[:,;]", inner[1] if inner else text)[0].strip()


def is_closed(path: Path) -> bool:
    """Return whether nobody writes a file, by its marks, or it is none."""
    try:
        with path.open("rb", buffering=0) as bytes_of_file:
            return Snapshot(bytes_of_file).is_closed
    except OSError:
        return True


def datasets_of(file: File) -> dict[str, Dataset]:
    """Return all columns by their paths."""
    others = ("job", LINKS)
    groups = [name for name in file if isinstance(file[name], hdf5().Group) and name not in others]
    return {f"{group}/{name}": file[group][name] for group in groups for name in file[group]}
