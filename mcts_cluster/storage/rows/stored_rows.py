"""Rows as a file has them: columns, of which records are made where somebody asks for them.

A record of a game takes two kilobytes and as many microseconds as fifty numbers of a column. What
counts all games therefore takes their columns, and of long files, whose columns stay there, one
part after another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, overload

import numpy as np

from mcts_cluster.columns import Cells, Column, Rows, given_columns, join, split
from mcts_cluster.storage.rows.long_columns import ColumnInFile, blocks

BLOCK = 4096
# Of so many rows the records are kept when all were asked for.
FEW = 10_000


class StoredRows(Sequence[Any]):
    """Rows of a table, a sequence of records.

    Public attributes (treat as read-only): cells, arrays by the names of columns; linked, by those
    of columns that refer to other rows, these rows.
    """

    def __init__(
        self, rows: Rows, cells: Mapping[str, Any], linked: Mapping[str, Sequence[Any]]
    ) -> None:
        self.rows = rows
        self.cells = cells
        self.linked = linked
        self.lists = {c.name for c in given_columns(rows) if c.link and c.link.is_list}
        self.records: list[Any] | None = None

    def __len__(self) -> int:
        return len(next(iter(self.cells.values())))

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            start, end, step = place.indices(len(self))
            return tuple(self.joined(start, end)) if step == 1 else tuple(self)[place]
        number = range(len(self))[place]
        return self.joined(number, number + 1)[0]

    def __iter__(self) -> Iterator[Any]:
        if self.records is None and len(self) <= FEW:
            self.records = self.joined(0, len(self))
        return iter(self.records) if self.records is not None else self.one_by_one()

    def one_by_one(self) -> Iterator[Any]:
        for start in range(0, len(self), BLOCK):
            yield from self.joined(start, start + BLOCK)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __add__(self, others: Sequence[Any]) -> tuple[Any, ...]:
        return (*self, *others)

    def __radd__(self, others: Sequence[Any]) -> tuple[Any, ...]:
        return (*others, *self)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))

    def grouped(self, name: str) -> dict[Any, Any]:
        """Return, for each row to which those of a column refer, the places of these."""
        if not len(self):
            return {}
        cells = np.asarray(self.cells[name])
        order = np.argsort(cells, kind="stable")
        numbers, starts = np.unique(cells[order], return_index=True)
        parts = np.split(order, starts[1:])
        return {self.linked[name][n]: own for n, own in zip(numbers.tolist(), parts, strict=True)}

    def starts(self, name: str) -> Any:
        """Return where the rows begin to which those of a column refer that has their ends."""
        return np.concatenate(([0], self.cells[name]))[:-1].astype(np.int64)

    def parts(self, *names: str) -> Iterator[list[Any]]:
        """Yield some columns part by part, so that long ones need no memory."""
        for start, end in blocks(len(self)):
            yield [self.part(name, start, end) for name in names]

    def blocks(self) -> Iterator[StoredRows]:
        """Yield these rows part by part, each with its columns in memory."""
        for start, end in blocks(len(self)):
            yield self.between(start, end)

    def between(self, start: int, end: int) -> StoredRows:
        """Return some of these rows."""
        cells = {name: np.asarray(own[start:end]) for name, own in self.cells.items()}
        linked = dict(self.linked)
        for name in self.lists:
            first = int(self.cells[name][start - 1]) if start else 0
            last = int(cells[name][-1]) if len(cells[name]) else first
            rows = self.linked[name]
            own = rows.between(first, last) if isinstance(rows, StoredRows) else rows[first:last]
            linked[name] = own
            cells[name] = cells[name] - first
        return StoredRows(self.rows, cells, linked)

    def part(self, name: str, start: int, end: int) -> Any:
        """Return cells of a column; of one that has the ends of lists, how long these are."""
        cells = self.cells[name][start:end]
        if name not in self.lists:
            return cells
        return np.diff(cells, prepend=self.cells[name][start - 1] if start else 0)

    def listed(self, name: str, start: int, end: int) -> Any:
        """Return some of the values, one after another, that are in the lists of a column."""
        values = self.linked[name]
        if isinstance(values, StoredRows):
            [cells] = values.cells.values()
            return np.asarray(cells[start:end])
        return np.array(values[start:end], dtype=np.int64)

    @property
    def is_long(self) -> bool:
        """Whether columns are in their file."""
        return any(isinstance(cells, ColumnInFile) for cells in self.cells.values())

    def joined(self, start: int, end: int) -> Cells:
        """Return the records of some rows."""
        columns = given_columns(self.rows)
        return join(self.rows, {one.name: self.values(one, start, end) for one in columns})

    def values(self, column: Column, start: int, end: int) -> Cells:
        cells = as_list(self.cells[column.name][start:end])
        if not column.link:
            return cells
        others = self.linked[column.name]
        if not column.link.is_list:
            return [others[cell] for cell in cells]
        first = int(self.cells[column.name][start - 1]) if start else 0
        found = others[first : cells[-1]] if cells else ()
        return [tuple(found[a - first : b - first]) for a, b in pairwise([first, *cells])]


def columnar(rows: Sequence[Any], record: type) -> StoredRows:
    """Return rows as columns, if they are not yet."""
    if isinstance(rows, StoredRows):
        return rows
    cells: dict[str, Any] = {}
    linked: dict[str, Sequence[Any]] = {}
    for column, found in split(record, rows).items():
        if not column.link:
            kind = object if column.type.startswith("S") else column.type
            cells[column.name] = np.array(found, dtype=kind)
        elif column.link.is_list:
            cells[column.name] = np.array(list(accumulate(map(len, found))), dtype=np.int64)
            linked[column.name] = [row for of_one in found for row in of_one]
        else:
            known = {row: number for number, row in enumerate(dict.fromkeys(found))}
            cells[column.name] = np.array([known[row] for row in found], dtype=np.int64)
            linked[column.name] = list(known)
    return StoredRows(record, cells, linked)


def as_list(cells: Any) -> Cells:
    """Return cells as Python's own values."""
    if cells.dtype.kind == "S":
        return [text.decode(errors="replace") for text in cells.tolist()]
    found: Cells = cells.tolist()
    if found and isinstance(found[0], bytes):
        return [text.decode(errors="replace") for text in found]
    return found
