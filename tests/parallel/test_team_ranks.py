"""A team over real ranks: the same games on any number of them, and what ends them all."""

import json
import re
from itertools import product
from pathlib import Path

import pytest
from conftest import rest_in_proof

from mcts_cluster.parallel.sharing import STRATEGIES

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


GO, HAVANNAH = ("go", "7", "20"), ("havannah", "4", "20")
USUAL = [(GO, 3), (HAVANNAH, 8)]


@pytest.mark.parametrize(
    "game_on_ranks",
    rest_in_proof(product([GO, HAVANNAH], [2, 3, 8]), USUAL),
    ids=lambda one: f"{one[0][0]}-{one[1]}",
)
def test_eight_machines_play_the_same_games_on_any_number_of_ranks(game_on_ranks, played):
    game, ranks = game_on_ranks
    alone, together = played(1, *game), played(ranks, *game)

    moves, _, sums, simulations = alone["slow-tree"]
    assert len(moves) > 10 and sums > 2 * len(moves) and simulations == [20] * 8
    assert together == alone


def program(tmp_path, body):
    """A program that sessions a team of four over all ranks and then does what is said."""
    lines = [
        "import sys, time",
        "from dataclasses import replace",
        "from mcts_cluster import games",
        "from mcts_cluster.parallel import leader, machine, mpi, mpi_ranks, team",
        "from mcts_cluster.errors import UserError",
        "from mcts_cluster.players.mcts import Mcts",
        "from mcts_cluster.parallel.sharing.exchange import Sharing",
        "player = leader.TeamPlayer(Mcts(simulations=50, megabytes=4), Sharing(machines=4))",
        "game = games.new('go', size=5)",
        *body.splitlines(),
        "with mpi_ranks.world() as ranks:",
        "    before(ranks)",
        "    if ranks.number:",
        "        leader.follow(ranks)",
        "    else:",
        "        with leader.leading(ranks):",
        "            lead(replace(player, ranks=ranks).session(game, 1), ranks)",
    ]
    path = tmp_path / "program.py"
    path.write_text("\n".join(lines))
    return str(path)


FAILING = """
player = replace(player, sharing={sharing})
def before(ranks):
    if ranks.number == {rank}:
        def search_on(self, *more):
            if self.simulated >= 20 or {sharing}.strategy == 'voting':
                raise RuntimeError('a broken machine')
            search(self, *more)
        search, machine.Machine.search_on = machine.Machine.search_on, search_on
def lead(session, ranks):
    try:
        session.choose()
    finally:
        session.close()
"""


@pytest.mark.parametrize(
    ("rank", "sharing"),
    [
        (0, "Sharing(machines=4)"),
        (1, "Sharing(machines=4)"),
        (1, "Sharing(machines=4, overlap=True)"),
        (0, "Sharing('voting', machines=4)"),
    ],
)
def test_a_failure_on_any_rank_ends_all_with_its_traceback(rank, sharing, mpiexec, tmp_path):
    ended = mpiexec(2, program(tmp_path, FAILING.format(rank=rank, sharing=sharing)), seconds=30)

    assert ended.returncode != 0
    assert f"rank {rank} of 2 on " in ended.stderr
    assert "RuntimeError: a broken machine" in ended.stderr and "search_on" in ended.stderr


def test_a_users_mistake_is_told_once(mpiexec):
    words = ["-m", "mcts_cluster", "gtp", "simulations=100", "machines=1"]

    ended = mpiexec(3, *words, seconds=30)

    assert ended.returncode == 2
    assert ended.stderr == (
        "mcts-cluster: machines: 1 is too small, must be at least 3, one for each rank\n"
    )


SLOW = """
def before(ranks):
    if ranks.number == 1:
        def run_on(self, *limits):
            time.sleep(0.05); run(self, *limits)
        run, machine.Machine.run_on = machine.Machine.run_on, run_on
def lead(session, ranks):
    session.choose()
    stats = session.counters
    waited, took = stats.waiting_seconds, stats.exchange_seconds
    print(stats.exchanges, waited > 0, waited < took)
"""


def test_ranks_of_unequal_speed_end_together_and_count_their_waiting(mpiexec, tmp_path):
    ended = mpiexec(2, program(tmp_path, SLOW), seconds=30)

    assert ended.stdout == "10 True True\n"


CLOCKS = """
player = leader.TeamPlayer(Mcts(seconds=0.5, megabytes=4), Sharing(machines=2, period_seconds=0.1))
def before(ranks):
    if ranks.number == {rank}:
        machine.monotonic = lambda: 3 * time.monotonic()
def lead(session, ranks):
    session.choose()
    made = session.counters.simulations
    # Where the slower clock decided there would be five.
    print(session.counters.exchanges < 5, min(made) > 0)
"""


@pytest.mark.parametrize("rank", [0, 1])
def test_when_one_clock_says_done_nobody_goes_on(rank, mpiexec, tmp_path):
    ended = mpiexec(2, program(tmp_path, CLOCKS.format(rank=rank)), seconds=30)

    assert ended.stdout == "True True\n"


EVERY = """
from mcts_cluster.parallel.sharing import STRATEGIES
def before(ranks):
    if ranks.number == 1:
        machine.monotonic = lambda: 2 * time.monotonic()
        def run_on(self, *limits):
            time.sleep(0.002)
            return run(self, *limits)
        run, machine.Machine.run_on = machine.Machine.run_on, run_on
def lead(_, ranks):
    for strategy in STRATEGIES:
        for overlap in (False, True):
            sharing = Sharing(strategy, machines, period_seconds=0.02, overlap=overlap)
            player = leader.TeamPlayer(Mcts(seconds=0.1, megabytes=4), sharing, ranks)
            session = player.session(game, 1)
            move, counters = session.choose(), session.counters
            legal = session.decision.statistics[move, 0] > 0 and game.core.is_legal(move)
            waited, took = counters.waiting_seconds, counters.exchange_seconds
            found = legal, min(counters.simulations) > 1, waited <= took
            print(strategy, machines, overlap, *map(bool, found))
            session.close()
"""


@pytest.mark.parametrize("machines", [2, 3])
def test_every_strategy_ends_with_a_move_on_ranks_of_unequal_speed_and_clocks(
    machines, mpiexec, tmp_path
):
    ended = mpiexec(2, program(tmp_path, f"machines = {machines}\n{EVERY}"), seconds=60)

    lines = [line.split() for line in ended.stdout.splitlines()]
    assert len(lines) == 2 * len(STRATEGIES)
    assert {tuple(line[3:]) for line in lines} == {("True", "True", "True")}


LATE = """
player = replace(player, sharing=Sharing(machines=4, period=10, overlap=True))
def before(ranks): pass
def lead(session, ranks):
    session.choose()
    counters = session.counters
    print(session.decision.move, counters.simulations, counters.late_simulations)
"""


def test_simulations_that_were_late_are_those_of_all_ranks(mpiexec, tmp_path):
    said = {mpiexec(n, program(tmp_path, LATE), seconds=30).stdout for n in (1, 2, 4)}

    assert len(said) == 1
    # The first period has no sum on its way.
    assert said.pop().endswith("[50, 50, 50, 50] 160\n")


NO_ROOM = """
import sys
from mcts_cluster.parallel import machine, mpi
from mcts_cluster.__main__ import main
from mcts_cluster.errors import UserError

def renew(self):
    if self.number == 1:
        raise UserError("megabytes 2: this machine has no room for it")
    renewed(self)

renewed, machine.Machine.renew = machine.Machine.renew, renew
sys.exit(main(["gtp", "simulations=20", "machines=4", "megabytes=2", "game.size=5"]))
"""


def test_an_engine_whose_rank_cannot_search_on_ends_all(mpiexec, tmp_path):
    path = tmp_path / "no_room.py"
    path.write_text(NO_ROOM)

    commands = "genmove b\ngenmove w\nundo\nundo\ngenmove b\nname\n"

    ended = mpiexec(2, str(path), seconds=30, text=commands)

    assert ended.returncode not in (0, 2)
    assert "in a search with other ranks: megabytes 2: this machine has no room" in ended.stderr


THREADS = """
player = leader.TeamPlayer(Mcts(simulations=200, megabytes=4, threads=2), Sharing(machines=2))
def before(ranks): pass
def lead(session, ranks):
    session.choose()
    found = int(session.decision.statistics[:, 0].sum())
    level = ranks.mpi.Query_thread() >= ranks.mpi.THREAD_FUNNELED
    visits = int(session.leader.local_root()[0])
    print(session.counters.simulations, 380 <= found <= 398, visits, level)
"""


def test_ranks_of_two_threads_count_every_simulation_once(mpiexec, tmp_path):
    ended = mpiexec(2, program(tmp_path, THREADS), seconds=30)

    # Children come at the second visit: the first simulations may be of no move.
    assert ended.stdout == "[200, 200] True 200 True\n"


def test_a_run_starts_mpi_for_ranks_of_several_threads(mpiexec):
    code = (
        "from mcts_cluster.parallel import mpi\n"
        "rank = mpi.start().rank\n"
        "library = mpi.load_mpi()\n"
        "if rank == 0: print(library.Query_thread() >= library.THREAD_FUNNELED)\n"
        "mpi.finish()"
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
def lead(session, ranks):
    session.choose()
    time.sleep(1.0)
def spent(): return sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
def hear(self):
    began = spent()
    order = heard(self)
    if order[0] == 'end': print(spent() - began < 0.3, flush=True)
    return order
heard, mpi_ranks.MpiRanks.next_order = mpi_ranks.MpiRanks.next_order, hear
"""


def test_who_waits_for_the_next_move_sleeps(mpiexec, tmp_path):
    ended = mpiexec(2, program(tmp_path, IDLE), seconds=30)

    assert ended.stdout == "True\n"
