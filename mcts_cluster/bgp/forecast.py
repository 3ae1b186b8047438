"""How many games a race will take, and how it ends, at given success rates of its candidates.

Many races are simulated at once, with their stopping rules. Only the counts of a candidate at its
looks are drawn, as arrays over the races; then each race puts the looks of its candidates in order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf
from typing import Any

import numpy as np

from mcts_cluster.bgp.pairs import Pairs
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES
from mcts_cluster.bgp.stopping_rules.candidate import Candidate

Array = Any

# Races that are not over by then count as undecided: no campaign has so many games.
MAX_GAMES = 10**9


@dataclass(frozen=True)
class Forecast:
    """The outcome of simulated races."""

    games: float  # the mean
    games_95: int  # 95 % of the races take no more
    accepted: float  # share of races that accepted a candidate
    all_accepted: float  # share of races that accepted all of them
    candidates: tuple[float, ...]  # share of races that accepted this one
    undecided: float  # share of races with an undecided candidate
    endless: bool = False  # whether some race would never have ended


class ManyPairs(Pairs):
    """Counts of pairs as arrays, a race an element; all have as many games."""

    @property
    def games(self) -> int:
        return 2 * int(sum(count[0] for count in self.counts))  # type: ignore[index]


@dataclass
class Looks:
    """The looks at one candidate in many races: the games at each, and its result."""

    games: list[int]
    uppers: list[Array]  # the bound, in each race
    ends: Array  # the last look, counted from 0
    accepted: Array
    undecided: Array

    def part(self, races: slice) -> "Looks":
        return Looks(
            self.games,
            [upper[races] for upper in self.uppers],
            self.ends[races],
            self.accepted[races],
            self.undecided[races],
        )


class One:
    """One candidate of a race: its looks in one of many races."""

    def __init__(self, looks: Looks, run: int) -> None:
        self.looks = looks
        self.run = run
        self.games = looks.games
        self.end = int(looks.ends[run])
        self.accepted = bool(looks.accepted[run])
        self.undecided = bool(looks.undecided[run])


def forecast(
    settings: RaceSettings,
    candidates: int = 1,
    rate: float | Sequence[float] = 0.5,
    draws: float = 0.0,
    correlation: float = 0.0,
    runs: int = 200,
    seed: int = 0,
    earlier: int = 0,
) -> Forecast:
    """Simulate races between candidates of this rate, or of these rates.

    A game is drawn with probability `draws`; `correlation` is that within pairs. There have been
    so many `earlier` candidates in other races of the campaign.
    """
    rates = [rate] * candidates if isinstance(rate, float | int) else list(rate)
    assert len(rates) == candidates
    generator = np.random.default_rng(seed)
    looks: dict[int, Looks] = {}
    for alike in groups(settings, rates):
        law = pair_law(rates[alike[0]], draws, correlation)
        candidate = settings.candidate(candidates, earlier + alike[0] + 1, on=np)
        many = simulate(settings, candidate, law, runs * len(alike), generator)
        for part, k in enumerate(alike):
            looks[k] = many.part(slice(part * runs, (part + 1) * runs))
    order = range(candidates)
    ends = [race(settings, [One(looks[k], run) for k in order]) for run in range(runs)]
    games = [end[0] for end in ends]
    accepted = [end[1] for end in ends]
    return Forecast(
        games=float(np.mean(games)),
        games_95=int(np.quantile(games, 0.95, method="higher")),
        accepted=float(np.mean([len(ones) > 0 for ones in accepted])),
        all_accepted=float(np.mean([len(ones) == candidates for ones in accepted])),
        candidates=tuple(sum(k in ones for ones in accepted) / runs for k in range(candidates)),
        undecided=float(np.mean([end[2] for end in ends])),
        endless=not settings.max_games and any(end[2] for end in ends),
    )


def groups(settings: RaceSettings, rates: Sequence[float]) -> list[list[int]]:
    """Return the candidates that can be simulated together: of one rate, and of one risk."""
    if settings.divides_risk:
        return [[k] for k in range(len(rates))]
    return [[k for k, one in enumerate(rates) if one == rate] for rate in sorted({*rates})]


def pair_law(rate: float, draws: float, correlation: float) -> list[float]:
    """Return the probabilities of the nine results of a pair, as Pairs counts them.

    A part of the pairs has two equal games, or as opposite ones as the rate allows; in the others
    the games are independent.
    """
    lost, won = 1 - rate - draws / 2, rate - draws / 2
    assert min(lost, won, draws) >= 0
    single = [lost, draws, won]
    alone = [a * b for a in single for b in single]
    tied = coupled(single, single if correlation >= 0 else single[::-1], correlation < 0)
    most = correlation_of(tied)
    part = correlation / most if correlation else 0.0
    assert 0 <= part <= 1, "the games of a pair cannot be so opposite at this rate"
    return [part * a + (1 - part) * b for a, b in zip(tied, alone, strict=True)]


def coupled(first: Sequence[float], second: Sequence[float], mirrored: bool) -> list[float]:
    """Return the law of two games that are decided by the same luck; mirrored, by opposite luck."""
    law = [0.0] * 9
    edges = np.cumsum([0, *first]), np.cumsum([0, *second])
    for a in range(3):
        for b in range(3):
            inner = min(edges[0][a + 1], edges[1][b + 1]) - max(edges[0][a], edges[1][b])
            law[3 * a + (2 - b if mirrored else b)] = max(0.0, float(inner))
    return law


def correlation_of(law: Sequence[float]) -> float:
    """Return the correlation of the two games, by as many pairs as make rounding vanish."""
    return Pairs([round(1e9 * p) for p in law]).correlation or 0.0


def simulate(
    settings: RaceSettings,
    candidate: Candidate,
    law: Sequence[float],
    runs: int,
    generator: np.random.Generator,
) -> Looks:
    """Simulate one candidate to its end in each race."""
    bounds = STOPPING_RULES[settings.stopping_rule].bounds(candidate)
    looks = Looks([], [], np.full(runs, -1), np.zeros(runs, bool), np.zeros(runs, bool))
    running = np.arange(runs)
    counts = np.zeros((9, runs), np.int64)
    games = 0
    while len(running):
        due = settings.next_look(games, settings.stopping_rule)
        counts = counts + generator.multinomial((due - games) // 2, law, size=len(running)).T
        games = due
        lower, upper = bounds(ManyPairs(counts), len(looks.games) + 1)  # type: ignore[arg-type]
        accepted = lower > settings.lower
        ended = accepted | (upper < settings.upper)
        if games >= (settings.max_games or MAX_GAMES):
            looks.undecided[running[~ended]] = True
            ended[:] = True
        looks.accepted[running[accepted]] = True
        looks.ends[running[ended]] = len(looks.games)
        uppers = np.full(runs, np.nan)
        uppers[running] = upper
        looks.games.append(games)
        looks.uppers.append(uppers)
        running, counts = running[~ended], counts[:, ~ended]
    return looks


def race(settings: RaceSettings, ones: Sequence[One]) -> tuple[int, tuple[int, ...], bool]:
    """Return of one race the games, the accepted candidates, and whether any is undecided."""
    accepted = tuple(k for k, one in enumerate(ones) if one.accepted)
    if accepted and len(ones) > 1 and settings.winners == "one":
        games, first = until_accepted(settings, ones)
        return games, (first,), False
    # All play to their ends, in whatever order.
    undecided = any(one.undecided for one in ones)
    return sum(one.games[one.end] for one in ones), accepted, undecided


def until_accepted(settings: RaceSettings, ones: Sequence[One]) -> tuple[int, int]:
    """Return the games of a race until a candidate is accepted, and which; one is at some time."""
    in_order = settings.selection == "order" or STOPPING_RULES[settings.stopping_rule].in_order
    # The largest upper bound first; of equals, and in order, the first candidate.
    waiting = [(-inf, k, 0) for k in range(len(ones))]
    total = 0
    while True:
        _, k, at = heappop(waiting)
        one = ones[k]
        total += one.games[at] - (one.games[at - 1] if at else 0)
        if at < one.end:
            upper = inf if in_order else float(one.looks.uppers[at][one.run])
            heappush(waiting, (-upper, k, at + 1))
        elif one.accepted:
            return total, k
