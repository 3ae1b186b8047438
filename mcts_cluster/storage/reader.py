"""Reads a file, also while another process writes it, or as a kill has left it."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mcts_cluster.bgp import versions
from mcts_cluster.columns import Column, Rows, given_columns
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility
from mcts_cluster.jobs.job import HEAD
from mcts_cluster.jobs.jobfile import MAX_BYTES
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.positions.position import PositionKey
from mcts_cluster.positions.positions import Positions
from mcts_cluster.settings.checks import mistakes
from mcts_cluster.storage import schema
from mcts_cluster.storage.campaign_rows import CAMPAIGN_TABLES, CANDIDATES
from mcts_cluster.storage.hdf5 import BROKEN, is_closed, reason
from mcts_cluster.storage.integrity.checked_file import CheckedFile, checked
from mcts_cluster.storage.integrity.checksums import Damaged
from mcts_cluster.storage.integrity.faults import faults
from mcts_cluster.storage.journal import journal_of
from mcts_cluster.storage.results import GrowingTable, MatchRecord, Results
from mcts_cluster.storage.rows.long_columns import (
    READ_ATTEMPTS,
    SECONDS_BETWEEN_ATTEMPTS,
    ColumnInFile,
)
from mcts_cluster.storage.rows.stored_rows import StoredRows

# The keys of matches in files of kinds that have their own.
KEYS: dict[str, type[MatchKey]] = {Positions.kind: PositionKey}


def read(path: str | Path, together: int = 1) -> Results:
    """Return all that is in a file, also while another process writes it; raises UserError.

    Of files that are read together, so many, fewer columns are in memory.
    """
    path = Path(path)
    if not path.is_file():
        raise UserError(f"{path}: {'not a file' if path.exists() else 'no such file'}")
    if path.suffix == ".toml":
        example = f"such as results/{path.stem}.h5"
        raise UserError(f"{path}: a job, must be a file of its results, {example}")
    for attempt in range(READ_ATTEMPTS):
        if attempt:
            time.sleep(SECONDS_BETWEEN_ATTEMPTS)
        try:
            with checked(path, together) as file:
                results = results_in(file)
            check_settings(results, path)
            return results
        except Damaged as error:
            text = f"{path}: damaged: {error}"
        # Of what HDF5 says of a damaged file, and of what follows from it.
        except BROKEN as error:
            denied = isinstance(error, OSError) and error.errno
            what = "cannot be read" if denied else "not an HDF5 file that can be read"
            text = f"{path}: {what}: {reason(error)}"
        if is_closed(path):
            break
    if journal_of(path).exists():
        text = f"{path}: a run was killed while it changed the file; run again, or repair the file"
    raise UserError(text)


def check_settings(results: Results, path: Path) -> None:
    """Raise UserError for settings and texts that no run writes."""
    try:
        compatibility.read(results.settings)
        for text in mistakes(HEAD[0], results.title):
            raise UserError(f"job/title: {text[1]}")
        if len(results.text) > MAX_BYTES:
            raise UserError(f"job/text: too large, must be at most {MAX_BYTES // 10**6} MB")
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def results_in(file: CheckedFile) -> Results:
    # Before the games, which may refer to candidates that are newer.
    tables = {
        name: GrowingTable(list(rows_in(file, name, schema.RECORDS[name], count=file.rows[name])))
        for name in CAMPAIGN_TABLES
        if file.has(name)
    }
    matches = matches_in(file, tables)
    keys = [match.key for match in matches]
    results = Results(
        **{name: file.text(f"job/{name}") for name in schema.JOB},
        matches=tuple(matches),
        rows=rows_in(file, "games", schema.RECORDS["games"], keys, file.rows["games"]),
        runs=tuple(rows_in(file, "runs", schema.RECORDS["runs"])),
        tables=tables,
        is_closed=file.is_closed,
    )
    for line in faults(results):
        raise Damaged(line)
    return results


def matches_in(file: CheckedFile, tables: dict[str, GrowingTable]) -> list[MatchRecord]:
    """Return the matches, or the candidates that a campaign has instead."""
    if tables:
        return [MatchRecord(key, 0) for key in versions.keys(tables[CANDIDATES].content)]
    matches = list(rows_in(file, schema.MATCHES, schema.RECORDS[schema.MATCHES]))
    kind = KEYS.get(file.text("job/kind"), MatchKey)
    return [replace(match, key=kind(*match.players)) for match in matches]


def rows_in(
    file: CheckedFile,
    group: str,
    rows: Rows,
    keys: Sequence[Hashable] = (),
    count: int | None = None,
) -> StoredRows:
    """Return the rows of a group, or the first ones; those of games name their matches by keys."""
    cells: dict[str, Any] = {}
    linked: dict[str, Sequence[Any]] = {}
    columns = given_columns(rows)
    is_older = file.version < schema.SCHEMA
    for column in columns:
        may_lack = column.missing is not None and (is_older or column.optional)
        if may_lack and not file.has(f"{group}/{column.name}"):
            continue
        cells[column.name] = file.cells(group, column, count)
        if column.link:
            linked[column.name] = linked_rows(file, column, cells[column.name], keys)
    length = len(next(iter(cells.values())))
    if any(len(column) != length for column in cells.values()):
        raise Damaged(f"the columns of {group} are not of one length")
    for column in columns:
        if column.name not in cells:
            cells[column.name] = np.broadcast_to(np.array(column.missing), length)
    return StoredRows(rows, cells, linked)


def linked_rows(
    file: CheckedFile, column: Column, cells: Any, keys: Sequence[Hashable]
) -> Sequence[Any]:
    """Return the rows to which some cells refer."""
    link = column.link
    assert link
    if isinstance(cells, ColumnInFile):
        # Its checksum tells that it refers to what was there when it was written.
        found = keys if link.rows is None else rows_in(file, link.group, link.rows, count=0)
        return found if link.is_list else list(found)
    if link.is_list and link.rows:
        if np.any(np.diff(cells, prepend=0) < 0):
            raise Damaged(f"{column.name} does not rise")
        return rows_in(file, link.group, link.rows, count=int(cells[-1]) if len(cells) else 0)
    most = int(cells.max(initial=-1)) + 1
    rows = keys if link.rows is None else rows_in(file, link.group, link.rows, count=most)
    if cells.min(initial=0) < 0 or most > len(rows):
        raise Damaged(f"{column.name} refers to a row that is not there")
    return list(rows)
