"""Bandit-based genetic programming: a campaign as a fold over the rows of its games.

    race 1 ── verdict ──► race 2 ── verdict ──► ...     accepted mutations join the baseline

A race asks for a batch of games of one candidate. When their records have arrived, in any order, it
computes its bounds. So the verdicts follow from the job alone: they depend on no number of workers,
order of arrival or interruption.

While a batch is under way, idle workers play ahead: the games that come next if the missing results
are like those that have arrived. If that proves wrong, their records stay, but do not count: a
candidate's games count from 0 up to the last look at it, and none against a baseline that did not
become one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from mcts_cluster.bgp import versions
from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.bgp.front import Front
from mcts_cluster.bgp.mutations import Mutation
from mcts_cluster.bgp.race import Batch, Look
from mcts_cluster.bgp.versions import CandidateKey, Place
from mcts_cluster.matches.experiment import Bar
from mcts_cluster.matches.game_record import GameRecord, Outcome
from mcts_cluster.matches.schedule import Attempts
from mcts_cluster.matches.setup import MatchKey, Task


class CandidateMatch(NamedTuple):
    """A mutation, and the match in which it was tested."""

    match: CandidateKey
    mutation: Mutation


class Counted(NamedTuple):
    """The mean of a candidate after a batch, with an interval that is valid after stopping."""

    match: CandidateKey
    games: int
    mean: float
    low: float
    high: float
    correlation: float | None  # within pairs of games


class Ended(NamedTuple):
    """A finished race, with the accepted candidates in the order of their acceptance."""

    iteration: int
    accepted: tuple[Place, ...]
    match: CandidateKey  # of the last look
    games: int  # of all its candidates that count
    ended: float  # Unix time of the game that decided


class CampaignState:
    """The state of a campaign.

    Public attributes (treat as read-only): front; candidates, by the keys of their matches; looks,
    with these keys; batches, their results; ended, the finished races; counted, the games
    of a match that count; played, all games that were played.
    """

    noun = "game"

    def __init__(
        self,
        campaign: Campaign,
        rows: Iterable[GameRecord | Outcome] = (),
        plays_ahead: bool = True,
        known: Mapping[Place, Mutation] = MappingProxyType({}),
        races: range | None = None,
    ) -> None:
        """Take in the rows of earlier runs; mutations that are known are not proposed again.

        With races, only these are played, on the baseline that is known of those before.
        """
        self.campaign = campaign
        self.races = races or range(1, campaign.iterations + 1)
        self.known = known
        self.plays_ahead = plays_ahead
        self.front = Front(campaign)
        self.candidates: dict[CandidateKey, CandidateMatch] = {}
        self.looks: list[tuple[CandidateKey, Look]] = []
        self.batches: list[Counted] = []
        self.ended: list[Ended] = []
        self.counted: Counter[MatchKey] = Counter()
        self.played = 0
        self.points: dict[MatchKey, dict[int, float]] = {}  # by match and number
        self.under_way: set[tuple[MatchKey, int]] = set()
        self.attempts: Attempts[tuple[MatchKey, int]] = Attempts()
        self.announced = 0  # races
        self.expect()
        last = 0.0
        for row in rows:
            self.fix(row)
            last = max(last, row.ended)
        self.front.go_to(self.races)
        self.expect()
        self.decide(last)
        self.announced = len(self.ended)
        self.attempts.begin_run()

    @property
    def is_complete(self) -> bool:
        return self.front.batch is None

    @property
    def missing(self) -> str:
        """What has not been decided, the subject of a sentence; nothing if all has."""
        left = len(self.races) - self.done
        return {0: "", 1: "1 race is"}.get(left, f"{left:,} races are")

    @property
    def left(self) -> None:
        """The number of games that are left is not known."""

    def bars(self) -> list[Bar]:
        return [Bar("races", self.done, len(self.races), self.standing())]

    @property
    def done(self) -> int:
        """How many of its races are over."""
        return sum(race.iteration in self.races for race in self.ended)

    def standing(self) -> str:
        """Return the number of accepted mutations, and the candidate under test."""
        front = self.front
        accepted = f"{len(front.accepted) + len(front.race.accepted)} accepted"
        if not front.batch:
            return accepted
        tag = self.campaign.tag(front.match.place)
        return f"{accepted}, {tag} after {self.counted[front.match]:,} games"

    def news(self) -> list[str]:
        races, self.announced = self.ended[self.announced :], len(self.ended)
        return [
            f"race {race.iteration}: {joined(map(self.campaign.tag, race.accepted))} accepted "
            f"after {race.games:,} games"
            for race in races
            if race.accepted
        ]

    @property
    def is_stuck(self) -> bool:
        """Whether a game of this batch is void after all attempts."""
        void = self.attempts.now
        return any(self.attempts.is_left(game) and self.is_needed(*game) for game in void)

    def is_needed(self, match: MatchKey, number: int) -> bool:
        batch = self.front.batch
        return (
            batch is not None
            and match == self.front.match
            and batch.first <= number < batch.first + batch.games
        )

    def issue(self) -> Task | None:
        """Return the next game; nothing where all are issued, or one is void again and again."""
        if self.is_stuck:
            return None
        for game in self.following:
            match, number = game
            if number not in self.points.get(match, ()) and game not in self.under_way:
                self.under_way.add(game)
                return Task(match, number, self.attempts.following(game))
        return None

    def fix(self, row: GameRecord | Outcome) -> None:
        """Take in the record of a game; when its batch is complete, look and perhaps decide."""
        match, number = game = row.match, row.number
        assert isinstance(match, CandidateKey)
        self.register(match)
        self.under_way.discard(game)
        if row.points is None:
            self.attempts.count(game, row.attempt)
            self.following = self.upcoming()
            return
        self.played += 1
        there = self.points.setdefault(match, {})
        if number < self.counted[match] or number in there:
            return  # played twice
        there[number] = row.points
        if self.is_needed(match, number):
            self.open -= 1
            self.decide(row.ended)

    def register(self, match: CandidateKey) -> None:
        """Note a candidate, after its baseline, so that the file describes both."""
        if match in self.candidates:
            return
        if match.accepted:
            self.register(versions.key(self.campaign, match.accepted))
        known = self.known.get(match.place)
        mutation = self.campaign.mutation(match.place) if known is None else known
        self.candidates[match] = CandidateMatch(match, mutation)

    def decide(self, now: float) -> None:
        """Look wherever a batch is complete."""
        while not self.open and self.front.batch:
            self.advance(now)

    def advance(self, now: float) -> None:
        front, match, batch = self.front, self.front.match, self.front.batch
        assert batch
        iteration, accepted, race = front.iteration, front.accepted, front.race
        points = self.points[match]
        end = batch.first + batch.games
        scores = [points[number] for number in range(batch.first, end)]
        # A new one: a dictionary keeps the room of what was in it.
        self.points[match] = {n: score for n, score in points.items() if n >= end}
        self.looks += [(match, look) for look in front.add(scores)]
        self.counted[match] = end
        correlation = race.pairs[batch.candidate].correlation
        estimate = race.estimate(batch.candidate)
        self.batches.append(Counted(match, end, *estimate, correlation))
        if front.iteration > iteration:
            won = front.accepted[len(accepted) :]
            games = sum(pairs.games for pairs in race.pairs)
            self.ended.append(Ended(iteration, won, match, games, now))
        self.expect()

    def expect(self) -> None:
        """Begin the batch of the front."""
        batch = self.front.batch
        if batch:
            there = self.points.get(self.front.match, {})
            numbers = range(batch.first, batch.first + batch.games)
            self.open = sum(number not in there for number in numbers)
        self.following = self.upcoming()

    def upcoming(self) -> Iterator[tuple[CandidateKey, int]]:
        """Yield the games of this batch, then those that probably follow."""
        front = self.front
        while front.batch:
            match, batch = front.match, front.batch
            for number in range(batch.first, batch.first + batch.games):
                yield match, number
            if not self.plays_ahead:
                return
            if front is self.front:
                front = front.copy()
            front.add(self.expected(front, batch))

    def expected(self, front: Front, batch: Batch) -> list[float]:
        """Return the scores of a batch, those that are missing as the others of its candidate."""
        numbers = range(batch.first, batch.first + batch.games)
        there = self.points.get(front.match, {})
        known = [there[number] for number in numbers if number in there]
        pairs = front.race.pairs[batch.candidate]
        before = pairs.games
        # One drawn game more, so that there is a mean before the first game.
        total = sum(known) + (before * pairs.mean if before else 0) + 0.5
        mean = total / (len(known) + before + 1)
        scores = []
        owed = 0.5
        for number in numbers:
            if number in there:
                scores.append(there[number])
            else:
                owed += mean
                scores.append(float(owed >= 1))
                owed -= scores[-1]
        return scores


def joined(tags: Iterable[str]) -> str:
    """Return tags as the subject of a sentence: "3 is", "3.1 and 3.2 are"."""
    *before, last = tags
    return f"{', '.join(before)} and {last} are" if before else f"{last} is"
