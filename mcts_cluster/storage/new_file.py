"""Makes a new file: all groups and datasets that it will ever have, without rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mcts_cluster.columns import TEXT, Column, columns_of, split
from mcts_cluster.storage import schema
from mcts_cluster.storage.hdf5 import LINKS, VERSIONS, hdf5
from mcts_cluster.storage.integrity import checksums
from mcts_cluster.storage.results import Results, Tally, axis_of

if TYPE_CHECKING:
    from mcts_cluster.storage.hdf5 import File, Group


# No metadata of HDF5 may lie across two pages of memory: a kill may come in the middle of a write,
# between two pages. HDF5 aligns blocks that fit into a page; so that its index of the chunks of a
# dataset fits, there must be few chunks, in files of any length.
PAGE = 4096
MIN_CHUNK = 512
MAX_CHUNKS = 128
MIN_TABLE_CHUNK = 64
MOVES_OF_A_GAME = 128  # about
UNKNOWN_GAMES = 10**6  # where their number depends on their results
# Its races, one after another.
AXIS_OF_CANDIDATES = "iteration"


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
    file.attrs["schema_version"] = schema.SCHEMA
    file.attrs["NX_class"] = "NXroot"
    file["readme"] = schema.README
    job = file.create_group("job")
    for name in schema.JOB:
        job[name] = getattr(results, name)
    if schema.tallied(results.kind) == schema.MATCHES:
        create_matches(file, results)
    for name, table in results.tables.items():
        chunk = chunk_for(table.expected, MIN_TABLE_CHUNK)
        create_counted(file.create_group(name), schema.columns_in(name), chunk)
        if name == schema.tallied(results.kind):
            plot_first(file, name, AXIS_OF_CANDIDATES)
    create_games(file, results)
    fixed(file.create_group("runs"), split(schema.RECORDS["runs"], results.runs))
    checksums.create(file)


def create_games(file: File, results: Results) -> None:
    """Make the games, and the tables that grow with them."""
    asked = sum(match.games for match in results.matches)
    chunk = chunk_for(asked or UNKNOWN_GAMES)
    create_counted(file.create_group("games"), columns_of(schema.RECORDS["games"]), chunk)
    for link, rows in schema.links():
        if not link.is_list:
            own = MIN_TABLE_CHUNK
        else:
            # Moves are small, and records have many columns.
            own = chunk * MOVES_OF_A_GAME // (4 if isinstance(rows, Column) else 8)
        grow(file.require_group(link.group), columns_of(rows), own)


def create_counted(group: Group, columns: Iterable[Column], chunk: int) -> None:
    group["count"] = np.int64(0)
    group["count"].attrs["long_name"] = "valid rows"
    grow(group, columns, chunk)


def create_matches(file: File, results: Results) -> None:
    matches = results.matches
    group = file.create_group(schema.MATCHES)
    fixed(group, split(schema.RECORDS["matches"], matches))
    fixed(group, {schema.NUMBER: range(len(matches))})
    fixed(group, split(Tally, [Tally() for _ in matches]))
    plot_first(file, schema.MATCHES, axis_of(matches) or schema.NUMBER.name)


def plot_first(file: File, group: str, axis: str) -> None:
    """Have viewers plot the success rates of a group over a column when they open the file.

    In the groups that NeXus asks for. Their links are by path: what they lead to may be replaced.
    """
    if LINKS in file:
        del file[LINKS]
    entry = nexus_group(file, LINKS, "NXentry")
    plot = nexus_group(entry, "plot", "NXdata")
    plot.attrs["signal"] = schema.SIGNAL
    plot.attrs["axes"] = axis
    for name in (schema.SIGNAL, f"{schema.SIGNAL}_errors", axis):
        plot[name] = hdf5().SoftLink(f"/{group}/{name}")
    for one in (entry, plot):
        one["title"] = hdf5().SoftLink("/job/title")


def nexus_group(parent: Group, name: str, kind: str) -> Group:
    """Return a new group of a class of NeXus, which viewers open before all others there."""
    parent.attrs["default"] = name
    group = parent.create_group(name)
    group.attrs["NX_class"] = kind
    return group


def fixed(group: Group, content: Mapping[Column, Sequence[Any]]) -> None:
    """Make columns that keep their length."""
    for column, cells in content.items():
        kind = hdf5().string_dtype() if column.type == TEXT else column.type
        describe(group.create_dataset(column.name, data=list(cells), dtype=kind), column)


def grow(group: Group, columns: Iterable[Column], chunk: int) -> None:
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
