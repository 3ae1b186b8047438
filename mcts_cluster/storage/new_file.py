"""Makes a new file: all groups and datasets that it will ever have, without rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from mcts_cluster.storage.hdf5 import VERSIONS, hdf5
from mcts_cluster.storage.results import Results, axis_of
from mcts_cluster.storage.schema import (
    CANDIDATES,
    GAMES,
    MATCHES,
    MOVES,
    README,
    RUNS,
    SCHEMA,
    SEARCHES,
    TEXT,
    TEXTS,
    WORKERS,
    Column,
)

if TYPE_CHECKING:
    from mcts_cluster.storage.hdf5 import File, Group


# Nothing that HDF5 notes down about its data may lie across two pages of memory: a kill comes in
# the middle of a write, too, between two pages. It aligns what fits into a page; so that its index
# of the chunks of a dataset does, there must not be many, in files however long.
PAGE = 4096
MIN_CHUNK = 512
MAX_CHUNKS = 128
MOVES_OF_A_GAME = 128  # about
GAMES_OF_A_CAMPAIGN = 10**6  # about
MIN_TABLE_CHUNK = 64


def image_of(results: Results) -> bytes:
    """Return a file with everything in it but rows."""
    with hdf5().File(
        "image",
        "w",
        driver="core",
        backing_store=False,
        libver=VERSIONS,
        fs_strategy="page",
        fs_page_size=PAGE,
    ) as file:
        create(file, results)
        file.flush()
        return bytes(file.id.get_file_image())


def create(file: File, results: Results) -> None:
    """Make all groups and datasets, with everything in them but rows."""
    file.attrs["creator"] = "mcts_cluster"
    file.attrs["schema_version"] = SCHEMA
    # What viewers open first.
    file.attrs["NX_class"] = "NXroot"
    file.attrs["default"] = "matches"
    file["readme"] = README
    job = file.create_group("job")
    for name in ("title", "game", "text", "overrides", "settings"):
        job[name] = getattr(results, name)
    if results.tables:
        file.attrs["default"] = CANDIDATES
    else:
        create_matches(file.create_group("matches"), results)
    for name, table in results.tables.items():
        group = file.create_group(name)
        create_count(group)
        grow(group, table.columns, chunk_for(table.expected, MIN_TABLE_CHUNK))
    games = file.create_group("games")
    create_count(games)
    wanted = sum(match.games for match in results.matches)
    chunk = chunk_for(GAMES_OF_A_CAMPAIGN if results.tables else wanted)
    grow(games, GAMES, chunk)
    grow(games, [MOVES], chunk * MOVES_OF_A_GAME // 4)
    grow(file.create_group("searches"), SEARCHES, chunk * MOVES_OF_A_GAME // 8)
    grow(file.create_group("texts"), TEXTS, 16)
    grow(file.create_group("workers"), WORKERS, 64)
    runs = file.create_group("runs")
    for column in RUNS:
        fixed(runs, column, [getattr(run, column.name) for run in results.runs])


def create_count(group: Group) -> None:
    group["count"] = np.int64(0)
    group["count"].attrs["long_name"] = "valid rows"


def create_matches(group: Group, results: Results) -> None:
    first = [match.players[0] for match in results.matches]
    columns: dict[str, list[Any]] = {
        "name": [match.name for match in results.matches],
        "first": first,
        "second": [match.players[1] for match in results.matches],
        "published": [match.published for match in results.matches],
        "simulations": [match.simulations for match in results.matches],
        "opening": [match.opening for match in results.matches],
        "machines": [match.machines for match in results.matches],
        "number": list(range(len(first))),
        "wanted": [match.games for match in results.matches],
    }
    for column in MATCHES:
        empty = [nan if column.type == "f8" else 0] * len(first)
        fixed(group, column, columns.get(column.name, empty))
    group.attrs["NX_class"] = "NXdata"
    group.attrs["title"] = results.title or "success rates"
    group.attrs["signal"] = "success_rate"
    group.attrs["axes"] = axis_of(results.matches) or "number"


def fixed(group: Group, column: Column, content: Sequence[Any]) -> None:
    kind = hdf5().string_dtype() if column.type == TEXT else column.type
    describe(group.create_dataset(column.name, data=list(content), dtype=kind), column)


def grow(group: Group, columns: Sequence[Column], chunk: int) -> None:
    """Make columns that can become longer."""
    for column in columns:
        dataset = group.create_dataset(
            column.name, (0,), column.type, maxshape=(None,), chunks=(chunk,)
        )
        describe(dataset, column)


def chunk_for(rows: int, least: int = MIN_CHUNK) -> int:
    """Return how many rows to store together, a power of two."""
    chunk = least
    while chunk * MAX_CHUNKS < rows:
        chunk *= 2
    return chunk


def describe(dataset: Any, column: Column) -> None:
    dataset.attrs["long_name"] = column.long_name
    if column.units:
        dataset.attrs["units"] = column.units
