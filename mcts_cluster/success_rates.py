"""Statistics of counts of games: rates, errors, intervals, correlations."""

from collections.abc import Mapping
from math import fsum, nan, sqrt

# Standard normal deviations of a two-sided 95 % interval.
Z95 = 1.959964


def success(total: float, games: int) -> tuple[float, float]:
    """Return the mean of some games' points and its standard error, both in percent.

    The error is that of a binomial proportion with one more win and one more loss: the plain
    formula would call a single game, or a clean sweep, exact.
    """
    smoothed = (total + 1) / (games + 2)
    return 100 * total / games, 100 * sqrt(smoothed * (1 - smoothed) / games)


def correlation(pairs: Mapping[tuple[float, float], int]) -> tuple[float, float]:
    """Return how two values of a pair go together, from -1 to 1, and the standard error of that.

    It takes how often there is each pair. Both are NaN where one of the values never changes, or
    with less than three pairs.
    """
    count = sum(pairs.values())
    if count < 3 or any(len(set(column)) == 1 for column in zip(*pairs, strict=True)):
        return nan, nan
    means = [fsum(pair[n] * times for pair, times in pairs.items()) / count for n in range(2)]
    both, first, second = (
        fsum((p[a] - means[a]) * (p[b] - means[b]) * times for p, times in pairs.items())
        for a, b in ((0, 1), (0, 0), (1, 1))
    )
    found = max(-1.0, min(1.0, both / sqrt(first * second)))
    return found, sqrt((1 - found**2) / (count - 2))


def wilson(total: float, games: int, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's interval for a success rate, in percent."""
    rate, square = total / games, z * z
    center = (rate + square / (2 * games)) / (1 + square / games)
    half = z / (1 + square / games) * sqrt(rate * (1 - rate) / games + square / (4 * games**2))
    return 100 * max(0.0, center - half), 100 * min(1.0, center + half)
