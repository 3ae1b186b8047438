"""The columns of a file as it is read: of the type and the length they must have, and unchanged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mcts_cluster.columns import TEXT, Column
from mcts_cluster.errors import UserError
from mcts_cluster.storage import schema
from mcts_cluster.storage.hdf5 import OpenFile, opened
from mcts_cluster.storage.integrity.checksums import CHECKS, COUNT, Checksums, Damaged
from mcts_cluster.storage.rows.long_columns import ColumnInFile, KeptFile

if TYPE_CHECKING:
    from mcts_cluster.storage.hdf5 import File

# Larger columns stay in the file.
MAX_BYTES_IN_MEMORY = 1_000_000


@dataclass(frozen=True)
class Counts:
    """How many rows of each group are valid, and the checksums of these."""

    rows: Mapping[str, int]
    checksums: Checksums | None  # versions before had none


def counts_in(file: File, is_closed: bool) -> Counts:
    """Return what is valid: all that it counts was there before."""
    groups = [name for name in file if f"{name}/{COUNT}" in file]
    rows = {name: int(dataset_in(file, f"{name}/{COUNT}", "i8", 0)[()]) for name in groups}
    if CHECKS not in file:
        return Counts(rows, None)
    checksums = Checksums(file, is_closed)
    return Counts({name: checksums.count(name, count) for name, count in rows.items()}, checksums)


@contextmanager
def checked(path: Path, together: int = 1) -> Iterator[CheckedFile]:
    """Open a file to read what is valid in it; raises OSError, Damaged and others.

    It may be one of several files that are read together.
    """
    with opened(path) as source:
        refuse_others(source.file, path)
        counts = counts_in(source.file, source.is_closed)
        if source.is_closed:
            yield CheckedFile(source, counts, path, together)
            return
        # HDF5 keeps what it has read, and around it, which may be older than what is counted.
        with closing(source.again()) as newer:
            yield CheckedFile(newer, counts, path, together, is_closed=False)


def refuse_others(file: File, path: Path) -> None:
    """Raise UserError for the files of other programs and versions."""
    if file.attrs.get("creator") != "mcts_cluster":
        raise UserError(f"{path}: an HDF5 file, but not one of mcts_cluster")
    found = int(file.attrs["schema_version"])
    if not schema.OLDEST <= found <= schema.SCHEMA:
        raise UserError(
            f"{path}: written by another version of mcts_cluster: schema {found}, "
            f"must be {schema.OLDEST} to {schema.SCHEMA}"
        )


class CheckedFile:
    """A file that is read. Files of versions without checksums are checked for the rest."""

    def __init__(
        self,
        source: OpenFile,
        counts: Counts,
        place: Path,
        together: int = 1,
        is_closed: bool = True,
    ) -> None:
        self.source = source
        self.file = file = source.file
        self.place = place
        self.is_closed = is_closed
        self.rows = counts.rows
        self.checksums = counts.checksums
        self.kept: KeptFile | None = None
        self.most = MAX_BYTES_IN_MEMORY // together
        self.version = int(file.attrs["schema_version"])

    def has(self, path: str) -> bool:
        return path in self.file

    def text(self, path: str) -> str:
        text = dataset_in(self.file, path, TEXT, 0)[()]
        self.check(path, text)
        return str(text.decode(errors="replace"))

    def cells(self, group: str, column: Column, count: int | None = None) -> Any:
        """Return the cells of a column, or the first ones; raises Damaged."""
        path = f"{group}/{column.name}"
        dataset = dataset_in(self.file, path, column.type, 1)
        if self.checksums and count is not None:
            # Of a table to which rows of others refer there may be more.
            count = max(count, self.checksums.newest.get(path, 0))
        if not 0 <= (count or 0) <= len(dataset) or not is_stored(dataset, count):
            raise Damaged(f"{path} has fewer cells than are counted")
        if self.checksums and count is not None and self.is_long(dataset, count):
            return self.long_column(path, count, self.checksums)
        cells = dataset[()] if count is None else dataset[:count]
        self.check(path, cells)
        return cells

    def long_column(self, path: str, count: int, checksums: Checksums) -> ColumnInFile:
        """Return a column that stays in the file, which is open as long as somebody has it."""
        if not self.kept:
            self.kept = KeptFile(self.source.again(), self.place)
        return ColumnInFile(self.kept, path, count, checksums.sums(path, count))

    def is_long(self, dataset: Any, count: int) -> bool:
        """Return whether so many cells stay in the file."""
        return bool(dataset.ndim and count * dataset.dtype.itemsize > self.most)

    def check(self, path: str, cells: Any) -> None:
        if self.checksums:
            self.checksums.check(path, cells)


def dataset_in(file: File, path: str, kind: str, dimensions: int) -> Any:
    """Return a dataset of a type; raises Damaged if it is of another one."""
    found = file[path]
    if not hasattr(found, "ndim"):
        raise Damaged(f"{path} is not a dataset")
    if found.ndim != dimensions or not is_of(found.dtype, kind):
        raise Damaged(f"{path} has the type or the shape of something else")
    return found


def is_of(found: Any, kind: str) -> bool:
    if kind == TEXT:
        return (found.metadata or {}).get("vlen") in (str, bytes)
    if kind.startswith("S"):
        return bool(found.kind == "S")
    return bool(found == np.dtype(kind))


def is_stored(dataset: Any, count: int | None) -> bool:
    """Return whether there are as many cells: a damaged length must not fill the memory."""
    cells = len(dataset) if count is None else count
    if dataset.id.get_create_plist().get_nfilters():
        return True
    return bool(cells * dataset.dtype.itemsize <= dataset.id.get_storage_size())
