"""What a page tells of a file, in any format: its table, its games, its runs and hosts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcts_cluster.reports import runs
from mcts_cluster.reports.formats import Summary
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.settings.words import counted
from mcts_cluster.storage.results import Results, RunRecord

FIGURES = "Published figures"
JOB, REPLACED = "The job", "Values replaced by --set"


@dataclass(frozen=True)
class Section:
    """The section of a file."""

    name: str  # of the file
    results: Results
    summary: Summary
    played: str
    runs: Sequence[str]
    hosts: Sequence[str]  # where there are several, and all versions where they are mixed

    @property
    def why_empty(self) -> str:
        """Why there is no table."""
        return "No game counts yet." if self.results.rows else "No game has been played yet."


def section(path: Path, results: Results) -> Section:
    noun = KINDS[results.kind].PLAYED
    return Section(
        path.name,
        results,
        KINDS[results.kind].summary(results),
        f"{path.name}: {counted(len(results.rows), noun)}.",
        [line(run, number, results, noun) for number, run in enumerate(results.runs)],
        [*runs.mixed_versions(results), *map(str, runs.hosts(results.rows, noun))],
    )


def line(run: RunRecord, number: int, results: Results, noun: str) -> str:
    """Return a run in a line, with its version."""
    found = runs.line(run, number, results, noun)
    return f"{found}; version {run.version}, commit {run.commit}" if run.commit else found
