"""A team over several hosts, with a slow network between them."""

import json
import sys
from pathlib import Path

import pytest
from conftest import run_alone
from hosts_here import NotHere, hosts_here

from mcts_cluster.benchmarks import exchange_costs
from mcts_cluster.benchmarks.exchange_costs import Measured
from mcts_cluster.benchmarks.exchange_model import Network
from mcts_cluster.storage import reader

pytestmark = pytest.mark.proof

PLAY = str(Path(__file__).parents[1] / "parallel" / "play.py")
MILLISECONDS = 2


@pytest.fixture(scope="module")
def hosts():
    """What starts a command on ranks of four hosts."""
    try:
        with hosts_here(4, 1000 * MILLISECONDS) as start:
            yield start
    except NotHere as reason:
        pytest.skip(str(reason))


def test_a_team_over_hosts_plays_the_same_games_as_in_one_process(hosts):
    words = [sys.executable, PLAY, "go", "5", "20"]
    alone = run_alone(words, seconds=60)
    together = run_alone([*hosts, "-n", "4", *words], seconds=300)

    assert alone.returncode == 0, alone.stderr
    assert (together.returncode, together.stdout) == (0, alone.stdout), together.stderr


TEAMS = """
seed = 1
[game]
size = 5
[player.team]
simulations = 20
machines = 4
[[match]]
players = ["team", "team"]
games = 4
"""


def test_the_teams_of_a_run_are_of_one_host_each(hosts, tmp_path):
    (tmp_path / "job.toml").write_text(TEAMS)
    run = [sys.executable, "-m", "mcts_cluster", "run", str(tmp_path / "job.toml"), "-o"]
    alone = run_alone([*run, str(tmp_path / "alone.h5")], seconds=60)
    words = [*run, str(tmp_path / "hosts.h5"), "--ranks-per-game", "2"]

    # Two on each of four hosts, and the master.
    ended = run_alone([*hosts, "-n", "9", *words], seconds=300)

    assert (alone.returncode, ended.returncode) == (0, 0), ended.stderr
    placement = "4 teams of 2 ranks, 1 on host2, 1 on host3, 1 on host4, 1 on host1"
    assert ended.stderr.splitlines()[0] == placement
    results = reader.read(tmp_path / "hosts.h5")
    assert results.runs[0].placement == placement
    assert sorted(results.runs[0].hosts.split(", ")) == [f"host{k} (2)" for k in (1, 2, 3, 4)]
    rows = [results.rows, reader.read(tmp_path / "alone.h5").rows]
    assert sorted(rows[0], key=str) == sorted(rows[1], key=str)


def test_a_round_of_a_sum_is_at_least_the_way_to_another_host(hosts):
    words = [sys.executable, "-m", "mcts_cluster", "bench", "exchanges", "--only", "go9"]
    ended = run_alone([*hosts, "-n", "4", *words, "--rounds", "1", "--json"], seconds=300)

    assert ended.returncode == 0, ended.stderr
    measured = Measured.from_object(json.loads(ended.stdout))
    assert (measured.ranks, measured.hosts) == (4, 4)
    # Of those in a row the first may be late, and find it done.
    least = 1e-3 * MILLISECONDS * (exchange_costs.SUMS - 1) / exchange_costs.SUMS
    assert min(Network.of(measured).seconds) > least
    slowest = max(one.seconds for one in measured.exchanges if one.sharing == "slow-root")
    assert slowest > measured.sums[0].seconds
