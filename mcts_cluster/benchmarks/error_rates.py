"""The error rates of stopping rules and their numbers of games: `bench rules`.

Simulated races: at each rate, how often each rule accepts, and after how many games it ends.
Accepting is an error at the lower threshold and below, not accepting one at the upper threshold and
above; in races with several winners, not accepting all is one there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from rich.table import Table

from mcts_cluster.bgp.forecast import forecast
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES

RATES = (0.49, 0.5, 0.51, 0.52, 0.54)
# A stopping rule, and the bound that it uses if it is one of those that use one.
RULES = [
    *[(rule, "hoeffding") for rule in STOPPING_RULES],
    *[(rule, "bernstein") for rule in STOPPING_RULES if rule.startswith("paper")],
]


@dataclass(frozen=True)
class ErrorRate:
    """The outcomes of many races of candidates of one rate."""

    rule: str
    bound: str
    rate: float
    accepted: float  # share of races that accepted a candidate
    all_accepted: float  # and all of them
    games: float
    games_95: int


def rates(settings: RaceSettings) -> list[float]:
    """Return the usual rates, both thresholds and what is midway between them."""
    middle = (settings.lower + settings.upper) / 2
    return sorted({*RATES, settings.lower, round(middle, 6), settings.upper})


def measure(
    settings: RaceSettings, correlation: float, runs: int, candidates: int = 1
) -> Iterable[ErrorRate]:
    """Yield a row for each rule and rate; the rule of the settings is replaced."""
    for rule, bound in RULES:
        for rate in rates(settings):
            one = replace(settings, stopping_rule=rule, bound=bound)
            found = forecast(one, candidates, rate, correlation=correlation, runs=runs)
            shares = found.accepted, found.all_accepted
            yield ErrorRate(rule, bound, rate, *shares, found.games, found.games_95)


def as_table(
    rows: Sequence[ErrorRate], settings: RaceSettings, runs: int, candidates: int = 1
) -> Table:
    """Return a table with a row for each rule and a column for each rate: accepted, mean games."""
    several = candidates > 1 and settings.winners == "several"
    of = "one candidate: % accepted"
    if candidates > 1:
        accepted = "% that accept any, % that accept all" if several else "% that accept one"
        of = f"{candidates:,} candidates of one rate: {accepted}"
    title = (
        f"{runs:,} races of {of}, mean games; thresholds "
        f"{settings.lower:g} and {settings.upper:g}, risk {100 * settings.risk:g} %"
    )
    table = Table(title=title, title_justify="left")
    table.add_column("rule", no_wrap=True)
    for rate in rates(settings):
        table.add_column(f"{rate:g}", justify="right")
    for rule, bound in RULES:
        cells = [
            f"{100 * row.accepted:.2f}\n"
            + (f"{100 * row.all_accepted:.2f}\n" if several else "")
            + f"{row.games:,.0f}"
            for row in rows
            if (row.rule, row.bound) == (rule, bound)
        ]
        table.add_row(rule if bound == "hoeffding" else f"{rule}, {bound}", *cells)
    return table


def as_object(rows: Iterable[ErrorRate]) -> list[dict[str, Any]]:
    return [asdict(row) for row in rows]
