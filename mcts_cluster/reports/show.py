"""The verb `show`: where a run stands, from its file, also while it runs."""

import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from math import isnan
from pathlib import Path

from rich.console import Group
from rich.table import Table
from rich.text import Text

from mcts_cluster.exit_statuses import COMPLETE, GIVEN_UP, INTERRUPTED, MISTAKE
from mcts_cluster.reports import campaign_table, host_speeds
from mcts_cluster.reports.durations import duration
from mcts_cluster.reports.formats import wide_console
from mcts_cluster.reports.table import lines, remarks, spoilt
from mcts_cluster.storage import campaign_tables, reader
from mcts_cluster.storage.lock import is_locked
from mcts_cluster.storage.results import Results, RunRecord

# The pace is that of the last games.
LAST_GAMES = 200
ENDS = {
    COMPLETE: "complete",
    GIVEN_UP: "ended by a defect or by void games",
    MISTAKE: "ended by a mistake",
    INTERRUPTED: "stopped by Ctrl-C",
}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="an HDF5 file of a run")


def main(args: Namespace) -> int:
    results = reader.read(args.file)
    running = not results.is_closed and is_locked(args.file)
    wide_console().print(state(results, running), highlight=False)
    return 0


def state(results: Results, running: bool) -> Group:
    """Return the state of a run: its matches, its runs, where it played, what went wrong."""
    if results.tables:
        standing = campaign_table.standing(campaign_tables.in_file(results))
        hourly = [Text(f"{3600 * per_second(results):,.0f} games an hour")] if running else []
        title = Text(results.title, "bold")
        return Group(title, standing, *hourly, *runs_of(results, running))
    games = {match.name: match.games for match in results.matches}
    played = Counter(row.match for row in results.rows if row.points is not None)
    found = {line.match: line for line in lines(results.matches, results.rows)}
    table = Table("match", box=None, pad_edge=False)
    for heading in ("games", "wanted", "success rate"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, wanted in games.items():
        line = found.get(name)
        rate = f"{line.rate:.1f} ± {line.error:.1f} %" if line else ""
        table.add_row(Text(name), f"{played[name]:,}", f"{wanted:,}", rate)
    left = sum(games.values()) - played.total()
    said = [f"{played.total():,} of {sum(games.values()):,} games"]
    if running and left and (pace := per_second(results)):
        said.append(f"{3600 * pace:,.0f} an hour, {duration(left / pace)} left")
    said_of = [*remarks(found.values()), *spoilt(results.matches, results.rows)]
    notes = [Text(remark) for remark in said_of]
    runs = runs_of(results, running)
    return Group(Text(results.title, "bold"), table, Text(", ".join(said)), *runs, *notes)


def runs_of(results: Results, running: bool) -> list[Text]:
    """Return when and where it was played."""
    runs = [Text(told(run, number, results)) for number, run in enumerate(results.runs)]
    if not results.is_closed and not running:
        runs.append(Text("left open, as by a kill: run again to continue, or repair the file"))
    return [*runs, *(Text(str(host)) for host in host_speeds.hosts(results.rows))]


def per_second(results: Results) -> float:
    """Return the games that end in a second, lately, in the last run."""
    ends = sorted(row.ended for row in results.rows[results.runs[-1].first_game :])[-LAST_GAMES:]
    return (len(ends) - 1) / (ends[-1] - ends[0]) if len(ends) > 1 and ends[-1] > ends[0] else 0.0


def told(run: RunRecord, number: int, results: Results) -> str:
    """Return a run in a line."""
    following = [r.first_game for r in results.runs[number + 1 :]]
    games = (following[0] if following else len(results.rows)) - run.first_game
    began = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(run.began))
    if isnan(run.ended):
        ended = "killed" if following or results.is_closed else "not ended"
    else:
        ended = f"{ENDS.get(run.status, 'stopped')} after {duration(run.ended - run.began)}"
    busy = "" if isnan(run.busy) else f", workers busy {100 * run.busy:.0f} %"
    return f"run of {began}: {games:,} games on {run.hosts or 'no host'}, {ended}{busy}"
