"""Forecasts are of real races, and theorems hold in thousands of them."""

from math import sqrt

import numpy as np
import pytest

from mcts_cluster.bgp.forecast import One, forecast, pair_law, race, simulate
from mcts_cluster.bgp.pairs import Pairs
from mcts_cluster.bgp.race import Race
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES

WIDE = {"lower": 0.48, "upper": 0.52}


def settings(rule, **values):
    return RaceSettings.from_dict({"stopping_rule": rule} | values)


# Against the race itself


class Recorder:
    """A generator that remembers what it has drawn."""

    def __init__(self, seed):
        self.generator = np.random.default_rng(seed)
        self.drawn = []

    def multinomial(self, *arguments, **others):
        self.drawn.append(self.generator.multinomial(*arguments, **others))
        return self.drawn[-1]


def scores_of(counts):
    """Return scores that are counted so."""
    pairs = [(a / 2, b / 2) for a in range(3) for b in range(3)]
    return [s for n, pair in zip(counts, pairs, strict=True) for s in pair * int(n)]


@pytest.mark.parametrize("winners", ["one", "several"])
@pytest.mark.parametrize("select", ["upper", "order"])
@pytest.mark.parametrize("rule", STOPPING_RULES)
def test_a_forecast_race_goes_as_the_race_does(rule, select, winners):
    wide = {"lower": 0.4, "upper": 0.6, "first_batch": 40, "max_games": 1000}
    rules = settings(rule, selection=select, winners=winners, **wide)
    ended = set()
    for seed in range(12):
        looks, draws = {}, []
        for k in range(3):
            recorder = Recorder(100 * seed + k)
            candidate = rules.candidate(3, k + 1, on=np)
            looks[k] = simulate(rules, candidate, pair_law(0.5, 0.1, -0.2), 1, recorder)
            draws.append(iter(recorder.drawn))
        games, accepted, undecided = race(rules, [One(looks[k], 0) for k in range(3)])

        real = Race(rules, 3)
        seen = []
        while batch := real.next_batch():
            [counts] = next(draws[batch.candidate])
            seen += real.add(batch, scores_of(counts))

        assert sorted(real.verdict.accepted) == list(accepted)
        assert sum(tally.games for tally in real.pairs) == games
        left = any(look.verdict == "exhausted" for look in seen)
        assert undecided == (left and (winners == "several" or not accepted))
        ended.add(accepted)
    # Neither always nor never: else nothing was compared.
    assert len(ended) > 1


# What is drawn


@pytest.mark.parametrize("correlation", [-0.6, -0.15, 0, 0.3, 1])
@pytest.mark.parametrize(("rate", "draws"), [(0.5, 0), (0.52, 0.1), (0.4, 0.3)])
def test_pairs_have_the_rate_the_draws_and_the_correlation(rate, draws, correlation):
    law = pair_law(rate, draws, correlation)
    pairs = Pairs([round(10**9 * p) for p in law])

    assert sum(law) == pytest.approx(1)
    assert min(law) >= 0
    assert pairs.mean == pytest.approx(rate, abs=1e-8)
    assert pairs.results()[1] / pairs.games == pytest.approx(draws, abs=1e-8)
    assert pairs.correlation == pytest.approx(correlation, abs=1e-6)


def test_a_correlation_that_no_pairs_can_have_is_refused():
    with pytest.raises(AssertionError, match="so opposite"):
        pair_law(0.9, 0, -0.9)


# What is told


def test_quantiles_and_means_are_of_games():
    # Half the width is 0.14468 at 100 games, 0.11803 at 200: 63 wins of 100 are accepted, 37
    # discarded, 120 and 80 of 200. By binomial coefficients that happens so often:
    runs = 20_000
    told = forecast(settings("paper-2", **WIDE, max_games=200), runs=runs)

    assert told.games_95 == 200
    assert told.games == pytest.approx(
        200 - 200 * 0.0060165, abs=4 * 100 * sqrt(2 * 0.0060165 / runs)
    )
    assert told.accepted == pytest.approx(0.0079547, abs=4 * sqrt(0.0079547 / runs))
    assert told.undecided == pytest.approx(1 - 2 * 0.0079547, abs=4 * sqrt(2 * 0.0079547 / runs))


def test_a_forecast_is_the_same_again():
    one, other = (forecast(settings("sprt", **WIDE), 2, 0.51, runs=20, seed=3) for _ in range(2))

    assert one == other
    assert one != forecast(settings("sprt", **WIDE), 2, 0.51, runs=20, seed=4)


def test_each_candidate_may_have_its_own_rate():
    for rule in STOPPING_RULES:
        told = forecast(settings(rule, **WIDE), 4, [0.4, 0.7, 0.4, 0.3], runs=50)

        assert told.candidates == (0, 1, 0, 0)


def test_candidates_that_are_simulated_together_have_games_of_their_own():
    one, four = (forecast(settings("sprt", **WIDE), n, 0.52, runs=400) for n in (1, 4))

    # In order of their upper bounds all four are nearly as often accepted.
    assert one.accepted > 0.9
    assert sum(four.candidates) == pytest.approx(four.accepted)
    assert all(0.15 < share < 0.35 for share in four.candidates)


# The theorems, in thousands of races

RACES = 10_000
RISK = 0.05
EVERY = [
    *[(rule, "hoeffding") for rule in STOPPING_RULES],
    *[(rule, "bernstein") for rule in STOPPING_RULES if rule.startswith("paper")],
]
LOOK_OFTEN = ["confidence-sequence", "sprt", "sprt-pairs"]


@pytest.mark.parametrize(("rule", "bound"), EVERY)
@pytest.mark.parametrize(("lower", "upper"), [(0.501, 0.504), (0.45, 0.55)])
def test_the_promised_error_is_kept_at_the_thresholds(rule, bound, lower, upper):
    # Between narrow thresholds they look a hundred times: slow.
    slow = rule in LOOK_OFTEN and upper - lower < 0.01
    keeps_its_promise(rule, bound, lower, upper, RACES // 10 if slow else RACES)


@pytest.mark.proof
@pytest.mark.parametrize("judge", LOOK_OFTEN)
def test_the_promised_error_is_kept_by_who_looks_a_hundred_times(judge):
    keeps_its_promise(judge, "hoeffding", 0.501, 0.504, RACES)


def keeps_its_promise(rule, bound, lower, upper, runs):
    rules = settings(rule, bound=bound, lower=lower, upper=upper, risk=RISK)

    at_lower = forecast(rules, 1, lower, runs=runs)
    at_upper = forecast(rules, 1, upper, runs=runs)

    assert at_lower.accepted <= RISK
    assert 1 - at_upper.accepted <= RISK
    assert at_lower.undecided == at_upper.undecided == 0


@pytest.mark.parametrize("rule", STOPPING_RULES)
def test_a_race_of_ten_null_candidates_accepts_none(rule):
    told = forecast(settings(rule, lower=0.5, upper=0.56, risk=RISK), 10, 0.5, runs=1000)

    assert told.accepted <= RISK
    assert told.undecided == 0


@pytest.mark.parametrize("rule", STOPPING_RULES)
def test_with_several_winners_the_risk_is_that_of_all_verdicts_together(rule):
    rates = [0.5] * 5 + [0.56] * 5
    wide = {"lower": 0.5, "upper": 0.56, "risk": RISK}
    told = forecast(settings(rule, winners="several", **wide), 10, rates, runs=1000)

    assert wrong_verdicts(told) <= RISK


def test_without_shares_of_the_risk_several_winners_would_break_the_promise():
    # Else the test above would show nothing.
    rates = [0.5] * 5 + [0.56] * 5
    wide = {"lower": 0.5, "upper": 0.56, "risk": 10 * RISK}
    told = forecast(settings("sprt", winners="several", **wide), 10, rates, runs=1000)

    assert wrong_verdicts(told) > 2 * RISK


def wrong_verdicts(told):
    """Return how many a race has on average, at least its probability of any."""
    return sum(told.candidates[:5]) + sum(1 - share for share in told.candidates[5:])


def test_with_several_winners_all_are_found_and_one_is_not_enough_to_end_a_race():
    rates = [0.7, 0.3, 0.7, 0.3]
    one, several = (
        forecast(settings("paper-2", winners=winners, **WIDE), 4, rates, runs=200)
        for winners in ("one", "several")
    )

    assert several.candidates == (1, 0, 1, 0)
    assert sum(one.candidates) == one.accepted == several.accepted == 1
    assert several.games > 1.5 * one.games
    assert (several.all_accepted, one.all_accepted) == (0, 0)
    assert forecast(settings("paper-2", winners="several", **WIDE), 2, 0.7).all_accepted == 1


@pytest.mark.parametrize("rule", STOPPING_RULES)
def test_a_good_one_among_nine_useless_is_found(rule):
    rates = [0.48] * 10
    rates[6] = 0.56
    told = forecast(settings(rule, lower=0.5, upper=0.55, risk=RISK), 10, rates, runs=300)

    assert told.candidates[6] >= 1 - RISK
    assert sum(told.candidates) - told.candidates[6] <= RISK


@pytest.mark.parametrize("rule", ["confidence-sequence", "sprt-pairs"])
@pytest.mark.parametrize("correlation", [-0.5, 0.7])
def test_rules_of_pairs_keep_it_whatever_games_of_a_pair_have_in_common(rule, correlation):
    rules = settings(rule, lower=0.48, upper=0.52, risk=RISK)

    told = forecast(rules, 1, 0.48, correlation=correlation, runs=3000)

    assert told.accepted <= RISK


@pytest.mark.parametrize("rule", STOPPING_RULES)
def test_an_advantage_of_one_color_changes_nothing(rule):
    rules = settings(rule, lower=0.48, upper=0.52, risk=RISK)
    # 0.78 with one color, 0.18 with the other.
    law = [0.22 * 0.82, 0, 0.22 * 0.18, 0, 0, 0, 0.78 * 0.82, 0, 0.78 * 0.18]

    looks = simulate(rules, rules.candidate(1, on=np), law, 3000, np.random.default_rng(1))

    assert Pairs([round(10**9 * p) for p in law]).mean == pytest.approx(0.48)
    assert looks.accepted.mean() <= RISK


def test_what_pairs_have_in_common_breaks_an_sprt_of_games():
    # Else the test above would show nothing.
    rules = settings("sprt", lower=0.48, upper=0.52, risk=RISK)

    assert forecast(rules, 1, 0.48, correlation=0.7, runs=3000).accepted > 1.5 * RISK
    assert forecast(rules, 1, 0.48, correlation=-0.5, runs=3000).accepted < RISK


def test_pairs_that_are_alike_break_the_papers_promise_where_little_is_to_spare():
    rules = settings("paper-2", lower=0.45, upper=0.55, risk=0.001)

    assert forecast(rules, 1, 0.45, correlation=1, runs=RACES).accepted > 2 * 0.001
    assert forecast(rules, 1, 0.45, runs=RACES).accepted <= 0.001
