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
