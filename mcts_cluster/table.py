"""Results as a table: each match with its success rate and how far it may be trusted."""

from collections.abc import Iterable

from rich.console import Group
from rich.table import Table
from rich.text import Text

from mcts_cluster.jobfile import Job
from mcts_cluster.match import Row
from mcts_cluster.statistics import success


def results(job: Job, rows: Iterable[Row]) -> Group:
    """Return the job's title and a table with a line a match."""
    by_match: dict[str, list[Row]] = {match.name: [] for match in job.matches}
    for row in rows:
        by_match[row.match].append(row)
    table = Table()
    table.add_column("match")
    for heading in ("games", "success rate", "plies"):
        table.add_column(heading, justify="right")
    for name, played in by_match.items():
        points = [row.points for row in played if row.points is not None]
        if points:
            rate, error = success(sum(points), len(points))
            plies = sum(row.plies for row in played) / len(played)
            cells = [str(len(points)), f"{rate:.1f} ± {error:.1f} %", f"{plies:.0f}"]
            table.add_row(Text(name), *cells)
    # Text, because rich takes a plain string for its markup, where [fast] is an instruction. Above
    # the table, because a title of its own would be broken to its width.
    return Group(Text(job.title, "bold"), table)
