"""A team over several hosts, with a slow network between them."""

import json
import re
import signal
import sys
from pathlib import Path

import pytest
from conftest import is_alive, run_alone, wait_until
from faults_here import Disturbed, rows_in, told
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


# It only passes; on one host it dies instead.
PROGRAM = """
import sys
from platform import node
if node() == "host3":
    sys.exit(3)
for line in sys.stdin:
    word = line.split()[0]
    answer = {"genmove": "pass", "known_command": "false"}.get(word, "")
    print("=", answer, end="\\n\\n", flush=True)
    if word == "quit":
        break
"""
PASSING = """
seed = 1
[game]
size = 5
[player.program]
command = "{python} {program}"
[player.a]
playouts = 20
[[match]]
players = ["program", "a"]
games = 24
"""


def test_a_host_whose_program_dies_costs_no_game(hosts, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    job = tmp_path / "job.toml"
    job.write_text(PASSING.format(python=sys.executable, program=tmp_path / "program.py"))
    run = [sys.executable, "-m", "mcts_cluster", "run", str(job), "-o"]
    alone = run_alone([*run, str(tmp_path / "alone.h5")], seconds=120)

    # Two on each of four hosts, and the master.
    ended = run_alone([*hosts, "-n", "9", *run, str(tmp_path / "hosts.h5")], seconds=300)

    assert (alone.returncode, ended.returncode) == (0, 0), ended.stderr
    rows = reader.read(tmp_path / "hosts.h5").rows
    void = [row for row in rows if row.points is None]
    counted = [row for row in rows if row.points is not None]
    assert {row.worker.host for row in void} == {"host3"}
    assert sorted(counted, key=str) == sorted(reader.read(tmp_path / "alone.h5").rows, key=str)
    assert re.search(r"^rank \d on host3: 3 void games in a row; it gets no", ended.stderr, re.M)


SLOW = """
seed = 1
[game]
size = 5
[player.a]
playouts = 8000
[[match]]
players = ["a", "a"]
games = 40
"""


def test_a_rank_that_is_frozen_on_another_host_is_named_and_ended(hosts, tmp_path):
    job, file = tmp_path / "job.toml", tmp_path / "hosts.h5"
    job.write_text(SLOW)
    run = [sys.executable, "-m", "mcts_cluster", "run", str(job), "-o"]
    alone = run_alone([*run, str(tmp_path / "alone.h5")], seconds=120)

    with Disturbed([*hosts, "-n", "9", *run, file]) as frozen:
        wait_until(lambda: rows_in(file) > 0, seconds=60)
        frozen.see()
        ranks = [one for one in frozen.family if "mcts_cluster" in one.cmdline()[:4]]
        rank = next(one for one in ranks if one.environ()["PMI_RANK"] == "2")
        rank.send_signal(signal.SIGSTOP)
        ended = frozen.ended(seconds=300)

    assert (alone.returncode, ended.returncode) == (0, 0), ended.stderr
    assert re.search(r"^rank 2 on host3 is at game .* ended without it$", ended.stderr, re.M)
    assert told(file) == told(tmp_path / "alone.h5")
    wait_until(lambda: not any(map(is_alive, ranks)))


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
