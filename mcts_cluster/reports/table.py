"""The table of a file in any format, for all kinds of experiments."""

from rich.console import Group

from mcts_cluster.reports import runs
from mcts_cluster.reports.formats import DRAWN, as_csv, as_json, text
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.reports.speedup import Doublings
from mcts_cluster.storage.results import Results


def table(results: Results, form: str, curve: Doublings | None = None) -> str | Group:
    """Return the table: text for a terminal or a file, in one of FORMATS.

    With a curve of 2N simulations against N it has speed-ups.
    """
    kind = KINDS[results.kind]
    if form == "csv":
        return as_csv(kind.plain(results, curve))
    if form == "json":
        return as_json(kind.plain(results, curve), kind.ITEM, results.title)
    summary = kind.summary(results, curve)
    of_runs = [*runs.mixed_versions(results), *runs.warnings(results.rows)]
    notes = [*summary.remarks, *of_runs]
    if form == "text":
        return text(summary, notes, results.title, why_empty(results))
    return DRAWN[form](summary.lines, notes, results.title)


def why_empty(results: Results) -> str:
    """Return why a table has no rows."""
    noun = KINDS[results.kind].PLAYED
    return f"No {noun} counts yet." if results.rows else f"No {noun} has been played yet."
