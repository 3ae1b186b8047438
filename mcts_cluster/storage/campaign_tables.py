"""What a campaign's file tells of it beside its games: tables of candidates, looks and verdicts.

They follow from the games, and are written as these come in for whoever reads the file; to continue
a campaign they are made anew. `Annals` is what `show`, `table` and `plot` know of a campaign.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, nan
from typing import Any, Protocol

from mcts_cluster.bgp import versions
from mcts_cluster.bgp.campaign import Campaign, mutations_before, sizes
from mcts_cluster.bgp.campaign_state import CampaignState
from mcts_cluster.bgp.mutations import Mutation
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.risk_budget import RiskBudget
from mcts_cluster.bgp.versions import CandidateKey, Place
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility
from mcts_cluster.players import bias_patterns
from mcts_cluster.players.bias_patterns import KINDS
from mcts_cluster.storage.store import CANDIDATES, Column, Results, Table

MAX_VERSION_LENGTH = 1000
VERSION = f"S{MAX_VERSION_LENGTH}"
WORD = "S40"
LINE = "S120"

CANDIDATE_COLUMNS = (
    Column("first", VERSION, "the candidate, a version of the player"),
    Column("second", VERSION, "the baseline that it plays against"),
    Column("iteration", "i4", "race, from 1"),
    Column("candidate", "i4", "number in its race, from 1"),
    Column("accepted", "i4", "mutations of the baseline"),
    Column("games", "i8", "games played, without void ones"),
    Column("void", "i8", "void games"),
    Column("success_rate", "f8", "success rate of the candidate in all games", "%"),
    Column("success_rate_errors", "f8", "standard error of the success rate", "%"),
)
PICTURES = (
    Column("candidate", "i4", "a row of /candidates"),
    Column("line", LINE, "a line of the text of its patterns"),
)
CELLS = (
    Column("candidate", "i4", "a row of /candidates"),
    Column("strength", "f8", "bias of the cell's pattern"),
    Column("dx", "i2", "columns to the right of the move"),
    Column("dy", "i2", "rows above the move"),
    Column("kind", "i2", f"0 to 4: {', '.join(KINDS)}"),
)
BATCHES = (
    Column("candidate", "i4", "a row of /candidates"),
    Column("games", "i8", "games that count after the batch: those with smaller numbers"),
    Column("mean", "f8", "mean score of the candidate in them"),
    Column("low", "f8", "lower end of an interval that holds after stopping, too"),
    Column("high", "f8", "upper end of that interval"),
    Column("correlation", "f8", "correlation within pairs of games; NaN: not known yet"),
)
LOOKS = (
    Column("candidate", "i4", "a row of /candidates"),
    Column("tests", "i4", "which look of this judge at this candidate, from 1"),
    Column("games", "i8", "games that count so far"),
    Column("mean", "f8", "mean score of the candidate"),
    Column("lower", "f8", "lower bound"),
    Column("upper", "f8", "upper bound"),
    Column("judge", WORD, "judge; the first one of a candidate decides"),
    Column("verdict", WORD, "accepted, discarded, exhausted, or nothing yet"),
)
VERDICTS = (
    Column("iteration", "i4", "race, from 1"),
    Column("candidate", "i4", "the candidate that was accepted, a row of /candidates; -1: none"),
    Column("games", "i8", "games of the race that count"),
    Column("ended", "f8", "end of the game that decided, Unix time", "s"),
    Column("risk", "f8", "risk of error of this race"),
    Column("spent", "f8", "risk of error of all races so far"),
)

Content = Mapping[str, Sequence[Any]]


class TableSink(Protocol):
    """Where tables are written."""

    def tell(self, name: str, content: Content) -> None: ...


def empty_tables(campaign: Campaign) -> dict[str, Table]:
    candidates = mutations_before(campaign.iterations + 1, campaign.candidates)
    return {
        CANDIDATES: Table(CANDIDATE_COLUMNS, expected=2 * candidates),
        "pictures": Table(PICTURES, expected=50 * candidates),
        "cells": Table(CELLS, expected=20 * candidates),
        "batches": Table(BATCHES, expected=20 * candidates),
        "looks": Table(LOOKS, expected=50 * candidates),
        "verdicts": Table(VERDICTS, expected=campaign.iterations),
    }


class CampaignTablesWriter:
    """Writes what is new of a campaign."""

    def __init__(self, bgp: CampaignState) -> None:
        self.bgp = bgp
        self.numbers: dict[CandidateKey, int] = {}
        self.batches = self.looks = self.verdicts = 0

    def write(self, book: TableSink) -> None:
        """Write what has happened since; before the games that made it happen."""
        bgp, self.book = self.bgp, book
        if len(bgp.candidates) > len(self.numbers):
            self.write_candidates()
        if len(bgp.batches) > self.batches:
            self.write_batches()
        if len(bgp.ended) > self.verdicts:
            self.write_verdicts()

    def write_candidates(self) -> None:
        for match, one in list(self.bgp.candidates.items())[len(self.numbers) :]:
            number = self.numbers[match] = len(self.numbers)
            first, second = match.players
            if len(first.encode()) > MAX_VERSION_LENGTH:
                raise UserError(f"{first[:60]}...: a file has no room for the names of more")
            told = (first, second, *match.place, len(match.accepted), 0, 0, nan, nan)
            self.tell(CANDIDATES, CANDIDATE_COLUMNS, [told])
            lines = bias_patterns.write(one.mutation).splitlines()
            self.tell("pictures", PICTURES, [(number, line) for line in lines])
            cells = [
                (number, pattern.strength, dx, dy, KINDS.index(kind))
                for pattern in one.mutation
                for dx, dy, kind in pattern.cells
            ]
            self.tell("cells", CELLS, cells)

    def write_batches(self) -> None:
        bgp, numbers = self.bgp, self.numbers
        batches = [
            (numbers[batch.match], *batch[1:5], nan if batch[5] is None else batch[5])
            for batch in bgp.batches[self.batches :]
        ]
        looks = [(numbers[match], *look[1:]) for match, look in bgp.looks[self.looks :]]
        self.tell("batches", BATCHES, batches)
        self.tell("looks", LOOKS, looks)
        self.batches, self.looks = len(bgp.batches), len(bgp.looks)

    def write_verdicts(self) -> None:
        bgp = self.bgp
        told = []
        for race in bgp.ended[self.verdicts :]:
            accepted = -1 if race.accepted is None else self.numbers[race.match]
            risk = bgp.campaign.spent_in(race.iteration)
            spent = bgp.campaign.spent(race.iteration)
            told.append((race.iteration, accepted, race.games, race.ended, risk, spent))
        self.tell("verdicts", VERDICTS, told)
        self.verdicts = len(bgp.ended)

    def tell(self, name: str, columns: tuple[Column, ...], rows: list[tuple[Any, ...]]) -> None:
        cells = zip(*rows, strict=True)
        self.book.tell(name, dict(zip((c.name for c in columns), cells, strict=False)))


# Reading


class TablesInMemory:
    """Tables in memory, as a book."""

    def __init__(self) -> None:
        self.tables: dict[str, dict[str, list[Any]]] = {}

    def tell(self, name: str, content: Content) -> None:
        table = self.tables.setdefault(name, {})
        for column, cells in content.items():
            table.setdefault(column, []).extend(cells)

    def over(self, tables: Mapping[str, Table]) -> dict[str, Table]:
        """Return these tables with their rows."""
        return {
            name: replace(table, content=self.tables.get(name, {}))
            for name, table in tables.items()
        }


@dataclass(frozen=True)
class LookRecord:
    """What a judge saw; the names are those of /looks."""

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

    settings: Mapping[str, Any]  # as identity describes them
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
        beside = [e for e in under_way if e.accepted == len(self.accepted) and e.looks]
        return max(beside, key=lambda entry: entry.counted) if beside else None


def read(tables: Mapping[str, Content], settings: Mapping[str, Any], played: int) -> CampaignTables:
    """Return what tables tell."""

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
    told = in_file(results)
    entries = with_games(results, told)
    accepted = {entry.match for entry in told.accepted}
    last = max((entry.iteration for entry in entries), default=0)
    first = min(last, len(told.verdicts) + 1)
    return [e for e in entries if e.iteration >= first or e.match in accepted]


def with_games(results: Results, told: CampaignTables) -> list[CandidateRecord]:
    """Return the candidates that have games: of others a kill may have left no patterns."""
    found = {row.match for row in results.rows}
    return [entry for entry in told.entries if entry.match in found]
