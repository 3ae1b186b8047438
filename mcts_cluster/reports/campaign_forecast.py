"""Forecast of a campaign in `check`: how many games a race will take, and how long.

Races are simulated at some true success rates of their candidates (forecast); the time of a game
comes from pilot games.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rich.table import Table
from rich.text import Text

from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.bgp.forecast import Forecast, forecast
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES
from mcts_cluster.reports.estimates import core_hours
from mcts_cluster.reports.formats import duration
from mcts_cluster.settings.words import counted

RATES = (0.49, 0.50, 0.51, 0.52, 0.53, 0.54)
RUNS = 400
# Of races that would go on for ever, as at a rate that is both thresholds.
NO_END = "no end"


def rates(race: RaceSettings) -> list[float]:
    """Return the usual rates, and others at which this race is hard or easy to decide."""
    own = (race.lower, race.upper, 2 * race.upper - 0.5)
    return sorted({*RATES, *(round(rate, 4) for rate in own if 0 < rate < 1)})


def of_races(campaign: Campaign, size: int, seconds: float, workers: int, rule: str) -> Table:
    """Return a table with a line a rate, of races with so many candidates of that rate.

    They have the risk of the first race.
    """
    risk = campaign.risk_budget.risk_of(0, rule)
    race = replace(campaign.race, stopping_rule=rule, shadow_rules=(), risk=risk)
    # Without lines a million games and a hundred days fit a terminal of 80 characters.
    table = Table(box=None, pad_edge=False)
    headings = ("games", "95 %", "accepted", "core-h", "95 %", "time", "95 %")
    # Of a race that accepts several, how many on average.
    winners = ("winners",) if size > 1 and race.winners == "several" else ()
    for name in ("rate", *headings, *winners):
        table.add_column(name, justify="right")
    for rate in rates(race) if rule == campaign.race.stopping_rule else RATES:
        of_rate = forecast(race, size, rate, runs=RUNS)
        mean = [f"{sum(of_rate.candidates):.2f}"] if winners else []
        table.add_row(*cells(rate, of_rate, seconds, workers), *mean)
    return table


def rules(race: RaceSettings) -> list[str]:
    """Return all stopping rules of a race with these thresholds, the deciding one first."""
    others = [name for name in STOPPING_RULES if name != race.stopping_rule]
    # Some need two different thresholds.
    return [
        race.stopping_rule,
        *(n for n in others if race.lower < race.upper or not STOPPING_RULES[n].apart),
    ]


def heading(size: int, rule: str) -> str:
    return f"a race of {counted(size, 'candidate')}, stopping rule {rule}"


def cells(rate: float, races: Forecast, seconds: float, workers: int) -> Iterator[Text]:
    yield Text(f"{100 * rate:.4g} %")
    accepted = f"{100 * races.accepted:.1f} %"
    if races.endless:
        yield from map(Text, (NO_END, "", accepted, "", "", "", ""))
        return
    mean, most = races.games, races.games_95
    for cell in (
        f"{mean:,.0f}",
        f"{most:,}",
        accepted,
        core_hours(mean * seconds),
        core_hours(most * seconds),
        duration(mean * seconds / workers),
        duration(most * seconds / workers),
    ):
        yield Text(cell)


def summary(campaign: Campaign, seconds: float, workers: int) -> Iterable[str]:
    """Return how long the campaign takes if no mutation has an effect, as most have none."""
    found = games(campaign)
    yield (
        f"{counted(campaign.iterations, 'race')} of candidates at 50 %: {found:,.0f} games, about "
        f"{core_hours(found * seconds)} core-hours, {duration(found * seconds / workers)} "
        f"on {counted(workers, 'worker')}"
    )
    spent = campaign.spent(campaign.iterations)
    yield f"risk of error in all of them: {f'at most {spent:.3g}' if spent < 1 else 'not bounded'}"


def games(campaign: Campaign) -> float:
    """Return how many games a campaign has in which no mutation has an effect."""
    return sum(count * games_of(campaign, *race) for race, count in alike(campaign).items())


def alike(campaign: Campaign) -> Counter[tuple[int, int]]:
    """Return how many races there are of each size, and of each that stands for a later one.

    Where races share a risk the later has the less: the last of those up to twice the number stands
    for all of them.
    """
    shared = campaign.total_risk or campaign.race.divides_risk
    return Counter(
        (
            campaign.racing(number),
            min(1 << (number - 1).bit_length(), campaign.iterations) if shared else 1,
        )
        for number in range(1, campaign.iterations + 1)
    )


def games_of(campaign: Campaign, size: int, number: int) -> float:
    """Return the mean number of games of the race with this number, from 1."""
    race = campaign.risk_budget.of_race(number - 1)
    earlier = sum(campaign.racing(one) for one in range(1, number)) if race.divides_risk else 0
    return forecast(race, size, 0.5, runs=RUNS, earlier=earlier).games
