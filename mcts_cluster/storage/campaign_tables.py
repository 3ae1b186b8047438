"""The tables of a campaign's file: candidates, looks and verdicts.

They follow from the games, and are written for readers of the file as the games come in; a campaign
that continues makes them anew. `show`, `table` and `plot` read them as `CampaignTables`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcts_cluster.bgp import versions
from mcts_cluster.bgp.campaign import Campaign, mutations_before, sizes
from mcts_cluster.bgp.mutations import Mutation
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.risk_budget import RiskBudget
from mcts_cluster.bgp.versions import CandidateKey, Place
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility
from mcts_cluster.players import bias_patterns
from mcts_cluster.storage.campaign_rows import (
    CANDIDATES,
    BatchEstimate,
    CandidateRow,
    LookRecord,
    PictureLine,
    VerdictRow,
)
from mcts_cluster.storage.results import GrowingTable, Results
from mcts_cluster.storage.rows.match_sums import tallies


def empty_tables(campaign: Campaign) -> dict[str, GrowingTable]:
    """Return the tables of a new file, with about as many rows as they will have."""
    candidates = mutations_before(campaign.iterations + 1, campaign.candidates)
    return {
        CANDIDATES: GrowingTable(expected=2 * candidates),
        "pictures": GrowingTable(expected=50 * candidates),
        "cells": GrowingTable(expected=20 * candidates),
        "batches": GrowingTable(expected=20 * candidates),
        "looks": GrowingTable(expected=50 * candidates),
        "verdicts": GrowingTable(expected=campaign.iterations),
    }


@dataclass
class CandidateRecord:
    """A candidate with its patterns, looks and estimates."""

    match: CandidateKey
    picture: list[str] = field(default_factory=list)
    looks: list[LookRecord] = field(default_factory=list)
    estimates: list[BatchEstimate] = field(default_factory=list)

    @property
    def players(self) -> tuple[str, str]:
        return self.match.players

    @property
    def iteration(self) -> int:
        return self.match.place[0]

    @property
    def candidate(self) -> int:
        return self.match.place[1]

    @property
    def accepted(self) -> int:
        """How many mutations its baseline has."""
        return len(self.match.accepted)

    @property
    def counted(self) -> int:
        return self.estimates[-1].games if self.estimates else 0

    @property
    def deciding_looks(self) -> list[LookRecord]:
        """The looks of the deciding rule."""
        return [look for look in self.looks if look.rule == self.looks[0].rule]

    @property
    def verdict(self) -> str:
        """The last verdict of that rule, or nothing."""
        return self.deciding_looks[-1].verdict if self.looks else ""


@dataclass(frozen=True)
class RaceRecord:
    """A finished race, the rows of /verdicts that it has, with the accepted candidates."""

    iteration: int
    accepted: list[CandidateRecord]
    games: int
    ended: float
    risk: float
    spent: float


@dataclass(frozen=True)
class CampaignTables:
    """The tables of a campaign."""

    settings: Mapping[str, Any]  # as jobs.compatibility describes them
    played: int  # games, also those that do not count
    candidates: list[CandidateRecord]
    verdicts: list[RaceRecord]

    @property
    def accepted(self) -> list[CandidateRecord]:
        return [record for verdict in self.verdicts for record in verdict.accepted]

    @property
    def raced(self) -> list[CandidateRecord]:
        """The candidates with games that count, race by race."""
        records = [record for record in self.candidates if record.estimates]
        return sorted(records, key=lambda record: (record.iteration, record.candidate))

    @property
    def counted(self) -> int:
        return sum(record.counted for record in self.candidates)

    @property
    def iterations(self) -> int:
        return int(self.settings["iterations"])

    @property
    def risk_budget(self) -> RiskBudget:
        return RiskBudget(RaceSettings(**self.settings["race"]), self.settings["total_risk"])

    @property
    def spent(self) -> float:
        """The risk of error of all races up to the last one that has looked."""
        races = max(self.last_race, self.current.iteration if self.current else 0)
        return self.risk_budget.spent(sizes(self.settings["candidates"], races))

    @property
    def last_race(self) -> int:
        """The last race that is over; of a portion it is not the number of all of them."""
        return max((verdict.iteration for verdict in self.verdicts), default=0)

    @property
    def current(self) -> CandidateRecord | None:
        """The candidate of an unfinished race with the most games, if there is one.

        Before those that have a verdict already.
        """
        seen = self.under_way
        return max(seen, key=lambda one: (not one.verdict, one.counted)) if seen else None

    @property
    def under_way(self) -> list[CandidateRecord]:
        """The candidates of an unfinished race that were looked at."""
        over = {verdict.iteration for verdict in self.verdicts}
        others = [e for e in self.candidates if e.iteration not in over]
        return [e for e in others if e.accepted == len(self.accepted) and e.looks]


def read(
    tables: Mapping[str, Sequence[Any]], settings: Mapping[str, Any], played: int
) -> CampaignTables:
    """Return the tables, each row with those that belong to it."""
    rows: Sequence[CandidateRow] = tables.get(CANDIDATES, ())
    lines: Sequence[PictureLine] = tables.get("pictures", ())
    looks: Sequence[LookRecord] = tables.get("looks", ())
    estimates: Sequence[BatchEstimate] = tables.get("batches", ())
    verdicts: Sequence[VerdictRow] = tables.get("verdicts", ())
    records = list(map(CandidateRecord, versions.keys(rows)))
    for line in lines:
        records[line.candidate].picture.append(line.line)
    for look in looks:
        records[look.candidate].looks.append(look)
    for estimate in estimates:
        records[estimate.candidate].estimates.append(estimate)
    races: dict[int, RaceRecord] = {}
    for row in verdicts:
        race = RaceRecord(row.iteration, [], row.games, row.ended, row.risk, row.spent)
        race = races.setdefault(row.iteration, race)
        if row.candidate >= 0:
            race.accepted.append(records[row.candidate])
    return CampaignTables(settings, played, records, list(races.values()))


def in_file(results: Results) -> CampaignTables:
    """Return the tables of a campaign's file; raises UserError for another file."""
    if results.kind != Campaign.kind:
        raise UserError(f"a file of {results.kind}, must be one of a campaign")
    settings = compatibility.read(results.settings)["campaign"]
    played = results.played
    tables = {name: table.content for name, table in results.tables.items()}
    return read(tables, settings, played)


def proposed(results: Results) -> dict[Place, Mutation]:
    """Return the mutations of which a campaign's file has games."""
    return {
        record.match.place: tuple(bias_patterns.parse("\n".join(record.picture)))
        for record in with_games(results, in_file(results))
    }


def differences(results: Results, campaign: Campaign) -> Iterator[str]:
    """Yield the candidates of a file that this version would propose otherwise, a line each.

    Only those are proposed that will play again, and the latest: it may take a while.
    """
    for record in needed(results):
        mutation = campaign.mutation(record.match.place)
        if bias_patterns.write(mutation).splitlines() != record.picture:
            yield f"{record.players[0]}: the file has other patterns than this version proposes"


def needed(results: Results) -> list[CandidateRecord]:
    """Return the accepted candidates, and those of races that are not over, or of the last."""
    tables = in_file(results)
    records = with_games(results, tables)
    accepted = {record.match for record in tables.accepted}
    last = max((record.iteration for record in records), default=0)
    over = {verdict.iteration for verdict in tables.verdicts}
    first = min((race for race in range(1, last) if race not in over), default=last)
    return [e for e in records if e.iteration >= first or e.match in accepted]


def with_games(results: Results, tables: CampaignTables) -> list[CandidateRecord]:
    """Return the candidates that have games: of others a kill may have left no patterns."""
    counts = tallies(results.games)
    played = {key for key, of_it in counts.items() if of_it.games or of_it.void}
    return [record for record in tables.candidates if record.match in played]
