"""A race decides which of some candidates are better than the baseline, by the results of games.

The BGP algorithm of the papers: the candidate with the largest upper bound plays as many games
again as it has, then its bounds are computed; a lower bound above 0.501 accepts it and ends the
race, an upper bound below 0.504 discards it. In the race of their section 3, with several winners,
an accepted candidate leaves, and the race ends when all have left. The stopping rule computes the
bounds. Shadow rules may watch: each looks and reaches a verdict as if it decided.

Arithmetic only: the caller plays the next batch, and a batch counts when it is complete, so neither
the order of arrival nor the workers can change a verdict.
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
    """A test of a candidate by a stopping rule: the bounds and the verdict."""

    candidate: int
    tests: int
    games: int
    mean: float
    lower: float
    upper: float
    rule: str
    verdict: str  # accepted, discarded, exhausted (max_games played), or nothing yet


class Verdict(NamedTuple):
    """How a race ended: with the accepted candidates, in the order of their acceptance."""

    accepted: tuple[int, ...]


class RuleState:
    """A stopping rule at one candidate.

    Public attributes (treat as read-only): tests; due, the games at the next of them, which a
    verdict leaves in the past; upper, the bound at the last; verdict.
    """

    def __init__(self, settings: RaceSettings, rule: str, index: int, candidate: Candidate) -> None:
        self.settings = settings
        self.rule = rule
        self.index = index
        self.bounds = STOPPING_RULES[rule].bounds(candidate)
        self.tests = 0
        self.games = 0
        self.due = settings.next_look(0, rule)
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
            self.due = settings.next_look(self.games, self.rule)
        return Look(
            self.index,
            self.tests,
            self.games,
            pairs.mean,
            lower,
            self.upper,
            self.rule,
            self.verdict,
        )


class Race:
    """One race.

    Public attributes (treat as read-only): verdict, None until the race is over; accepted, the
    candidates that were accepted so far; pairs, the results of each candidate so far.
    """

    def __init__(
        self,
        settings: RaceSettings,
        candidates: int,
        earlier: int = 0,
        risks: Mapping[str, float] = NO_RISKS,
    ) -> None:
        """Begin a race of some candidates; earlier ones count for variant 3 only.

        `risks` are those of shadow rules, where they differ from that of the deciding rule.
        """
        self.settings = settings
        self.pairs = [Pairs() for _ in range(candidates)]
        self.in_order = (
            settings.selection == "order" or STOPPING_RULES[settings.stopping_rule].in_order
        )
        self.verdict: Verdict | None = None
        self.accepted: list[int] = []
        tested = [settings.candidate(candidates, earlier + k + 1) for k in range(candidates)]
        # The deciding rule comes first.
        rules = (settings.stopping_rule, *settings.shadow_rules)
        self.states = [
            [
                RuleState(settings, rule, k, replace(one, risk=risks.get(rule, settings.risk)))
                for rule in rules
            ]
            for k, one in enumerate(tested)
        ]
        self.running = [states[0] for states in self.states]

    def next_batch(self) -> Batch | None:
        """Return the games to play next, or None when the race is over."""
        if self.verdict:
            return None
        # Of equals the first.
        state = self.running[0] if self.in_order else max(self.running, key=lambda one: one.upper)
        return Batch(state.index, state.games, state.due - state.games)

    def add(self, batch: Batch, scores: Sequence[float]) -> list[Look]:
        """Count the next batch; scores are 0, 1/2 or 1 in the order of its games.

        Returns the looks of the stopping rule and of the shadow rules.
        """
        assert batch == self.next_batch() and len(scores) == batch.games
        pairs, states = self.pairs[batch.candidate], self.states[batch.candidate]
        looks = []
        for first, second in zip(scores[::2], scores[1::2], strict=True):
            pairs.add(first, second)
            games = pairs.games
            looks += [state.look(pairs) for state in states if state.due == games]
        self.conclude(states[0])
        return looks

    def estimate(self, candidate: int) -> tuple[float, float, float]:
        """Return the mean of a candidate's games, and an interval that is valid at any time.

        With probability 1 - risk the intervals of all candidates hold at all times together. The
        mean of an accepted candidate is too high, like any that was selected for being high.
        """
        pairs = self.pairs[candidate]
        if not pairs.games:
            return nan, 0.0, 1.0
        one = self.settings.candidate(len(self.pairs))
        return pairs.mean, *confidence.sequence(one)(pairs, 1)

    def conclude(self, state: RuleState) -> None:
        if not state.verdict:
            return
        self.running.remove(state)
        if state.verdict == "accepted":
            self.accepted.append(state.index)
        if not self.running or (self.accepted and self.settings.winners == "one"):
            self.verdict = Verdict(tuple(self.accepted))
