"""The verb `table`: each match of a file with its success rate, beside the published one.

Ours is given with one standard error and with Wilson's interval, the paper's with its own error.
The verdict compares the two at 95 %: "differs" where chance does not explain the difference;
"agrees" where it does and a difference of RESOLUTION points would have been seen, or as much of one
as the paper's own error allows; else there are too few games, and it says how many more are needed.
"""

import csv
import io
import json
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, isnan, nan, sqrt
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from mcts_cluster import published
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.published import Figure
from mcts_cluster.reports import campaign_table, host_speeds
from mcts_cluster.reports.formats import DRAWN, wide_console
from mcts_cluster.storage import campaign_tables, reader
from mcts_cluster.storage.results import MatchRecord, Results
from mcts_cluster.success_rates import Z95, correlation, success, wilson

# The difference between ours and a paper's that we want to be able to see, in points.
RESOLUTION = 5.0


EXAMPLES = """\
examples:
  mcts-cluster table results/quickstart.h5
  mcts-cluster table results/table1-go9.h5 --format latex > table1.tex
"""


@dataclass(frozen=True)
class MatchSummary:
    """A match as the table has it; rates, errors and intervals in percent."""

    match: str
    wanted: int
    games: int
    rate: float
    error: float
    low: float
    high: float
    plies: float
    void: int
    repeats: int  # games that another game of the match equals, move by move
    published: Figure | None
    pairs: int = 0  # of games with the same opening
    correlation: float = nan  # of the points of their first player
    correlation_error: float = nan

    @property
    def needed(self) -> int:
        """How many more games would show a difference from the paper, if there were one."""
        if not self.published:
            return 0
        theirs = self.published.error
        ours = max((RESOLUTION / Z95) ** 2 - theirs**2, theirs**2)
        rate = self.rate / 100
        spread = max(rate * (1 - rate), 0.05)
        return max(0, ceil(1e4 * spread / ours) - self.games)

    @property
    def verdict(self) -> str:
        if not self.published:
            return ""
        theirs = self.published
        if abs(self.rate - theirs.rate) > Z95 * sqrt(self.error**2 + theirs.error**2):
            return "differs"
        return f"too few: {self.needed:,} more" if self.needed else "agrees"


def lines(matches: Sequence[MatchRecord], rows: Iterable[GameRecord]) -> list[MatchSummary]:
    """Return what there is to say of each match of which a game has been played."""
    by_match: dict[str, list[GameRecord]] = {match.name: [] for match in matches}
    for row in rows:
        by_match[row.match].append(row)
    found = [line_of(match, by_match[match.name]) for match in matches]
    return [line for line in found if line]


def line_of(match: MatchRecord, rows: Sequence[GameRecord]) -> MatchSummary | None:
    played = [row for row in rows if row.points is not None]
    if not played:
        return None
    total = sum(row.points or 0 for row in played)
    return MatchSummary(
        match.name,
        match.games,
        len(played),
        *success(total, len(played)),
        *wilson(total, len(played)),
        plies=sum(row.plies for row in played) / len(played),
        void=len(rows) - len(played),
        repeats=len(played) - len({(row.number % 2, row.moves) for row in played}),
        published=published.figures().get(match.published),
        **told_by_pairs(played if match.opening else ()),
    )


def told_by_pairs(played: Sequence[GameRecord]) -> dict[str, Any]:
    """Return what games 2k and 2k + 1 have to do with each other."""
    points = {row.number: row.points or 0.0 for row in played}
    pairs = [(points[n], points[n + 1]) for n in points if n % 2 == 0 and n + 1 in points]
    found, error = correlation(pairs)
    return {"pairs": len(pairs), "correlation": found, "correlation_error": error}


def remarks(found: Iterable[MatchSummary]) -> list[str]:
    """Return what a reader of the rates must know."""
    said = []
    for line in found:
        if line.void:
            said.append(f"{line.match}: {line.void} void games, which do not count")
        if line.repeats:
            said.append(
                f"{line.match}: {line.repeats} of {line.games} games repeat another one move by "
                "move, so the error is larger than it says"
            )
        if not isnan(line.correlation):
            said.append(
                f"{line.match}: the games of an opening correlate at {line.correlation:+.2f} ± "
                f"{line.correlation_error:.2f} ({line.pairs} pairs)"
            )
    return said


def spoilt(matches: Iterable[MatchRecord], rows: Iterable[GameRecord]) -> list[str]:
    """Return why matches have no line: of matches that have void games, and no other."""
    of_match: dict[str, list[GameRecord]] = {match.name: [] for match in matches}
    for row in rows:
        of_match[row.match].append(row)
    return [
        f"{name}: {len(void)} void games, and no other; the last one: {void[-1].how}"
        for name, void in of_match.items()
        if void and all(row.points is None for row in void)
    ]


def headings(found: Sequence[MatchSummary]) -> list[str]:
    compared = ["published", "verdict"] if any(line.published for line in found) else []
    return ["match", "games", "success rate", "95 %", *compared, "plies"]


def cells(line: MatchSummary, heads: Sequence[str]) -> list[str]:
    theirs = line.published
    said = {
        "match": line.match,
        "games": str(line.games),
        "success rate": f"{line.rate:.1f} ± {line.error:.1f} %",
        "95 %": f"{line.low:.1f}–{line.high:.1f}",
        "published": f"{theirs.rate:g} ± {theirs.error:g} %" if theirs else "",
        "verdict": line.verdict,
        "plies": f"{line.plies:.0f}",
    }
    return [said[head] for head in heads]


def results(matches: Sequence[MatchRecord], rows: Sequence[GameRecord], title: str) -> Group:
    """Return the job's title, a table with a line a match, and remarks."""
    found = lines(matches, rows)
    heads = headings(found)
    if "verdict" in heads:
        # Eighty columns hold no more.
        heads.remove("plies")
    table = Table()
    for heading in heads:
        left = heading in ("match", "verdict")
        table.add_column(
            heading,
            justify="left" if left else "right",
            no_wrap=not left,
            overflow="fold",
        )
    # Text, because rich takes a plain string for its markup, where [fast] is an instruction. Above
    # the table, because a title of its own would be broken to its width.
    for line in found:
        table.add_row(*map(Text, cells(line, heads)))
    notes = [*remarks(found), *spoilt(matches, rows), *host_speeds.warnings(rows)]
    return Group(Text(title, "bold"), table, *map(Text, notes))


def table_of(found: Sequence[MatchSummary]) -> list[list[str]]:
    heads = headings(found)
    return [heads, *(cells(line, heads) for line in found)]


def plain(line: MatchSummary) -> dict[str, Any]:
    """Return a line as names and numbers."""
    theirs = line.published
    return {
        "match": line.match,
        "wanted": line.wanted,
        "games": line.games,
        "void": line.void,
        "repeats": line.repeats,
        "success_rate": round(line.rate, 4),
        "standard_error": round(line.error, 4),
        "wilson_low": round(line.low, 4),
        "wilson_high": round(line.high, 4),
        "plies": round(line.plies, 2),
        "published_rate": theirs.rate if theirs else None,
        "published_error": theirs.error if theirs else None,
        "verdict": line.verdict or None,
        "pairs": line.pairs,
        "pair_correlation": None if isnan(line.correlation) else round(line.correlation, 4),
        "games_needed": line.needed if theirs else None,
    }


def as_csv(found: Sequence[MatchSummary]) -> str:
    out = io.StringIO()
    if found:
        writer = csv.DictWriter(out, plain(found[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(plain, found))
    return out.getvalue()


def as_json(found: Sequence[MatchSummary], title: str) -> str:
    return json.dumps({"title": title, "matches": list(map(plain, found))}, indent=2) + "\n"


FORMATS = ("text", "markdown", "csv", "latex", "json")


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("file", type=Path, metavar="FILE", help="an HDF5 file of a run")
    parser.add_argument("--format", choices=FORMATS, default="text", help="(default: text)")


def main(args: Namespace) -> int:
    found = reader.read(args.file)
    text = of_campaign(found, args.format) if found.tables else of_matches(found, args.format)
    if isinstance(text, str):
        print(text, end="")
    else:
        wide_console().print(text)
    return 0


def of_matches(found: Results, form: str) -> str | Group:
    rows = lines(found.matches, found.rows)
    if form == "text":
        return results(found.matches, found.rows, found.title)
    if form == "csv":
        return as_csv(rows)
    if form == "json":
        return as_json(rows, found.title)
    spoilt_ones = spoilt(found.matches, found.rows)
    notes = [*remarks(rows), *spoilt_ones, *host_speeds.warnings(found.rows)]
    return DRAWN[form](table_of(rows), notes, found.title)


def of_campaign(found: Results, form: str) -> str | Group:
    told = campaign_tables.in_file(found)
    if form == "text":
        slow = map(Text, host_speeds.warnings(found.rows))
        return Group(campaign_table.results(told, found.title), *slow)
    if form == "csv":
        return campaign_table.as_csv(told)
    if form == "json":
        return campaign_table.as_json(told, found.title)
    notes = [*campaign_table.summary(told), *host_speeds.warnings(found.rows)]
    return DRAWN[form](campaign_table.table_of(told), notes, found.title)
