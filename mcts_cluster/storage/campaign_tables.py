"""What a campaign's file has next to its games: candidates, looks and verdicts, as records.

They follow from the games, and are written as these come in; to continue a campaign they are made
anew. `CampaignTables` is what `show`, `table` and `plot` know of a campaign.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import Any

from mcts_cluster.bgp import versions
from mcts_cluster.bgp.campaign import Campaign, sizes
from mcts_cluster.bgp.mutations import Mutation
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.risk_budget import RiskBudget
from mcts_cluster.bgp.versions import CandidateKey, Place
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility
from mcts_cluster.players import bias_patterns
from mcts_cluster.storage.campaign_columns import (
    BATCHES,
    CANDIDATE_COLUMNS,
    LOOKS,
    PICTURES,
    VERDICTS,
)
from mcts_cluster.storage.store import CANDIDATES, Column, Results
from mcts_cluster.storage.table_sinks import Content


@dataclass(frozen=True)
class LookRecord:
    """What a stopping rule saw; the names are those of /looks."""

    tests: int
    games: int
    mean: float
    lower: float
    upper: float
    judge: str
    verdict: str


@dataclass(frozen=True)
class BatchEstimate:
    """What a candidate has come to; the names are those of /batches."""

    games: int
    mean: float
    low: float
    high: float
    correlation: float | None


@dataclass
class CandidateRecord:
    """A candidate with all that was seen of it."""

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
    def judged(self) -> list[LookRecord]:
        """The looks of the judge that decides."""
        return [look for look in self.looks if look.judge == self.looks[0].judge]

    @property
    def verdict(self) -> str:
        """The last word of that judge, nothing where there is none."""
        return self.judged[-1].verdict if self.looks else ""


@dataclass(frozen=True)
class RaceRecord:
    """A race that is over; the names are those of /verdicts."""

    iteration: int
    accepted: CandidateRecord | None
    games: int
    ended: float
    risk: float
    spent: float


@dataclass(frozen=True)
class CampaignTables:
    """A campaign as its file has it."""

    settings: Mapping[str, Any]  # as compatibility describes them
    played: int  # games, also those that do not count
    entries: list[CandidateRecord]
    verdicts: list[RaceRecord]

    @property
    def accepted(self) -> list[CandidateRecord]:
        return [verdict.accepted for verdict in self.verdicts if verdict.accepted]

    @property
    def raced(self) -> list[CandidateRecord]:
        """The candidates of which something was counted, race by race."""
        entries = [entry for entry in self.entries if entry.estimates]
        return sorted(entries, key=lambda entry: (entry.iteration, entry.candidate))

    @property
    def counted(self) -> int:
        return sum(entry.counted for entry in self.entries)

    @property
    def iterations(self) -> int:
        return int(self.settings["iterations"])

    @property
    def ledger(self) -> RiskBudget:
        return RiskBudget(RaceSettings(**self.settings["race"]), self.settings["total_risk"])

    @property
    def spent(self) -> float:
        """The risk of error of all races that have looked, that under way included."""
        races = len(self.verdicts) + (self.current is not None)
        return self.ledger.spent(sizes(self.settings["candidates"], races))

    @property
    def current(self) -> CandidateRecord | None:
        """The candidate that was looked at last in a race that is not over, if any was."""
        under_way = [e for e in self.entries if e.iteration > len(self.verdicts)]
        raced = [e for e in under_way if e.accepted == len(self.accepted) and e.looks]
        return max(raced, key=lambda entry: entry.counted) if raced else None


def read(tables: Mapping[str, Content], settings: Mapping[str, Any], played: int) -> CampaignTables:
    """Return the records that tables hold."""

    def rows(name: str, columns: tuple[Column, ...], first: int, last: int) -> Iterator[Any]:
        content = tables.get(name, {})
        cells = [content.get(column.name, ()) for column in columns[first:last]]
        return zip(*cells, strict=True)

    entries = list(map(CandidateRecord, versions.keys(rows(CANDIDATES, CANDIDATE_COLUMNS, 0, 5))))
    for number, line in rows("pictures", PICTURES, 0, 2):
        entries[number].picture.append(line)
    for number, *look in rows("looks", LOOKS, 0, 8):
        entries[number].looks.append(LookRecord(*look))
    for number, games, mean, low, high, correlation in rows("batches", BATCHES, 0, 6):
        known = None if isnan(correlation) else correlation
        entries[number].estimates.append(BatchEstimate(games, mean, low, high, known))
    verdicts = [
        RaceRecord(iteration, entries[number] if number >= 0 else None, *more)
        for iteration, number, *more in rows("verdicts", VERDICTS, 0, 6)
    ]
    return CampaignTables(settings, played, entries, verdicts)


def in_file(results: Results) -> CampaignTables:
    """Return what the tables of a campaign's file say; raises UserError for another file."""
    if results.kind != Campaign.kind:
        raise UserError(f"a file of {results.kind}, must be one of a campaign")
    settings = compatibility.read(results.settings)["campaign"]
    played = sum(row.points is not None for row in results.rows)
    tables = {name: table.content for name, table in results.tables.items()}
    return read(tables, settings, played)


def proposed(results: Results) -> dict[Place, Mutation]:
    """Return the mutations of which a campaign's file has games."""
    return {
        entry.match.place: tuple(bias_patterns.parse("\n".join(entry.picture)))
        for entry in with_games(results, in_file(results))
    }


def differences(results: Results, campaign: Campaign) -> Iterator[str]:
    """Yield the candidates of a file that this version would propose otherwise, a line each.

    Only those are proposed that will play again, and the latest: it may take a while.
    """
    for entry in needed(results):
        mutation = campaign.mutation(entry.match.place)
        if bias_patterns.write(mutation).splitlines() != entry.picture:
            yield f"{entry.players[0]}: other patterns in the file than this version proposes"


def needed(results: Results) -> list[CandidateRecord]:
    """Return who was accepted, and the candidates of races that are not over, or of the last."""
    tables = in_file(results)
    entries = with_games(results, tables)
    accepted = {entry.match for entry in tables.accepted}
    last = max((entry.iteration for entry in entries), default=0)
    first = min(last, len(tables.verdicts) + 1)
    return [e for e in entries if e.iteration >= first or e.match in accepted]


def with_games(results: Results, read: CampaignTables) -> list[CandidateRecord]:
    """Return the candidates that have games: of others a kill may have left no patterns."""
    found = {row.match for row in results.rows}
    return [entry for entry in read.entries if entry.match in found]
