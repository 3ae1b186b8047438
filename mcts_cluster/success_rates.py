"""Statistics of counts of games: rates, errors, intervals, correlations."""

from collections.abc import Sequence
from math import nan, sqrt
from statistics import correlation as pearson

# Standard normal deviations of a two-sided 95 % interval.
Z95 = 1.959964


def success(total: float, games: int) -> tuple[float, float]:
    """Return the mean of some games' points and its standard error, both in percent.

    The error is that of a binomial proportion with one more win and one more loss: the plain
    formula would call a single game, or a clean sweep, exact.
    """
    smoothed = (total + 1) / (games + 2)
    return 100 * total / games, 100 * sqrt(smoothed * (1 - smoothed) / games)


def correlation(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return how two values of a pair go together, from -1 to 1, and the standard error of that.

    Both are NaN where one of the values never changes, or with less than three pairs.
    """
    columns = list(zip(*pairs, strict=True))
    if len(pairs) < 3 or any(len(set(column)) == 1 for column in columns):
        return nan, nan
    found = pearson(*columns)
    return found, sqrt((1 - found**2) / (len(pairs) - 2))


def wilson(total: float, games: int, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's interval for a success rate, in percent."""
    rate, square = total / games, z * z
    center = (rate + square / (2 * games)) / (1 + square / games)
    half = z / (1 + square / games) * sqrt(rate * (1 - rate) / games + square / (4 * games**2))
    return 100 * max(0.0, center - half), 100 * min(1.0, center + half)
