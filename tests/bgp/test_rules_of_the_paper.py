"""The bounds of the papers against their formulae, worked out with 40 decimal digits elsewhere."""

from math import exp

import pytest
from tallies import tally_of

from mcts_cluster.bgp.stopping_rules.candidate import Candidate
from mcts_cluster.bgp.stopping_rules.paper import (
    bernstein,
    hoeffding,
    variant_1,
    variant_2,
    variant_3,
)


def games(lost, drawn, won):
    return tally_of([0] * lost + [0.5] * drawn + [1] * won)


def candidate(bound="hoeffding", candidates=1, index=1):
    return Candidate(0.501, 0.504, 0.05, bound, candidates, index)


def test_hoeffding_is_equation_1():
    assert hoeffding(0.05, games(50, 0, 50)) == pytest.approx(0.13581015157406194985, rel=1e-15)
    assert hoeffding(0.01, games(900, 0, 100)) == pytest.approx(0.051469978465839854455, rel=1e-15)


def test_bernstein_is_equation_2():
    # Variances 1/4 and 9/100.
    assert bernstein(0.05, games(50, 0, 50)) == pytest.approx(0.26590976519621186147, rel=1e-15)
    assert bernstein(0.01, games(900, 0, 100)) == pytest.approx(0.049153208253797388119, rel=1e-15)


# Test number, games, candidates; half the width by variants 1 and 2.
WIDTHS = [
    (1, 100, 1, 0.14802071873007983764, 0.14468206102667228444),
    (1, 100, 10, 0.18281974356819242753, 0.18012724460195808111),
    (2, 200, 1, 0.11264073214465789908, 0.11803467835454727359),
    (2, 200, 10, 0.13581015157406194985, 0.14031624291843953776),
    (5, 1600, 1, 0.047284429773822160798, 0.048106183274128345152),
    (5, 1600, 10, 0.054363362116375389950, 0.055079603400575289782),
]


@pytest.mark.parametrize(("tests", "n", "candidates", "first", "second"), WIDTHS)
def test_variants_1_and_2_of_compute_bounds(tests, n, candidates, first, second):
    pairs = games(n // 4, 0, n - n // 4)

    for variant, half in ((variant_1, first), (variant_2, second)):
        lower, upper = variant(candidate(candidates=candidates))(pairs, tests)
        assert lower == pytest.approx(0.75 - half, rel=1e-14)
        assert upper == pytest.approx(0.75 + half, rel=1e-14)


@pytest.mark.parametrize(
    ("tests", "n", "half"),
    [
        (1, 100, 0.18549264994052522270),
        (2, 200, 0.14376890308331229145),
        (5, 1600, 0.056181570769636747742),
    ],
)
def test_variant_3_of_compute_bounds_for_the_third_candidate(tests, n, half):
    for candidates in (1, 10):
        lower, upper = variant_3(candidate(candidates=candidates, index=3))(
            games(n // 2, 0, n // 2), tests
        )
        assert (lower, upper) == pytest.approx((0.5 - half, 0.5 + half), rel=1e-14)


def test_bernstein_takes_the_place_of_hoeffding():
    # Mean 0.65, variance 0.2025.
    lower, upper = variant_2(candidate("bernstein", candidates=10))(games(60, 20, 120), 2)

    assert (lower, upper) == pytest.approx((0.65 - 0.25370854322713952, 0.65 + 0.25370854322713952))


@pytest.mark.parametrize("variant", [variant_1, variant_2])
def test_the_risks_of_all_tests_add_up_to_no_more_than_the_whole(variant):
    # Backwards from the widths: δ = 2 exp(-2 n half²).
    bounds = variant(candidate(candidates=10))
    pairs = games(50, 0, 50)
    halves = [bounds(pairs, tests)[1] - 0.5 for tests in range(1, 300)]
    spent = 10 * sum(2 * exp(-2 * 100 * half**2) for half in halves)

    assert 0.049 < spent < 0.05 + 1e-9


def test_the_risks_of_all_candidates_add_up_to_no_more_than_the_whole_in_variant_3():
    pairs = games(50, 0, 50)
    spent = sum(
        2 * exp(-2 * 100 * (variant_3(candidate(index=i))(pairs, tests)[1] - 0.5) ** 2)
        for i in range(1, 200)
        for tests in range(1, 200)
    )

    assert 0.049 < spent < 0.05
