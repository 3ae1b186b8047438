"""Every rule keeps one contract; betting and SPRT agree with 40 decimal digits, done elsewhere."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tallies import tally_of

from mcts_cluster.bgp.forecast import ManyPairs
from mcts_cluster.bgp.pairs import MEANS, Pairs
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES, betting, confidence, floats, sprt
from mcts_cluster.bgp.stopping_rules.candidate import Candidate

COUNTS = st.lists(st.integers(0, 200), min_size=9, max_size=9).filter(any)
THRESHOLDS = [(0.501, 0.504), (0.45, 0.55), (0.2, 0.3)]


def candidate(lower=0.501, upper=0.504, risk=0.05, **values):
    return Candidate(lower, upper, risk, values.pop("bound", "hoeffding"), **values)


def games(lost, drawn, won):
    return tally_of([0] * lost + [0.5] * drawn + [1] * won)


def pairs_of_means(*counts):
    """Pairs of which so many have the mean 0, 1/4, 1/2, 3/4, 1."""
    a, b, c, d, e = counts
    return Pairs([a, b, c, 0, 0, d, 0, 0, e])


# The contract

every_judge = pytest.mark.parametrize(
    ("rule", "bound"),
    [(rule, "hoeffding") for rule in STOPPING_RULES]
    + [(rule, "bernstein") for rule in STOPPING_RULES if rule.startswith("paper")],
)


@every_judge
@given(counts=COUNTS, tests=st.integers(1, 30), thresholds=st.sampled_from(THRESHOLDS))
def test_the_mean_is_between_the_bounds(rule, bound, counts, tests, thresholds):
    pairs = Pairs(counts)
    lower, upper = STOPPING_RULES[rule].bounds(candidate(*thresholds, bound=bound))(pairs, tests)

    assert lower <= pairs.mean <= upper
    assert lower < upper


@every_judge
@given(counts=COUNTS, tests=st.integers(1, 30), thresholds=st.sampled_from(THRESHOLDS))
def test_wins_and_losses_exchanged_mirror_the_bounds(rule, bound, counts, tests, thresholds):
    low, high = thresholds
    one = STOPPING_RULES[rule].bounds(candidate(low, high, bound=bound))(Pairs(counts), tests)
    other = STOPPING_RULES[rule].bounds(candidate(1 - high, 1 - low, bound=bound))(
        Pairs(counts[::-1]), tests
    )

    assert one == pytest.approx((1 - other[1], 1 - other[0]), abs=1e-9)


@every_judge
@given(counts=COUNTS)
def test_what_has_less_risk_has_wider_bounds(rule, bound, counts):
    bounds = [
        STOPPING_RULES[rule].bounds(candidate(risk=risk, bound=bound))(Pairs(counts), 3)
        for risk in (0.2, 0.05, 0.001)
    ]

    for narrow, wide in pairwise(bounds):
        # Bounds are exact to 10^-12.
        assert wide[0] <= narrow[0] + 1e-11
        assert wide[1] >= narrow[1] - 1e-11


@every_judge
def test_more_candidates_share_the_risk(rule, bound):
    pairs = games(400, 0, 600)
    one, ten, tenth = (
        STOPPING_RULES[rule].bounds(candidate(candidates=n, index=i, bound=bound))(pairs, 3)
        for n, i in ((1, 1), (10, 1), (10, 10))
    )

    # Variant 3 gives each a part by its number, the others all the same.
    assert (ten[1] > one[1]) is (rule != "paper-3")
    assert (tenth[1] > ten[1]) is (rule == "paper-3")


@every_judge
@pytest.mark.parametrize("rate", [0.3, 0.495, 0.51, 0.8])
def test_bounds_close_in_on_the_truth(rule, bound, rate):
    bounds = STOPPING_RULES[rule].bounds(candidate(bound=bound))
    widths = []
    for exponent in range(2, 9):
        n, tests = 10**exponent, 4 * exponent
        won = round(rate * n)
        # Pairs of games as if independent: of four, so many.
        both, none = round(rate * won / 2), round((1 - rate) * (n - won) / 2)
        lower, upper = bounds(Pairs([none, 0, n // 2 - both - none, *[0] * 5, both]), tests)
        widths.append(upper - lower)

    assert widths == sorted(widths, reverse=True)
    # An SPRT's bounds come no closer than its thresholds are.
    assert widths[-1] < (0.0031 if rule.startswith("sprt") else 0.001)


@every_judge
@pytest.mark.parametrize("scores", [[0, 0], [1, 1], [1, 0], [0.5, 0.5]])
def test_one_pair_decides_nothing(rule, bound, scores):
    lower, upper = STOPPING_RULES[rule].bounds(candidate(bound=bound))(tally_of(scores), 1)

    assert lower <= 0.501
    assert upper >= 0.504


@every_judge
@given(st.lists(COUNTS, min_size=1, max_size=4))
def test_many_races_at_once_have_the_bounds_of_each(rule, bound, several):
    # All of as many pairs.
    most = max(sum(counts) for counts in several)
    several = [[counts[0] + most - sum(counts), *counts[1:]] for counts in several]
    many = ManyPairs([np.array(count) for count in zip(*several, strict=True)])
    lower, upper = STOPPING_RULES[rule].bounds(candidate(bound=bound, on=np))(many, 3)

    for k, counts in enumerate(several):
        one = STOPPING_RULES[rule].bounds(candidate(bound=bound))(Pairs(counts), 3)
        assert (lower[k], upper[k]) == pytest.approx(one, abs=1e-10)


# Betting, the confidence sequence


@pytest.mark.parametrize(
    ("means", "risk", "lower", "upper"),
    [
        ((5, 10, 20, 30, 15), 0.05, 0.51626422548991984992, 0.72632486703434452006),
        ((0, 0, 0, 0, 10), 0.05, 0.30135353536575271447, 1),
        ((2500, 0, 5100, 0, 2400), 0.005, 0.48053908383961889140, 0.50946677521843504831),
        ((25, 0, 51, 0, 24), 0.05, 0.38342880850690590430, 0.60695524275463359406),
    ],
)
def test_the_confidence_sequence_is_where_the_capital_is_enough(means, risk, lower, upper):
    bounds = confidence.sequence(candidate(risk=risk))(pairs_of_means(*means), 1)

    assert bounds == pytest.approx((lower, upper), abs=1e-11)


def test_pairs_that_balance_each_other_have_closer_bounds():
    def width(*means):
        lower, upper = confidence.sequence(candidate())(pairs_of_means(*means), 1)
        return upper - lower

    balanced, independent, alike = (
        width(100, 0, 800, 0, 100),
        width(250, 0, 500, 0, 250),
        width(500, 0, 0, 0, 500),
    )

    assert balanced < 0.7 * independent < 0.7 * 0.8 * alike


def test_the_confidence_sequence_holds_at_all_times_together():
    # 2,000 times 5,000 pairs, looked at after each tenth more: any miss counts. The usual interval
    # of 1.96 standard errors is too narrow for that, else this would show nothing.
    runs, rate = 2000, 0.5
    generator = np.random.default_rng(1)
    bounds = confidence.sequence(candidate(on=np))
    counts = np.zeros((9, runs), np.int64)
    missed, missed_by_usual = np.zeros(runs, bool), np.zeros(runs, bool)
    pairs = 0
    while pairs < 5000:
        more = max(10, pairs // 10)
        pairs += more
        counts += generator.multinomial(more, [0.25, 0, 0.25, 0, 0, 0, 0.25, 0, 0.25], runs).T
        tally = ManyPairs(counts)
        lower, upper = bounds(tally, 1)
        missed |= (rate < lower) | (rate > upper)
        missed_by_usual |= abs(tally.mean - rate) > 1.96 * np.sqrt(tally.pair_variance / pairs)

    assert 0 < missed.mean() <= 0.05
    assert missed_by_usual.mean() > 0.2


@pytest.mark.parametrize(
    ("pairs", "stakes"), [(1, 1), (15, 1), (16, 2), (63, 2), (64, 3), (256, 4), (10**6, 9)]
)
def test_smaller_stakes_come_with_more_pairs(pairs, stakes):
    # The smallest is 2/√pairs, or less than twice that: 1/2 with 16, 1/256 > 2/1000 with 10^6.
    bets = confidence.stakes(pairs)

    assert [stake for stake, _ in bets] == [0.5**j for j in range(stakes)]


def test_the_weights_of_all_stakes_add_up_to_1():
    weights = [weight for _, weight in confidence.stakes(4**5000)]

    assert len(weights) == 5000
    assert 0.999 < sum(weights) < 1


def test_capital_is_the_product_of_what_bets_made():
    # Stake 1/2 against 0.4: a win makes 1.3, a loss 0.8, a draw 1.05; stake 1: 1.6, 0.6, 1.1.
    results = [(0.0, 2), (0.5, 1), (1.0, 3)]
    capital, _ = betting.log_capital([(0.5, 0.25), (1.0, 0.75)], results, 0.4)

    assert math.exp(capital) == pytest.approx(
        0.25 * 1.3**3 * 0.8**2 * 1.05 + 0.75 * 1.6**3 * 0.6**2 * 1.1
    )


def test_the_derivative_of_the_capital_is_that_of_its_logarithm():
    bets, results = confidence.stakes(10**4), [(0.0, 2000), (0.5, 5000), (1.0, 3000)]
    below, above = (betting.log_capital(bets, results, 0.53 + d)[0] for d in (-1e-6, 1e-6))
    _, slope = betting.log_capital(bets, results, 0.53)

    assert slope == pytest.approx((above - below) / 2e-6, rel=1e-6)


@given(
    st.tuples(*[st.integers(0, 10**6)] * 5).filter(any),
    st.lists(st.floats(0.001, 100), min_size=1, max_size=8),
    st.floats(0.7, 20),
)
def test_a_bound_is_where_the_capital_is_just_enough(counts, stakes, need):
    results = list(zip(MEANS, counts, strict=True))
    bets = [(stake, 1 / len(stakes)) for stake in stakes]

    bound = betting.lower_bound(bets, need, results)

    if bound > 1e-9:
        assert betting.log_capital(bets, results, bound - 1e-9)[0] >= need
    # There, or where the largest stake may lose all.
    if bound + 1e-9 < 1 / max(stakes):
        assert betting.log_capital(bets, results, bound + 1e-9)[0] < need


@pytest.mark.parametrize("rule", ["sprt", "confidence-sequence"])
def test_what_says_nothing_refutes_nothing(rule):
    bounds = STOPPING_RULES[rule].bounds(candidate())

    assert bounds(tally_of([1, 1]), 1) == (0, 1)
    assert bounds(tally_of([0, 0]), 1) == (0, 1)


# SPRT


@pytest.mark.parametrize(
    ("results", "thresholds", "risk", "lower", "upper"),
    [
        ((80, 0, 120), (0.45, 0.55), 0.05, 0.51271830917453770094, 0.68234372574432984839),
        ((90, 20, 190), (0.5, 0.52), 0.01, 0.46507089104455414562, 0.86769371690419786922),
        ((4000, 1000, 5000), (0.501, 0.504), 0.05, 0.52369631909856072690, 0.57630024800023253994),
    ],
)
def test_the_sprt_of_games_is_where_the_ratio_is_enough(results, thresholds, risk, lower, upper):
    bounds = sprt.games(candidate(*thresholds, risk=risk))(games(*results), 1)

    assert bounds == pytest.approx((lower, upper), abs=1e-11)


@pytest.mark.parametrize(
    ("lost", "won", "verdict"),
    [(101, 115, ""), (100, 116, "accepted"), (115, 101, ""), (116, 100, "discarded")],
)
def test_the_sprt_of_games_is_walds(lost, won, verdict):
    # Between 0.45 and 0.55 each win more makes the ratio 0.55/0.45 times as large, whose logarithm
    # is 0.20067; log 20 = 2.9957 takes 15 of them.
    lower, upper = sprt.games(candidate(0.45, 0.55))(games(lost, 0, won), 1)

    assert (lower > 0.45, upper < 0.55) == (verdict == "accepted", verdict == "discarded")


def test_the_sprt_of_pairs_is_its_formula():
    # 100 pairs of mean 0.55; with one more lost and won, the variance is 0.12504805839.
    bounds = sprt.pairs(candidate(0.5, 0.54))(pairs_of_means(20, 0, 50, 0, 30), 1)

    assert bounds == pytest.approx((0.43634737389720919160, 0.66365262610279080840), rel=1e-14)


# Floats


@pytest.mark.parametrize(
    ("x", "value"),
    [
        (-700, 9.8596765437597708567e-305),
        (-30.25, 7.2877240958196924193e-14),
        (-0.3465, 0.70715881928721327139),
        (0, 1),
        (0.1, 1.1051709180756478117),
        (1, 2.7182818284590452354),
    ],
)
def test_the_exponential_is_right_to_the_last_digits(x, value):
    assert floats.exp(x) == pytest.approx(value, rel=1e-15)


def test_what_is_nearly_nothing_is_nothing():
    assert floats.exp(-2000) == 0


@given(st.floats(-50, 50))
def test_the_exponential_agrees_with_the_librarys(x):
    assert floats.exp(x) == pytest.approx(math.exp(x), rel=4e-15)


def test_names_are_as_numpy_has_them():
    used = ["log", "exp", "sqrt", "maximum", "where", "all"]

    assert [name for name in used if not (hasattr(floats, name) and hasattr(np, name))] == []
