"""What races spend together, by hand."""

from math import pi

import pytest

from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.risk_budget import RiskBudget


def test_every_race_spends_its_risk():
    budget = RiskBudget(RaceSettings(risk=0.05))

    assert budget.spent([]) == 0
    assert budget.spent([1, 1, 1]) == pytest.approx(0.15)
    assert budget.spent([10, 10, 1]) == pytest.approx(0.15)
    assert budget.of_race(7).risk == 0.05


def test_a_risk_is_no_more_than_1():
    assert RiskBudget(RaceSettings(risk=0.05)).spent([1] * 443) == 1


def test_a_total_is_never_exceeded():
    budget = RiskBudget(RaceSettings(risk=0.05), total=0.1)

    # 6/π² = 0.60793; with 1/4 and 1/9 more, 0.82743.
    assert budget.spent([1]) == pytest.approx(0.0607927, abs=1e-7)
    assert budget.spent([1] * 3) == pytest.approx(0.0827456, abs=1e-7)
    assert 0.0999 < budget.spent([1] * 10_000) < 0.1


def test_a_race_is_told_what_it_may_spend():
    budget = RiskBudget(RaceSettings(stopping_rule="sprt", risk=0.05), total=0.1)

    assert budget.of_race(2) == RaceSettings(stopping_rule="sprt", risk=budget.of_race(2).risk)
    assert budget.of_race(2).risk == pytest.approx(0.1 * 6 / (pi * 3) ** 2)


def test_whoever_watches_has_the_risk_that_is_its_own():
    budget = RiskBudget(RaceSettings(risk=0.05), total=0.1)

    assert budget.risk_of(2, "sprt") == pytest.approx(0.1 * 6 / (pi * 3) ** 2)
    # It divides among candidates what is for all of them.
    assert budget.risk_of(2, "paper-3") == 0.1
    assert RiskBudget(RaceSettings(risk=0.05)).risk_of(2, "paper-3") == 0.05


@pytest.mark.parametrize("rule", ["paper-2", "paper-3"])
@pytest.mark.parametrize("total", [0.0, 0.1])
def test_what_races_spend_adds_up(rule, total):
    budget = RiskBudget(RaceSettings(stopping_rule=rule, risk=0.01), total)
    sizes = [10, 3, 1, 1]

    alone = [budget.spent_in(sizes[: race + 1]) for race in range(4)]

    assert sum(alone) == pytest.approx(budget.spent(sizes))
    assert alone[1] < alone[0] or (rule, total) == ("paper-2", 0)


def test_variant_3_spends_by_candidates_and_never_more_than_its_risk():
    budget = RiskBudget(RaceSettings(stopping_rule="paper-3", risk=0.05))

    assert budget.spent([1]) == pytest.approx(0.05 * 0.6079271)
    assert budget.spent([1, 1, 1]) == budget.spent([3]) == pytest.approx(0.0413728, abs=1e-7)
    assert 0.049 < budget.spent([10] * 443) < 0.05
    assert RiskBudget(budget.settings, total=0.2).of_race(5).risk == 0.2
    assert RiskBudget(budget.settings, total=0.2).spent([1]) == pytest.approx(0.2 * 0.6079271)
