"""How long a job will take: pilot games, moves, and the verb check."""

import re
from dataclasses import dataclass, replace
from time import process_time, sleep

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.jobs import jobfile
from mcts_cluster.matches.match import play
from mcts_cluster.matches.setup import Match, MatchKey, Setup
from mcts_cluster.parallel.leader import TeamPlayer
from mcts_cluster.parallel.sharing.exchange import Sharing
from mcts_cluster.players.flat import FlatMonteCarlo
from mcts_cluster.players.gtp_program import Program
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.players.player import Player, Session
from mcts_cluster.reports import estimates
from mcts_cluster.reports.estimates import MAX_PILOTS, estimate, pilot_games, total
from mcts_cluster.seeds import seed

JOB = """
title = "a title"
[game]
size = 5
[player.large]
simulations = 1000
megabytes = 1
[player.small]
playouts = 400
[[match]]
players = ["large", "small"]
games = 3000
"""

EIGHT = Sharing(machines=8)
GNUGO = Program("gnugo")


@pytest.mark.parametrize(
    ("player", "cut", "scale"),
    [
        (Mcts(simulations=1000), Mcts(simulations=160), 6.25),
        (Mcts(simulations=50), Mcts(simulations=50), 1),
        (Mcts(seconds=2), Mcts(seconds=2), 1),
        (Mcts(simulations=1600, seconds=0.02), Mcts(simulations=160, seconds=0.02), 10),
        # With as many exchanges for what is searched, of all machines together.
        (TeamPlayer(Mcts(400), EIGHT), TeamPlayer(Mcts(20), Sharing(machines=8, period=40)), 20),
        (
            TeamPlayer(Mcts(400), Sharing(machines=32, period=7)),
            TeamPlayer(Mcts(10), Sharing(machines=32, period=7)),
            40,
        ),
        (FlatMonteCarlo(400), FlatMonteCarlo(160), 2.5),
        (GNUGO, GNUGO, 1),
    ],
)
def test_budgets_are_cut_and_scaled_up_again(player, cut, scale):
    assert player.quicker(160) == (cut, scale)


@pytest.mark.parametrize(
    ("player", "stand_in"),
    [
        (Mcts(simulations=1000), Mcts(simulations=160)),
        (Mcts(simulations=50), Mcts(simulations=50)),
        (Mcts(seconds=2), Mcts(simulations=160)),
        (Mcts(simulations=50, seconds=2), Mcts(simulations=50)),
        (TeamPlayer(Mcts(400, rave=0), EIGHT), Mcts(160, rave=0)),
        (TeamPlayer(Mcts(10), EIGHT), Mcts(80)),
        (TeamPlayer(Mcts(seconds=2), EIGHT), Mcts(160)),
        (FlatMonteCarlo(400), FlatMonteCarlo(160)),
        (GNUGO, GNUGO),
    ],
)
def test_in_pilot_games_a_single_machine_without_a_clock_plays(player, stand_in):
    assert player.stand_in(160) == stand_in


# With players whose time is counted, not measured


class Clock:
    """The processor's time: a millisecond a simulation."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


CLOCK = Clock()


@dataclass(frozen=True)
class Sleeper(Player):
    """Plays at random, and needs a millisecond for a simulation."""

    simulations: int = 0
    seconds: float = 0.0
    machines: int = 0
    threads: int = 1

    def budgets(self):
        return {"simulations": self.simulations, "seconds": self.seconds}

    def session(self, game, game_seed):
        return SleeperSession(self, game, game_seed)


class SleeperSession(Session):
    def __init__(self, player, game, game_seed):
        self.player, self.game, self.seed = player, game, game_seed
        assert not player.seconds or player.simulations, "a clock is not played"

    def choose(self, seconds=None, watch=None):
        CLOCK.now += 0.001 * self.player.simulations
        moves = self.game.core.sensible_moves()
        return moves[seed(self.seed, self.game.core.ply) % len(moves)]


def estimated(first, second, monkeypatch, opening=0):
    monkeypatch.setattr(estimates, "process_time", CLOCK)
    setup = Setup(1, "go", {"size": 5}, {"a": first, "b": second})
    match = Match(MatchKey("a", "b"), 10, opening=opening)
    return estimate(setup, match), setup, match


def test_a_game_is_played_out_and_a_move_scaled_up(monkeypatch):
    one, setup, match = estimated(Sleeper(2_000_000), Sleeper(1_000_000), monkeypatch)

    pilots, is_whole = pilot_games(setup, match, 3.0)
    assert not is_whole
    plies = sum(row.plies for row, _ in pilots) / len(pilots)
    assert one.plies == round(plies) > 20
    assert one.seconds == pytest.approx(plies / 2 * (2000 + 1000))


def test_moves_of_the_opening_take_no_time(monkeypatch):
    one, setup, match = estimated(Sleeper(10**6), Sleeper(10**6), monkeypatch, opening=6)

    pilots, _ = pilot_games(setup, match, 3.0)
    plies = sum(row.plies for row, _ in pilots) / len(pilots)
    assert one.seconds == pytest.approx((plies - 6) * 1000)


def test_what_fits_into_the_time_is_played_as_it_is(monkeypatch):
    one, setup, match = estimated(Sleeper(2), Sleeper(1), monkeypatch)

    games = [play(setup, match, number).plies for number in range(MAX_PILOTS)]
    # The player with two simulations moves first in every other game, and may move once more.
    assert one.seconds == pytest.approx(0.0015 * sum(games) / len(games), abs=0.001)
    assert pilot_games(setup, match, 3.0)[1]


def test_a_clock_costs_what_it_says_on_all_machines_and_threads(monkeypatch):
    one, setup, match = estimated(
        Sleeper(seconds=2.0, machines=40), Sleeper(seconds=0.5, threads=4), monkeypatch
    )

    pilots, is_whole = pilot_games(setup, match, 3.0)
    plies = sum(row.plies for row, _ in pilots) / len(pilots)
    assert not is_whole
    assert one.seconds == pytest.approx(plies / 2 * (80 + 2))


def test_of_two_budgets_the_one_that_is_spent_first_counts(monkeypatch):
    for own, spent in ((Sleeper(10**6, 2.0), 2.0), (Sleeper(10**6, 5000.0), 1000.0)):
        one, setup, match = estimated(own, own, monkeypatch)
        pilots, _ = pilot_games(setup, match, 3.0)
        plies = sum(row.plies for row, _ in pilots) / len(pilots)
        assert one.seconds == pytest.approx(plies * spent)


def test_pilot_games_take_about_the_time_they_may(monkeypatch):
    for simulations in (100, 10_000, 10**6):
        before = CLOCK.now
        estimated(Sleeper(simulations), Sleeper(simulations), monkeypatch)
        # A game of the smallest budgets may take longer; moves take no longer than the games.
        assert CLOCK.now - before < 2 * 3.0 + 10


# With our players


def test_an_estimate_is_of_all_games():
    job = jobfile.read_text(JOB)

    [one] = [estimate(job, match, 0.1) for match in job.experiment.matches]

    assert one.plies > 5
    assert one.total == 3000 * one.seconds > 0
    assert total([replace(one, seconds=2.4)]) == (
        "3,000 games, about 2 core-hours: 2 h 0 min on one core"
    )
    assert total([replace(one, seconds=24.0)]).startswith("3,000 games, about 20 core-hours")


def test_what_others_take_of_the_machine_is_no_work_of_ours(monkeypatch):
    def interrupted(*words):
        sleep(0.5)
        return play(*words)

    monkeypatch.setattr(estimates, "play", interrupted)
    job = jobfile.read_text(JOB.replace("simulations = 1000", "simulations = 100"))
    before = process_time()

    found = estimate(job, job.experiment.matches[0], 0.1).seconds

    assert found <= process_time() - before


def test_of_another_program_the_clock_counts(monkeypatch):
    def answered(*words):
        return replace(play(*words), seconds=(0.0, 7.0))

    monkeypatch.setattr(estimates, "play", answered)
    monkeypatch.setattr(estimates, "process_time", CLOCK)
    # It has no budget.
    monkeypatch.setattr(FlatMonteCarlo, "budgets", lambda player: {})
    for simulations, is_whole in ((2, True), (10**6, False)):
        players = {"a": Sleeper(simulations), "b": FlatMonteCarlo(1)}
        setup = Setup(1, "go", {"size": 5}, players)
        match = Match(MatchKey("a", "b"), 10)

        pilots, whole = pilot_games(setup, match, 30.0)
        moves = sum(row.plies for row, _ in pilots) / len(pilots) / 2

        assert whole == is_whole
        own = estimate(setup, match, 30.0).seconds - 7.0
        assert own == pytest.approx(moves * 0.001 * simulations, rel=0.1)


@pytest.fixture
def short(monkeypatch):
    """Have pilot games take a tenth of their time."""
    for name in ("ALL_SECONDS", "MIN_SECONDS", "MAX_SECONDS"):
        monkeypatch.setattr(estimates, name, getattr(estimates, name) / 10)


@pytest.mark.usefixtures("short")
def test_a_job_is_checked(tmp_path, capsys):
    path = tmp_path / "job.toml"
    path.write_text(JOB)

    assert main(["check", str(path), "--set", "match.games=20"]) == 0

    out = capsys.readouterr().out
    assert out.startswith("a title\n")
    assert "│ large against small │    20 │" in out
    assert re.search("20 games, (less than 0.001|about .*) core-hours: ", out)
    assert not (tmp_path / "job.h5").exists()


@pytest.mark.parametrize(
    ("games", "told"),
    [
        (2, "So few games cannot show any difference from 50 %."),
        (1000, "1,000 games show a difference of 4.4 points from 50 % (at 95 %, four times in"),
    ],
)
@pytest.mark.usefixtures("short")
def test_check_tells_what_difference_so_many_games_show(games, told, tmp_path, capsys):
    path = tmp_path / "job.toml"
    path.write_text(JOB)

    assert main(["check", str(path), "--set", f"match.games={games}"]) == 0

    assert told in capsys.readouterr().out


def test_a_bad_job_is_not_checked_further(tmp_path, capsys):
    path = tmp_path / "job.toml"
    path.write_text(JOB.replace("playouts", "plaiouts"))

    assert main(["check", str(path)]) == 2
    assert "player.small.plaiouts: unknown key" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("budget", "fits"),
    [
        ("simulations = 3000\nmegabytes = 1", False),
        ("seconds = 9\nsimulations = 500\nmegabytes = 1", True),
        pytest.param("seconds = 0.5\nmegabytes = 1", False, marks=pytest.mark.proof),
        pytest.param("simulations = 1000", True, marks=pytest.mark.proof),
        pytest.param("seconds = 0.5", True, marks=pytest.mark.proof),
    ],
)
@pytest.mark.usefixtures("short")
def test_check_tells_of_trees_that_will_be_full(tmp_path, capsys, budget, fits):
    job = tmp_path / "job.toml"
    job.write_text(
        f"[game]\nsize = 5\n[player.a]\n{budget}\n[player.b]\nlike = 'a'\n"
        "[[match]]\nplayers = ['a', 'b']\ngames = 1\n"
    )
    assert main(["check", str(job)]) == 0

    told = capsys.readouterr().out
    assert re.search(r"^room in the trees of [ab] for [\d,]+ simulations a move$", told, re.M)
    assert ("a: its trees will be full after" in told) != fits
