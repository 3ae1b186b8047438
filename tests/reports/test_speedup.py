"""What rates are worth in simulations: curves whose answers can be worked out by hand."""

import json
from math import exp

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports import kinds
from mcts_cluster.reports.match_table import lines
from mcts_cluster.reports.speedup import (
    Doublings,
    Opponent,
    doublings,
    evenly,
    simulations_a_move,
    strength,
    worths,
)
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord
from mcts_cluster.storage.writer import Writer

# Every doubling wins three games of four: four times the simulations win nine of ten, as
# 3 * 3 / (3 * 3 + 1).
STEADY = Doublings({1000: 0.75})


@pytest.mark.parametrize(
    ("rate", "times"),
    [(0.5, 1), (0.75, 2), (0.9, 4), (27 / 28, 8), (0.25, 0.5), (0.1, 0.25)],
)
@pytest.mark.parametrize("simulations", [10, 1000, 10**6])
def test_a_steady_gain_gives_powers_of_two(rate, times, simulations):
    assert STEADY.times(simulations, rate) == pytest.approx(times)


def test_between_two_that_were_measured_the_gain_goes_along_a_line():
    gains = {1024: 1.0, 4096: 0.2}
    curve = Doublings({n: 1 / (1 + exp(-gain)) for n, gain in gains.items()})

    # The middles of the doublings are at 2 ** 10.5 and 2 ** 12.5. Between them the gain is 0.6 on
    # the average, of two doublings together 1.2.
    assert [curve.gain(place) for place in (9, 10.5, 11.5, 12.5, 14)] == pytest.approx(
        [1.0, 1.0, 0.6, 0.2, 0.2]
    )
    assert curve.times(2**10.5, 1 / (1 + exp(-1.2))) == pytest.approx(4)
    assert curve.times(2**12.5, 1 / (1 + exp(1.2))) == pytest.approx(1 / 4)
    assert curve.times(2**12.5, 1 / (1 + exp(-0.4))) == pytest.approx(4)


def test_where_doublings_gain_nothing_no_number_is_enough():
    curve = Doublings({100: 0.75, 200: 0.5})

    assert curve.times(400, 0.75) is None
    assert curve.times(400, 0.5) == 1


def test_a_rate_and_its_complement_cancel_each_other():
    assert strength(0.8) == pytest.approx(-strength(0.2))


def results(*matches, points=(1.0, 1.0, 0.0, None)):
    players = {str(n): {"simulations": n} for n in (100, 150, 200)} | {"flat": {"playouts": 9}}
    rows = [
        GameRecord(match.key, n, p, "area", tuple(range(22)), simulations=(2000, 1000))
        for match in matches
        for n, p in enumerate(points)
    ]
    settings = json.dumps({"player": players})
    return Results("", "go", "", "", settings, matches, tuple(rows))


def test_a_curve_is_made_of_matches_of_twice_the_simulations():
    one, other = MatchRecord(MatchKey("200", "100"), 3), MatchRecord(MatchKey("200", "150"), 3)

    curve = doublings(results(one, other, MatchRecord(MatchKey("flat", "100"), 3)))

    # Two of three, with one more win and one more loss.
    assert curve.gain(7) == pytest.approx(strength(3 / 5))
    assert len(curve.places) == 1
    assert doublings(results(other)) is None
    assert doublings(results(one, points=[None])) is None


def test_what_a_move_took_leaves_the_opening_out():
    found = results(
        MatchRecord(MatchKey("200", "100"), 3), MatchRecord(MatchKey("200", "150"), 3, opening=2)
    )

    # Eleven moves of each player, or ten; a void game says nothing.
    assert simulations_a_move(found, [match.key for match in found.matches]) == {
        MatchKey("200", "100"): (pytest.approx(2000 / 11), pytest.approx(1000 / 11)),
        MatchKey("200", "150"): (200, 100),
    }


# Teams against one tree, and whose curve it is

JOB = """
[game]
name = "go"
size = 5
[player.one]
simulations = 100
[player.team]
like = "one"
machines = 8
[player.twice]
like = "one"
simulations = 200
[player.other]
like = "one"
rave = 0
[player.other-twice]
like = "other"
simulations = 200
"""
MATCH = '[[match]]\nplayers = ["{}", "{}"]\ngames = 100\n'
MOVES = 10  # of each player
HAVANNAH = JOB.replace("go", "havannah")


def file_of(text, *wins):
    """Return the results of a job, so many games of a hundred won in each match."""
    job = jobfile.read_text(text)
    rows = []
    for match, won in zip(job.experiment.matches, wins, strict=True):
        players = [job.players[name] for name in match.players]
        spent = tuple(MOVES * p.simulations * max(1, p.machines) for p in players)
        rows += [
            GameRecord(
                match.key, n, float(n < won), "area", (n, *range(1, 2 * MOVES)), simulations=spent
            )
            for n in range(100)
        ]
    settings = compatibility.written(compatibility.describe(job))
    records = kinds.KINDS["matches"].records(job)
    return Results("a", job.game, text, "", settings, records, tuple(rows), (RunRecord(0.0),))


def curve_of(text=JOB, first="twice", second="one"):
    return doublings(file_of(text + MATCH.format(first, second), 76))


def worth_of(results, curve):
    return worths(results, lines(results.matches, results.rows), curve)


def notes(text, *wins):
    return kinds.KINDS["matches"].summary(file_of(text, *wins)).notes


def test_a_team_is_worth_so_many_machines_by_a_curve():
    # A doubling is worth log(77 / 25), here rather 0.75: four times the simulations win 0.9.
    results = file_of(JOB + MATCH.format("team", "one"), 91)

    [worth] = worth_of(results, STEADY).values()

    assert (worth.machines, worth.cost, worth.share) == (8, 8, 1)
    assert worth.times == pytest.approx(4, rel=0.02)
    assert worth.equivalent[1] < worth.equivalent[0] == worth.times < worth.equivalent[2]


def test_against_a_larger_tree_a_team_is_worth_so_many_times_more():
    text = JOB + MATCH.format("team", "one").replace("games", "vary.one.simulations = [400]\ngames")

    [worth] = worth_of(file_of(text, 50), STEADY).values()
    assert worth.times == pytest.approx(1)
    assert worth.equivalent[0] == pytest.approx(4)

    [worth] = worth_of(file_of(text, 25), STEADY).values()
    assert worth.equivalent[0] == pytest.approx(2, rel=0.05)


def test_a_team_against_a_team_is_worth_no_machines_of_one_tree():
    text = JOB + '[player.half]\nlike = "team"\nmachines = 4\n' + MATCH.format("team", "half")

    [worth] = worth_of(file_of(text, 75), STEADY).values()

    assert (worth.machines, worth.cost) == (0, 2)


@pytest.mark.parametrize(
    ("curve", "line"),
    [
        ((HAVANNAH,), 'game.name: "havannah" in the curve, "go" in the file'),
        ((JOB.replace("size = 5", "size = 6"),), "game.size: 6 in the curve, 5 in the file"),
        ((JOB, "other-twice", "other"), "player.one.rave: 0.0 in the curve, 1000.0 in the file"),
    ],
)
def test_the_curve_of_another_game_or_player_is_refused(curve, line):
    results = file_of(JOB + MATCH.format("team", "one"), 91)

    with pytest.raises(UserError, match="a curve of another ") as refused:
        worth_of(results, curve_of(*curve))

    assert line in str(refused.value)
    assert "\n" not in str(refused.value)


def test_budgets_and_memory_may_differ_from_those_of_the_curve():
    curve = curve_of(JOB.replace("simulations = 100", "simulations = 100\nmegabytes = 7"))

    assert worth_of(file_of(JOB + MATCH.format("team", "one"), 91), curve)


def test_of_several_opponents_those_of_the_curve_are_compared():
    text = JOB + MATCH.format("team", "other") + MATCH.format("team", "one")

    found = worth_of(file_of(text, 91, 91), curve_of())

    assert [key.second for key in found] == ["one"]


def test_several_players_make_no_curve():
    text = JOB + MATCH.format("twice", "one")
    text += '[player.more]\nlike = "other"\nsimulations = 400\n' + MATCH.format(
        "more", "other-twice"
    )

    with pytest.raises(UserError, match=r"several players: player.other-twice.rave: 1000.0 in the"):
        doublings(file_of(text, 70, 70))


def test_a_doubling_of_another_player_is_none():
    assert curve_of(JOB, "other-twice", "one") is None
    assert curve_of(JOB, "twice", "other") is None


# Honest opponents


def honest(*simulations):
    budgets = f"vary.one.simulations = {list(simulations)}\ngames"
    return JOB + MATCH.format("team", "one").replace("games", budgets)


def test_where_a_team_wins_one_half_one_tree_is_as_strong():
    # At the same distance from one half on either side: in the middle of 2 and 8 times.
    [note] = notes(honest(200, 800), 80, 20)

    assert note.startswith("team with 8 machines is as strong as one tree of 4 (3.")
    assert note.endswith(") times their simulations")
    # Nearer to the one against which it wins nearly one half.
    assert "one tree of 7.7 (" in notes(honest(100, 800), 90, 49)[0]


def test_a_team_that_wins_or_loses_against_all_is_told_so():
    weaker = "team with 8 machines is weaker than one tree of 2 times their simulations"
    stronger = "team with 8 machines is stronger than one tree of 8 times their simulations"

    assert notes(honest(200, 800), 40, 10) == [weaker]
    assert notes(honest(200, 800), 90, 60) == [stronger]


def test_opponents_of_one_machine_only_are_not_honest():
    assert notes(JOB + MATCH.format("team", "one"), 91) == []


def test_an_opponent_with_other_settings_tells_nothing_of_machines():
    text = JOB + MATCH.format("team", "other").replace(
        "games", "vary.other.simulations = [800]\ngames"
    )

    assert notes(text, 50) == []


def test_the_error_of_an_even_match_is_that_of_its_neighbours():
    weak, strong = Opponent(1.0, 0.5, 0.2), Opponent(2.0, -0.5, 0.2)

    times, low, high = evenly([weak, strong])

    # Each moves the crossing by half of its own error.
    moved = (0.2**2 + 0.2**2) ** 0.5 / 2
    assert (times, low, high) == pytest.approx((2**1.5, 2 ** (1.5 - moved), 2 ** (1.5 + moved)))
    assert evenly([weak]) is evenly([strong]) is None


# The verbs


def test_a_table_has_speed_ups_by_a_curve(tmp_path, capsys):
    text = JOB + MATCH.format("team", "one") + MATCH.format("twice", "one")
    Writer(tmp_path / "job.h5", file_of(text, 91, 76)).close(0)
    words = ["table", str(tmp_path / "job.h5"), "--doublings", str(tmp_path / "job.h5")]

    assert main([*words, "--format", "markdown"]) == 0
    head, _, team, twice = [
        line for line in capsys.readouterr().out.splitlines() if line.startswith("|")
    ]
    assert "| speed-up | equivalent machines |" in head
    assert " of 8 |" in team
    assert "| 2 (1." in twice and twice.endswith("|  |")
    assert main([*words, "--format", "json"]) == 0
    team, twice = json.loads(capsys.readouterr().out)["matches"]
    assert team["speed_up"] == team["equivalent_machines"] > 3.5
    assert twice["equivalent_machines"] is None
    assert main([*words, "--format", "csv"]) == 0
    assert "equivalent_machines_high" in capsys.readouterr().out
    assert main(["plot", *words[1:]]) == 0


def test_a_curve_that_does_not_suit_is_one_line(tmp_path, capsys):
    Writer(tmp_path / "job.h5", file_of(JOB + MATCH.format("team", "one"), 91)).close(0)
    curve = file_of(HAVANNAH + MATCH.format("twice", "one"), 76)
    Writer(tmp_path / "curve.h5", curve).close(0)

    for verb in ("table", "plot"):
        words = [verb, str(tmp_path / "job.h5"), "--doublings", str(tmp_path / "curve.h5")]
        assert main(words) == 2
        said = capsys.readouterr().err
        assert "a curve of another game: game.name: " in said and said.count("\n") == 1
