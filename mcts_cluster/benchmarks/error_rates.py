"""Whether judges keep what they promise, and what that costs: a table of simulated races.

At each rate, how often each judge accepts, and after how many games it ends. Accepting is an error
at the lower threshold and below, not accepting one at the upper threshold and above.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from rich.table import Table

from mcts_cluster.bgp.forecast import forecast
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES

RATES = (0.49, 0.5, 0.51, 0.52, 0.54)
# A judge, and the bound that it uses if it is of those that use one.
WAYS = [
    *[(judge, "hoeffding") for judge in STOPPING_RULES],
    *[(judge, "bernstein") for judge in STOPPING_RULES if judge.startswith("paper")],
]


@dataclass(frozen=True)
class ErrorRate:
    """What came of many races of one candidate."""

    judge: str
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
    """Yield a row a judge and rate; of the settings all but the judge count."""
    for judge, bound in WAYS:
        for rate in rates(settings):
            own = replace(settings, stopping_rule=judge, bound=bound)
            told = forecast(own, 1, rate, correlation=correlation, runs=runs)
            yield ErrorRate(judge, bound, rate, told.accepted, told.games, told.games_95)


def as_table(rows: Sequence[ErrorRate], settings: RaceSettings, runs: int) -> Table:
    """Set a judge beside the others, with a column a rate: accepted, and the mean of games."""
    title = (
        f"{runs:,} races of one candidate: % accepted, mean games; thresholds "
        f"{settings.lower:g} and {settings.upper:g}, risk {100 * settings.risk:g} %"
    )
    table = Table(title=title, title_justify="left")
    table.add_column("judge", no_wrap=True)
    for rate in rates(settings):
        table.add_column(f"{rate:g}", justify="right")
    for judge, bound in WAYS:
        cells = [
            f"{100 * row.accepted:.2f}\n{row.games:,.0f}"
            for row in rows
            if (row.judge, row.bound) == (judge, bound)
        ]
        table.add_row(judge if bound == "hoeffding" else f"{judge}, {bound}", *cells)
    return table


def as_object(rows: Iterable[ErrorRate]) -> list[dict[str, Any]]:
    return [asdict(row) for row in rows]
