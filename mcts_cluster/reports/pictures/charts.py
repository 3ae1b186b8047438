"""Small charts in a page: how a rate or bounds have moved with the games."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor
from typing import Any

import numpy as np

from mcts_cluster.reports.pictures.boards import Drawing
from mcts_cluster.settings.words import counted
from mcts_cluster.success_rates import wilson

WIDTH, HEIGHT = 320, 190
LEFT, RIGHT, TOP, BOTTOM = 46, 10, 8, 34
# More points of a curve than pixels show nothing more.
MAX_POINTS = 100
# Of the first games the intervals are too wide for the axis.
FROM = 0.1


@dataclass(frozen=True)
class Point:
    """A rate after some games, with what it lies between, in percent."""

    games: int
    rate: float
    low: float
    high: float


@dataclass(frozen=True)
class Chart:
    """A curve with its heading, levels to compare it with, and what is to be said of it."""

    heading: str
    points: Sequence[Point]
    thresholds: Sequence[float] = ()
    notes: Sequence[str] = ()
    drawing: Drawing | None = None
    last_row: int = 0  # of its games, in the file
    noun: str = "game"  # what was played


class Curve:
    """How the rate of so many games moves, which come in order and part by part.

    Public attributes (treat as read-only): points, of the curve; last_row, of its games.
    """

    def __init__(self, games: int) -> None:
        numbers = np.linspace(1, games, min(games, MAX_POINTS))
        self.places = sorted({round(number) for number in numbers})
        self.points: list[Point] = []
        self.last_row = self.games = 0
        self.total = 0.0

    def add(self, points: Any, last_row: int) -> None:
        """Take the points of some games that count, and the row of the last one."""
        sums = self.total + np.cumsum(points)
        while len(self.points) < len(self.places):
            games = self.places[len(self.points)]
            if games > self.games + len(sums):
                break
            total = float(sums[games - self.games - 1])
            self.points.append(Point(games, 100 * total / games, *wilson(total, games)))
        self.total = float(sums[-1])
        self.games += len(sums)
        self.last_row = last_row


def svg(chart: Chart) -> str:
    """Return a chart as SVG: the rate as a line, in the band of its interval."""
    low, high = extent(chart)
    most = chart.points[-1].games

    def place(games: float, percent: float) -> str:
        x = LEFT + (WIDTH - LEFT - RIGHT) * games / most
        share = (min(max(percent, low), high) - low) / (high - low)
        return f"{x:.1f} {HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share:.1f}"

    upper = [place(one.games, one.high) for one in chart.points]
    lower = [place(one.games, one.low) for one in chart.points]
    parts = [f'<path class="band" d="M{"L".join([*upper, *reversed(lower)])}Z"/>']
    parts.append(path("line", [place(one.games, one.rate) for one in chart.points]))
    for level in (50.0, *chart.thresholds):
        if low <= level <= high:
            kind = "threshold" if level in chart.thresholds else "even"
            parts.append(path(kind, [place(0, level), place(most, level)]))
    parts += ticks(low, high, counted(most, chart.noun))
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(words(chart))}">'
        f"{''.join(parts)}</svg>"
    )


def extent(chart: Chart) -> tuple[float, float]:
    """Return the percentages at the ends of the axis: round ones, with 50 between them."""
    late = [one for one in chart.points if one.games >= FROM * chart.points[-1].games]
    ends = [50.0, *chart.thresholds, *(one.low for one in late), *(one.high for one in late)]
    low, high = floor(min(ends) / 10) * 10.0, ceil(max(ends) / 10) * 10.0
    low, high = max(0.0, low), min(100.0, high)
    return (low, high) if low < high else (40.0, 60.0)


def path(kind: str, places: Sequence[str]) -> str:
    return f'<path class="{kind}" d="M{"L".join(places)}"/>'


def ticks(low: float, high: float, most: str) -> list[str]:
    """Return the numbers at both axes."""
    floor_y, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    middle = (low + high) / 2
    parts = [
        f'<text x="{LEFT - 5}" y="{y}" text-anchor="end">{value:g} %</text>'
        for y, value in ((floor_y, low), ((floor_y + TOP + 10) / 2, middle), (TOP + 10, high))
    ]
    parts += [
        f'<text x="{LEFT}" y="{floor_y + 16}">0</text>',
        f'<text x="{right}" y="{floor_y + 16}" text-anchor="end">{escape(most)}</text>',
        path("even", [f"{LEFT} {TOP}", f"{LEFT} {floor_y}", f"{right} {floor_y}"]).replace(
            "/>", ' fill="none"/>'
        ),
    ]
    return parts


def words(chart: Chart) -> str:
    """Return the end of a curve in words."""
    last = chart.points[-1]
    return (
        f"{chart.heading}: {last.rate:.1f} % after "
        f"{counted(last.games, chart.noun)}, "
        f"between {last.low:.1f} and {last.high:.1f} %"
    )
