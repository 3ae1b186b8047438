"""Files of one job merged into one: all of their games, and the runs that have played them.

Games follow from the job, so that a game may be in several files if it is the same in all of them.
The tables of a campaign follow from its games, and are made anew. Merged games stand file by file
and run by run, so that each run keeps its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.reports.runs import games_of
from mcts_cluster.storage.kept_job import job_of
from mcts_cluster.storage.results import Results, RunRecord

Parts = Mapping[Path, Results]
# The match of a game, and its number there.
Game = tuple[MatchKey, int]


@dataclass(frozen=True)
class History:
    """All rows of a game in a file: void ones, and at most one that counts."""

    path: Path
    rows: tuple[GameRecord, ...]

    @property
    def counted(self) -> GameRecord | None:
        return next((row for row in self.rows if row.points is not None), None)


def merged(parts: Parts, mixed_versions: bool = False) -> Results:
    """Return the contents of all files; raises UserError where they are not of one experiment."""
    whole = largest(parts)
    if not mixed_versions:
        check_versions(parts)
    rows, runs = rows_and_runs(parts, owners(parts))
    results = replace(parts[whole], rows=tuple(rows), runs=tuple(runs), is_closed=True)
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


def owners(parts: Parts) -> dict[Game, Path]:
    """Return the file from which each game is taken; raises UserError where two differ."""
    chosen: dict[Game, History] = {}
    for path, results in parts.items():
        for game, rows in histories(results).items():
            own = History(path, tuple(rows))
            chosen[game] = better(chosen[game], own) if game in chosen else own
    return {game: history.path for game, history in chosen.items()}


def histories(results: Results) -> dict[Game, list[GameRecord]]:
    found: dict[Game, list[GameRecord]] = {}
    for row in results.rows:
        found.setdefault((row.match, row.number), []).append(row)
    return found


def better(old: History, new: History) -> History:
    """Return that of two histories of a game which tells more of it; raises UserError."""
    if old.counted and new.counted:
        if old.counted != new.counted:
            raise UserError(
                f"{new.path}: game {new.counted.number} of {new.counted.match} is another one than "
                f"in {old.path}: {other_fields(old.counted, new.counted)}"
            )
        return old
    if new.counted or (not old.counted and len(new.rows) > len(old.rows)):
        return new
    return old


def other_fields(old: GameRecord, new: GameRecord) -> str:
    """Return in what two games differ: "move 12", or names of columns."""
    if old.moves != new.moves:
        pairs = zip(old.moves, new.moves, strict=False)
        same = next((n for n, (a, b) in enumerate(pairs) if a != b), None)
        place = min(len(old.moves), len(new.moves)) if same is None else same
        return f"move {place + 1}"
    compared = [field.name for field in fields(GameRecord) if field.compare]
    return ", ".join(name for name in compared if getattr(old, name) != getattr(new, name))


def rows_and_runs(
    parts: Parts, owner: Mapping[Game, Path]
) -> tuple[list[GameRecord], list[RunRecord]]:
    """Return the rows file by file, and the runs with their first rows there."""
    rows: list[GameRecord] = []
    runs: list[RunRecord] = []
    for path, results in parts.items():
        for number, run in enumerate(results.runs):
            own = [row for row in of_run(results, number) if owner[row.match, row.number] == path]
            # Files that were one at first have runs in common.
            if own or not any(is_same(run, other) for other in runs):
                runs.append(replace(run, first_game=len(rows)))
                rows += own
    return rows, runs


def is_same(one: RunRecord, other: RunRecord) -> bool:
    """Return whether two records are of the same run, which may have gone on meanwhile."""
    return (one.began, one.hosts, one.arguments) == (other.began, other.hosts, other.arguments)


def of_run(results: Results, number: int) -> Sequence[GameRecord]:
    first = results.runs[number].first_game
    return results.rows[first : first + games_of(results, number)]
