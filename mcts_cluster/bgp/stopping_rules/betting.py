"""Bounds by betting: a mean at which a gambler would have become rich is refuted.

If the mean is m, or less, this bet is fair or worse: a stake λ on a result x makes 1 + λ (x - m) of
a capital of 1. Then the expected capital does not grow, and it ever reaches 1/δ with probability δ
at most, however often one looks (Ville's inequality). So each m at which the capital has come that
far is refuted, and the lower bound is the largest of them. Several stakes may share the capital, by
weights that add up to no more than 1.

Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting". Nothing is
assumed of the results but that they are between 0 and 1, and that whatever happened before, the
mean of the next one is the same.

    x, n    a value that results have, and how often it occurred
    m       the mean that is tested
    λ, w    a stake, and its part of the capital
    need    log 1/δ
"""

from collections.abc import Sequence
from typing import Any

from mcts_cluster.bgp.stopping_rules import floats

NEAR = 1e-12  # how exact a bound is
STEPS = 60  # more than bisection alone would take; five are usual

Results = Sequence[tuple[float, Any]]
Bets = Sequence[tuple[float, float]]


def bounds(
    low_bets: Bets, high_bets: Bets, need: float, results: Results, on: Any
) -> tuple[Any, Any]:
    """Return the smallest and the largest mean that are not refuted.

    `on` is floats where counts are numbers, numpy where they are arrays.
    """
    mirrored = [(1 - x, n) for x, n in results]
    return (
        lower_bound(low_bets, need, results, on),
        1 - lower_bound(high_bets, need, mirrored, on),
    )


def lower_bound(bets: Bets, need: float, results: Results, on: Any = floats) -> Any:
    """Return the largest mean that is refuted, 0 if none is: by Newton's steps, kept in between."""
    total = sum(n for _, n in results)
    mean = sum(x * n for x, n in results) / total
    # No stake may lose more than there is; and where m is the mean, no capital has grown.
    most = (1 - NEAR) / max(stake for stake, _ in bets)
    low, high = 0 * mean, on.where(mean < most, mean, most)
    # Where not even 0 is refuted, there is nothing in between.
    high = on.where(log_capital(bets, results, low, on)[0] < need, low, high)
    m = on.maximum(high - on.sqrt(need / total) / 2, high / 2)
    for _ in range(STEPS):
        capital, slope = log_capital(bets, results, m, on)
        grown = capital >= need
        low, high = on.where(grown, m, low), on.where(grown, high, m)
        step = m - (capital - need) / slope
        step = on.where((low <= step) & (step <= high), step, (low + high) / 2)
        moved, m = abs(step - m), step
        if on.all(moved < NEAR):
            break
    return m


def log_capital(bets: Bets, results: Results, m: Any, on: Any = floats) -> tuple[Any, Any]:
    """Return the logarithm of the capital where the mean is m, and its derivative by m."""
    logs, slopes = [], []
    for stake, weight in bets:
        parts = [(n, 1 + stake * (x - m)) for x, n in results]
        logs.append(sum(n * on.log(part) for n, part in parts) + on.log(weight))
        slopes.append(-stake * sum(n / part for n, part in parts))
    top = logs[0]
    for other in logs[1:]:
        top = on.maximum(top, other)
    shares = [on.exp(one - top) for one in logs]
    whole = sum(shares)
    slope = sum(share * slope for share, slope in zip(shares, slopes, strict=True)) / whole
    return top + on.log(whole), slope
