"""A closed file that takes more rows where it is: its runs, matches and job are changed in place.

It must have the form of a new file of the same results, and the same rows; another one is made
anew.
"""

from __future__ import annotations

import io
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcts_cluster.columns import split
from mcts_cluster.errors import UserError
from mcts_cluster.storage import journal, reader, schema
from mcts_cluster.storage.hdf5 import BROKEN, datasets_of, hdf5
from mcts_cluster.storage.integrity.checked_file import checked
from mcts_cluster.storage.integrity.checksums import ChecksumsWriter, Damaged
from mcts_cluster.storage.new_file import create_matches, fixed, image_of
from mcts_cluster.storage.results import MatchRecord, Results, Tally
from mcts_cluster.storage.rows.match_sums import tallies

if TYPE_CHECKING:
    from mcts_cluster.storage.hdf5 import File


@dataclass(frozen=True)
class Known:
    """What a writer knows of the rows of a file."""

    lengths: dict[str, int]  # of the columns that grow, by their paths
    numbers: dict[str, dict[Hashable, int]]  # of the rows to which others refer, by their groups
    matches: tuple[MatchRecord, ...]  # or candidates
    tallies: list[Tally]  # of these
    counts: dict[str, int]  # of the rows of tables


def continued(path: Path, results: Results) -> Known | None:
    """Change a file to one of these results, and return what it has, if it can be continued.

    Raises OSError where the file cannot be written.
    """
    try:
        old = reader.read(path) if path.exists() else None
        found = known(path, old, results) if old else None
    except (UserError, Damaged, *BROKEN):
        return None
    if old and found:
        journal.change(path, lambda file: edit(file, old, results, found.tallies))
    return found


def known(path: Path, old: Results, results: Results) -> Known | None:
    """Return what a file has, if it is closed and these results begin with its rows."""
    keys = [match.key for match in results.matches]
    is_begun = (
        old.is_closed
        and len(old.rows) == len(results.rows)
        and keys[: len(old.matches)] == [match.key for match in old.matches] * bool(keys)
        and all(
            list(table.content) == list(results.tables[name].content[: len(table.content)])
            for name, table in old.tables.items()
        )
    )
    with checked(path) as file:
        checksums = file.checksums
        if not (is_begun and checksums and has_form(file.file, image_of(results))):
            return None
        lengths = {
            name: len(dataset)
            for name, dataset in datasets_of(file.file).items()
            if dataset.maxshape == (None,)
        }
        if any(checksums.newest[name] != length for name, length in lengths.items()):
            return None
    numbers = {
        link.group: {row: number for number, row in enumerate(old.games.linked[name])}
        for name, link in schema.numbered()
    }
    sums = tallies(old.games)
    matches = results.matches or old.matches
    of_them = [sums[match.key] for match in matches]
    found = [Tally(one.games, one.void, one.points) for one in of_them]
    counts = {name: len(table.content) for name, table in old.tables.items()}
    return Known(lengths, numbers, matches, found, counts)


def has_form(file: File, image: bytes) -> bool:
    """Return whether a file has the columns of a new one, in chunks that are as large."""
    with hdf5().File(io.BytesIO(image), "r") as fresh:
        ours, theirs = form(file), form(fresh)
    if ours.keys() != theirs.keys():
        return False
    return all(
        kind == theirs[name][0] and chunk >= theirs[name][1] for name, (kind, chunk) in ours.items()
    )


def form(file: File) -> dict[str, tuple[Any, int]]:
    """Return the types and the chunks of all columns."""
    return {
        name: (dataset.dtype, dataset.chunks[0] if dataset.chunks else 0)
        for name, dataset in datasets_of(file).items()
    }


def edit(file: File, old: Results, results: Results, found: list[Tally]) -> None:
    """Write the job, the matches and the runs of these results into a file."""
    changed = ["runs"]
    for name in schema.JOB:
        if getattr(old, name) != getattr(results, name):
            del file["job"][name]
            file["job"][name] = getattr(results, name)
    if results.matches and (old.matches, old.title) != (results.matches, results.title):
        changed.append(schema.MATCHES)
        del file[schema.MATCHES]
        create_matches(file, results)
        for column, cells in split(Tally, found).items():
            file[schema.MATCHES][column.name][...] = cells
    del file["runs"]
    fixed(file.create_group("runs"), split(schema.RECORDS["runs"], results.runs))
    checksums = ChecksumsWriter(file, datasets_of(file))
    paths = [f"job/{name}" for name in schema.JOB]
    for path in paths + [f"{group}/{name}" for group in changed for name in file[group]]:
        checksums.replace(path, file[path][()])
    checksums.write_all()
