"""Columns as a DataFrame of pandas, or without it as a structured array of NumPy."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from mcts_cluster.errors import UserError, one_line
from mcts_cluster.results.named_columns import NamedColumn, NamedColumns
from mcts_cluster.text_files import replacing

NO_PANDAS = 'DataFrames need pandas: pip install "mcts_cluster[pandas]"'
NO_PARQUET = 'Parquet needs pandas and pyarrow: pip install "mcts_cluster[pandas]"'


def pandas(why_not: str = NO_PANDAS) -> Any:
    """Return pandas; raises UserError where it is not installed."""
    try:
        import pandas
    except ImportError:
        raise UserError(why_not) from None
    return pandas


def has_pandas() -> bool:
    try:
        pandas()
    except UserError:
        return False
    return True


def frame(columns: NamedColumns, about: Mapping[str, Any], index: str = "") -> Any:
    """Return a DataFrame: names as categories, times in UTC; attrs has units and meanings."""
    pd = pandas()
    found = pd.DataFrame({one.name: series(pd, one) for one in columns})
    found.index.name = index or None
    found.attrs = {
        **about,
        "units": {one.name: one.units for one in columns if one.units},
        "meanings": {one.name: one.meaning for one in columns if one.meaning},
    }
    return found


def series(pd: Any, column: NamedColumn) -> Any:
    cells = column.cells
    if column.labels is not None:
        return pd.Categorical.from_codes(cells, categories=list(column.labels))
    if cells.dtype.kind == "M":
        return pd.Series(cells).dt.tz_localize("UTC")
    return pd.Series(cells, dtype="str") if cells.dtype.kind == "O" else cells


def array(columns: NamedColumns) -> Any:
    """Return a structured array; the units of a field are in the metadata of its type."""
    cells = [plain_cells(one) for one in columns]
    kinds = [
        (one.name, np.dtype(own.dtype, metadata={"units": one.units}))
        for one, own in zip(columns, cells, strict=True)
    ]
    found = np.empty(len(cells[0]) if cells else 0, dtype=kinds)
    for one, own in zip(columns, cells, strict=True):
        found[one.name] = own
    return found


def plain_cells(column: NamedColumn) -> Any:
    """Return cells as NumPy has them: texts of the length of the longest one."""
    if column.labels is not None:
        # An array of no texts at all would be one of numbers.
        return np.array(column.labels or ("",))[column.cells]
    if column.cells.dtype.kind == "O":
        return np.array(["" if one is None else one for one in column.cells], dtype=str)
    return column.cells


def parquet(parts: Iterator[NamedColumns], about: Mapping[str, Any], out: Path) -> None:
    """Write columns, which come part by part, to a Parquet file; their durations are in seconds.

    Raises UserError, also where a library is missing.
    """
    pandas(NO_PARQUET)
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ModuleNotFoundError:
        raise UserError(NO_PARQUET) from None
    except ImportError as error:
        # Such as one that does not go with this NumPy.
        raise UserError(f"Parquet needs pyarrow: {one_line(error)}") from None
    tables = (arrow_table(pyarrow, list(map(in_seconds, one)), about) for one in parts)
    first = next(tables)
    with replacing(out) as fresh, ParquetWriter(fresh, first.schema) as writer:
        for table in chain([first], tables):
            writer.write_table(table)


def in_seconds(column: NamedColumn) -> NamedColumn:
    """Return a duration as numbers of its unit, which is s; Parquet has none but integers."""
    if column.cells.dtype.kind != "m":
        return column
    return replace(column, cells=column.cells / np.timedelta64(1, "s"))


def arrow_table(pyarrow: Any, columns: NamedColumns, about: Mapping[str, Any]) -> Any:
    """Return a table of Arrow; the metadata of its fields are units and descriptions."""
    found = pyarrow.Table.from_pandas(frame(columns, about), preserve_index=False)
    told = [{"units": one.units, "description": one.meaning} for one in columns]
    fields = [
        field.with_metadata({name: text for name, text in own.items() if text})
        for field, own in zip(found.schema, told, strict=True)
    ]
    return found.cast(pyarrow.schema(fields, metadata=found.schema.metadata))


def units_of(names: Sequence[str]) -> dict[str, str]:
    """Return the units of the numbers of tables."""
    percent = {name: "%" for name in names if name.endswith("_rate") or name in PERCENT}
    return percent | {name: "Elo" for name in names if name.startswith("elo")}


PERCENT = (
    *("standard_error", "wilson_low", "wilson_high", "published_error", "visible_difference"),
    "good_moves",
)
