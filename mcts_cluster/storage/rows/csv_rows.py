"""Rows of a table as CSV: its columns, with what they refer to in place of numbers."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import isnan
from typing import Any

from mcts_cluster.columns import Cells, Column, Rows, split


def as_csv(content: Mapping[str, Iterable[Any]], has_head: bool = True) -> str:
    """Return a text with these columns, below their names."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows(chain([content] * has_head, zip(*content.values(), strict=True)))
    return out.getvalue()


def cells_of(rows: Rows, items: Sequence[Any]) -> dict[str, Cells]:
    """Return columns of texts: of all that has one value a row."""
    return {
        column.name: [text_of(cell, column) for cell in cells]
        for column, cells in spread(rows, items)
    }


def spread(rows: Rows, items: Sequence[Any]) -> Iterator[tuple[Column, Cells]]:
    for column, cells in split(rows, items).items():
        if column.link and column.link.is_list:
            continue
        if column.link and isinstance(column.link.rows, type):
            yield from spread(column.link.rows, cells)
        else:
            yield column, cells


def text_of(cell: Any, column: Column) -> str:
    """Return a cell: seconds to microseconds, nothing where it is not a number."""
    if column.type != "f8" or column.link:
        return str(cell)
    if isnan(cell):
        return ""
    return f"{cell:.6f}" if column.units == "s" else f"{cell:.10g}"
