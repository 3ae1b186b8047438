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

campaigns() has the names of campaigns.
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


@dataclass(frozen=True)
class PublishedCampaign:
    """The iterations of a published campaign, and those that validated a mutation, if known."""

    title: str
    iterations: int
    validated: int
    validated_at: tuple[int, ...] = ()
    short: "PublishedCampaign | None" = None  # as the short version has it, if it differs


@cache
def figures() -> Mapping[str, Figure]:
    """Return all published success rates, by name."""
    return {**dict(named(tables()["scalability"])), **dict(validations(tables()["bgp"]))}


@cache
def campaigns() -> Mapping[str, PublishedCampaign]:
    """Return all published campaigns, by name."""
    return {name: campaign(one, one["title"]) for name, one in tables()["bgp"].items()}


def campaign(one: Mapping[str, Any], title: str) -> PublishedCampaign:
    return PublishedCampaign(
        title,
        one["iterations"],
        one["validated"],
        tuple(one.get("validated_at", ())),
        campaign(one["short"], title) if "short" in one else None,
    )


def rate_of_speedup_2(figure: str) -> float | None:
    """Return the success rate, in percent, that the paper equates with a speed-up of 2.

    That of the table and the game of a figure, if the paper states one.
    """
    table, _, rest = figure.partition(".")
    rate: float | None = (
        tables()["scalability"].get(table, {}).get(f"speedup2_rate_{rest.partition('.')[0]}")
    )
    return rate


@cache
def tables() -> Mapping[str, Any]:
    text = (files("mcts_cluster") / "published.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def named(tables: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    for key, by in (("table1", "N"), ("table4", "k")):
        table = tables[key]
        for row in table["rows"]:
            for game in ("go9", "go19"):
                figure = Figure(row[game], row[f"{game}_err"], table["title"])
                yield f"{key}.{game}.{row[by]}", figure
    for column in ("fast", "slow"):
        for row in tables["table2"][column]:
            figure = Figure(row["rate"], row["err"], tables["table2"]["title"])
            yield f"table2.{column}.{row['N']}", figure
    for situation in ("must_play_1k", "must_not_play_1k", "must_not_play_30k"):
        for version, rate in tables["table3"][situation].items():
            name = f"table3.{situation.replace('_', '-')}.{version}"
            yield (
                name,
                Figure(rate, error_of(rate, tables["table3"]["runs"]), tables["table3"]["title"]),
            )
    for title, of in (("title", ""), ("title_slow_tree", "slow-tree.")):
        for game in ("go9", "go19"):
            found = tables["table5"][game]
            yield f"table5.{of}{game}", Figure(found["rate"], found["err"], tables["table5"][title])
    for row in tables["table6"]["rows"]:
        name = f"table6.{row['seconds']}"
        yield name, Figure(row["rate"], row["err"], tables["table6"]["title"])


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
                yield f"bgp.{name}.{opponent}.{number}", Figure(row[0], row[1], one["title"])
        for simulations, row in one.get("last_with_simulations", {}).items():
            yield f"bgp.{name}.simulations.{simulations}", Figure(row[0], row[1], one["title"])
