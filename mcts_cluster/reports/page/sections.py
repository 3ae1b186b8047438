"""What a page tells of a file, in any format: its table, its games, its runs and hosts."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcts_cluster.reports import runs
from mcts_cluster.reports.comparison import command
from mcts_cluster.reports.formats import Summary
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.reports.table import why_empty
from mcts_cluster.settings.words import counted
from mcts_cluster.storage.results import Results, RunRecord

FIGURES = "Published figures"
JOB, REPLACED = "The job", "Values replaced by --set"
MADE = "How it was made"

# What columns and notes mean, by headings and first words.
MEANINGS = {
    "success rate": "points of the first player in percent of the games, a draw as half a point, "
    "± one standard error; of a campaign the candidate's",
    "95 %": "Wilson's interval: it holds the true rate in 95 of 100 such experiments",
    "published": "the rate in the paper, ± its standard error",
    "verdict": "agrees: the difference from the published rate is one that chance makes, and 5 "
    "points more would have been seen; differs: chance does not explain it, at 95 %; too few: so "
    "many more games would tell. Of a candidate: what its race has decided",
    "won–lost": "games that the first player has won and lost, draws between them",
    "Elo": "by how much the first player is stronger, in Elo, ± one standard error",
    "LOS": "likelihood that the first player is the stronger one",
    "black / white": "success rates of the first player where it begins, and where it does not",
    "white / black": "success rates of the first player where it begins, and where it does not",
    "plies": "moves of a game, of both players together, passes included",
    "good moves": "how often the player has chosen a good move, ± one standard error",
    "interval": "of the candidate's true rate, valid at 95 % although the results have stopped its "
    "games",
    "bounds": "of the stopping rule at its last look. Of few games they may lie below 0 or above "
    "100 %, where they say nothing",
    "core-hours": "time in which players chose their moves, on all cores",
    "risk of error": "a bound: the sum of what each race may err by. Of 1 it says nothing any more",
}


@dataclass(frozen=True)
class Section:
    """The section of a file."""

    name: str  # of the file
    results: Results
    summary: Summary
    played: str
    runs: Sequence[str]
    hosts: Sequence[str]  # where there are several, and all versions where they are mixed
    build: Sequence[tuple[str, str]] = ()  # of the last run: names with what they are
    again: Sequence[str] = ()  # how to play its games again

    @property
    def title(self) -> str:
        return self.results.title or self.name

    @property
    def why_empty(self) -> str:
        """Why there is no table."""
        return why_empty(self.results)


def section(path: Path, results: Results) -> Section:
    noun = KINDS[results.kind].PLAYED
    return Section(
        path.name,
        results,
        KINDS[results.kind].summary(results),
        f"{path.name}: {counted(len(results.rows), noun)}.",
        [line(run, number, results, noun) for number, run in enumerate(results.runs)],
        [*runs.mixed_versions(results), *map(str, runs.hosts(results.rows, noun))],
        list(build(results)),
        list(again(path, results)),
    )


def build(results: Results) -> Iterator[tuple[str, str]]:
    """Yield with what the last run was played, and where."""
    if not results.runs:
        return
    last = results.runs[-1]
    yield "version", f"{last.version}, commit {last.commit}" if last.commit else last.version
    yield "command", f"`{last.arguments}`" if last.arguments else ""
    yield "hosts", f"{last.hosts}; {counted(last.cores, 'core')} of the first" * bool(last.hosts)
    yield "MPI", f"{last.mpi_library}, {counted(last.ranks, 'rank')}" * bool(last.mpi_library)
    yield "Python", last.python
    yield "compiler", " ".join(filter(None, (last.compiler, last.build_flags)))


def again(path: Path, results: Results) -> Iterator[str]:
    """Yield how to play the games of a file again, with commands in backquotes."""
    words = command(results)
    if not words:
        return
    last = results.runs[-1]
    version = f"version {last.version}, commit {last.commit}" if last.commit else "that version"
    yield f"All of it, with {version}, and the job below in the file that is named: `{words}`"
    if results.rows:
        yield f"One game, compared move by move: `mcts-cluster replay {shlex.quote(path.name)} 0`"


def meanings(words: Iterable[str]) -> list[tuple[str, str]]:
    """Return what some columns and notes mean."""
    there = list(words)
    return [
        (name, text)
        for name, text in MEANINGS.items()
        if any(one.startswith(name) for one in there)
    ]


def line(run: RunRecord, number: int, results: Results, noun: str) -> str:
    """Return a run in a line, with its version."""
    found = runs.line(run, number, results, noun)
    return f"{found}; version {run.version}, commit {run.commit}" if run.commit else found
