"""The papers' figures by name: "table1.go9.1000" is the row N = 1000 of table 1, for Go on 9x9.

table1.go9.N, table1.go19.N             2N simulations against N
table2.fast.N, table2.slow.N            the same in Havannah
table3.SITUATION.VERSION                good moves of mogo, expertise, conditioning, both, in the
                                        situations must-play-1k, must-not-play-1k and -30k
table4.go9.K, table4.go19.K             32 machines against K
table5.go9, table5.go19                 slow root parallelization against voting, as the text has it
table5.slow-tree.go9, ...go19           slow tree against voting, as the caption has it
table6.SECONDS                          slow tree, depth 1, against slow root
bgp.CAMPAIGN.previous.K                 the version with K validated mutations against the version
                                        with K - 1
bgp.CAMPAIGN.baseline.K                 against the first baseline of the campaign
bgp.CAMPAIGN.mogo.K                     against the first baseline of an earlier campaign
bgp.CAMPAIGN.database.K                 against the player with patterns learnt from games
bgp.CAMPAIGN.simulations.N              the last version against the first baseline, with N
                                        simulations a move

campaigns() has the names of campaigns, costs() what both cost at the size of the papers.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Any


@dataclass(frozen=True)
class Figure:
    """A published success rate and its error, in percent."""

    rate: float
    error: float
    table: str  # its title
    place: str = ""  # in the papers: "Table 1, Go 9x9, N = 1,000"


@dataclass(frozen=True)
class PublishedCampaign:
    """The iterations of a published campaign, and those that validated a mutation, if known."""

    title: str
    iterations: int
    validated: int
    validated_at: tuple[int, ...] = ()
    short: "PublishedCampaign | None" = None  # as the short version has it, if it differs
    place: str = ""  # in the papers: "BGP, section 5.1"


@dataclass(frozen=True)
class PublishedCost:
    """The cost of a figure or a campaign at the size of the papers."""

    job: str  # for a cluster
    core_hours: float


@dataclass(frozen=True)
class Paper:
    """A paper whose figures these are."""

    key: str
    title: str
    authors: tuple[str, ...]
    year: int = 0  # 0: not known


@cache
def figures() -> Mapping[str, Figure]:
    """Return all published success rates, by name."""
    return {**dict(named(tables()["scalability"])), **dict(validations(tables()["bgp"]))}


@cache
def campaigns() -> Mapping[str, PublishedCampaign]:
    """Return all published campaigns, by name."""
    return {name: campaign(one, one["title"]) for name, one in tables()["bgp"].items()}


def paper_of(name: str) -> Paper:
    """Return the paper that has a figure or a campaign, by its name."""
    key = "bgp" if name.startswith("bgp.") else "scalability"
    found = tables()["papers"][key]
    return Paper(key, found["title"], tuple(found["authors"]), found.get("year", 0))


def names() -> list[str]:
    """Return the names of all figures, and of all campaigns as they stand in costs()."""
    return [*figures(), *(f"bgp.{name}" for name in campaigns())]


def campaign(one: Mapping[str, Any], title: str) -> PublishedCampaign:
    return PublishedCampaign(
        title,
        one["iterations"],
        one["validated"],
        tuple(one.get("validated_at", ())),
        campaign(one["short"], title) if "short" in one else None,
        section(one) if "section" in one else "",
    )


def section(one: Mapping[str, Any]) -> str:
    return f"BGP, section {one['section']}"


@cache
def costs() -> Mapping[str, PublishedCost]:
    """Return what figures and campaigns cost at the size of the papers, by name, where known."""
    return {
        name: PublishedCost(job, core_hours)
        for job, found in parsed("costs.toml")["core_hours"].items()
        for name, core_hours in found.items()
    }


def costs_are_of() -> str:
    """Return the version and the machine of which the costs are."""
    return str(parsed("costs.toml")["measured"])


def rate_of_speedup_2(figure: str) -> float | None:
    """Return the success rate, in percent, that the paper equates with a speed-up of 2.

    That of the table and the game of a figure, if the paper states one.
    """
    table, _, rest = figure.partition(".")
    rate: float | None = (
        tables()["scalability"].get(table, {}).get(f"speedup2_rate_{rest.partition('.')[0]}")
    )
    return rate


def tables() -> Mapping[str, Any]:
    return parsed("published.toml")


@cache
def parsed(name: str) -> Mapping[str, Any]:
    return tomllib.loads((files("mcts_cluster") / name).read_text(encoding="utf-8"))


GAMES = {"go9": "Go 9x9", "go19": "Go 19x19"}


def named(tables: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    """Yield the figures of the tables of the scalability paper, table by table."""
    yield from of_games("table1", "N", tables)
    for column in ("fast", "slow"):
        for row in tables["table2"][column]:
            place = f"Table 2, {column}, N = {row['N']:,}"
            figure = Figure(row["rate"], row["err"], tables["table2"]["title"], place)
            yield f"table2.{column}.{row['N']}", figure
    yield from good_moves(tables["table3"])
    yield from of_games("table4", "k", tables)
    for title, of in (("title", ""), ("title_slow_tree", "slow-tree.")):
        for game, board in GAMES.items():
            found = tables["table5"][game]
            place = f"Table 5, {board}, {'slow tree' if of else 'slow root'}"
            figure = Figure(found["rate"], found["err"], tables["table5"][title], place)
            yield f"table5.{of}{game}", figure
    for row in tables["table6"]["rows"]:
        place = f"The last table, {row['seconds']} s"
        figure = Figure(row["rate"], row["err"], tables["table6"]["title"], place)
        yield f"table6.{row['seconds']}", figure


def of_games(key: str, by: str, tables: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    """Yield the figures of a table with a column for each board of Go, column by column."""
    table = tables[key]
    for game, board in GAMES.items():
        for row in table["rows"]:
            place = f"Table {key.removeprefix('table')}, {board}, {by} = {row[by]:,}"
            figure = Figure(row[game], row[f"{game}_err"], table["title"], place)
            yield f"{key}.{game}.{row[by]}", figure


def good_moves(table: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    for situation in ("must_play_1k", "must_not_play_1k", "must_not_play_30k"):
        for version, rate in table[situation].items():
            words = situation.replace("_", " ")
            place = f"Table 3, {words}, {version}"
            figure = Figure(rate, error_of(rate, table["runs"]), table["title"], place)
            yield f"table3.{situation.replace('_', '-')}.{version}", figure


def error_of(rate: float, runs: int) -> float:
    """Return the standard error of a rate of so many runs, with one more success and failure."""
    smoothed = (rate / 100 * runs + 1) / (runs + 2)
    return 100 * sqrt(smoothed * (1 - smoothed) / runs)


def validations(campaigns: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    for name, one in campaigns.items():
        for opponent in ("previous", "baseline", "mogo", "database"):
            # Against the database the baseline itself is the first row.
            first = 0 if opponent == "database" else 1
            for number, row in enumerate(one.get(f"against_{opponent}", ()), first):
                place = f"{section(one)}, version {number} against {against(opponent, number)}"
                figure = Figure(row[0], row[1], one["title"], place)
                yield f"bgp.{name}.{opponent}.{number}", figure
        for simulations, row in one.get("last_with_simulations", {}).items():
            place = f"{section(one)}, the last version, {int(simulations):,} simulations"
            figure = Figure(row[0], row[1], one["title"], place)
            yield f"bgp.{name}.simulations.{simulations}", figure


def against(opponent: str, number: int) -> str:
    if opponent == "previous":
        return f"version {number - 1}"
    return "MoGo" if opponent == "mogo" else f"the {opponent}"
