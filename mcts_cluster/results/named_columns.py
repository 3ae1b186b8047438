"""Columns with names: of the rows of a file, with what they refer to in place of numbers.

A column is an array. One of names has, beside the numbers of its cells, the names by these numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mcts_cluster.columns import TEXT, Column, Rows, columns_of, split
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.storage.rows.stored_rows import columnar

# Of the columns in seconds, those that are times; the others are durations.
TIMES = ("began", "ended")
MICROSECONDS = 1e6
# Texts of any length that are names.
NAMES = ("first", "second")


@dataclass(frozen=True)
class NamedColumn:
    """A column: its cells, or if it has labels, the numbers of these."""

    name: str
    cells: Any
    labels: tuple[str, ...] | None = None
    units: str = ""
    meaning: str = ""

    @property
    def texts(self) -> list[str]:
        """The labels of the cells."""
        return [(self.labels or ())[number] for number in self.cells.tolist()]

    def chosen(self, places: Any) -> NamedColumn:
        return replace(self, cells=self.cells[places])


NamedColumns = list[NamedColumn]


def of_names(
    name: str, names: Iterable[str], numbers: Any = None, meaning: str = ""
) -> NamedColumn:
    """Return a column of names; those by numbers, if these are given, else one a cell."""
    names = list(names)
    places = {text: place for place, text in enumerate(dict.fromkeys(names))}
    own = np.array([places[text] for text in names], dtype=np.int32)
    cells = own if numbers is None else own[np.asarray(numbers, dtype=np.int64)]
    return NamedColumn(name, cells, tuple(places), meaning=meaning)


def of_column(column: Column, cells: Sequence[Any]) -> NamedColumn:
    """Return a column as it is declared: times and durations as such, short texts as names."""
    if column.type == TEXT and column.name not in NAMES:
        found: Any = np.array(cells, dtype=object)
    elif column.type == TEXT or column.type.startswith("S"):
        return of_names(column.name, cells, meaning=column.long_name)
    elif column.units == "s":
        found = moments(np.array(cells, dtype=float), column.name in TIMES)
    else:
        found = np.array(cells, dtype=column.type)
    if column.name in TIMES:
        meaning = column.long_name.replace(", Unix time", "")
        return NamedColumn(column.name, found, meaning=meaning)
    return NamedColumn(column.name, found, None, column.units, column.long_name)


def moments(seconds: Any, are_times: bool) -> Any:
    """Return times or durations in microseconds; NaN is none."""
    rounded = np.round(np.nan_to_num(seconds) * MICROSECONDS).astype(np.int64)
    found = rounded.astype("M8[us]" if are_times else "m8[us]")
    found[np.isnan(seconds)] = None
    return found


def of_records(rows: Rows, records: Sequence[Any]) -> NamedColumns:
    """Return the columns of some records, without what refers to other rows."""
    cells = split(rows, records).items()
    return [of_column(column, own) for column, own in cells if not column.link]


def of_games(rows: Sequence[GameRecord]) -> NamedColumns:
    """Return the columns of games, with the names of matches, players, texts and hosts.

    Their moves and the searches of teams are other tables; instead of these it has the plies.
    """
    games = columnar(rows, GameRecord)
    found = []
    for column in columns_of(GameRecord):
        cells = games.cells.get(column.name)
        if column.link:
            found += of_link(column, cells, games.linked[column.name])
        elif cells is not None:
            found.append(of_column(column, cells))
        elif column.name == "plies":
            plies = games.cells["moves_end"] - games.starts("moves_end")
            found.append(of_column(column, plies))
    return found


def of_link(column: Column, cells: Any, linked: Sequence[Any]) -> NamedColumns:
    """Return what the cells of a column refer to: a name, or the columns of a record."""
    assert column.link
    if column.link.is_list:
        return []
    if column.link.rows is None:
        keys = [(str(key), *key.players) for key in linked]
        names, firsts, seconds = zip(*keys, strict=True) if keys else ((), (), ())
        return [
            of_names("match", names, cells, "match, or candidate, or player at a position"),
            of_names("first", firsts, cells, "first player"),
            of_names("second", seconds, cells, "second player, or position"),
        ]
    if isinstance(column.link.rows, Column):
        return [of_names(column.name, linked, cells, column.long_name)]
    return [one.chosen(cells) for one in of_records(column.link.rows, linked)]


def of_plain(rows: Sequence[Mapping[str, Any]], units: Mapping[str, str]) -> NamedColumns:
    """Return columns of names and numbers, without what has parts of its own."""
    names = dict.fromkeys(name for row in rows for name in row)
    cells = {name: [row.get(name) for row in rows] for name in names}
    return [
        NamedColumn(name, of_values(own), None, units.get(name, ""))
        for name, own in cells.items()
        if not any(isinstance(one, dict) for one in own)
    ]


def of_values(cells: Sequence[Any]) -> Any:
    """Return cells as an array: texts as objects, None of numbers as NaN."""
    if any(isinstance(one, str) for one in cells):
        return np.array(cells, dtype=object)
    if None in cells:
        return np.array(cells, dtype=float)
    return np.array(cells)


def joined(tables: Sequence[NamedColumns]) -> NamedColumns:
    """Return tables one after another as one; what one of them lacks, it has as NaN or None."""
    if len(tables) == 1:
        return tables[0]
    found = [{column.name: column for column in table} for table in tables]
    lengths = [len(table[0].cells) if table else 0 for table in tables]
    first = {name: one for table in reversed(found) for name, one in table.items()}
    order = dict.fromkeys(column.name for table in tables for column in table)
    return [
        together(
            first[name],
            [
                table.get(name) or missing(first[name], length)
                for table, length in zip(found, lengths, strict=True)
            ],
        )
        for name in order
    ]


def together(like: NamedColumn, columns: Sequence[NamedColumn]) -> NamedColumn:
    if like.labels is not None:
        texts = [text for column in columns for text in column.texts]
        return of_names(like.name, texts, meaning=like.meaning)
    return replace(like, cells=np.concatenate([column.cells for column in columns]))


def missing(like: NamedColumn, length: int) -> NamedColumn:
    nothing = None if like.cells.dtype.kind == "O" else np.nan
    return replace(like, cells=np.array([nothing] * length, dtype=None if nothing else object))
