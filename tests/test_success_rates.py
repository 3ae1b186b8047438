"""Rates, errors and intervals against numbers worked out by hand or published."""

from collections import Counter
from math import isnan, sqrt

import pytest

from mcts_cluster.success_rates import correlation, success, wilson

# Points; their mean; the error, from the proportion p after one more win and one more loss.
SUCCESS = [
    ([1], 100, 47.14045),  # p = 2/3: the root of 2/9
    ([0], 0, 47.14045),
    ([0, 0], 0, 30.61862),  # p = 1/4: the root of 3/32
    ([1, 1, 1, 0], 75, 23.57023),  # p = 4/6: the root of 2/36
    ([1, 0.5, 0.5, 0], 50, 25),  # p = 3/6: the root of 1/16
    ([0.5], 50, 50),  # p = 1/2
    ([1] * 50 + [0] * 50, 50, 5),  # p = 1/2: the root of 1/400
    ([1] * 98, 100, 1.00509),  # p = 99/100: the root of 0.0099/98
    ([1] * 63 + [0] * 37, 63, 4.83483),  # p = 64/102: the root of 0.00233756
]


@pytest.mark.parametrize(("points", "mean", "error"), SUCCESS)
def test_success_is_the_mean_and_its_standard_error_in_percent(points, mean, error):
    assert success(sum(points), len(points)) == pytest.approx((mean, error), rel=1e-5)


@pytest.mark.parametrize("games", [1, 10, 1000])
def test_a_clean_sweep_is_not_called_certain(games):
    _, error = success(games, games)

    assert error == pytest.approx(100 * sqrt((games + 1) / games) / (games + 2))


# Of counts a, b, c, d of (1, 1), (1, 0), (0, 1), (0, 0) it is
# (ad - bc) / sqrt((a + b)(c + d)(a + c)(b + d)).
@pytest.mark.parametrize(
    ("pairs", "found"),
    [
        ([(1, 0), (0, 1), (1, 1), (0, 0)], (0, 0.7071068)),
        ([(1, 1), (1, 1), (0, 1), (0, 0)], (0.5773503, 0.5773503)),
        ([(1, 0), (0, 1), (0.5, 0.5)], (-1, 0)),
    ],
)
def test_a_correlation_has_its_error(pairs, found):
    assert correlation(Counter(pairs)) == pytest.approx(found, abs=1e-7)


@pytest.mark.parametrize("pairs", [[], [(1, 0), (0, 1)], [(1, 1), (1, 0), (1, 1)]])
def test_pairs_that_tell_nothing_have_no_correlation(pairs):
    assert all(map(isnan, correlation(Counter(pairs))))


# Newcombe, Statistics in Medicine 17 (1998), table I: scores without continuity correction.
INTERVALS = [
    (81, 263, 25.53, 36.62),
    (15, 148, 6.24, 16.05),
    (0, 20, 0.00, 16.11),
    (1, 29, 0.61, 17.18),
]


@pytest.mark.parametrize(("wins", "games", "low", "high"), INTERVALS)
def test_wilsons_interval_is_the_published_one(wins, games, low, high):
    assert wilson(wins, games) == pytest.approx((low, high), abs=0.005)
    assert wilson(games - wins, games) == pytest.approx((100 - high, 100 - low), abs=0.005)
