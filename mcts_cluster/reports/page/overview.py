"""All published figures for which files have games, next to ours, and how many differ by chance."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from mcts_cluster import published
from mcts_cluster.reports.comparison import Comparison, command, hours
from mcts_cluster.reports.formats import Summary, plain
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.settings.words import counted
from mcts_cluster.storage.results import Results

# With their names.
Files = Sequence[tuple[Path, Results]]

HEADINGS = (
    *("figure", "published", "match", "ours", "games", "verdict", "budget"),
    *("core-hours", "core-hours as published", "command"),
)
# Of equal rates the verdict finds so many different.
BY_CHANCE = 0.05


def compared(files: Files) -> list[tuple[int, Comparison]]:
    """Return what stands next to published figures, in the order of these, with its file's place.

    Campaigns come last.
    """
    found = [
        (place, one)
        for place, (_, results) in enumerate(files)
        for one in KINDS[results.kind].compared(results)
    ]
    names = published.names()
    return sorted(found, key=lambda one: names.index(one[1].name))


def overview(files: Files, found: Sequence[tuple[int, Comparison]]) -> Summary:
    """Return the table and notes on it."""
    commands = [command(results) for _, results in files]
    rows = [cells(one, commands[place]) for place, one in found]
    return Summary(HEADINGS, rows, list(notes(files, found)))


def cells(one: Comparison, command: str) -> list[str]:
    return [
        *(one.place, one.published, one.match, one.ours, one.games, one.verdict, one.budget),
        hours(one.core_hours),
        hours(one.cost.core_hours) if one.cost else "",
        command,
    ]


def notes(files: Files, found: Sequence[tuple[int, Comparison]]) -> Iterator[str]:
    verdicts = [one.verdict for _, one in found if one.verdict]
    if verdicts:
        yield chance(verdicts)
    if len(verdicts) < len(found):
        yield (
            "Campaigns have no verdict: what they accept depends on thresholds and players. As "
            "published they cost so much if no candidate is any better."
        )
    if found:
        yield (
            "Core-hours are of all games of a match, by the clock. Those as published are what "
            "`mcts-cluster check` estimates for the job with the papers' budgets "
            f"({published.costs_are_of()})."
        )
    places = {place for place, _ in found}
    others = [path.name for place, (path, _) in enumerate(files) if place not in places]
    if others:
        yield f"No published figures: {', '.join(others)}."


def chance(verdicts: Sequence[str]) -> str:
    """Return how many rates differ from the published ones, and how many would by chance."""
    agrees, differs = verdicts.count("agrees"), verdicts.count("differs")
    return (
        f"{counted(len(verdicts), 'rate')} next to published ones: agrees {agrees:,}, differs "
        f"{differs:,}, too few games to tell {len(verdicts) - agrees - differs:,}. If all were "
        f"equal in truth, about {plain(BY_CHANCE * len(verdicts))} would differ by chance, at 95 %."
    )
