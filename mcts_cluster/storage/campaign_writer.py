"""Writes what is new of a campaign into the tables of its file, or into memory."""

from mcts_cluster.bgp import versions
from mcts_cluster.bgp.campaign_state import CampaignState, Ended
from mcts_cluster.bgp.versions import CandidateKey
from mcts_cluster.errors import UserError
from mcts_cluster.players import bias_patterns
from mcts_cluster.players.bias_patterns import KINDS
from mcts_cluster.storage.campaign_rows import (
    CANDIDATES,
    MAX_VERSION_LENGTH,
    BatchEstimate,
    CandidateRow,
    CellRow,
    LookRecord,
    PictureLine,
    VerdictRow,
)
from mcts_cluster.storage.table_sinks import TableSink


class CampaignTablesWriter:
    """Writes what is new of a campaign."""

    def __init__(self, bgp: CampaignState) -> None:
        self.bgp = bgp
        self.numbers: dict[CandidateKey, int] = {}
        self.batches = self.looks = self.verdicts = 0

    def write(self, book: TableSink) -> None:
        """Write what is new, before the games from which it follows."""
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
                raise UserError(f"{first[:60]}...: a name of more than {MAX_VERSION_LENGTH} bytes")
            self.book.add(
                CANDIDATES, [CandidateRow(first, second, *match.place, len(match.accepted))]
            )
            lines = bias_patterns.write(one.mutation).splitlines()
            self.book.add("pictures", [PictureLine(number, line) for line in lines])
            cells = [
                CellRow(number, pattern.strength, dx, dy, KINDS.index(kind))
                for pattern in one.mutation
                for dx, dy, kind in pattern.cells
            ]
            self.book.add("cells", cells)

    def write_batches(self) -> None:
        bgp, numbers = self.bgp, self.numbers
        batches = [
            BatchEstimate(numbers[b.match], b.games, b.mean, b.low, b.high, b.correlation)
            for b in bgp.batches[self.batches :]
        ]
        looks = [LookRecord(numbers[match], *look[1:]) for match, look in bgp.looks[self.looks :]]
        self.book.add("batches", batches)
        self.book.add("looks", looks)
        self.batches, self.looks = len(bgp.batches), len(bgp.looks)

    def write_verdicts(self) -> None:
        campaign, rows = self.bgp.campaign, []
        for race in self.bgp.ended[self.verdicts :]:
            risk, spent = campaign.spent_in(race.iteration), campaign.spent(race.iteration)
            rows += [
                VerdictRow(race.iteration, number, race.games, race.ended, risk, spent)
                for number in self.winners(race) or [-1]
            ]
        self.book.add("verdicts", rows)
        self.verdicts = len(self.bgp.ended)

    def winners(self, race: Ended) -> list[int]:
        """Return the rows of the candidates that a race accepted; all had the same baseline."""
        before = race.match.accepted
        keys = [versions.key(self.bgp.campaign, (*before, place)) for place in race.accepted]
        return [self.numbers[key] for key in keys]
