"""The verb `bench campaigns`: races and games until a good mutation is accepted."""

import json
from math import sqrt

import numpy as np
import pytest

import mcts_cluster.__main__ as command
from mcts_cluster.benchmarks.campaign_costs import Question, measure
from mcts_cluster.bgp.forecast import forecast
from mcts_cluster.bgp.race import Race
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES

WIDE = RaceSettings.from_dict({"lower": 0.4, "upper": 0.6, "first_batch": 40})
FEW = Question(shares=(0.2,), good=(0.65,), others=(0.35, 0.4), candidates=(1, 4))


def costs(settings=WIDE, question=FEW, mutations=2000):
    return {(one.rule, one.candidates): one for one in measure(settings, question, mutations)}


def played(settings, size, campaigns, seed):
    """Play campaigns race by race, until a good mutation is accepted; return races and games."""
    generator = np.random.default_rng(seed)
    found = []
    for _ in range(campaigns):
        races = games = 0
        hit = False
        while not hit:
            races += 1
            is_good = generator.random(size) < FEW.shares[0]
            rates = np.where(is_good, FEW.good[0], generator.choice(FEW.others, size))
            race = Race(settings, size)
            while batch := race.next_batch():
                won = generator.random(batch.games) < rates[batch.candidate]
                race.add(batch, won.astype(float))
            games += sum(pairs.games for pairs in race.pairs)
            hit = any(is_good[k] for k in race.verdict.accepted)
        found.append((races, games))
    return np.array(found)


@pytest.mark.parametrize("winners", ["one", "several"])
@pytest.mark.parametrize("size", [1, 4])
def test_the_cost_is_that_of_campaigns_that_are_played(size, winners):
    settings = RaceSettings.from_dict(
        {"lower": 0.4, "upper": 0.6, "first_batch": 40, "winners": winners}
    )
    told = costs(settings)["paper-2", size]

    real = played(settings, size, 300, seed=1)

    means, errors = real.mean(axis=0), real.std(axis=0) / sqrt(len(real))
    assert abs(told.races - means[0]) < 4 * sqrt(errors[0] ** 2 + told.races_error**2)
    assert abs(told.games - means[1]) < 4 * sqrt(errors[1] ** 2 + told.games_error**2)
    assert told.games_error < 0.1 * told.games


def test_a_race_of_one_costs_what_its_forecast_says():
    told = costs(mutations=8000)["paper-1", 1]

    race = RaceSettings(stopping_rule="paper-1", lower=0.4, upper=0.6, first_batch=40)
    good, *others = (forecast(race, 1, rate, runs=4000).games for rate in (0.65, 0.35, 0.4))
    # Four others before each good one, which hardly a race discards.
    assert told.races == pytest.approx(5, rel=0.02)
    assert told.games == pytest.approx(good + 4 * sum(others) / 2, rel=0.03)


def test_where_all_are_good_the_first_race_finds_one():
    found = costs(question=Question(shares=(1,), good=(0.9,), others=(0.3,), candidates=(1, 3)))

    assert {(one.races, one.wrong) for one in found.values()} == {(1.0, 0.0)}


def test_a_risk_that_candidates_share_makes_later_races_dearer():
    rare = Question(shares=(0.02,), good=(0.65,), others=(0.4,), candidates=(1,))
    total = Question(**vars(rare) | {"total_risk": WIDE.risk})

    own, shared = costs(question=rare, mutations=400), costs(question=total, mutations=400)

    for rule in ("paper-2", "sprt", "confidence-sequence"):
        assert shared[rule, 1].games > 1.2 * own[rule, 1].games
        assert shared[rule, 1].races == pytest.approx(own[rule, 1].races, rel=0.05)
    # It shares its risk in either case.
    assert shared["paper-3", 1].games == own["paper-3", 1].games > own["paper-2", 1].games


def test_several_winners_cost_more_games_until_the_first():
    one = costs()["sprt", 4]
    several = costs(RaceSettings(**vars(WIDE) | {"winners": "several"}))["sprt", 4]

    assert several.games > one.games + 3 * (one.games_error + several.games_error)


def test_what_is_accepted_by_mistake_is_counted():
    hopeless = Question(shares=(0.01,), good=(0.65,), others=(0.4,), candidates=(1,))

    found = costs(question=hopeless, mutations=8000)["sprt", 1]

    # At the lower threshold itself it errs in somewhat less than 5 % of a hundred races.
    assert 1 < found.wrong <= 99 * WIDE.risk
    assert 0 < found.wrong_error < found.wrong


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "150")
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def start(*words):
        status = command.main(["bench", "campaigns", *words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return start


SMALL = ("0.45", "0.55", "--mutations", "20", "--good", "0.6")


def test_a_table_has_a_line_a_rule_and_a_column_a_population(run):
    status, out, err = run(*SMALL, "--other", "0.4", "--share", "0.1", "--candidates", "2")

    assert (status, err) == (0, "")
    assert "the others at 40 %" in " ".join(out.split())
    assert "10 % at 60 %" in out
    rows = [line.split("│") for line in out.splitlines() if line.startswith("│ ")]
    assert [row[1].strip() for row in rows if row[2].strip()] == [*STOPPING_RULES]
    assert {row[2].strip() for row in rows} == {"2", ""}


def test_figures_are_also_json(run):
    rows = json.loads(run(*SMALL, "--other", "0.4", "--json")[1])

    assert {row["rule"] for row in rows} == {*STOPPING_RULES}
    assert {(row["candidates"], row["share"]) for row in rows} == {
        *((1, 0.01), (1, 0.05), (10, 0.01), (10, 0.05))
    }
    assert all(row["games"] > 0 and row["races"] >= 1 for row in rows)


@pytest.mark.parametrize(
    ("words", "mistake"),
    [
        (("--good", "0.5"), "--good: 0.5 must be from 0.55 to 1"),
        (("--other", "0.5"), "--other: 0.5 must be from 0 to 0.45"),
        (("--share", "0"), "--share: 0 must be from 0.0001 to 1"),
        (("--candidates", "0"), "--candidates: 0 must be from 1 to 1000"),
        (("--total-risk", "2"), "--total-risk: 2 must be from 1e-09 to 0.5"),
        (("--mutations", "2"), "--mutations: 2 is too small, must be at least 10"),
        (("--risk", "0"), "risk: 0.0 is too small, must be at least 10^-9"),
    ],
)
def test_what_cannot_be_simulated_is_refused(run, words, mistake):
    status, out, err = run("0.45", "0.55", "--good", "0.6", "--other", "0.4", *words)

    assert (status, out, err) == (2, "", f"mcts-cluster: {mistake}\n")
