"""Looks at all of a file, also at what no verb reads, and tells everything that is wrong."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from mcts_cluster.errors import UserError
from mcts_cluster.storage import reader, schema
from mcts_cluster.storage.hdf5 import BROKEN, reason
from mcts_cluster.storage.integrity.checked_file import CheckedFile, checked
from mcts_cluster.storage.integrity.checksums import Damaged
from mcts_cluster.storage.integrity.faults import faults_of_games


def findings(path: Path) -> list[str]:
    """Return what is wrong, a line each."""
    found = []
    try:
        results = reader.read(path)
        if results.games.is_long:
            found += [f"{path}: damaged: {line}" for line in faults_of_games(results)]
    except UserError as error:
        found.append(str(error))
    # If it cannot be opened at all, that has been told.
    with suppress(UserError, Damaged, *BROKEN), checked(path) as file:
        found += [f"{path}: damaged: {line}" for line in broken_columns(file)]
    return list(dict.fromkeys(found))


def has_checksums(path: Path) -> bool:
    with checked(path) as file:
        return file.checksums is not None


def broken_columns(file: CheckedFile) -> Iterator[str]:
    """Yield the columns that are not as they were written."""
    checksums = file.checksums
    if not checksums:
        return
    for path, cells in checksums.newest.items():
        # What follows from the games is written after them: a kill may leave a part of it.
        if path in tallies() and not file.is_closed:
            continue
        try:
            dataset = file.file[path]
            if file.is_long(dataset, cells):
                file.long_column(path, cells, checksums).check()
            else:
                file.check(path, dataset[:cells] if dataset.ndim else dataset[()])
        except Damaged as error:
            yield str(error)
        except BROKEN as error:
            yield f"{path}: {reason(error)}"


def tallies() -> set[str]:
    return {f"{group}/{name}" for group in schema.TALLIED for name in schema.TALLY}
