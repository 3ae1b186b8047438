"""A race decides which of some candidates is better than the baseline, by the results of games.

The BGP algorithm of the papers: the candidate with the largest upper bound plays as many games
again as it has, then its bounds are computed; a lower bound above 0.501 accepts it and ends the
race, an upper bound below 0.504 discards it. The judge says how bounds are computed. Others may
watch as shadows: each looks when it would have looked, and says what it would have said.

Arithmetic only: whoever holds the race plays the batches that it wants, and a batch counts when
it is complete, so neither the order of arrival nor who plays can change a verdict.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, nan
from typing import NamedTuple

from mcts_cluster.bgp.pairs import Pairs
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES, confidence
from mcts_cluster.bgp.stopping_rules.candidate import Candidate

NO_RISKS: Mapping[str, float] = {}


class Batch(NamedTuple):
    """Games first, first + 1, ... of a candidate; colour-swapped pairs are games 2k and 2k + 1."""

    candidate: int
    first: int
    games: int


class Look(NamedTuple):
    """What a judge saw at one test of a candidate, and what it says of it."""

    candidate: int
    tests: int
    games: int
    mean: float
    lower: float
    upper: float
    judge: str
    verdict: str  # accepted, discarded, exhausted (all games that it may have), or nothing yet


class Verdict(NamedTuple):
    """How a race ended: with the candidate that was accepted, or with none."""

    accepted: int | None


class RuleState:
    """A judge that watches one candidate.

    Public attributes (treat as read-only): tests; due, the games at the next of them, which a
    verdict leaves in the past; upper, the bound at the last; verdict.
    """

    def __init__(self, settings: RaceSettings, judge: str, candidate: int, seat: Candidate) -> None:
        self.settings = settings
        self.judge = judge
        self.candidate = candidate
        self.bounds = STOPPING_RULES[judge].bounds(seat)
        self.tests = 0
        self.games = 0
        self.due = settings.next_look(0, judge)
        self.upper = inf
        self.verdict = ""

    def look(self, pairs: Pairs) -> Look:
        """Test the candidate: its games are those that were due."""
        settings = self.settings
        self.tests += 1
        self.games = pairs.games
        lower, self.upper = self.bounds(pairs, self.tests)
        if lower > settings.lower:
            self.verdict = "accepted"
        elif self.upper < settings.upper:
            self.verdict = "discarded"
        elif settings.max_games and self.games >= settings.max_games:
            self.verdict = "exhausted"
        else:
            self.due = settings.next_look(self.games, self.judge)
        return Look(
            self.candidate,
            self.tests,
            self.games,
            pairs.mean,
            lower,
            self.upper,
            self.judge,
            self.verdict,
        )


class Race:
    """One race.

    Public attributes (treat as read-only): verdict, None until the race is over; pairs, the
    results of each candidate so far.
    """

    def __init__(
        self,
        settings: RaceSettings,
        candidates: int,
        earlier: int = 0,
        risks: Mapping[str, float] = NO_RISKS,
    ) -> None:
        """Begin a race of some candidates; earlier ones count for variant 3 only.

        Shadows may have other risks than the one who decides.
        """
        self.settings = settings
        self.pairs = [Pairs() for _ in range(candidates)]
        self.in_order = (
            settings.selection == "order" or STOPPING_RULES[settings.stopping_rule].in_order
        )
        self.verdict: Verdict | None = None
        seats = [settings.seat(candidates, earlier + k + 1) for k in range(candidates)]
        # The one that decides comes first.
        judges = (settings.stopping_rule, *settings.shadow_rules)
        self.watches = [
            [
                RuleState(settings, judge, k, replace(seat, risk=risks.get(judge, settings.risk)))
                for judge in judges
            ]
            for k, seat in enumerate(seats)
        ]
        self.running = [watches[0] for watches in self.watches]

    def wanted(self) -> Batch | None:
        """Return the games to play next, or None when the race is over."""
        if self.verdict:
            return None
        # Of several that are the largest, the first.
        watch = self.running[0] if self.in_order else max(self.running, key=lambda w: w.upper)
        return Batch(watch.candidate, watch.games, watch.due - watch.games)

    def add(self, batch: Batch, scores: Sequence[float]) -> list[Look]:
        """Count the batch that was wanted; scores are 0, 1/2 or 1 in the order of its games.

        Returns what was seen, by the judge and by its shadows.
        """
        assert batch == self.wanted() and len(scores) == batch.games
        pairs, watches = self.pairs[batch.candidate], self.watches[batch.candidate]
        looks = []
        for first, second in zip(scores[::2], scores[1::2], strict=True):
            pairs.add(first, second)
            games = pairs.games
            looks += [w.look(pairs) for w in watches if w.due == games]
        self.conclude(watches[0])
        return looks

    def estimate(self, candidate: int) -> tuple[float, float, float]:
        """Return the mean of a candidate's games, and an interval that holds whenever one asks.

        It misses the truth, of any candidate at any time, with no more than the race's risk. The
        mean of one that was accepted is too high, as any that was selected for being high.
        """
        pairs = self.pairs[candidate]
        if not pairs.games:
            return nan, 0.0, 1.0
        seat = self.settings.seat(len(self.pairs))
        return pairs.mean, *confidence.sequence(seat)(pairs, 1)

    def conclude(self, watch: RuleState) -> None:
        if watch.verdict == "accepted":
            self.verdict = Verdict(watch.candidate)
        elif watch.verdict:
            self.running.remove(watch)
            if not self.running:
                self.verdict = Verdict(None)
