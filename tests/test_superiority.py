"""Elo, likelihood and visible differences against exact sums and published numbers."""

from math import comb, inf, sqrt

import pytest

from mcts_cluster.success_rates import Z95
from mcts_cluster.superiority import Score, at_most, elo, score, visible, visible_between

# The usual table of the logistic curve: what Elo a success rate is.
ELO = [(0.5, 0), (0.51, 6.95), (0.55, 34.86), (0.6, 70.44), (0.64, 99.95), (0.75, 190.85)]


@pytest.mark.parametrize(("rate", "difference"), ELO)
def test_a_rate_is_a_difference_in_elo(rate, difference):
    assert elo(rate) == pytest.approx(difference, abs=0.005)
    assert elo(1 - rate) == pytest.approx(-difference, abs=0.005)


def test_the_error_in_elo_is_that_of_the_logarithm_of_the_odds():
    # Woolf's error of a logit, sqrt(1 / wins + 1 / losses), times 400 / ln 10.
    found, error = Score(6000, 0, 4000).elo

    assert found == pytest.approx(70.44, abs=0.005)
    assert error == pytest.approx(173.7178 * sqrt(1 / 6000 + 1 / 4000), rel=1e-3)


def test_draws_are_half_a_win_each():
    assert Score(2, 3, 1).points == 3.5
    assert Score(0, 10, 0).elo[0] == 0
    assert Score(2, 4, 0).elo[0] == Score(4, 0, 2).elo[0]


def test_without_draws_the_spread_is_that_of_wins_and_losses():
    assert Score(7, 0, 3).spread == pytest.approx(1)
    # 49 of 100 points are 1 or 0, and a draw is none away from the mean.
    assert Score(24, 50, 24).spread == pytest.approx(sqrt(0.5))


def test_a_clean_sweep_is_infinite_in_elo_and_its_interval_is_not():
    won, lost = Score(20, 0, 0), Score(0, 0, 20)

    assert won.elo == (inf, inf)
    assert lost.elo == (-inf, inf)
    # Newcombe's interval of 0 of 20 ends at 16.11 %.
    assert won.elo_interval == (pytest.approx(286.6, abs=0.1), inf)
    assert lost.elo_interval == (-inf, pytest.approx(-286.6, abs=0.1))


def exactly(heads, coins):
    return sum(comb(coins, count) for count in range(heads + 1)) / 2**coins


@pytest.mark.parametrize("coins", [0, 1, 2, 7, 40, 1001])
def test_heads_of_coins_are_as_likely_as_all_ways_say(coins):
    for heads in range(-1, coins + 1, max(1, coins // 9)):
        assert at_most(heads, coins) == pytest.approx(exactly(heads, coins), rel=1e-10)


# The share of (0, 1) above one half under the density of a beta distribution with one more win and
# one more loss: of 0–0, 1–0, 2–1 and 3–0 by hand, of the others as R's pbeta has it.
LIKELIHOODS = [
    ((0, 0), 1 / 2),
    ((1, 0), 3 / 4),
    ((2, 1), 11 / 16),
    ((3, 0), 15 / 16),
    ((60, 40), 0.97697797),
    ((45, 15), 0.99995581),
    ((5000, 5000), 1 / 2),
]


@pytest.mark.parametrize(("counts", "likelihood"), LIKELIHOODS)
def test_the_likelihood_of_being_the_stronger_one(counts, likelihood):
    wins, losses = counts

    assert Score(wins, 0, losses).likelihood == pytest.approx(likelihood, rel=1e-7)
    assert Score(losses, 0, wins).likelihood == pytest.approx(1 - likelihood, rel=1e-4)
    # Draws tell nothing of it.
    assert Score(wins, 77, losses).likelihood == Score(wins, 0, losses).likelihood


def test_a_million_games_are_no_trouble():
    # 500,500 wins are two errors from one half.
    assert Score(500_500, 0, 499_500).likelihood == pytest.approx(0.841345, abs=1e-3)


def test_points_are_counted():
    assert score([1, 0.5, 0, 1, 0.5, 1]) == Score(3, 2, 1)


# What games can show


def power(games, rate):
    """Return how often a test of games at 95 % finds a rate, by all of its outcomes."""
    found = 0.0
    for wins in range(games + 1):
        if abs(wins / games - 0.5) > Z95 * 0.5 / sqrt(games):
            found += comb(games, wins) * rate**wins * (1 - rate) ** (games - wins)
    return found


@pytest.mark.parametrize("games", [20, 50, 100, 200, 500, 1000])
def test_four_fifths_of_tests_find_a_visible_difference(games):
    rate = 0.5 + visible(games) / 100

    # One game more or less is as much as the test itself knows.
    step = 1 / games
    assert power(games, rate - step) < 0.8 < power(games, rate + step)


def test_a_thousand_games_show_four_points_and_a_half():
    assert visible(1000) == pytest.approx(4.42, abs=0.005)
    assert visible(4000) == pytest.approx(visible(1000) / 2, rel=0.01)


@pytest.mark.parametrize("games", [0, 1, 2, 3])
def test_a_few_games_show_nothing(games):
    assert visible(games) == 50


def test_between_two_rates_twice_as_many_games_of_each_are_needed():
    assert visible_between(50, 2000, 2000) == pytest.approx(visible(1000), rel=0.01)
    # Fleiss: 20 % against 30 %, 293 games of each, by the variances of both.
    assert visible_between(25, 293, 293) == pytest.approx(10, rel=0.01)
