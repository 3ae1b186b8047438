"""The one writer of a file, safe from kill -9 at any moment.

A file that gains a group or a dataset while it grows is broken when its writer is killed (of 320
such moments 50 lost rows that had been flushed). So a file is made whole, with all datasets that it
will ever have, under another name, and then renamed; from then on values are only appended, in
HDF5's SWMR mode, and the count of games is written last, after all that it counts has reached the
disk. To continue a file is to make it anew from its rows, and so is to repair it.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from mcts_cluster.matches.match import GameRecord, WorkerInfo
from mcts_cluster.parallel.exchange_stats import Searched
from mcts_cluster.storage.hdf5 import VERSIONS, datasets_of, hdf5
from mcts_cluster.storage.lock import locked
from mcts_cluster.storage.new_file import image_of
from mcts_cluster.storage.reader import read
from mcts_cluster.storage.results import MatchRecord, Results
from mcts_cluster.storage.schema import (
    CANDIDATES,
    ENDINGS,
    EXCHANGES,
    GAMES,
    MAX_TEXT,
    SEARCHES,
    SHORT,
    SIDES,
    TALLIES,
    WORKERS,
)
from mcts_cluster.success_rates import success


class Writer:
    """The one who writes a file. Rows are kept until they are flushed, many at a time.

    Public attributes (treat as read-only): path; written, how many rows are safe.
    """

    def __init__(self, path: Path, results: Results) -> None:
        """Make the file anew with what is known, and open it for more rows."""
        self.path = path
        self.pending: list[GameRecord] = []
        self.told: list[tuple[str, Mapping[str, Sequence[Any]]]] = []
        self.counts = dict.fromkeys(results.tables, 0)
        self.group = CANDIDATES if CANDIDATES in results.tables else "matches"
        names = [] if self.counts else [match.name for match in results.matches]
        self.tallies = [Tally() for _ in names]
        self.match_numbers = {name: i for i, name in enumerate(names)}
        self.texts: dict[str, int] = {}
        self.workers: dict[WorkerInfo, int] = {}
        self.written = 0
        self.moves_end = self.searches_end = 0
        self.is_given_up = False
        self.run = len(results.runs) - 1
        fresh = path.with_name(f".{path.name}.new")
        try:
            # In memory, because HDF5 crashes where it cannot write a new file.
            fresh.write_bytes(image_of(results))
            self.file = hdf5().File(fresh, "r+", libver=VERSIONS, locking="best-effort")
            # Kept open: HDF5 tells nobody when it cannot write what it closes by the way.
            self.datasets = datasets_of(self.file)
            self.file.swmr_mode = True
            for name, table in results.tables.items():
                self.tell(name, table.content)
            self.append(results.rows)
            self.flush()
            # Only now can a reader find it, and lock it.
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)
        sync_folder(path.parent)

    def append(self, rows: Sequence[GameRecord]) -> None:
        """Take rows to be written by the next flush."""
        self.pending += rows

    def tell(self, name: str, content: Mapping[str, Sequence[Any]]) -> None:
        """Take rows of a table; candidates before the games that refer to them."""
        if any(content.values()):
            self.told.append((name, content))

    def flush(self) -> None:
        """Write what was appended; once it returns, nothing that happens to us can lose it."""
        rows, self.pending = self.pending, []
        told, self.told = self.told, []
        with self.giving_up():
            if told:
                self.write_tables(told)
            if rows:
                self.write(rows)

    def write_tables(self, told: Iterable[tuple[str, Mapping[str, Sequence[Any]]]]) -> None:
        counts = dict(self.counts)
        for name, content in told:
            if name == CANDIDATES:
                for players in zip(content["first"], content["second"], strict=True):
                    self.match_numbers[MatchRecord(players, 0).name] = len(self.match_numbers)
                    self.tallies.append(Tally())
            for column, cells in content.items():
                encoded = [cell.encode() if isinstance(cell, str) else cell for cell in cells]
                extend(self.datasets[f"{name}/{column}"], counts[name], encoded)
            counts[name] += len(cells)
        self.sync()
        for name, count in counts.items():
            self.datasets[f"{name}/count"][...] = count
        self.counts = counts
        self.sync()

    def write(self, rows: Sequence[GameRecord]) -> None:
        old_texts, old_workers = len(self.texts), len(self.workers)
        hows = [self.texts.setdefault(shortened(row.how), len(self.texts)) for row in rows]
        places = [self.workers.setdefault(row.worker, len(self.workers)) for row in rows]
        texts, workers = list(self.texts)[old_texts:], list(self.workers)[old_workers:]
        ends = self.moves_end + np.cumsum([row.plies for row in rows])
        extend(self.datasets["texts/text"], old_texts, [text.encode() for text in texts])
        for column in WORKERS:
            found = [getattr(worker, column.name) for worker in workers]
            encoded = [shortened(v).encode() if column.type == SHORT else v for v in found]
            extend(self.datasets[f"workers/{column.name}"], old_workers, encoded)
        extend(
            self.datasets["games/moves"],
            self.moves_end,
            [move for row in rows for move in row.moves],
        )
        searches = [search for row in rows for search in row.searches]
        ends_of_searches = self.searches_end + np.cumsum([len(row.searches) for row in rows])
        if searches:
            self.write_searches(searches)
        columns: dict[str, Any] = {
            "match": [self.match_numbers[row.match] for row in rows],
            "points": [nan if row.points is None else row.points for row in rows],
            "how": hows,
            "moves_end": ends.tolist(),
            "searches_end": ends_of_searches.tolist(),
            "first_simulations": [row.simulations[0] for row in rows],
            "second_simulations": [row.simulations[1] for row in rows],
            "first_seconds": [row.seconds[0] for row in rows],
            "second_seconds": [row.seconds[1] for row in rows],
            "worker": places,
        }
        for side, name in enumerate(SIDES):
            for column in EXCHANGES:
                found = [getattr(row.exchanges[side], column.name) for row in rows]
                columns[f"{name}_{column.name}"] = found
        for column in GAMES:
            own = columns.get(column.name) or [getattr(row, column.name) for row in rows]
            extend(self.datasets[f"games/{column.name}"], self.written, own)
        self.sync()
        self.moves_end = int(ends[-1])
        self.searches_end += len(searches)
        self.written += len(rows)
        self.datasets["games/count"][...] = self.written
        self.tally(rows)
        self.sync()

    def write_searches(self, searches: Sequence[Searched]) -> None:
        for number, column in enumerate(SEARCHES):
            found = [
                search[number] if number < 2 else getattr(search.exchanges, column.name)
                for search in searches
            ]
            extend(self.datasets[f"searches/{column.name}"], self.searches_end, found)

    def tally(self, rows: Sequence[GameRecord]) -> None:
        for row in rows:
            self.tallies[self.match_numbers[row.match]].add(row.points)
        for name in TALLIES:
            tallied = [getattr(tally, name) for tally in self.tallies]
            self.datasets[f"{self.group}/{name}"][...] = tallied

    def sync(self) -> None:
        """Have all that was written reach the disk."""
        for dataset in self.datasets.values():
            dataset.flush()
        self.file.flush()
        os.fsync(self.file.id.get_vfd_handle())

    def close(self, status: int, busy: float = nan) -> None:
        """Write the rest, say how the run ended, and leave a file that anything can open."""
        if self.is_given_up:
            return
        self.flush()
        with self.giving_up():
            for name, value in zip(ENDINGS, (time.time(), status, busy), strict=True):
                self.datasets[f"runs/{name}"][self.run] = value
            self.sync()
        self.file.close()

    @contextmanager
    def giving_up(self) -> Iterator[None]:
        """Leave the file as a kill would, if it cannot be written; raises OSError."""
        try:
            yield
        except BaseException as error:
            # What HDF5 still has to write goes nowhere: it could be half of something.
            self.is_given_up = True
            with Path(os.devnull).open("wb") as nowhere:
                os.dup2(nowhere.fileno(), self.file.id.get_vfd_handle())
            with suppress(Exception):
                self.file.close()
            if found := re.search(r"errno = (\d+)", str(error)):
                number = int(found[1])
                raise OSError(number, os.strerror(number), str(self.path)) from None
            raise


@dataclass
class Tally:
    """What a match has come to."""

    games: int = 0
    void: int = 0
    total: float = 0.0

    def add(self, points: float | None) -> None:
        if points is None:
            self.void += 1
        else:
            self.games += 1
            self.total += points

    @property
    def success_rate(self) -> float:
        return success(self.total, self.games)[0] if self.games else nan

    @property
    def success_rate_errors(self) -> float:
        return success(self.total, self.games)[1] if self.games else nan


def extend(dataset: Any, length: int, more: Any) -> None:
    """Write at the end of a column; nothing stands behind `length` that counts."""
    if len(more):
        dataset.resize((length + len(more),))
        dataset[length:] = np.asarray(more, dtype=dataset.dtype)


def shortened(text: str) -> str:
    """Return a text that fits where texts are appended: in UTF-8, without zeros at its end."""
    return text.encode()[:MAX_TEXT].decode(errors="ignore").rstrip("\0")


def sync_folder(path: Path) -> None:
    """Have a renaming reach the disk, where folders can be told so."""
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
