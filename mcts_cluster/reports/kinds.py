"""The kinds of experiments: how each is kept in a file, and reported.

A kind is a module here with the functions of `Kind`, and a line in KINDS under its name in files.
Its other half, which plays, is an Experiment (matches/experiment.py).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from rich.console import RenderableType

from mcts_cluster.errors import UserError
from mcts_cluster.games import Game
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.experiment import Plan
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.portion import ALL, Portion
from mcts_cluster.reports import campaigns, matches, positions
from mcts_cluster.reports.comparison import Comparison
from mcts_cluster.reports.estimates import Expected
from mcts_cluster.reports.formats import Summary
from mcts_cluster.reports.pictures.boards import Drawing
from mcts_cluster.reports.pictures.charts import Chart
from mcts_cluster.reports.runs import Progress
from mcts_cluster.reports.speedup import Doublings
from mcts_cluster.storage.results import GrowingTable, MatchRecord, Results
from mcts_cluster.storage.table_sinks import TableSink


class Recorder(Protocol):
    """Writes the tables that follow from the games of a plan."""

    def write(self, sink: TableSink) -> None:
        """Write what is new, before the games from which it follows."""


class Kind(Protocol):
    """How experiments of a kind are kept in a file, and read."""

    ITEM: str  # what a row of its table is, in the plural
    PLAYED: str  # what a task plays

    # To play

    def records(self, job: Job) -> tuple[MatchRecord, ...]:
        """Return the rows of /matches."""

    def tables(self, job: Job) -> dict[str, GrowingTable]:
        """Return the tables that grow with the games, empty."""

    def differences(self, job: Job, results: Results) -> Iterable[str]:
        """Return why this version cannot continue a file whose settings are those of the job."""

    def plan(self, job: Job, results: Results, portion: Portion = ALL) -> Plan:
        """Return the plan that continues a file by a portion of the job; raises UserError."""

    def merged_tables(
        self, results: Results, parts: Mapping[Path, Results], whole: Path
    ) -> dict[str, GrowingTable]:
        """Return the tables of a file with the games of several; its job is that of one of them."""

    def recorder(self, plan: Plan) -> Recorder: ...

    def estimates(self, job: Job, workers: int) -> Iterator[RenderableType]:
        """Yield how long a job will take; plays pilot games for it."""

    def expected(self, job: Job) -> Expected:
        """Return the same as numbers: what all games will take; plays pilot games for it."""

    # To read

    def standing(self, results: Results, pace: float) -> Iterator[RenderableType]:
        """Yield the progress of a run; the pace is in games a second, 0 if it does not run."""

    def summary(self, results: Results, curve: Doublings | None = None) -> Summary:
        """Return the table of a file; raises UserError for a curve that is not of its players."""

    def plain(self, results: Results, curve: Doublings | None = None) -> list[dict[str, Any]]:
        """Return the rows of the table as names and numbers."""

    def compared(self, results: Results) -> Sequence[Comparison]:
        """Return what has games and stands next to published figures."""

    def figure(self, results: Results, curve: Doublings | None) -> Any:
        """Draw a file; raises UserError where there is nothing to draw."""

    def figure_of_all(self, files: Mapping[str, Results]) -> Any:
        """Draw several files, by their paths, in one figure; raises UserError."""

    def drawings(self, results: Results) -> Iterable[Drawing]:
        """Yield what a page shows as boards: patterns, positions."""

    def charts(self, results: Results) -> Iterable[Chart]:
        """Yield how rates or bounds have moved with the games."""

    def progress(self, results: Results, pace: float) -> Sequence[Progress]:
        """Return how far all of it is, then its portion; the pace is in games a second."""

    def counting(self, results: Results) -> Any:
        """Return for every row whether it counts, an array."""

    def beginning(self, results: Results, row: GameRecord) -> Game:
        """Return the position in which a game begins."""

    def properties(self, row: GameRecord, game: Game) -> Mapping[str, str]:
        """Return the properties of a record of a game: names and the result."""


KINDS: dict[str, Kind] = {"matches": matches, "campaign": campaigns, "positions": positions}


def figure_of_all(files: Mapping[str, Results]) -> Any:
    """Draw several files, by their paths, in one figure; raises UserError where they make none."""
    return KINDS[common_kind(files, "drawn together")].figure_of_all(files)


def common_kind(files: Mapping[Any, Results], done: str) -> str:
    """Return the kind of all of these files; raises UserError, with what cannot be done else."""
    first, of_first = next(iter(files.items()))
    for path, results in files.items():
        if results.kind != of_first.kind:
            raise UserError(
                f"{path}: a {results.kind} file, and {first} a {of_first.kind} file; only files "
                f"of one kind can be {done}"
            )
    return of_first.kind
