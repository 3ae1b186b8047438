"""How long a campaign will take: rates, rules and workers."""

from dataclasses import replace

import pytest
from test_campaign import LEAST, PLAYER, job

from mcts_cluster.__main__ import main
from mcts_cluster.bgp.forecast import forecast
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES
from mcts_cluster.reports import campaign_forecast
from mcts_cluster.reports.formats import duration

WIDE = f"{LEAST}lower = 0.55\nupper = 0.65\nfirst_batch = 20\n"


def column(table, number):
    return [str(cell) for cell in table.columns[number].cells]


def test_rates_are_the_usual_ones_and_those_that_are_hard_to_decide():
    assert campaign_forecast.rates(RaceSettings()) == [
        *(0.49, 0.5, 0.501, 0.504, 0.508, 0.51, 0.52, 0.53, 0.54)
    ]


def test_rates_are_none_that_no_candidate_can_have():
    low, high = RaceSettings(lower=0.01, upper=0.02), RaceSettings(lower=0.97, upper=0.98)

    assert campaign_forecast.rates(low) == [0.01, 0.02, *campaign_forecast.RATES]
    assert campaign_forecast.rates(high) == [*campaign_forecast.RATES, 0.97, 0.98]


def test_a_race_takes_the_time_of_its_games():
    table = campaign_forecast.of_races(job(WIDE).experiment, 1, 36.0, 2, "paper-2")

    games = [float(cell.replace(",", "")) for cell in column(table, 1)]
    hours = [float(cell.replace(",", "")) for cell in column(table, 4)]
    assert column(table, 0)[:2] == ["49 %", "50 %"]
    assert hours == [pytest.approx(count / 100, rel=0.2) for count in games]
    assert column(table, 3)[0] == "0.0 %"
    assert column(table, 3)[-1] == "100.0 %"


def test_all_stopping_rules_are_forecast():
    campaign = job(WIDE).experiment
    table = campaign_forecast.of_races(campaign, 2, 360.0, 4, "sprt")

    assert campaign_forecast.rules(campaign.race) == sorted(
        STOPPING_RULES, key=lambda name: name != "paper-2"
    )
    told = forecast(
        replace(campaign.race, stopping_rule="sprt"), 2, 0.5, runs=campaign_forecast.RUNS
    )
    assert [column(table, number)[1] for number in range(8)] == [
        "50 %",
        f"{told.games:,.0f}",
        f"{told.games_95:,}",
        f"{100 * told.accepted:.1f} %",
        f"{told.games / 10:,.0f}",
        f"{told.games_95 / 10:,.0f}",
        duration(90 * told.games),
        duration(90 * told.games_95),
    ]


def test_races_with_several_winners_say_how_many_they_have():
    text = WIDE + "candidates = 3\n"
    one, several = (
        campaign_forecast.of_races(job(text + more).experiment, 3, 36.0, 2, "paper-2")
        for more in ("", "winners = 'several'")
    )

    assert [len(table.columns) for table in (one, several)] == [8, 9]
    assert several.columns[8].header == "winners"
    # At the first and the last rate, 49 % and 80 %.
    assert [column(several, 8)[k] for k in (0, -1)] == ["0.00", "3.00"]
    games = [float(column(table, 1)[-1].replace(",", "")) for table in (one, several)]
    assert games[1] > games[0]


def test_each_stopping_rule_has_the_risk_that_the_campaign_would_give_it():
    text = WIDE.replace("iterations = 3", "iterations = 1")
    shared, alone = (job(text + more).experiment for more in ("total_risk = 0.05", ""))

    def games(campaign, rule):
        return column(campaign_forecast.of_races(campaign, 1, 1.0, 1, rule), 1)[1]

    assert games(shared, "paper-1") != games(alone, "paper-1")
    # It divides the same total itself.
    assert games(shared, "paper-3") == games(alone, "paper-3")


def test_thresholds_may_be_equal():
    campaign = job(WIDE.replace("0.65", "0.55")).experiment

    races = campaign_forecast.of_races(campaign, 1, 1.0, 1, "paper-2")

    # At the threshold itself the two bounds never agree.
    assert column(races, 1)[column(races, 0).index("55 %")] == campaign_forecast.NO_END
    assert campaign_forecast.NO_END not in column(races, 1)[:2]
    said = campaign_forecast.rules(campaign.race)
    assert said == ["paper-2", "paper-1", "paper-3", "confidence-sequence"]


def games_in(line):
    return float(line.split(" games")[0].split(": ")[1].replace(",", ""))


def test_races_that_share_a_total_risk_take_more_games_the_later_they_are():
    def games(more, iterations):
        text = WIDE.replace("iterations = 3", f"iterations = {iterations}") + more
        return games_in(next(iter(campaign_forecast.summary(job(text).experiment, 1.0, 1))))

    total = "total_risk = 0.05"
    assert games(total, 1) > games("", 1)
    assert games(total, 64) / 64 > 1.5 * games(total, 1)
    assert games("", 64) == pytest.approx(64 * games("", 1), rel=0.01)


def test_candidates_that_share_a_risk_take_more_games_the_later_they_are():
    def games(iterations):
        text = WIDE.replace("iterations = 3", f"iterations = {iterations}")
        campaign = job(f"{text}candidates = [2, 1]\nstopping_rule = 'paper-3'").experiment
        return games_in(next(iter(campaign_forecast.summary(campaign, 1.0, 1))))

    # Race k has candidate k + 1; those of the second to the fourth race have what the fourth has.
    race = job(f"{WIDE}stopping_rule = 'paper-3'").experiment.race
    first = forecast(race, 2, 0.5, runs=campaign_forecast.RUNS)
    fourth = forecast(race, 1, 0.5, runs=campaign_forecast.RUNS, earlier=4)
    second = forecast(race, 1, 0.5, runs=campaign_forecast.RUNS, earlier=2)
    assert games(1) == pytest.approx(first.games, abs=1)
    assert games(4) == pytest.approx(first.games + second.games + 2 * fourth.games, abs=2)
    assert fourth.games > second.games


def test_the_whole_campaign_has_the_games_of_all_races():
    campaign = job(f"{WIDE}candidates = [3, 1]").experiment

    first, second = campaign_forecast.summary(campaign, seconds=3600.0, workers=4)

    sizes = [float(cell.replace(",", "")) for size in (3, 1) for cell in half(campaign, size)]
    assert games_in(first) == pytest.approx(sizes[0] + 2 * sizes[1], abs=2)
    assert first.startswith("3 races of candidates at 50 %: ")
    assert second == "risk of error in all of them: at most 0.15"


def half(campaign, size):
    return column(campaign_forecast.of_races(campaign, size, 1.0, 1, "paper-2"), 1)[1:2]


def test_a_campaign_is_checked(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    path = tmp_path / "job.toml"
    path.write_text(f'title = "a campaign"\n{PLAYER}[campaign]\n{WIDE}candidates = [2, 1]')

    assert main(["check", str(path), "--workers", "64"]) == 0

    out = capsys.readouterr().out
    assert out.startswith("a campaign\na game: about ")
    lines = [line.rstrip() for line in out.splitlines()]
    for rule in STOPPING_RULES:
        assert f"a race of 1 candidate, stopping rule {rule}" in lines
        assert f"a race of 2 candidates, stopping rule {rule}" in lines
    # Nothing is cut off.
    assert "…" not in out
    assert " on 64 workers\n" in out


def test_no_worker_is_too_few(tmp_path, capsys):
    assert main(["check", str(tmp_path / "none.toml"), "--workers", "0"]) == 2
    assert capsys.readouterr().err == "mcts-cluster: --workers 0: too small, must be at least 1\n"
