"""Columns of long files: they stay there, and their cells are read where somebody asks for them.

A column is compared with its checksum before the first of its cells is used.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mcts_cluster.errors import UserError
from mcts_cluster.storage.hdf5 import BROKEN, OpenFile, reason
from mcts_cluster.storage.integrity.checksums import Damaged, crc_of

CELLS_AT_ONCE = 2**16
# A reader may see a file in the middle of a change, above all over a network.
READ_ATTEMPTS = 5
SECONDS_BETWEEN_ATTEMPTS = 0.5


class KeptFile:
    """A file that is open as long as somebody has columns of it."""

    def __init__(self, source: OpenFile, place: Path) -> None:
        self.source = source
        self.place = place

    def cells(self, path: str, start: int, end: int) -> Any:
        """Return cells of a dataset; raises UserError."""
        for attempt in range(READ_ATTEMPTS):
            if attempt:
                time.sleep(SECONDS_BETWEEN_ATTEMPTS)
                self.source = self.source.again()
            try:
                return self.source.file[path][start:end]
            except BROKEN as error:
                why = reason(error)
            if self.source.is_closed:
                break
        raise UserError(f"{self.place}: not an HDF5 file that can be read: {path}: {why}")


class ColumnInFile:
    """A column of a file, as an array of NumPy is one that is indexed."""

    ndim = 1

    def __init__(self, file: KeptFile, path: str, count: int, sums: set[int]) -> None:
        """Take the checksums that it may have."""
        self.file = file
        self.path = path
        self.count = count
        self.sums = sums
        self.is_checked = False

    @property
    def dtype(self) -> Any:
        return self.file.source.file[self.path].dtype

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, places: Any) -> Any:
        """Return some cells; raises UserError."""
        if not self.is_checked:
            try:
                self.check()
            except Damaged as error:
                raise UserError(f"{self.file.place}: damaged: {error}") from None
        if isinstance(places, slice):
            start, end, step = places.indices(self.count)
            return self.file.cells(self.path, start, end)[::step] if step > 0 else self[:][places]
        if isinstance(places, int):
            place = range(self.count)[places]
            return self.file.cells(self.path, place, place + 1)[0]
        return self[:][places]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self[:], dtype=dtype)

    def tolist(self) -> list[Any]:
        found: list[Any] = self[:].tolist()
        return found

    def check(self) -> None:
        """Compare all cells with their checksum; raises Damaged."""
        found = 0
        for start in range(0, self.count, CELLS_AT_ONCE):
            end = min(start + CELLS_AT_ONCE, self.count)
            found = crc_of(self.file.cells(self.path, start, end), found)
        if found not in self.sums:
            raise Damaged(f"{self.path} has other values than were written")
        self.is_checked = True


def blocks(length: int) -> Iterator[tuple[int, int]]:
    """Yield where the parts of a long column begin and end."""
    for start in range(0, length, CELLS_AT_ONCE):
        yield start, min(start + CELLS_AT_ONCE, length)
