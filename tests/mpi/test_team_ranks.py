"""A team over real ranks: the same games on any number of them, and what ends them all."""

import json
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def played(mpiexec):
    """What play.py says of a game on so many ranks; each is played once."""
    known = {}

    def play(ranks, *words):
        if (ranks, words) not in known:
            ended = mpiexec(ranks, str(HERE / "play.py"), *words, seconds=120)
            assert ended.returncode == 0, ended.stderr
            known[ranks, words] = json.loads(ended.stdout)
        return known[ranks, words]

    return play


@pytest.mark.parametrize("ranks", [2, 3, 8])
@pytest.mark.parametrize("game", [("go", "9", "20"), ("havannah", "4", "20")], ids=lambda g: g[0])
def test_eight_machines_play_the_same_games_on_any_number_of_ranks(game, ranks, played):
    alone, together = played(1, *game), played(ranks, *game)

    moves, _, sums, simulations = alone["slow-tree"]
    assert len(moves) > 10 and sums > 2 * len(moves) and simulations == [20] * 8
    assert together == alone


def program(tmp_path, body):
    """A program that seats a team of four over all ranks and then does what is said."""
    lines = [
        "import sys, time",
        "from dataclasses import replace",
        "from mcts_cluster import cluster, games, machine, team",
        "from mcts_cluster.errors import UserError",
        "from mcts_cluster.mcts import Mcts",
        "from mcts_cluster.share.talk import Sharing",
        "player = team.TeamPlayer(Mcts(simulations=50, megabytes=4), Sharing(machines=4))",
        "game = games.new('go', size=5)",
        *body.splitlines(),
        "with cluster.world() as ranks:",
        "    before(ranks)",
        "    if ranks.number:",
        "        team.follow(ranks)",
        "    else:",
        "        with team.leading(ranks):",
        "            lead(replace(player, ranks=ranks).seat(game, 1), ranks)",
    ]
    path = tmp_path / "program.py"
    path.write_text("\n".join(lines))
    return str(path)


FAILING = """
def before(ranks):
    if ranks.number == {rank}:
        def search_on(self):
            if self.simulated >= 20: raise RuntimeError('a broken machine')
            search(self)
        search, machine.Machine.search_on = machine.Machine.search_on, search_on
def lead(seat, ranks):
    try:
        seat.choose()
    finally:
        seat.close()
"""


@pytest.mark.parametrize("rank", [0, 1])
def test_a_failure_on_any_rank_ends_all_with_its_traceback(rank, mpiexec, tmp_path):
    ended = mpiexec(2, program(tmp_path, FAILING.format(rank=rank)), seconds=30)

    assert ended.returncode != 0
    assert f"rank {rank} of 2 on " in ended.stderr
    assert "RuntimeError: a broken machine" in ended.stderr and "search_on" in ended.stderr


def test_a_users_mistake_is_told_once(mpiexec):
    words = ["-m", "mcts_cluster", "gtp", "simulations=100", "machines=1"]

    ended = mpiexec(3, *words, seconds=30)

    assert ended.returncode == 2
    assert ended.stderr == "mcts-cluster: machines 1: at least one for each of the 3 ranks\n"


SLOW = """
def before(ranks):
    if ranks.number == 1:
        def run_on(self, *limits):
            time.sleep(0.05); run(self, *limits)
        run, machine.Machine.run_on = machine.Machine.run_on, run_on
def lead(seat, ranks):
    seat.choose()
    counters = seat.counters
    print(counters.exchanges, counters.waiting > 0, counters.waiting < counters.seconds)
"""


def test_ranks_of_unequal_speed_end_together_and_count_their_waiting(mpiexec, tmp_path):
    ended = mpiexec(2, program(tmp_path, SLOW), seconds=30)

    assert ended.stdout == "10 True True\n"


CLOCKS = """
player = team.TeamPlayer(Mcts(seconds=0.5, megabytes=4), Sharing(machines=2, period_seconds=0.1))
def before(ranks):
    if ranks.number == {rank}:
        machine.monotonic = lambda: 3 * time.monotonic()
def lead(seat, ranks):
    seat.choose()
    made = seat.counters.simulations
    print(seat.counters.exchanges <= 5, min(made) > 0)
"""


@pytest.mark.parametrize("rank", [0, 1])
def test_when_one_clock_says_done_nobody_goes_on(rank, mpiexec, tmp_path):
    ended = mpiexec(2, program(tmp_path, CLOCKS.format(rank=rank)), seconds=30)

    assert ended.stdout == "True True\n"


THREADS = """
player = team.TeamPlayer(Mcts(simulations=200, megabytes=4, threads=2), Sharing(machines=2))
def before(ranks): pass
def lead(seat, ranks):
    seat.choose()
    found = int(seat.agreement.statistics[:, 0].sum())
    level = ranks.mpi.Query_thread() >= ranks.mpi.THREAD_FUNNELED
    print(seat.counters.simulations, 380 <= found <= 398, int(seat.leader.own_root()[0]), level)
"""


def test_ranks_of_two_threads_count_every_simulation_once(mpiexec, tmp_path):
    ended = mpiexec(2, program(tmp_path, THREADS), seconds=30)

    # Children come at the second visit: the first simulations may be of no move.
    assert ended.stdout == "[200, 200] True 200 True\n"


def test_a_run_starts_mpi_for_ranks_of_several_threads(mpiexec):
    code = (
        "from mcts_cluster import cluster\n"
        "rank = cluster.start().rank\n"
        "mpi = cluster.load_mpi()\n"
        "if rank == 0: print(mpi.Query_thread() >= mpi.THREAD_FUNNELED)\n"
        "cluster.finish()"
    )

    ended = mpiexec(2, "-m", "mpi4py", "-c", code)

    assert ended.stdout == "True\n"


# GTP


def answers(mpiexec, ranks, *words, commands):
    ended = mpiexec(ranks, "-m", "mcts_cluster", "gtp", *words, seconds=60, text=commands)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_an_engine_on_ranks_answers_once_and_as_one_process_does(mpiexec):
    words = ["game.size=7", "simulations=60", "machines=3", "megabytes=4"]
    commands = (
        "fixed_handicap 2\ngenmove w\ngenmove b\nundo\nplay b a1\ngenmove w\nboardsize 5\n"
        "clear_board\ngenmove b\ngomill-explain_last_move\nfinal_score\nquit\n"
    )
    talks = [answers(mpiexec, ranks, *words, commands=commands) for ranks in (1, 2, 3)]

    assert talks[0] == talks[1] == talks[2]
    assert talks[0].count("\n\n") == 12 and "?" not in talks[0]


def test_without_a_word_of_machines_there_is_one_on_each_rank(mpiexec):
    said = answers(
        mpiexec, 2, "simulations=40", commands="genmove b\ngomill-describe_engine\nquit\n"
    )

    assert re.search(r"machines=2\b", said)


def test_an_engine_on_ranks_keeps_to_the_time_and_analyzes(mpiexec):
    commands = "time_settings 0 1 1\ngenmove b\nlz-analyze w 5\nname\nquit\n"
    said = answers(mpiexec, 2, "seconds=100", "game.size=5", commands=commands)

    assert "info move" in said and "= mcts_cluster" in said


def test_the_end_of_the_input_ends_all_ranks(mpiexec):
    assert answers(mpiexec, 3, "simulations=40", commands="genmove b\n").startswith("= ")


IDLE = """
import resource
def before(ranks): pass
def lead(seat, ranks):
    seat.choose()
    time.sleep(1.0)
def spent(): return sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
def hear(self):
    began = spent()
    order = heard(self)
    if order[0] == 'end': print(spent() - began < 0.3, flush=True)
    return order
heard, cluster.Ranks.hear = cluster.Ranks.hear, hear
"""


def test_who_waits_for_the_next_move_sleeps(mpiexec, tmp_path):
    ended = mpiexec(2, program(tmp_path, IDLE), seconds=30)

    assert ended.stdout == "True\n"
