"""The error rates of stopping rules and their numbers of games: `bench rules`.

Simulated races: at each rate, how often each rule accepts, and after how many games it ends.
Accepting is an error at the lower threshold and below, not accepting one at the upper threshold and
above.
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
    """The outcomes of many races of one candidate."""

    rule: str
    bound: str
    rate: float
    accepted: float
    games: float
    games_95: int


def rates(settings: RaceSettings) -> list[float]:
    """Return the usual rates, both thresholds and what is midway between them."""
    middle = (settings.lower + settings.upper) / 2
    return sorted({*RATES, settings.lower, round(middle, 6), settings.upper})


def measure(settings: RaceSettings, correlation: float, runs: int) -> Iterable[ErrorRate]:
    """Yield a row for each rule and rate; the rule of the settings is replaced."""
    for rule, bound in RULES:
        for rate in rates(settings):
            one = replace(settings, stopping_rule=rule, bound=bound)
            found = forecast(one, 1, rate, correlation=correlation, runs=runs)
            yield ErrorRate(rule, bound, rate, found.accepted, found.games, found.games_95)


def as_table(rows: Sequence[ErrorRate], settings: RaceSettings, runs: int) -> Table:
    """Return a table with a row for each rule and a column for each rate: accepted, mean games."""
    title = (
        f"{runs:,} races of one candidate: % accepted, mean games; thresholds "
        f"{settings.lower:g} and {settings.upper:g}, risk {100 * settings.risk:g} %"
    )
    table = Table(title=title, title_justify="left")
    table.add_column("rule", no_wrap=True)
    for rate in rates(settings):
        table.add_column(f"{rate:g}", justify="right")
    for rule, bound in RULES:
        cells = [
            f"{100 * row.accepted:.2f}\n{row.games:,.0f}"
            for row in rows
            if (row.rule, row.bound) == (rule, bound)
        ]
        table.add_row(rule if bound == "hoeffding" else f"{rule}, {bound}", *cells)
    return table


def as_object(rows: Iterable[ErrorRate]) -> list[dict[str, Any]]:
    return [asdict(row) for row in rows]
