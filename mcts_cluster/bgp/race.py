"""A race decides which of some candidates is better than the baseline, by the results of games.

The BGP algorithm of the papers: the candidate with the largest upper bound plays as many games
again as it has, then its bounds are computed; a lower bound above 0.501 accepts it and ends the
race, an upper bound below 0.504 discards it. The judge says how bounds are computed. Others may
watch as shadows: each looks when it would have looked, and says what it would have said.

Arithmetic only: whoever holds the race plays the batches that it wants, and a batch counts when
it is complete, so neither the order of arrival nor who plays can change a verdict.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from math import ceil, inf, nan
from typing import Any, NamedTuple

from mcts_cluster.bgp.pairs import Pairs
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES, confidence, floats
from mcts_cluster.bgp.stopping_rules.candidate import Candidate
from mcts_cluster.bgp.stopping_rules.paper import DEVIATIONS
from mcts_cluster.errors import UserError

NO_RISKS: Mapping[str, float] = {}


class Setting(NamedTuple):
    """What is allowed as a setting: a number between least and most, or one of the choices."""

    default: Any
    least: float = 0
    most: float = 0
    choices: tuple[str, ...] = ()


SETTINGS = {
    "judge": Setting("paper-2", choices=tuple(STOPPING_RULES)),
    "bound": Setting("hoeffding", choices=tuple(DEVIATIONS)),
    "lower": Setting(0.501, 0.001, 0.999),
    "upper": Setting(0.504, 0.001, 0.999),
    "risk": Setting(0.05, 1e-9, 0.5),
    "first": Setting(100, 2, 10**6),
    "growth": Setting(0.0, 1.05, 10),
    "most": Setting(0, 2, 10**9),
    "select": Setting("upper", choices=("upper", "order")),
    "shadows": Setting((), choices=tuple(STOPPING_RULES)),
}


@dataclass(frozen=True)
class RaceSettings:
    """How a race is run; docs/races.md has what each setting means."""

    judge: str = SETTINGS["judge"].default
    bound: str = SETTINGS["bound"].default
    lower: float = SETTINGS["lower"].default
    upper: float = SETTINGS["upper"].default
    risk: float = SETTINGS["risk"].default
    first: int = SETTINGS["first"].default
    growth: float = SETTINGS["growth"].default  # 0: as the judge has it
    most: int = SETTINGS["most"].default  # games of a candidate, 0 for no limit
    select: str = SETTINGS["select"].default
    shadows: tuple[str, ...] = SETTINGS["shadows"].default

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "RaceSettings":
        """Return settings of which some are said; raises UserError with the first mistake."""
        for key in values:
            if key not in SETTINGS:
                close = get_close_matches(key, SETTINGS, 1)
                hint = (
                    f"did you mean {close[0]!r}?" if close else f"known are {', '.join(SETTINGS)}"
                )
                raise UserError(f"{key}: unknown key; {hint}")
        lists: dict[str, Any] = {k: tuple(v) for k, v in values.items() if isinstance(v, list)}
        settings = cls(**{**values, **lists})
        for key, text in settings.mistakes():
            raise UserError(f"{key}: {text}")
        return settings

    def mistakes(self) -> Iterator[tuple[str, str]]:
        """Yield what is wrong, as a key and a text."""
        for field in fields(self):
            setting, value = SETTINGS[field.name], getattr(self, field.name)
            if text := mistake(setting, value):
                yield field.name, text
                return
        if self.upper < self.lower:
            yield "upper", f"{self.upper}, at least lower, {self.lower}, is wanted"
        for name in (self.judge, *self.shadows):
            if STOPPING_RULES[name].apart and self.upper == self.lower:
                yield "upper", f"{self.upper}, more than lower is wanted by {name}"
        for name, count in Counter((self.judge, *self.shadows)).items():
            if count > 1:
                yield "shadows", f"{name!r}, each judge once is wanted, and none that judges"
        for key in ("first", "most"):
            if getattr(self, key) % 2:
                yield key, f"{getattr(self, key)}, an even number is wanted: games come in pairs"

    def seat(self, candidates: int, index: int = 1, on: Any = floats) -> Candidate:
        return Candidate(self.lower, self.upper, self.risk, self.bound, candidates, index, on)

    @property
    def divides_risk(self) -> bool:
        """Whether the risk is that of all races together, and not of each."""
        return STOPPING_RULES[self.judge].in_order

    def next_look(self, games: int, judge: str) -> int:
        """Return how many games a candidate has at the test after one at so many."""
        growth = (
            self.growth if self.growth and judge == self.judge else STOPPING_RULES[judge].growth
        )
        # No batch is smaller than the first: workers want something to do.
        more = max(games + self.first, 2 * ceil(games * growth / 2))
        return min(more, self.most) if self.most else more


def mistake(setting: Setting, value: object) -> str:
    """Return what is wrong with a value, or nothing."""
    if setting.choices:
        words = value if isinstance(setting.default, tuple) else (value,)
        if not isinstance(words, tuple):
            return f"{value!r}, a list is wanted"
        for word in words:
            if word not in setting.choices:
                return f"{word!r}, one of {', '.join(setting.choices)} is wanted"
        return ""
    kinds = (int,) if isinstance(setting.default, int) else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds):
        return f"{value!r}, a {'whole ' * (kinds == (int,))}number is wanted"
    if value == setting.default or setting.least <= value <= setting.most:
        return ""
    return f"{value}, {setting.least:g} to {setting.most:g} is allowed"


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
        elif settings.most and self.games >= settings.most:
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
        self.in_order = settings.select == "order" or STOPPING_RULES[settings.judge].in_order
        self.verdict: Verdict | None = None
        seats = [settings.seat(candidates, earlier + k + 1) for k in range(candidates)]
        # The one that decides comes first.
        judges = (settings.judge, *settings.shadows)
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
