"""Tallies of pairs against counts made by hand."""

from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tallies import tally_of

SCORES = st.sampled_from([0, 0.5, 1])

# Two wins as first, a loss and a win, twice half and win, nothing at all.
FIVE = [1, 1, 0, 1, 0.5, 1, 0.5, 1, 0, 0]


def test_games_are_counted_by_result_and_pairs_by_mean():
    pairs = tally_of(FIVE)

    assert pairs.games == 10
    assert pairs.results() == (3, 2, 5)
    assert pairs.means() == (1, 0, 1, 2, 1)


def test_moments_are_those_of_the_scores():
    pairs = tally_of(FIVE)

    assert pairs.mean == 0.6  # 6 of 10
    assert pairs.variance == pytest.approx(0.19)  # 5.5 / 10 - 0.36
    # Means 1, 1/2, 3/4, 3/4, 0: squares 1 + 1/4 + 9/16 + 9/16 = 2.375, /5 - 0.36.
    assert pairs.pair_variance == pytest.approx(0.115)


def test_the_correlation_takes_each_color_by_itself():
    # First 1, 0, 1/2, 1/2, 0: mean 0.4, variance 0.14. Second 1, 1, 1, 1, 0: 0.8, 0.16.
    # Products 1 + 1/2 + 1/2, /5: 0.4, minus 0.32: 0.08.
    assert tally_of(FIVE).correlation == pytest.approx(0.08 / sqrt(0.14 * 0.16))


@pytest.mark.parametrize(
    ("scores", "correlation"),
    [([1, 1, 0, 0], 1), ([1, 0, 0, 1], -1), ([1, 1, 1, 0, 0, 1, 0, 0], 0), ([1, 0, 1, 0], None)],
)
def test_the_correlation_of_plain_cases(scores, correlation):
    assert tally_of(scores).correlation == correlation


@given(st.lists(st.tuples(SCORES, SCORES), min_size=1))
def test_a_tally_is_what_its_scores_are(pairs):
    scores = [Fraction(score) for pair in pairs for score in pair]
    mean = sum(scores) / len(scores)
    means = [Fraction(a + b) / 2 for a, b in pairs]
    tally = tally_of([float(score) for score in scores])

    assert tally.mean == float(mean)
    assert tally.variance == float(sum((s - mean) ** 2 for s in scores) / len(scores))
    assert tally.pair_variance == float(sum((m - mean) ** 2 for m in means) / len(means))
    assert sum(tally.results()) == len(scores)
    assert sum(tally.means()) == len(means)
