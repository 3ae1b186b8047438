"""What counts of games say, as arithmetic: rates, errors, intervals, comparisons."""

from math import sqrt

# Standard normal deviations of a two-sided 95 % interval.
Z95 = 1.959964


def success(total: float, games: int) -> tuple[float, float]:
    """Return the mean of some games' points and its standard error, both in percent.

    The error is that of a binomial proportion with one more win and one more loss: the plain
    formula would call a single game, or a clean sweep, exact.
    """
    smoothed = (total + 1) / (games + 2)
    return 100 * total / games, 100 * sqrt(smoothed * (1 - smoothed) / games)


def wilson(total: float, games: int, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's interval for a success rate, in percent."""
    rate, square = total / games, z * z
    center = (rate + square / (2 * games)) / (1 + square / games)
    half = z / (1 + square / games) * sqrt(rate * (1 - rate) / games + square / (4 * games**2))
    return 100 * max(0.0, center - half), 100 * min(1.0, center + half)
