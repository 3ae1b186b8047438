"""The order of a race, by games whose results are chosen."""

from math import isnan, nextafter, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from mcts_cluster.bgp.race import Batch, Race, Verdict
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES, confidence
from mcts_cluster.bgp.stopping_rules.candidate import Candidate
from mcts_cluster.errors import UserError
from mcts_cluster.settings.declaration import declared


def settings(**values):
    return RaceSettings.from_dict({"lower": 0.45, "upper": 0.55, "first_batch": 10} | values)


def scores(games, won):
    return [1] * won + [0] * (games - won)


def run(race, rate, limit=200):
    """Let every candidate win this part of each batch; returns its looks and batches."""
    looks, batches = [], []
    while (batch := race.next_batch()) and len(batches) < limit:
        batches.append(batch)
        looks += race.add(batch, scores(batch.games, round(rate * batch.games)))
    return looks, batches


def test_games_double_until_the_bounds_decide():
    # Half the width, by variant 2's formula: 0.4575, 0.3733, 0.2825, 0.2086, 0.1521, 0.1102;
    # only the last is less than 0.6 - 0.45.
    looks, batches = run(Race(settings(), 1), 0.6)

    assert batches == [
        Batch(0, 0, 10),
        Batch(0, 10, 10),
        Batch(0, 20, 20),
        Batch(0, 40, 40),
        Batch(0, 80, 80),
        Batch(0, 160, 160),
    ]
    assert [look.games for look in looks] == [10, 20, 40, 80, 160, 320]
    assert [look.tests for look in looks] == [1, 2, 3, 4, 5, 6]
    assert [look.verdict for look in looks] == [""] * 5 + ["accepted"]


def test_a_race_ends_with_the_candidate_that_is_accepted():
    race = Race(settings(), 3)
    while batch := race.next_batch():
        race.add(batch, scores(batch.games, batch.games if batch.candidate == 1 else 0))

    assert race.verdict == Verdict((1,))
    assert race.next_batch() is None


def test_a_race_without_candidates_left_accepts_none():
    race = Race(settings(), 3)
    run(race, 0.3)

    assert race.verdict == Verdict(())
    assert race.next_batch() is None


def test_with_several_winners_a_race_goes_on_until_all_are_decided():
    rates = {0: 0.3, 1: 0.8, 2: 0.3, 3: 0.7}
    race = Race(settings(winners="several"), 4)
    decided = {}
    while batch := race.next_batch():
        # Nobody plays on after a verdict.
        assert batch.candidate not in decided
        won = round(rates[batch.candidate] * batch.games)
        [look] = race.add(batch, scores(batch.games, won))
        if look.verdict:
            decided[look.candidate] = look.verdict

    assert decided == {0: "discarded", 1: "accepted", 2: "discarded", 3: "accepted"}
    # In the order of their acceptance: the better one first.
    assert race.verdict == Verdict((1, 3))


def test_with_several_winners_each_candidate_still_has_its_share_of_the_risk():
    one, several = (Race(settings(winners=winners), 5) for winners in ("one", "several"))

    bounds = [race.add(race.next_batch(), scores(10, 5))[0] for race in (one, several)]

    assert bounds[0] == bounds[1]


def test_every_candidate_plays_its_first_batch_before_the_largest_upper_bound_counts():
    race = Race(settings(), 3)
    wins = {0: 3, 1: 6, 2: 5}
    order = []
    for _ in range(4):
        batch = race.next_batch()
        order.append(batch)
        race.add(batch, scores(batch.games, wins[batch.candidate]))

    assert order == [Batch(0, 0, 10), Batch(1, 0, 10), Batch(2, 0, 10), Batch(1, 10, 10)]
    # Candidate 1 has 20 games now, its bound 0.6 - 0.15 + 0.37 below 0.5 + 0.46 of candidate 2.
    assert race.next_batch() == Batch(2, 10, 10)


@pytest.mark.parametrize("values", [{"selection": "order"}, {"stopping_rule": "paper-3"}])
def test_in_order_a_candidate_plays_on_until_it_is_decided(values):
    race = Race(settings(**values), 3)
    _, batches = run(race, 0.3)

    candidates = [batch.candidate for batch in batches]
    assert candidates == sorted(candidates)
    assert set(candidates) == {0, 1, 2}


def test_earlier_candidates_count_in_variant_3_only():
    for rule, differs in (("paper-3", True), ("paper-2", False), ("paper-1", False)):
        first, tenth = (Race(settings(stopping_rule=rule), 1, earlier=n) for n in (0, 9))
        one, other = (race.add(race.next_batch(), scores(10, 5))[0] for race in (first, tenth))
        assert (one.upper < other.upper) is differs


def test_a_candidate_that_has_all_its_games_leaves_undecided():
    looks, batches = run(Race(settings(max_games=50), 1), 0.5)

    assert [batch.games for batch in batches] == [10, 10, 20, 10]
    assert looks[-1].verdict == "exhausted"


def test_the_bounds_must_be_beyond_the_thresholds():
    # Hoeffding at the first test of 100 games, variant 1: half the width is 0.14802...
    race = Race(
        RaceSettings(stopping_rule="paper-1", first_batch=100, lower=0.3519, upper=0.648), 1
    )
    assert race.add(race.next_batch(), scores(100, 50))[0].verdict == "accepted"
    race = Race(
        RaceSettings(stopping_rule="paper-1", first_batch=100, lower=0.352, upper=0.6481), 1
    )
    assert race.add(race.next_batch(), scores(100, 50))[0].verdict == "discarded"
    race = Race(RaceSettings(stopping_rule="paper-1", first_batch=100, lower=0.352, upper=0.648), 1)
    assert race.add(race.next_batch(), scores(100, 50))[0].verdict == ""


def test_a_bound_at_its_threshold_decides_nothing():
    seen = Race(RaceSettings(stopping_rule="paper-1", lower=0.001, upper=0.999), 1)
    look = seen.add(seen.next_batch(), scores(100, 50))[0]

    for values, verdict in [
        ({"lower": look.lower, "upper": look.upper}, ""),
        ({"lower": nextafter(look.lower, 0), "upper": look.upper}, "accepted"),
        ({"lower": look.lower, "upper": nextafter(look.upper, 1)}, "discarded"),
    ]:
        race = Race(RaceSettings(stopping_rule="paper-1", **values), 1)
        assert race.add(race.next_batch(), scores(100, 50))[0].verdict == verdict


@pytest.mark.parametrize(
    ("growth", "games"),
    [
        (1.5, [100, 200, 300, 450, 676, 1014]),  # even, and rounded up
        (1.1, [100, 200, 300, 400, 500, 600]),  # each at least as many as the first
        (3, [100, 300, 900, 2700, 8100, 24300]),
    ],
)
def test_games_grow_as_they_should(growth, games):
    rules = RaceSettings.from_dict({"batch_growth": growth})
    seen = [0]
    while len(seen) <= len(games):
        seen.append(rules.next_look(seen[-1], "paper-2"))

    assert seen[1:] == games


# Shadows


def test_shadows_may_have_risks_of_their_own():
    rules = settings(shadow_rules=["paper-1", "paper-3"])
    alike, other = (Race(rules, 1, risks=risks) for risks in ({}, {"paper-3": 1e-6}))

    bounds = []
    for race in (alike, other):
        looks, _ = run(race, 0.5)
        bounds.append({look.rule: look.upper - look.lower for look in looks if look.tests == 1})

    assert bounds[1]["paper-3"] > bounds[0]["paper-3"]
    assert [bounds[1][j] for j in ("paper-1", "paper-2")] == [
        bounds[0][j] for j in ("paper-1", "paper-2")
    ]


def test_shadows_see_the_same_games_and_decide_nothing():
    alone, watched = Race(settings(), 2), Race(settings(shadow_rules=["paper-1", "paper-3"]), 2)
    plain, _ = run(alone, 0.6)
    looks, _ = run(watched, 0.6)

    assert [look for look in looks if look.rule == "paper-2"] == plain
    assert watched.verdict == alone.verdict
    assert {look.rule for look in looks} == {"paper-1", "paper-2", "paper-3"}


def test_a_shadow_is_silent_after_its_verdict():
    looks, _ = run(
        Race(settings(stopping_rule="paper-3", shadow_rules=["paper-1"]), 8, earlier=10**6), 0.3
    )

    last = [look for look in looks if look.rule == "paper-1" and look.candidate == 0]
    assert len(last) < max(look.tests for look in looks if look.candidate == 0)
    assert [look.verdict for look in last[:-1]] == [""] * (len(last) - 1)
    assert last[-1].verdict == "discarded"
    decided = [look.games for look in looks if look.rule == "paper-3" and look.candidate == 0]
    assert decided[-1] > last[-1].games


def test_a_shadow_looks_when_it_would_have_looked():
    looks, _ = run(
        Race(settings(stopping_rule="paper-2", batch_growth=3, shadow_rules=["paper-1"]), 1), 0.5
    )

    assert [look.games for look in looks if look.rule == "paper-2"][:3] == [10, 30, 90]
    assert [look.games for look in looks if look.rule == "paper-1"][:4] == [10, 20, 40, 80]


# Estimates


def test_nothing_is_known_of_a_candidate_without_games():
    mean, lower, upper = Race(settings(), 1).estimate(0)

    assert isnan(mean)
    assert (lower, upper) == (0, 1)


def test_an_estimate_is_the_mean_within_its_confidence_sequence():
    race = Race(settings(stopping_rule="paper-1", first_batch=200), 5)
    race.add(race.next_batch(), [1, 1] * 30 + [1, 0] * 50 + [0, 0] * 20)

    candidate = Candidate(0.45, 0.55, 0.05, "hoeffding", candidates=5)
    assert race.estimate(0) == (0.55, *confidence.sequence(candidate)(race.pairs[0], 1))


def stopped_at(rule, rate, races):
    """Return what races of a true rate estimated, as (accepted, mean, lower, upper, usual)."""
    generator = default_rng(1)
    found = []
    for _ in range(races):
        race = Race(RaceSettings(stopping_rule=rule, lower=0.45, upper=0.55), 1)
        while batch := race.next_batch():
            race.add(batch, (generator.random(batch.games) < rate).astype(float))
        pairs = race.pairs[0]
        usual = 1.96 * sqrt(pairs.variance / pairs.games)
        found.append((race.verdict.accepted == (0,), *race.estimate(0), usual))
    return np.array(found).T


def test_an_estimate_after_stopping_covers_the_truth():
    for rule in STOPPING_RULES:
        _, _, lower, upper, _ = stopped_at(rule, 0.5, 100)

        # 5 % at most, in expectation.
        assert np.sum((lower > 0.5) | (upper < 0.5)) <= 5


@pytest.mark.proof
@pytest.mark.parametrize(("rule", "mean"), [("paper-2", 0.522), ("sprt", 0.538)])
def test_what_stops_high_is_too_high_and_its_interval_is_not(rule, mean):
    # The figures of docs/races.md.
    accepted, means, lower, upper, usual = stopped_at(rule, 0.5, 2000)

    assert means[accepted == 1].mean() == pytest.approx(mean, abs=0.002)
    assert np.mean((lower > 0.5) | (upper < 0.5)) <= 0.005
    assert np.mean(abs(means - 0.5) > usual) > 0.08


@given(st.sampled_from(sorted(STOPPING_RULES)), st.integers(1, 4), st.data())
def test_any_results_lead_through_even_batches_to_a_verdict(rule, candidates, data):
    race = Race(settings(stopping_rule=rule, max_games=200), candidates)
    seen = [0] * candidates
    while batch := race.next_batch():
        assert batch.first == seen[batch.candidate]
        assert batch.games > 0 and batch.games % 2 == 0
        won = data.draw(st.integers(0, batch.games))
        looks = race.add(batch, scores(batch.games, won))
        seen[batch.candidate] += batch.games
        assert [look.candidate for look in looks] == [batch.candidate]
        assert looks[0].games == seen[batch.candidate] <= 200

    accepted = race.verdict.accepted
    assert len(accepted) <= 1 and {*accepted} <= {*range(candidates)}


# Settings

KEYS = ", ".join(one.key for one in declared(RaceSettings))


@pytest.mark.parametrize(
    ("values", "mistake"),
    [
        ({"stoping_rule": "sprt"}, 'stoping_rule: unknown key; did you mean "stopping_rule"?'),
        (
            {"xyz": 1},
            f"xyz: unknown key; known are {KEYS}",
        ),
        (
            {"stopping_rule": "cournot"},
            f'stopping_rule: "cournot" is unknown; known are {", ".join(STOPPING_RULES)}',
        ),
        (
            {"shadow_rules": ["sprt", "paper-9"]},
            'shadow_rules.1: "paper-9" is unknown; did you mean "paper-3"?',
        ),
        ({"shadow_rules": "paper-1"}, 'shadow_rules: "paper-1" must be a list'),
        (
            {"shadow_rules": ["paper-1", "paper-2"]},
            'shadow_rules: "paper-2" is there already, each rule may watch once',
        ),
        (
            {"shadow_rules": ["sprt", "paper-1", "sprt"]},
            'shadow_rules: "sprt" is there already, each rule may watch once',
        ),
        ({"bound": "chernoff"}, 'bound: "chernoff" is unknown; known are hoeffding, bernstein'),
        ({"lower": 1}, "lower: 1 is too large, must be at most 0.999"),
        ({"risk": 0}, "risk: 0 is too small, must be at least 10^-9"),
        (
            {"stopping_rule": "sprt", "lower": 0.51, "upper": 0.51},
            "upper: 0.51 is too small, must be more than lower for sprt",
        ),
        (
            {"shadow_rules": ["sprt-pairs"], "lower": 0.51, "upper": 0.51},
            "upper: 0.51 is too small, must be more than lower for sprt-pairs",
        ),
        ({"lower": 0.52, "upper": 0.51}, "upper: 0.51 is too small, must be at least lower, 0.52"),
        ({"first_batch": 5}, "first_batch: 5 must be even"),
        ({"first_batch": 10.0}, "first_batch: 10.0 must be a whole number"),
        ({"first_batch": True}, "first_batch: true must be a whole number"),
        ({"max_games": 7}, "max_games: 7 must be even"),
        ({"batch_growth": 1.0}, "batch_growth: 1.0 is too small, must be at least 1.05"),
        ({"risk": "5 %"}, 'risk: "5 %" must be a number'),
    ],
)
def test_a_mistake_is_told_with_what_is_allowed(values, mistake):
    with pytest.raises(UserError) as refused:
        RaceSettings.from_dict(values)

    assert str(refused.value) == mistake


def test_all_mistakes_are_told():
    with pytest.raises(UserError) as refused:
        RaceSettings.from_dict({"risk": 2, "bound": 3, "xyz": 1})

    assert [line.partition(":")[0] for line in str(refused.value).splitlines()] == [
        "bound",
        "risk",
        "xyz",
    ]


def test_what_is_not_said_is_the_papers():
    assert RaceSettings.from_dict({}) == RaceSettings(
        stopping_rule="paper-2", bound="hoeffding", lower=0.501, upper=0.504, selection="upper"
    )
    assert RaceSettings.from_dict({"lower": 0.5, "upper": 0.5}).lower == 0.5
