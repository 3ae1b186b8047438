"""What `show` and `table` tell of a campaign: its races, what they accepted, the risk they took.

The mean of a candidate comes with an interval that holds although the race was stopped by what it
saw; the bounds of the judge are those of its last look.
"""

import csv
import io
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from mcts_cluster import published
from mcts_cluster.published import PublishedCampaign
from mcts_cluster.storage.campaign_rows import LookRecord
from mcts_cluster.storage.campaign_tables import (
    CampaignTables,
    CandidateRecord,
    RaceRecord,
)

HEADINGS = ("race", "candidate", "verdict", "games", "success rate", "interval", "bounds")
LEFT = ("candidate", "verdict")


def raced(annals: CampaignTables) -> list[CandidateRecord]:
    """Return the candidates of which something was counted, race by race."""
    entries = [entry for entry in annals.entries if entry.estimates]
    return sorted(entries, key=lambda entry: (entry.iteration, entry.candidate))


def cells(entry: CandidateRecord) -> list[str]:
    last, seen = entry.estimates[-1], entry.judged[-1]
    return [
        str(entry.iteration),
        entry.players[0],
        entry.verdict or "undecided",
        f"{last.games:,}",
        f"{100 * last.mean:.1f} %",
        f"{100 * last.low:.1f}–{100 * last.high:.1f}",
        f"{100 * seen.lower:.1f}–{100 * seen.upper:.1f}",
    ]


def results(annals: CampaignTables, title: str) -> Group:
    """Return the job's title, a table with a line a candidate, and what it all comes to."""
    table = Table()
    for heading in HEADINGS:
        left = heading in LEFT
        table.add_column(
            heading, justify="left" if left else "right", no_wrap=not left, overflow="fold"
        )
    for entry in raced(annals):
        table.add_row(*map(Text, cells(entry)))
    return Group(Text(title, "bold"), table, *map(Text, summary(annals)))


def summary(annals: CampaignTables) -> Iterator[str]:
    """Yield what was accepted, what the papers had, the games and the risk."""
    over, of = len(annals.verdicts), annals.iterations
    yield f"{over:,} of {of:,} races are over, {accepted(annals.verdicts)}"
    if name := annals.settings["published"]:
        yield f"published: {paper(published.campaigns()[name])}"
    counted, others = annals.counted, annals.played - annals.counted
    not_yet = ", or not yet" if over < of else ""
    yield f"{counted:,} games count" + (f", {others:,} do not{not_yet}" if others else "")
    if annals.verdicts or annals.current:
        yield f"risk of error so far: {annals.spent:.3g}{limit(annals)}"
    ends = [entry.estimates[-1] for entry in raced(annals)]
    known = [(one.games, one.correlation) for one in ends if one.correlation is not None]
    if known:
        games = sum(count for count, _ in known)
        mean = sum(count * correlation for count, correlation in known) / games
        yield f"correlation within pairs of games: {mean:.2f}"
    yield from shadows(annals)


def shadows(annals: CampaignTables) -> Iterator[str]:
    """Yield what each judge that only watched would have said, and after how many games."""
    found: dict[str, list[LookRecord]] = {}
    for entry in raced(annals):
        last = {look.judge: look for look in entry.looks if look.judge != entry.judged[0].judge}
        for judge, look in last.items():
            found.setdefault(judge, []).append(look)
    for judge, looks in found.items():
        said = Counter(look.verdict or "undecided" for look in looks)
        told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(said.items()))
        yield f"{judge} only watched: {told}, {sum(look.games for look in looks):,} games"


def accepted(verdicts: Sequence[RaceRecord]) -> str:
    """Return how many races accepted a mutation, and which."""
    races = [str(verdict.iteration) for verdict in verdicts if verdict.accepted]
    return told(len(races), ", ".join(races))


def paper(campaign: PublishedCampaign) -> str:
    races = ", ".join(map(str, campaign.validated_at))
    return f"{campaign.iterations:,} races, {told(campaign.validated, races)}"


def told(count: int, races: str) -> str:
    if not count:
        return "none accepted a mutation"
    return f"{count} accepted a mutation" + (f": {races}" if races else "")


def limit(annals: CampaignTables) -> str:
    settings, total = annals.ledger.settings, annals.ledger.total
    # Of variant 3 the risk of a race is that of the campaign.
    most = total or (settings.risk if settings.divides_risk else 0.0)
    return f" of {most:g} at most" if most else f", {settings.risk:g} a race"


def standing(annals: CampaignTables) -> Group:
    """Return where a campaign stands: the race under way, and what was accepted so far."""
    lines = [Text(line) for line in summary(annals)]
    if entry := annals.current:
        last, seen = entry.estimates[-1], entry.judged[-1]
        lines.append(
            Text(
                f"race {entry.iteration}: {entry.match}, {last.games:,} games, "
                f"{100 * last.mean:.1f} %, bounds {100 * seen.lower:.1f}–{100 * seen.upper:.1f} "
                f"after {seen.tests} looks"
            )
        )
    for verdict in annals.verdicts:
        if verdict.accepted:
            when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(verdict.ended))
            lines.append(Text(f"accepted {when} after {verdict.games:,} games of race "))
            lines[-1].append(str(verdict.iteration))
            lines += [Text(f"    {line}") for line in verdict.accepted.picture if line]
    return Group(*lines)


# Other forms


def plain(entry: CandidateRecord) -> dict[str, Any]:
    """Return a candidate as names and numbers."""
    last, seen = entry.estimates[-1], entry.judged[-1]
    return {
        "iteration": entry.iteration,
        "candidate": entry.candidate,
        "first": entry.players[0],
        "second": entry.players[1],
        "verdict": entry.verdict or "undecided",
        "games": last.games,
        "mean": round(last.mean, 6),
        "low": round(last.low, 6),
        "high": round(last.high, 6),
        "lower": round(seen.lower, 6),
        "upper": round(seen.upper, 6),
        "looks": seen.tests,
        "correlation": None if last.correlation is None else round(last.correlation, 6),
        "shadows": {
            look.judge: {"games": look.games, "verdict": look.verdict}
            for look in entry.looks
            if look.judge != seen.judge
        },
    }


def as_json(annals: CampaignTables, title: str) -> str:
    told = {"title": title, "candidates": [plain(entry) for entry in raced(annals)]}
    return json.dumps(told, indent=2) + "\n"


def as_csv(annals: CampaignTables) -> str:
    out = io.StringIO()
    rows = [plain(entry) for entry in raced(annals)]
    if rows:
        names = [name for name in rows[0] if name != "shadows"]
        writer = csv.DictWriter(out, names, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return out.getvalue()


def table_of(annals: CampaignTables) -> list[list[str]]:
    return [list(HEADINGS), *(cells(entry) for entry in raced(annals))]
