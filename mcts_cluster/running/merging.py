"""Files of one job merged into one: all of their games, and the runs that have played them.

Games follow from the job, so that a game may be in several files if it is the same in all of them.
The tables of a campaign follow from its games, and are made anew. Merged games stand file by file
and run by run, so that each run keeps its own.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.reports.runs import games_of
from mcts_cluster.storage.kept_job import job_of
from mcts_cluster.storage.results import Results, RunRecord
from mcts_cluster.storage.rows.joined_rows import JoinedRows, Part, records
from mcts_cluster.storage.rows.owners import are_among, owners, rows_as_numbers
from mcts_cluster.storage.rows.stored_rows import StoredRows

Parts = Mapping[Path, Results]


def merged(parts: Parts, mixed_versions: bool = False) -> Results:
    """Return the contents of all files; raises UserError where they are not of one experiment."""
    whole = largest(parts)
    if not mixed_versions:
        check_versions(parts)
    rows, runs = rows_and_runs(parts)
    results = replace(parts[whole], rows=rows, runs=runs, is_closed=True)
    return replace(results, tables=KINDS[results.kind].merged_tables(results, parts, whole))


# The same job


def largest(parts: Parts) -> Path:
    """Return the file whose job has the games of all others; raises UserError."""
    by_settings: dict[str, Path] = {}
    for path, results in parts.items():
        by_settings.setdefault(results.settings, path)
    if len(by_settings) == 1:
        return next(iter(parts))
    found = {path: list(differences(parts, path)) for path in by_settings.values()}
    whole = min(found, key=lambda path: len(found[path]))
    for other, line in found[whole]:
        raise UserError(f"{other}: of another job than {whole}: {line}")
    return whole


def differences(parts: Parts, whole: Path) -> Iterator[tuple[Path, str]]:
    """Yield why the job of a file could not continue the others, with their paths."""
    job = job_of(parts[whole], whole)
    for path, results in parts.items():
        for line in compatibility.differences(compatibility.read(results.settings), job):
            yield path, told(line, path, whole)


def told(line: str, path: Path, whole: Path) -> str:
    """Return a line on a file and a job for two files."""
    return line.replace(" in the file", f" in {path}").replace(" in the job", f" in {whole}")


def check_versions(parts: Parts) -> None:
    """Refuse games of several versions; raises UserError."""
    (first, own), *others = ((path, versions(results)) for path, results in parts.items())
    for path, found in others:
        if own and found and own != found:
            raise UserError(
                f"{path}: played by mcts_cluster {joined(found)}, {first} by {joined(own)}; "
                "with --mixed-versions they are merged"
            )


def versions(results: Results) -> set[str]:
    """Return the versions that have played the games of a file."""
    numbered = enumerate(results.runs)
    return {f"{run.version} {run.commit}" for n, run in numbered if games_of(results, n)}


def joined(found: set[str]) -> str:
    return " and ".join(sorted(found))


# Every game once


def rows_and_runs(parts: Parts) -> tuple[JoinedRows, tuple[RunRecord, ...]]:
    """Return the rows file by file, and the runs with their first rows there.

    Raises UserError where a game is another one in two files.
    """
    files = {path: results.games for path, results in parts.items()}
    matches: dict[Hashable, int] = {}
    found = owners(list(files.values()), matches)
    refuse_others(files, found.shared, matches)
    chosen: list[Part] = []
    runs: list[RunRecord] = []
    for (path, results), elsewhere in zip(parts.items(), found.elsewhere, strict=True):
        places = places_of(files[path], elsewhere, matches)
        for number, run in enumerate(results.runs):
            first = run.first_game
            start = bisect_left(places, first)
            end = bisect_left(places, first + games_of(results, number))
            # Files that were one at first have runs in common.
            if start < end or not any(is_same(run, other) for other in runs):
                before = sum(len(own) for _, own in chosen)
                runs.append(replace(run, first_game=before))
                chosen.append((files[path], places[start:end]))
    return JoinedRows(chosen), tuple(runs)


def places_of(games: StoredRows, elsewhere: Any, matches: dict[Hashable, int]) -> Any:
    """Return the places of the rows of all games but some."""
    if not len(elsewhere):
        return range(len(games))
    parts = rows_as_numbers(games, matches)
    taken = np.concatenate([~are_among(numbers >> 1, elsewhere) for numbers in parts])
    return np.flatnonzero(taken).astype(np.int32)


def refuse_others(
    files: Mapping[Path, StoredRows], shared: Any, matches: dict[Hashable, int]
) -> None:
    """Compare games that count in several files, by their hashes; raises UserError.

    A campaign may have played a game twice: the first row of each file stands for it.
    """
    hashes = np.zeros(len(shared), np.int64)
    places = np.full(len(shared), -1, np.int32)  # of the first files that have them
    latest = places.copy()  # of the last ones so far
    paths = list(files)
    for file, (path, games) in enumerate(files.items() if len(shared) else ()):
        for place, row in shared_rows(games, shared, matches):
            if latest[place] == file:
                continue
            latest[place] = file
            if places[place] < 0:
                places[place], hashes[place] = file, digest(row)
            elif hashes[place] != digest(row):
                first = paths[places[place]]
                rows = shared_rows(files[first], shared[place : place + 1], matches)
                raise UserError(
                    f"{path}: game {row.number} of {row.match} is another one than in {first}: "
                    f"{other_fields(next(rows)[1], row)}"
                )


def shared_rows(
    games: StoredRows, shared: Any, matches: dict[Hashable, int]
) -> Iterator[tuple[int, GameRecord]]:
    """Yield the rows of some games that count, with the places of these among them."""
    first = 0
    for numbers in rows_as_numbers(games, matches):
        own = np.flatnonzero((numbers & 1 == 1) & are_among(numbers >> 1, shared))
        among = shared.searchsorted(numbers[own] >> 1).tolist()
        yield from zip(among, records(games, first + own), strict=True)
        first += len(numbers)


def digest(row: Any) -> int:
    """Return a number that two records have in common if they are equal, else most unlikely."""
    return hash(compared_values(row))


def compared_values(one: Any) -> Any:
    kind: type = type(one)
    if names := compared(kind):
        return tuple(compared_values(getattr(one, name)) for name in names)
    return tuple(map(compared_values, one)) if isinstance(one, tuple) else one


@cache
def compared(kind: type) -> list[str]:
    """Return the fields of a record that decide whether two are equal; of no record none."""
    return [one.name for one in fields(kind) if one.compare] if is_dataclass(kind) else []


def other_fields(old: GameRecord, new: GameRecord) -> str:
    """Return in what two games differ: "move 12", or names of columns."""
    if old.moves != new.moves:
        pairs = zip(old.moves, new.moves, strict=False)
        same = next((n for n, (a, b) in enumerate(pairs) if a != b), None)
        place = min(len(old.moves), len(new.moves)) if same is None else same
        return f"move {place + 1}"
    names = compared(GameRecord)
    return ", ".join(name for name in names if getattr(old, name) != getattr(new, name))


def is_same(one: RunRecord, other: RunRecord) -> bool:
    """Return whether two records are of the same run, which may have gone on meanwhile."""
    return (one.began, one.hosts, one.arguments) == (other.began, other.hosts, other.arguments)
