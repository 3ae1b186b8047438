"""Checksums of columns: how many cells each had at the last flushes, and the CRC-32 of these.

They stand in /checks, in rows that are written in turn and have a checksum of their own. A row is
written when the cells that it tells of have reached the disk, and before they are counted: of the
last two flushes one at least is whole, whenever a kill comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from mcts_cluster.storage.hdf5 import LINKS

if TYPE_CHECKING:
    from mcts_cluster.storage.hdf5 import File

CHECKS = "checks"
COUNT = "count"
FLUSHES = 8  # that are kept: a reader may take as long as all of these but one

# The datasets of the group: name, type, what it is.
DATASETS = (
    ("column", "S80", "columns, by their paths"),
    ("flush", "i8", "number of the flush"),
    ("cells", "i8", "of each column, its cells after the flush"),
    ("crc", "u4", "of each column, the CRC-32 of these cells"),
    ("sum", "u4", "CRC-32 of flush, cells and crc in this row"),
)


class Damaged(Exception):
    """What a file has is not what was written; the message says what and where."""


def create(file: File) -> None:
    """Make the group, last of all, for all columns."""
    columns = np.array([path.encode() for path in paths_in(file)])
    shapes = {"column": columns.shape, "flush": (FLUSHES,), "sum": (FLUSHES,)}
    group = file.create_group(CHECKS)
    for name, kind, text in DATASETS:
        group.create_dataset(name, shapes.get(name, (FLUSHES, len(columns))), kind)
        group[name].attrs["long_name"] = text
    group["column"][...] = columns


def paths_in(file: File) -> Iterator[str]:
    """Yield the columns of all groups; a count has no checksum, as it stands in the rows."""
    for group in file:
        if hasattr(file[group], "keys") and group not in (CHECKS, LINKS):
            yield from (f"{group}/{name}" for name in file[group] if name != COUNT)


class ChecksumsWriter:
    """The checksums of a file that is written."""

    def __init__(self, file: File, datasets: Mapping[str, Any]) -> None:
        """Take in what a file has, by its open datasets: a closed one, or one without rows yet."""
        self.reopen(datasets)
        self.numbers = {path.decode(): n for n, path in enumerate(self.group["column"][:])}
        if whole := whole_rows(file):
            flush, self.cells, self.crcs = max(whole, key=lambda row: row[0])
            self.flushes = flush + 1
            return
        self.cells = np.zeros(len(self.numbers), "i8")
        self.crcs = np.zeros(len(self.numbers), "u4")
        self.flushes = 0
        for path in self.numbers:
            if file[path].size:
                self.replace(path, file[path][()])
        self.write_all()

    def reopen(self, datasets: Mapping[str, Any]) -> None:
        self.group = {name: datasets[f"{CHECKS}/{name}"] for name, _, _ in DATASETS}

    def append(self, path: str, cells: Any) -> None:
        number = self.numbers[path]
        self.cells[number] += np.size(cells)
        self.crcs[number] = crc_of(cells, int(self.crcs[number]))

    def replace(self, path: str, cells: Any) -> None:
        number = self.numbers[path]
        self.cells[number], self.crcs[number] = np.size(cells), crc_of(cells)

    def write_all(self) -> None:
        """Have nothing but what is known now."""
        for _ in range(FLUSHES):
            self.write()

    def write(self) -> None:
        """Write the next row, in place of the oldest one."""
        row = self.flushes % FLUSHES
        self.group["flush"][row] = self.flushes
        self.group["cells"][row] = self.cells
        self.group["crc"][row] = self.crcs
        self.group["sum"][row] = sum_of(self.flushes, self.cells, self.crcs)
        self.flushes += 1


class Checksums:
    """The checksums of a file that is read."""

    def __init__(self, file: File, is_closed: bool) -> None:
        """Raise Damaged if more of them are broken than a kill can leave."""
        rows = whole_rows(file)
        if len(rows) < FLUSHES - (not is_closed):
            raise Damaged(f"/{CHECKS}: a checksum is not that of its row")
        newest = max(rows, key=lambda row: row[0])
        if is_closed:
            rows = [newest]
        paths = [path.decode() for path in file[CHECKS]["column"][:]]
        self.newest: dict[str, int] = dict(zip(paths, newest[1].tolist(), strict=True))
        self.known = {
            path: {(int(row[1][n]), int(row[2][n])) for row in rows} for n, path in enumerate(paths)
        }

    def count(self, group: str, found: int) -> int:
        """Return the rows of a group; what other programs take for them may be a flush older."""
        path = next(path for path in self.newest if path.startswith(f"{group}/"))
        if found not in {length for length, _ in self.known[path]}:
            raise Damaged(f"{group}/{COUNT} is {found}, and {self.newest[path]} rows were written")
        return int(self.newest[path])

    def sums(self, path: str, cells: int) -> set[int]:
        """Return the checksums that so many cells of a column may have; raises Damaged."""
        found = {crc for length, crc in self.known.get(path, ()) if length == cells}
        if not found:
            raise Damaged(f"{path} has no checksum of {cells} cells")
        return found

    def check(self, path: str, cells: Any) -> None:
        """Raise Damaged if cells are not those that were written."""
        if (np.size(cells), crc_of(cells)) not in self.known.get(path, ()):
            raise Damaged(f"{path} has other values than were written")


def whole_rows(file: File) -> list[tuple[int, Any, Any]]:
    """Return the rows that are as they were written: flush, cells and checksums."""
    columns = (file[CHECKS][name][()] for name, _, _ in DATASETS[1:])
    return [
        (int(flush), cells, crcs)
        for flush, cells, crcs, found in zip(*columns, strict=True)
        if sum_of(int(flush), cells, crcs) == int(found)
    ]


def sum_of(flush: int, cells: Any, crcs: Any) -> int:
    return crc32(b"%d" % flush + bytes(cells) + bytes(crcs))


def crc_of(cells: Any, before: int = 0) -> int:
    """Return the CRC-32 of cells that follow others; of texts of any length, with zeros between."""
    array = np.asarray(cells)
    if array.dtype == object:
        return crc32(b"\0".join(array.reshape(-1).tolist()), before)
    return crc32(array.tobytes(), before)
