"""What tables keep of a record: each field says it once, where it is declared.

    @dataclass(frozen=True)
    class WorkerInfo:
        host: str = column(SHORT, "host name", default="")
        rank: int = column("i4", "MPI rank, 0 without MPI", default=0)

The datasets of the HDF5 file, their writer and their reader, the columns of CSV and the tables of
docs/hdf5.md follow from it. A field is one of

    column    a value, or a pair of values, one for each player of a match (`sides`)
    part      another record, or a pair of them, whose columns stand in the same table
    row_of    a row of another table, which holds each value once
    rows_of   any number of rows of another table
    derived   a property: it is written, and not read

and what is none of these is not stored. Tables are made column by column: `split` turns records
into lists of cells, `join` turns these into records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from math import isnan, nan
from typing import Any, Protocol, TypeVar

# Types are those of NumPy, and texts of any length, to which nothing can be appended.
TEXT = "text"
MAX_TEXT = 400
SHORT = f"S{MAX_TEXT}"  # longer texts are cut off

SIDES = ("first", "second")

Cells = list[Any]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Column:
    """A dataset: its name, its type, and what it says to people and viewers."""

    name: str
    type: str
    long_name: str
    units: str = ""
    link: Link | None = None
    missing: Any = None  # what files have that were made before there was this column
    optional: bool = False  # files of this schema may lack it, too


# What the rows of a table are: records, or the bare values of one column.
Rows = type | Column


@dataclass(frozen=True)
class Link:
    """The table to which the cells of a column refer.

    In the file a cell is the number of a row there, or, if it `is_list`, the end of its rows there.
    To `split` and `join` it is the row itself, or a tuple of rows.
    """

    group: str
    rows: Rows | None  # None where whoever reads and writes knows the rows
    is_list: bool = False


# How fields are declared


def column(
    kind: str,
    long_name: str,
    *,
    units: str = "",
    sides: bool = False,
    none_is_nan: bool = False,
    name: str = "{}",
    missing: Any = None,
    optional: bool = False,
    **options: Any,
) -> Any:
    """Declare a field that is a value; in a title of `sides`, {} stands for the player.

    In the column's name {} is the name of the field. Older files without the column are read as if
    every cell were `missing`, if that is given; if it is `optional`, so are files of this schema
    that were made before there was this column. Options are those of dataclasses.field: default,
    and compare=False of what is measured.
    """
    declared = Column(name, kind, long_name, units, missing=missing, optional=optional)
    value = Value(declared, none_is_nan)
    return stored(Sides(value) if sides else value, options)


def part(record: type, *, whose: str = "", sides: bool = False, **options: Any) -> Any:
    """Declare a field that is a record; {} in its titles stands for `whose`, or for the player."""
    return stored(Sides(Part(record)) if sides else Part(record, whose), options)


def row_of(group: str, rows: Rows | None, long_name: str, **options: Any) -> Any:
    """Declare a field of which the table has the number of a row."""
    return stored(Value(Column("{}", "i4", long_name, link=Link(group, rows))), options)


def rows_of(group: str, rows: Rows, long_name: str, **options: Any) -> Any:
    """Declare a field that is a tuple, of which the table has the end."""
    link = Link(group, rows, is_list=True)
    return stored(Value(Column("{}_end", "i8", long_name, link=link)), options)


def derived(kind: str, long_name: str, *, units: str = "") -> Callable[[F], F]:
    """Declare a property to be a column; stands under @property."""

    def declared(function: F) -> F:
        function.column = Column(function.__name__, kind, long_name, units)  # type: ignore[attr-defined]
        return function

    return declared


def stored(kind: StoredField, options: Mapping[str, Any]) -> Any:
    return field(metadata={"stored": kind}, **options)


@cache
def columns_of(rows: Rows) -> tuple[Column, ...]:
    """Return the columns of a table, in the order in which they are declared."""
    return (*given_columns(rows), *derived_of(rows).values())


@cache
def given_columns(rows: Rows) -> tuple[Column, ...]:
    """Return the columns that `join` needs: all but those that follow from others."""
    if isinstance(rows, Column):
        return (rows,)
    return tuple(column for _, _, columns in fields_of(rows) for column in columns)


def split(rows: Rows, items: Sequence[Any]) -> dict[Column, Cells]:
    """Return the cells of some rows, column by column."""
    if isinstance(rows, Column):
        return {rows: list(items)}
    cells: dict[Column, Cells] = {}
    for name, kind, columns in fields_of(rows):
        values = [getattr(item, name) for item in items]
        cells |= zip(columns, kind.split(values), strict=True)
    for name, one in derived_of(rows).items():
        cells[one] = [getattr(item, name) for item in items]
    return cells


def join(rows: Rows, cells: Mapping[str, Cells]) -> list[Any]:
    """Return rows, given their cells by the names of the columns."""
    if isinstance(rows, Column):
        return cells[rows.name]
    names = [name for name, _, _ in fields_of(rows)]
    values = [
        kind.join([cells[one.name] for one in columns]) for _, kind, columns in fields_of(rows)
    ]
    return [rows(**dict(zip(names, row, strict=True))) for row in zip(*values, strict=True)]


@cache
def fields_of(record: type) -> list[tuple[str, StoredField, list[Column]]]:
    """Return the fields of a record that are stored: name, kind, and columns."""
    kinds = {one.name: one.metadata.get("stored") for one in fields(record)}
    return [(name, kind, kind.columns(name)) for name, kind in kinds.items() if kind]


@cache
def derived_of(record: Rows) -> dict[str, Column]:
    """Return the columns of properties, by their names."""
    if isinstance(record, Column):
        return {}
    known = [vars(base) for base in reversed(record.__mro__)]
    properties = {name: one for names in known for name, one in names.items()}
    getters = {n: one.fget for n, one in properties.items() if isinstance(one, property)}
    return {n: found for n, get in getters.items() if (found := getattr(get, "column", None))}


# Kinds of fields


class StoredField(Protocol):
    """How the values of a field become lists of cells, one for each of its columns, and back."""

    def columns(self, name: str) -> list[Column]: ...

    def split(self, values: Cells) -> list[Cells]: ...

    def join(self, columns: Sequence[Cells]) -> Cells: ...


@dataclass(frozen=True)
class Value:
    """A value; if `none_is_nan`, it may be None."""

    column: Column
    none_is_nan: bool = False

    def columns(self, name: str) -> list[Column]:
        return [replace(self.column, name=self.column.name.replace("{}", name))]

    def split(self, values: Cells) -> list[Cells]:
        return [[nan if v is None else v for v in values] if self.none_is_nan else values]

    def join(self, columns: Sequence[Cells]) -> Cells:
        [cells] = columns
        return [None if isnan(c) else c for c in cells] if self.none_is_nan else cells


@dataclass(frozen=True)
class Part:
    """A record."""

    record: type
    whose: str = "{}"

    def columns(self, name: str) -> list[Column]:
        return [titled(column, self.whose) for column in columns_of(self.record)]

    def split(self, values: Cells) -> list[Cells]:
        return list(split(self.record, values).values())

    def join(self, columns: Sequence[Cells]) -> Cells:
        names = (column.name for column in columns_of(self.record))
        return join(self.record, dict(zip(names, columns, strict=True)))


@dataclass(frozen=True)
class Sides:
    """A pair, of the first and the second player of a match."""

    of_one: Value | Part

    def columns(self, name: str) -> list[Column]:
        return [
            replace(titled(column, f"the {side} player"), name=f"{side}_{column.name}".rstrip("_"))
            for side in SIDES
            for column in self.of_one.columns(name)
        ]

    def split(self, values: Cells) -> list[Cells]:
        firsts, seconds = ([pair[side] for pair in values] for side in range(len(SIDES)))
        return [*self.of_one.split(firsts), *self.of_one.split(seconds)]

    def join(self, columns: Sequence[Cells]) -> Cells:
        half = len(columns) // 2
        sides = self.of_one.join(columns[:half]), self.of_one.join(columns[half:])
        return list(zip(*sides, strict=True))


def titled(column: Column, whose: str) -> Column:
    return replace(column, long_name=column.long_name.replace("{}", whose))
