"""What follows from the games of a campaign, written as it happens, for whoever reads the file."""

from math import nan
from typing import Any

from mcts_cluster.bgp.campaign_state import CampaignState
from mcts_cluster.bgp.versions import CandidateKey
from mcts_cluster.errors import UserError
from mcts_cluster.players import bias_patterns
from mcts_cluster.players.bias_patterns import KINDS
from mcts_cluster.storage.campaign_columns import (
    BATCHES,
    CANDIDATE_COLUMNS,
    CELLS,
    LOOKS,
    MAX_VERSION_LENGTH,
    PICTURES,
    VERDICTS,
)
from mcts_cluster.storage.store import CANDIDATES, Column
from mcts_cluster.storage.table_sinks import TableSink


class CampaignTablesWriter:
    """Writes what is new of a campaign."""

    def __init__(self, bgp: CampaignState) -> None:
        self.bgp = bgp
        self.numbers: dict[CandidateKey, int] = {}
        self.batches = self.looks = self.verdicts = 0

    def write(self, sink: TableSink) -> None:
        """Write what has happened since; before the games that made it happen."""
        bgp, self.sink = self.bgp, sink
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
            row = (first, second, *match.place, len(match.accepted), 0, 0, nan, nan)
            self.append(CANDIDATES, CANDIDATE_COLUMNS, [row])
            lines = bias_patterns.write(one.mutation).splitlines()
            self.append("pictures", PICTURES, [(number, line) for line in lines])
            cells = [
                (number, pattern.strength, dx, dy, KINDS.index(kind))
                for pattern in one.mutation
                for dx, dy, kind in pattern.cells
            ]
            self.append("cells", CELLS, cells)

    def write_batches(self) -> None:
        bgp, numbers = self.bgp, self.numbers
        batches = [
            (numbers[batch.match], *batch[1:5], nan if batch[5] is None else batch[5])
            for batch in bgp.batches[self.batches :]
        ]
        looks = [(numbers[match], *look[1:]) for match, look in bgp.looks[self.looks :]]
        self.append("batches", BATCHES, batches)
        self.append("looks", LOOKS, looks)
        self.batches, self.looks = len(bgp.batches), len(bgp.looks)

    def write_verdicts(self) -> None:
        bgp = self.bgp
        rows = []
        for race in bgp.ended[self.verdicts :]:
            accepted = -1 if race.accepted is None else self.numbers[race.match]
            risk = bgp.campaign.spent_in(race.iteration)
            spent = bgp.campaign.spent(race.iteration)
            rows.append((race.iteration, accepted, race.games, race.ended, risk, spent))
        self.append("verdicts", VERDICTS, rows)
        self.verdicts = len(bgp.ended)

    def append(self, name: str, columns: tuple[Column, ...], rows: list[tuple[Any, ...]]) -> None:
        cells = zip(*rows, strict=True)
        self.sink.tell(name, dict(zip((c.name for c in columns), cells, strict=False)))
