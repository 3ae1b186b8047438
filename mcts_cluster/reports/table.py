"""The table of a file in any format, for all kinds of experiments."""

from rich.console import Group

from mcts_cluster.reports import runs
from mcts_cluster.reports.formats import DRAWN, as_csv, as_json, text
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.storage.results import Results


def table(results: Results, form: str) -> str | Group:
    """Return the table: text for a terminal or a file, in one of FORMATS."""
    kind = KINDS[results.kind]
    if form == "csv":
        return as_csv(kind.plain(results))
    if form == "json":
        return as_json(kind.plain(results), kind.ITEM, results.title)
    summary = kind.summary(results)
    notes = [*summary.notes, *runs.mixed_versions(results), *runs.warnings(results.rows)]
    if form == "text":
        return text(summary, notes, results.title)
    return DRAWN[form](summary.lines, notes, results.title)
