"""The one writer of a file, safe from kill -9 at any moment.

A file that gains a group or a dataset while it grows is broken when its writer is killed (of 320
such moments 50 lost rows that had been flushed). So a file is made whole, with all datasets that it
will ever have, under another name, and then renamed; from then on values are only appended, in
HDF5's SWMR mode, and the count of games is written last, after all that it counts has reached the
disk, and checksums of it. A file that was closed is continued where it is (`continued_file`); one
that a kill has left open is made anew from its rows.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import accumulate
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from mcts_cluster.columns import Cells, Column, Link, Rows, columns_of, split
from mcts_cluster.errors import RunFailure, UserError, warn
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.settings.words import counted
from mcts_cluster.storage import schema
from mcts_cluster.storage.continued_file import Known, continued
from mcts_cluster.storage.hdf5 import VERSIONS, datasets_of, hdf5
from mcts_cluster.storage.integrity.checksums import COUNT, ChecksumsWriter
from mcts_cluster.storage.integrity.snapshot import copy_closed
from mcts_cluster.storage.lock import is_at, locked
from mcts_cluster.storage.new_file import image_of
from mcts_cluster.storage.reader import read
from mcts_cluster.storage.results import Results, Tally
from mcts_cluster.storage.rows.stored_rows import BLOCK
from mcts_cluster.text_files import make_folder


class Writer:
    """The writer of a file. Rows are kept until they are flushed, many at a time.

    Public attributes (treat as read-only): path; written, how many games are safe.
    """

    def __init__(self, path: Path, results: Results) -> None:
        """Have the file hold what is known, and open it for more rows; raises RunFailure."""
        self.path = path
        self.pending: list[GameRecord] = []
        self.pending_tables: list[tuple[str, Sequence[Any]]] = []
        self.counts = dict.fromkeys(results.tables, 0)
        self.lengths: dict[str, int] = {}  # of datasets, by their paths
        # By their groups, the rows that others refer to.
        self.numbers: dict[str, dict[Hashable, int]] = {"matches": {}}
        self.tallied = schema.tallied(results.kind)
        self.tallies: list[Tally] = []
        if self.tallied == schema.MATCHES:
            self.number_matches([match.players for match in results.matches])
        self.written = 0
        self.is_abandoned = self.is_named = False
        self.run = len(results.runs) - 1
        try:
            found = continued(path, results)
        except OSError as error:
            raise self.failure(error.strerror or str(error)) from None
        if found:
            self.go_on(results, found)
        else:
            self.make(results)

    def go_on(self, results: Results, found: Known) -> None:
        """Open the file for rows behind those that it has."""
        self.open(self.path)
        self.is_named = True
        self.lengths = dict(found.lengths)
        self.numbers |= found.numbers
        self.counts = dict(found.counts)
        if self.tallied != schema.MATCHES:
            self.number_matches([match.players for match in found.matches])
        self.tallies = found.tallies
        self.written = len(results.rows)
        self.checksums = ChecksumsWriter(self.file, self.datasets)
        self.file.swmr_mode = True
        for name, table in results.tables.items():
            self.add(name, table.content[self.counts[name] :])
        self.flush()

    def make(self, results: Results) -> None:
        """Make the file anew, under another name at first."""
        path = self.path
        fresh = path.with_name(f".{path.name}.new")
        try:
            # In memory, because HDF5 crashes where it cannot write a new file.
            fresh.write_bytes(image_of(results))
            self.open(fresh)
            self.checksums = ChecksumsWriter(self.file, self.datasets)
            self.file.swmr_mode = True
            for name, table in results.tables.items():
                self.add(name, table.content)
            for start in range(0, len(results.rows) or 1, BLOCK):
                self.append(results.rows[start : start + BLOCK])
                self.flush()
            # Only now can a reader find it.
            fresh.replace(path)
            self.is_named = True
        except OSError as error:
            raise self.failure(error.strerror or str(error)) from None
        finally:
            fresh.unlink(missing_ok=True)
        sync_folder(path.parent)

    def open(self, path: Path) -> None:
        # Its own locks fail where a file system has none; ours is next to the file. Without a cache
        # it writes the new cells of a chunk alone, and needs no memory for those that are open.
        self.file = hdf5().File(path, "r+", libver=VERSIONS, locking=False, rdcc_nbytes=0)
        # Kept open: HDF5 reports no error when it closes datasets by itself and cannot write.
        self.datasets = datasets_of(self.file)

    def append(self, rows: Sequence[GameRecord]) -> None:
        """Take games to be written by the next flush."""
        self.pending += rows

    def add(self, table: str, rows: Sequence[Any]) -> None:
        """Take rows of a campaign's table; candidates before the games that refer to them."""
        if rows:
            self.pending_tables.append((table, rows))

    def flush(self) -> None:
        """Write the pending rows; once it returns, no kill can lose them. Raises RunFailure."""
        self.stay()
        games, self.pending = self.pending, []
        tables, self.pending_tables = self.pending_tables, []
        if not (games or tables):
            return
        with self.abandoning():
            for name, rows in tables:
                self.put_table(name, rows)
            self.put("games", schema.RECORDS["games"], games)
            self.tally(games)
            self.sync()
            self.checksums.write()
            self.sync()
            self.count(len(games))

    def stay(self) -> None:
        """See to it that the file has its name, which it may lose meanwhile; raises RunFailure."""
        if not self.is_named or is_at(self.file.id.get_vfd_handle(), self.path):
            return
        if os.path.lexists(self.path):
            other = self.path.with_name(f"{self.path.stem}.of-{os.getpid()}{self.path.suffix}")
            self.copy_to(other)
            self.abandon()
            raise RunFailure(
                f"{self.path}: another file has taken its place; "
                f"the {counted(self.written, 'game')} of this run are in {other}"
            )
        self.copy_to(self.path)
        self.file.close()
        self.open(self.path)
        self.checksums.reopen(self.datasets)
        self.file.swmr_mode = True
        warn(
            f"{self.path}: was gone; it is written again, with all of its "
            f"{counted(self.written, 'game')}"
        )

    def copy_to(self, path: Path) -> None:
        """Write what is safe to another file; raises RunFailure."""
        fresh = path.with_name(f".{path.name}.new")
        try:
            make_folder(path.parent)
            copy_closed(self.file.id.get_vfd_handle(), fresh)
            fresh.replace(path)
        except (OSError, UserError) as error:
            self.abandon()
            raise RunFailure(
                f"{self.path}: is gone, and cannot be written again: "
                f"{getattr(error, 'strerror', None) or error}"
            ) from None

    def put_table(self, name: str, rows: Sequence[Any]) -> None:
        self.put(name, schema.RECORDS[name], rows)
        if name == self.tallied:
            self.number_matches([row.players for row in rows])
            self.put(name, Tally, self.tallies[-len(rows) :])
        self.counts[name] += len(rows)

    def count(self, games: int) -> None:
        """Write how many rows are valid, now that they are safe; games refer to other tables."""
        for name, count in self.counts.items():
            self.datasets[f"{name}/{COUNT}"][...] = count
            self.datasets[f"{name}/{COUNT}"].flush()
        self.written += games
        self.datasets[f"games/{COUNT}"][...] = self.written
        self.write_tallies()
        self.sync()

    def put(self, group: str, rows: Rows, items: Sequence[Any]) -> None:
        """Append rows to a group, and the rows to which they refer."""
        for column, cells in split(rows, items).items():
            self.extend(group, column, self.linked(column.link, cells) if column.link else cells)

    def linked(self, link: Link, values: Cells) -> Cells:
        """Write the rows to which some cells refer, and return the cells."""
        if link.is_list and link.rows:
            path = f"{link.group}/{columns_of(link.rows)[0].name}"
            ends = accumulate(map(len, values), initial=self.lengths.get(path, 0))
            self.put(link.group, link.rows, [row for rows in values for row in rows])
            return list(ends)[1:]
        known = self.numbers.setdefault(link.group, {})
        if link.rows is None:
            return [known[value.players] for value in values]
        old = len(known)
        cells = [known.setdefault(value, len(known)) for value in values]
        self.put(link.group, link.rows, list(known)[old:])
        return cells

    def extend(self, group: str, column: Column, cells: Sequence[Any]) -> None:
        """Write at the end of a column; nothing stands behind its length that counts."""
        path = f"{group}/{column.name}"
        start = self.lengths.get(path, 0)
        if cells:
            self.lengths[path] = start + len(cells)
            new = encoded(column, cells)
            self.datasets[path].resize((start + len(cells),))
            self.datasets[path][start:] = new
            self.checksums.append(path, new)

    def number_matches(self, matches: Sequence[tuple[str, str]]) -> None:
        for players in matches:
            self.numbers["matches"][players] = len(self.tallies)
            self.tallies.append(Tally())

    def tally(self, games: Sequence[GameRecord]) -> None:
        for game in games:
            self.tallies[self.numbers["matches"][game.match.players]].add(game.points)
        for path, cells in self.tallied_columns():
            self.checksums.replace(path, cells)

    def write_tallies(self) -> None:
        for path, cells in self.tallied_columns():
            self.datasets[path][...] = cells

    def tallied_columns(self) -> Iterator[tuple[str, Any]]:
        for column, cells in split(Tally, self.tallies).items():
            yield f"{self.tallied}/{column.name}", encoded(column, cells)

    def sync(self) -> None:
        """Have all that was written reach the disk."""
        self.make_room()
        for dataset in self.datasets.values():
            dataset.flush()
        self.file.flush()
        os.fsync(self.file.id.get_vfd_handle())

    def make_room(self) -> None:
        """Make the file as long as HDF5 will say that it is.

        By itself it says so first, and a file that is shorter than it says looks cut off.
        """
        descriptor, size = self.file.id.get_vfd_handle(), self.file.id.get_filesize()
        if os.fstat(descriptor).st_size < size:
            os.truncate(descriptor, size)

    def close(self, status: int, busy: float = nan, **others: Any) -> None:
        """Write the rest and the end of the run, with other fields of it, and close the file."""
        if self.is_abandoned:
            return
        self.flush()
        with self.abandoning():
            ends = {"ended": time.time(), "status": status, "busy": busy, **others}
            for name, value in ends.items():
                self.checksums.replace(f"runs/{name}", self.runs_with(name, value))
            self.checksums.write()
            self.sync()
            for name, value in ends.items():
                self.datasets[f"runs/{name}"][self.run] = value
            self.sync()
        self.stay()
        self.file.close()

    def runs_with(self, name: str, value: Any) -> Any:
        """Return a column of the runs in which the last one has another value."""
        cells = self.datasets[f"runs/{name}"][:]
        cells[self.run] = value.encode() if isinstance(value, str) else value
        return cells

    @contextmanager
    def abandoning(self) -> Iterator[None]:
        """Leave the file as a kill would, if it cannot be written; raises RunFailure."""
        try:
            yield
        except BaseException as error:
            self.abandon()
            found = re.search(r"errno = (\d+)", str(error))
            number = int(found[1]) if found else getattr(error, "errno", None)
            if number:
                raise self.failure(os.strerror(number)) from None
            raise

    def failure(self, why: str) -> RunFailure:
        if not self.is_named:
            return RunFailure(f"{self.path}: cannot be written: {why}")
        safe = f"{counted(self.written, 'game')} {'is' if self.written == 1 else 'are'} safe"
        return RunFailure(f"{self.path}: {why}: {safe}; run again to continue")

    def abandon(self) -> None:
        # Writes that HDF5 still has pending are discarded: they could be incomplete.
        self.is_abandoned = True
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), self.file.id.get_vfd_handle())
        with suppress(Exception):
            self.file.close()


def encoded(column: Column, cells: Sequence[Any]) -> Any:
    if column.type.startswith("S"):
        cells = [shortened(text, int(column.type[1:])).encode() for text in cells]
    return np.asarray(cells, dtype=column.type)


def shortened(text: str, length: int) -> str:
    """Return a text that fits where texts are appended: in UTF-8, without zeros at its end."""
    return text.encode()[:length].decode(errors="ignore").rstrip("\0")


def sync_folder(path: Path) -> None:
    """Have a renaming reach the disk, where folders can be synchronized."""
    with suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def repair(path: Path) -> int | None:
    """Make a file anew that a kill has left open; return its rows, or nothing if it was closed."""
    with locked(path):
        results = read(path)
        if results.is_closed:
            return None
        make_anew(path, results)
        return len(results.rows)


def make_anew(path: Path, results: Results) -> None:
    """Have a file hold these results, and closed, without another run."""
    Writer(path, results).file.close()
