"""Published figures next to ours: budgets, core-hours, commands, and the page's summary of them."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from test_campaign import LEAST, job

from mcts_cluster import published
from mcts_cluster.__main__ import command_parser
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports import campaigns, matches, positions
from mcts_cluster.reports.comparison import budget, command, core_hours, hours
from mcts_cluster.reports.page.overview import compared, overview
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord

KEY = MatchKey("a", "b")
ONE_RUN = (RunRecord(0.0),)
PLAYERS = """
[player.one]
simulations = 1000
[player.twice]
simulations = 2000
[player.clock]
seconds = 0.5
[player.both]
simulations = 3000
seconds = 2
[player.team]
simulations = 100
machines = 32
[player.flat]
playouts = 500
[player.gnugo]
command = "true"
[[match]]
players = ["one", "twice"]
games = 2
"""


def described(text=PLAYERS):
    return compatibility.describe(jobfile.read_text(text))["player"]


def results(*rows, runs=ONE_RUN, figures=("table1.go9.1000",), players=None):
    keys = [MatchKey("a", "b") if n == 0 else MatchKey("a", f"b{n}") for n in range(len(figures))]
    records = tuple(MatchRecord(key, 100, name) for key, name in zip(keys, figures, strict=True))
    settings = json.dumps({"player": players or {}})
    return Results("a title", "go", "", "", settings, records, rows, runs)


def game(number, points=1.0, seconds=(0.0, 0.0), key=KEY):
    return GameRecord(key, number, points, "area", (number,), seconds=seconds)


# Budgets


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("twice", "one"), "2,000 against 1,000 simulations"),
        (("one", "one"), "1,000 simulations each"),
        (("team", "one"), "32 × 100 against 1,000 simulations"),
        (("team", "team"), "32 × 100 simulations each"),
        (("clock", "clock"), "0.5 s each"),
        (("clock", "one"), "0.5 s against 1,000 simulations"),
        (("both", "one"), "3,000 simulations or 2 s against 1,000 simulations"),
        (("flat", "gnugo"), "500 playouts against another program"),
        (("one", "a position"), "1,000 simulations"),
    ],
)
def test_a_budget_is_told_as_the_job_has_it(names, text):
    assert budget(described(), names) == text


# Core-hours


def test_core_hours_are_those_of_both_players_of_all_games():
    found = core_hours(results(game(0, 1.0, (900.0, 600.0)), game(1, None, (300.0, 0.0))))

    assert found == {KEY: pytest.approx(0.5)}


def test_core_hours_count_threads_and_ranks():
    players = {"a": {"threads": 2}, "b": {"machine": {"threads": 4}}}
    # A master, and two games at a time on three ranks each.
    runs = (RunRecord(0.0), RunRecord(0.0, first_game=1, ranks=7, slots=2))
    rows = game(0, seconds=(60.0, 30.0)), game(1, seconds=(60.0, 30.0))

    found = core_hours(results(*rows, runs=runs, players=players))

    assert found == {KEY: pytest.approx((60 * 2 + 30 * 4) * (1 + 3) / 3600)}


def test_versions_of_a_baseline_have_its_threads():
    key = MatchKey("a+1", "a")
    played = results(game(0, seconds=(60.0, 30.0), key=key), players={"a": {"threads": 2}})

    assert core_hours(played, "a") == {key: pytest.approx(2 * 90 / 3600)}


@pytest.mark.parametrize(
    ("core_hours", "text"),
    [
        (0.0003, "<0.01"),
        (0.0, "0"),
        (0.0333, "0.033"),
        (4.0, "4"),
        (9.94, "9.9"),
        (128.4, "130"),
        (289_855.0, "290,000"),
    ],
)
def test_core_hours_have_two_digits_that_count(core_hours, text):
    assert hours(core_hours) == text


# Commands


@pytest.mark.parametrize(
    ("arguments", "again"),
    [
        ("run jobs/a.toml -o results/b.h5 --processes 1", "run jobs/a.toml"),
        (
            "run --output=b.h5 jobs/a.toml --set match.games=20",
            "run jobs/a.toml --set match.games=20",
        ),
        ("run 'a job.toml' --ranks-per-game 8 --grace=3", "run 'a job.toml' --ranks-per-game 8"),
    ],
)
def test_a_command_plays_the_same_games_into_another_file(arguments, again):
    runs = RunRecord(0.0), RunRecord(1.0, arguments=f"mcts-cluster {arguments}")

    assert command(results(runs=runs)) == f"mcts-cluster {again}"
    command_parser("run").parse_args(shlex.split(again))


def test_a_file_that_nothing_has_played_has_no_command():
    assert command(results(runs=())) == ""


# What stands next to each other


def test_matches_with_games_stand_next_to_their_figures():
    figures = ("table1.go9.1000", "", "table2.fast.50")
    rows = [game(n, float(n % 2)) for n in range(50)] + [game(0, key=MatchKey("a", "b1"))]
    players = {"a": {"simulations": 200}, "b": {"simulations": 100}}

    [one] = matches.compared(results(*rows, figures=figures, players=players))

    assert (one.name, one.place) == ("table1.go9.1000", "Table 1, Go 9x9, N = 1,000")
    assert (one.published, one.ours) == ("71.1 ± 0.1 %", "50.0 ± 7.1 %")
    assert (one.match, one.games, one.verdict) == ("a against b", "50 of 100", "differs")
    assert one.budget == "200 against 100 simulations"


def test_positions_stand_next_to_their_figures_as_matches_do():
    assert positions.compared is matches.compared


def test_a_campaign_stands_next_to_the_papers_without_a_verdict():
    from mcts_cluster.storage import reader

    path = Path(__file__).parents[2] / "results" / "bgp-good-9x9-laptop.h5"

    [one] = campaigns.compared(reader.read(path))

    assert (one.place, one.verdict) == ("BGP, section 5.1", "")
    assert (one.published, one.ours) == ("2 mutations in 156 races", "3 mutations in 20 races")
    assert (one.games, one.budget) == ("12,900", "50 simulations")
    # It took 51 minutes of two cores that had other things to do.
    assert 1.5 < one.core_hours < 1.75
    assert one.cost == published.costs()["bgp.good_shapes_9x9"]


@pytest.mark.parametrize("name", ["", "good_shapes_9x9"])
def test_a_campaign_without_games_or_without_papers_is_not_compared(name):
    campaign = job(LEAST + (f'published = "{name}"\n' if name else ""))
    settings = compatibility.written(compatibility.describe(campaign))
    empty = Results(
        "", "go", "", "", settings, (), tables=campaigns.tables(campaign), kind="campaign"
    )

    assert campaigns.compared(empty) == []


# The summary


def summary(*found):
    files = [(Path(f"{n}.h5"), one) for n, one in enumerate(found)]
    return overview(files, compared(files))


def test_figures_stand_in_the_order_of_the_papers():
    rows = [game(0), game(0, key=MatchKey("a", "b1"))]
    late = results(*rows, figures=("table4.go9.1", "table1.go19.1000"))
    early = results(*rows, figures=("table1.go9.4000", "bgp.bad_shapes_9x9.mogo.1"))

    places = [row[0] for row in summary(late, early).rows]

    assert places == [
        "Table 1, Go 9x9, N = 4,000",
        "Table 1, Go 19x19, N = 1,000",
        "Table 4, Go 9x9, k = 1",
        "BGP, section 5.2, version 1 against MoGo",
    ]


def test_a_summary_says_how_many_rates_would_differ_by_chance():
    far, near = [game(n, 0.0) for n in range(60)], [game(n, float(n % 10 < 7)) for n in range(600)]
    figures = ("table1.go9.1000", "table1.go9.4000")
    few = [game(n, float(n % 10 < 7), key=MatchKey("a", "b1")) for n in range(10)]

    found = summary(results(*far, *few, figures=figures), results(*near))

    assert found.notes[0] == (
        "3 rates next to published ones: agrees 1, differs 1, too few games to tell 1. If all were "
        "equal in truth, about 0.15 would differ by chance, at 95 %."
    )


def test_a_summary_has_what_a_figure_costs_as_published():
    found = summary(
        results(game(0), figures=("table1.go9.4000",)),
        results(game(0), figures=("bgp.good_shapes_9x9.previous.1",)),
    )

    costs = [row[found.headings.index("core-hours as published")] for row in found.rows]
    assert float(costs[0]) == pytest.approx(
        published.costs()["table1.go9.4000"].core_hours, rel=0.05
    )
    assert costs[1] == ""


def test_files_of_no_table_are_named():
    found = summary(results(game(0), figures=("",)), results(game(0)), replace(results(), rows=()))

    assert found.notes[-1] == "No published figures: 0.h5, 2.h5."
    assert len(found.rows) == 1


def test_without_figures_there_is_no_table():
    assert summary(results(game(0), figures=("",))).rows == []
