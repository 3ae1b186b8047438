"""The cost of a good mutation: how many races and games until one is accepted, `bench campaigns`.

Of the mutations that are proposed a share is good and has one true rate; each of the others has one
of some rates, all as likely. Races are simulated with and without a good candidate. Where all races
are alike, the first that accepts a good one is number 1/p on average, p being the probability that
a race does, and the games are those of 1/p races (Wald's identity). Where they share a risk, the
sum goes race by race. Rates are those against the baseline of each race: what is accepted by
mistake is counted, and changes none.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
from rich.table import Table

from mcts_cluster.bgp.forecast import One, pair_law, race, simulate
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.risk_budget import RiskBudget
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES
from mcts_cluster.errors import UserError

Array = Any

# Errors are estimated from the scatter of so many parts of the races.
PARTS = 10
# No sum goes on after so rare a number of races.
RARE = 1e-6


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is proposed, and how many candidates a race has."""

    shares: Sequence[float] = (0.01, 0.05)  # of good mutations
    good: Sequence[float] = (0.51, 0.53)  # their rate
    others: Sequence[float] = (0.5, 0.49, 0.47)  # rates of the others, each as likely
    candidates: Sequence[int] = (1, 10)
    total_risk: float = 0.0  # of all races together; 0: each has its own

    def check(self, settings: RaceSettings) -> None:
        """Raise UserError for what cannot be simulated, or would not be good, or not bad."""
        for option, values, least, most in (
            ("--share", self.shares, 1e-4, 1),
            ("--good", self.good, settings.upper, 1),
            ("--other", self.others, 0, settings.lower),
            ("--candidates", self.candidates, 1, 1000),
            ("--total-risk", [self.total_risk or 0.05], 1e-9, 0.5),
        ):
            for value in values:
                check(option, value, least, most)


def check(option: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise UserError(f"{option}: {value:g} must be from {least:g} to {most:g}")


@dataclass(frozen=True)
class Cost:
    """What it takes until a good mutation is accepted, with standard errors."""

    rule: str
    candidates: int
    share: float
    good: float
    races: float
    races_error: float
    games: float
    games_error: float
    wrong: float  # mutations that are not good, and were accepted before or with it
    wrong_error: float


def measure(settings: RaceSettings, question: Question, mutations: int) -> Iterator[Cost]:
    """Yield the costs by each stopping rule; so many candidates are simulated of each kind.

    Where races share a risk, the last of those up to twice the number stands for all of them.
    """
    for rule in STOPPING_RULES:
        budget = RiskBudget(replace(settings, stopping_rule=rule), question.total_risk)
        for size in question.candidates:
            simulated = Simulated(budget, size, mutations, question.others)
            for good in question.good:
                for share in question.shares:
                    found = simulated.until_found(share, good)
                    yield Cost(rule, size, share, good, *with_errors(found))


class Simulated:
    """Simulated races of some candidates each; those without a good one serve all populations."""

    def __init__(
        self, budget: RiskBudget, size: int, candidates: int, others: Sequence[float]
    ) -> None:
        self.budget = budget
        self.size = size
        self.candidates = candidates
        self.others = others
        self.without_good_one = cache(lambda number: self.outcomes(number, None, 0.0))

    def until_found(self, share: float, good: float) -> Array:
        """Return the races, the games and the wrong ones until a good one is accepted."""
        none = (1 - share) ** self.size

        @cache
        def of_race(number: int) -> Array:
            with_good_one = self.outcomes(number, share, good)
            return none * self.without_good_one(number) + (1 - none) * with_good_one

        if self.budget.total or self.budget.settings.divides_risk:
            return race_by_race(of_race)
        games, found, wrong = of_race(1)
        return np.array([1 / found, games / found, wrong / found])

    def outcomes(self, number: int, share: float | None, good: float) -> Array:
        """Simulate the race with this number, from 1, many times, with a good candidate or without.

        Return three means for each part: the games, how often a good one is accepted, and how many
        others are.
        """
        settings, size = self.budget.of_race(number - 1), self.size
        # Most races have no good one, and their games count the most.
        candidates = self.candidates if share is None else self.candidates // 4
        runs = PARTS * max(1, round(candidates / (PARTS * size)))
        generator = np.random.default_rng(number)
        is_good = np.zeros((runs, size), bool)
        if share is not None:
            is_good = with_a_good_one(generator, runs, size, share)
        rates = np.where(is_good, good, self.of_others(generator, runs))
        ones = self.simulate(settings, number, rates, generator)
        found = np.zeros((3, runs))
        for run in range(runs):
            games, accepted, _ = race(settings, [ones[run, k] for k in range(size)])
            hits = sum(bool(is_good[run, k]) for k in accepted)
            found[:, run] = games, hits > 0, len(accepted) - hits
        return found.reshape(3, PARTS, -1).mean(axis=2)

    def of_others(self, generator: np.random.Generator, runs: int) -> Array:
        """Return rates of candidates that are not good, in each part as often as they should be."""
        listed = np.resize(self.others, (runs // PARTS) * self.size)
        parts = [generator.permutation(listed) for _ in range(PARTS)]
        return np.concatenate(parts).reshape(runs, self.size)

    def simulate(
        self, settings: RaceSettings, number: int, rates: Array, generator: np.random.Generator
    ) -> dict[tuple[int, int], One]:
        """Return the candidates of all runs, by the run and the number in its race."""
        # Of candidates that divide a risk the last one of the race stands for all.
        candidate = settings.candidate(self.size, number * self.size, on=np)
        ones: dict[tuple[int, int], One] = {}
        for rate in np.unique(rates):
            places = np.argwhere(rates == rate)
            looks = simulate(settings, candidate, pair_law(rate, 0, 0), len(places), generator)
            ones |= {(int(r), int(k)): One(looks, n) for n, (r, k) in enumerate(places)}
        return ones


def with_a_good_one(generator: np.random.Generator, runs: int, size: int, share: float) -> Array:
    """Return which candidates are good, in races that have one at least."""
    # The first good one is where it is among so many, and those after it are as they are.
    chances = share * (1 - share) ** np.arange(size)
    first = generator.choice(size, runs, p=chances / chances.sum())[:, None]
    places = np.arange(size)[None, :]
    return (places == first) | ((places > first) & (generator.random((runs, size)) < share))


def race_by_race(of_race: Callable[[int], Array]) -> Array:
    """Return the races, the games and the wrong ones until a good one is found.

    A race stands for those before it, down to half its number.
    """
    left, total, number = np.ones(PARTS), np.zeros((3, PARTS)), 0
    while left.max() > RARE:
        number += 1
        games, found, wrong = of_race(1 << (number - 1).bit_length())
        total += left * np.array([np.ones(PARTS), games, wrong])
        left = left * (1 - found)
    return total


def with_errors(parts: Array) -> list[float]:
    """Return the mean of each figure over the parts, followed by its standard error."""
    means, errors = parts.mean(axis=1), parts.std(axis=1, ddof=1) / sqrt(PARTS)
    return [float(x) for pair in zip(means, errors, strict=True) for x in pair]


def as_table(costs: Sequence[Cost], settings: RaceSettings, question: Question) -> Table:
    """Return a table with a row for each rule and size of races, and a column a population."""
    risk = question.total_risk or settings.risk
    of = "of all races together" if question.total_risk else "a race"
    others = ", ".join(f"{100 * rate:g}" for rate in question.others)
    title = (
        "until a good mutation is accepted: races, thousand games, mutations accepted by mistake; "
        f"good ones are so many of all, at that rate, the others at {others} %; thresholds "
        f"{settings.lower:g} and {settings.upper:g}, risk {100 * risk:g} % {of}"
    )
    table = Table(title=title, title_justify="left")
    table.add_column("rule", no_wrap=True)
    table.add_column("candidates", justify="right")
    populations = list(dict.fromkeys((one.share, one.good) for one in costs))
    for share, good in populations:
        table.add_column(f"{100 * share:g} % at {100 * good:g} %", justify="right", no_wrap=True)
    for rule, size in dict.fromkeys((one.rule, one.candidates) for one in costs):
        row = {(c.share, c.good): c for c in costs if (c.rule, c.candidates) == (rule, size)}
        table.add_row(rule, str(size), *(cell(row[one]) for one in populations))
    return table


def cell(cost: Cost) -> str:
    return (
        f"{cost.races:.1f} ± {cost.races_error:.1f}\n"
        f"{cost.games / 1000:,.0f} ± {cost.games_error / 1000:,.0f}\n"
        f"{cost.wrong:.2f} ± {cost.wrong_error:.2f}"
    )


def as_object(costs: Iterable[Cost]) -> list[dict[str, Any]]:
    return [asdict(one) for one in costs]
