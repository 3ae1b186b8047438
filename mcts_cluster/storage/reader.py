"""Reads a file, also while another process writes it, or as a kill has left it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from mcts_cluster.bgp import versions
from mcts_cluster.columns import Cells, Link, Rows, given_columns, join
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
from mcts_cluster.storage.hdf5 import hdf5, opened, values
from mcts_cluster.storage.results import GrowingTable, MatchRecord, Results

if TYPE_CHECKING:
    from mcts_cluster.storage.hdf5 import File

# The keys of matches in files of kinds that have their own.
KEYS: dict[str, type[MatchKey]] = {Positions.kind: PositionKey}
# A reader may see a file in the middle of a change, above all over a network.
READ_ATTEMPTS = 5
SECONDS_BETWEEN_ATTEMPTS = 0.5


def read(path: Path) -> Results:
    """Return all that is in a file, also while another process writes it; raises UserError."""
    if not path.is_file():
        raise UserError(f"{path}: {'not a file' if path.exists() else 'no such file'}")
    for attempt in range(READ_ATTEMPTS):
        if attempt:
            time.sleep(SECONDS_BETWEEN_ATTEMPTS)
        try:
            with opened(path) as (file, is_closed):
                if file.attrs.get("creator") != "mcts_cluster":
                    raise UserError(f"{path}: an HDF5 file, but not one of mcts_cluster")
                found = int(file.attrs["schema_version"])
                if not schema.OLDEST <= found <= schema.SCHEMA:
                    raise UserError(
                        f"{path}: written by another version of mcts_cluster: schema {found}, "
                        f"must be {schema.OLDEST} to {schema.SCHEMA}"
                    )
                results = results_in(file, is_closed)
                check_settings(results, path)
                return results
        except (OSError, KeyError, RuntimeError, IndexError) as error:
            last = error
            if not hdf5().is_hdf5(path):
                break
    raise UserError(f"{path}: not an HDF5 file that can be read: {reason(last)}")


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


def reason(error: Exception) -> str:
    """Return what helps of an error of h5py: "... (truncated file: eof = 96, ...)" ends there."""
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno).lower()
    # A KeyError has its text in quotes.
    text = str(error.args[0]) if error.args else type(error).__name__
    inner = re.search(r"\((.*)\)", text)
    return re.split(r"[:,;]", inner[1] if inner else text)[0].strip()


def results_in(file: File, is_closed: bool) -> Results:
    # Before the games, which may refer to candidates that are newer.
    tables = {
        name: GrowingTable(rows_in(file, name, schema.RECORDS[name], count=count_in(file, name)))
        for name in CAMPAIGN_TABLES
        if name in file
    }
    matches = matches_in(file, tables)
    keys = [match.key for match in matches]
    games = rows_in(file, "games", schema.RECORDS["games"], keys, count_in(file, "games"))
    return Results(
        **{name: values(file["job"][name]) for name in schema.JOB},
        matches=tuple(matches),
        rows=tuple(games),
        runs=tuple(rows_in(file, "runs", schema.RECORDS["runs"])),
        tables=tables,
        is_closed=is_closed,
    )


def matches_in(file: File, tables: dict[str, GrowingTable]) -> list[MatchRecord]:
    """Return the matches, or the candidates that a campaign has instead."""
    if tables:
        return [MatchRecord(key, 0) for key in versions.keys(tables[CANDIDATES].content)]
    matches: list[MatchRecord] = rows_in(file, "matches", schema.RECORDS["matches"])
    kind = KEYS.get(values(file["job/kind"]), MatchKey)
    return [replace(match, key=kind(*match.players)) for match in matches]


def count_in(file: File, group: str) -> int:
    """Return how many rows of a group are valid: what it counts was there before the count."""
    return int(file[group]["count"][()])


def rows_in(
    file: File, group: str, rows: Rows, keys: Sequence[Hashable] = (), count: int | None = None
) -> Cells:
    """Return the rows of a group, or the first ones; those of games name their matches by keys."""
    cells = {}
    columns = given_columns(rows)
    is_older = int(file.attrs["schema_version"]) < schema.SCHEMA
    for column in columns:
        may_lack = column.missing is not None and (is_older or column.optional)
        if may_lack and column.name not in file[group]:
            continue
        found = values(file[group][column.name], count)
        cells[column.name] = linked(file, column.link, found, keys) if column.link else found
    length = len(next(iter(cells.values())))
    for column in columns:
        cells.setdefault(column.name, [column.missing] * length)
    return join(rows, cells)


def linked(file: File, link: Link, cells: Sequence[int], keys: Sequence[Hashable]) -> Cells:
    """Return the rows to which some cells refer."""
    if link.rows is None:
        return [keys[cell] for cell in cells]
    if link.is_list:
        rows = rows_in(file, link.group, link.rows, count=cells[-1] if cells else 0)
        return [tuple(rows[start:end]) for start, end in pairwise([0, *cells])]
    rows = rows_in(file, link.group, link.rows, count=max(cells, default=-1) + 1)
    return [rows[cell] for cell in cells]
