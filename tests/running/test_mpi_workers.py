"""Games on MPI ranks: the same as alone, and whatever goes wrong is told and ends everything."""

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil
import pytest
from conftest import is_alive, run_alone, wait_until
from run_here import SPENT

from mcts_cluster.__main__ import main
from mcts_cluster.benchmarks import master
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.matches import Matches
from mcts_cluster.matches.setup import Task
from mcts_cluster.parallel import mpi, mpi_ranks
from mcts_cluster.parallel.machine import Machine
from mcts_cluster.parallel.mpi_ranks import MpiRanks
from mcts_cluster.players.flat import Stateless
from mcts_cluster.running import mpi_workers, worker
from mcts_cluster.storage import reader

JOB = """
seed = 1
[game]
size = 5
[player.a]
playouts = 20
[player.b]
playouts = 4
[[match]]
players = ["a", "b"]
games = 12
[[match]]
players = ["b", "b"]
games = 6
"""


# Where the fixture has found one.
MPIEXEC = Path(sys.executable).with_name("mpiexec")


@pytest.fixture
def job(tmp_path):
    path = tmp_path / "job.toml"
    path.write_text(JOB)
    return path


def words(job, *more):
    output = job.with_suffix(".h5")
    return ["-m", "mcts_cluster", "run", *map(str, (job, "-o", output, *more))]


def rows_of(job):
    rows = reader.read(job.with_suffix(".h5")).rows
    return sorted(rows, key=lambda row: (row.match, row.number))


def test_a_program_that_uses_mpi_itself_plays_against_a_rank(job, mpiexec):
    command = f"{sys.executable} -m mcts_cluster gtp playouts=4"
    job.write_text(f"""
[game]
size = 5
[player.a]
playouts = 4
[player.other]
command = "{command}"
[[match]]
players = ["a", "other"]
games = 2
""")

    ended = mpiexec(2, *words(job))

    assert ended.returncode == 0, ended.stderr
    assert len(rows_of(job)) == 2


def test_ranks_play_the_games_that_processes_play(job, mpiexec):
    alone = run_alone([sys.executable, *words(job)], seconds=60)
    expected = rows_of(job)
    job.with_suffix(".h5").unlink()

    ended = mpiexec(3, *words(job))

    assert ended.returncode == 0, ended.stderr
    assert SPENT.fullmatch(ended.stderr)
    assert ended.stdout == alone.stdout
    assert rows_of(job) == expected
    [run] = reader.read(job.with_suffix(".h5")).runs
    assert (run.ranks, run.slots, bool(run.mpi_library)) == (3, 2, True)
    assert {row.worker.rank for row in rows_of(job)} == {1, 2}
    assert all(row.worker.playouts_per_second > 1000 for row in rows_of(job))


def test_a_mistake_ends_all_ranks_with_its_line(job, mpiexec):
    job.write_text(JOB.replace("size = 5", "size = 30"))

    ended = mpiexec(2, *words(job))

    assert ended.returncode == 2
    assert ended.stderr.startswith(f"mcts-cluster: {job}:4: game.size: 30 is too large")
    assert "Traceback" not in ended.stderr


def test_a_program_that_is_not_there_is_told_once_and_ends_all_ranks(job, mpiexec):
    text = JOB.replace("playouts = 20", "command = 'no-such-program'")
    job.write_text(text.replace('["b", "b"]', '["a", "a"]'))

    ended = mpiexec(3, *words(job))

    assert ended.returncode == 2
    assert ended.stderr.count('player.a.command: "no-such-program" is no program in the PATH') == 1
    assert ended.stderr.count("no-such-program") == 2  # with its line
    assert not job.with_suffix(".h5").exists()


ENDLESS = JOB.replace("playouts = 20", "playouts = 100_000_000").replace("size = 5", "size = 19")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_to_the_master_ends_all_ranks_and_leaves_a_file_to_continue(name, job, mpiexec):
    if not MPIEXEC.exists():
        pytest.skip("the launcher of a cluster has habits of its own")
    job.write_text(ENDLESS)
    one = subprocess.Popen(
        [MPIEXEC, "-n", "3", sys.executable, *words(job, "--grace", "0.5")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    family = []
    try:
        wait_until(job.with_suffix(".h5").exists)
        # The lock says which of them is the master.
        lock = job.with_name(f".{job.stem}.h5.lock").read_text()
        family = psutil.Process(one.pid).children(recursive=True)
        psutil.Process(int(lock.split()[1])).send_signal(signal.Signals[name])
        _, err = one.communicate(timeout=20)
    finally:
        for process in filter(is_alive, family):
            process.kill()

    assert one.returncode == {"SIGTERM": 75, "SIGINT": 130}[name]
    assert "games are missing; run again to play them" in err
    [run] = reader.read(job.with_suffix(".h5")).runs
    assert run.status == one.returncode
    wait_until(lambda: not any(map(is_alive, family)))


# Players that are not in job files. The ranks run this file.


class Stumbler(Stateless):
    """A player with a defect."""

    def choose(self, game, game_seed):
        raise ZeroDivisionError("on purpose")


def stumble():
    """Play on all ranks but the first."""
    master.measure(partial(master.play, player=Stumbler(), games=4))


def test_a_defect_of_a_worker_is_told_with_rank_host_game_and_traceback(mpiexec):
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "import test_mpi_workers; test_mpi_workers.stumble()"
    )

    ended = mpiexec(2, "-c", code, seconds=30)

    assert ended.returncode != 0
    assert "WorkerFailed: rank 1 on " in ended.stderr
    assert "game 0 of 'a against a':" in ended.stderr
    assert ", in choose\n" in ended.stderr
    assert "ZeroDivisionError: on purpose" in ended.stderr


def test_games_that_take_no_time_are_all_played_whatever_asks_for_them(mpiexec):
    words = ("bench", "master", "0", "--games", "700", "--json")

    ended = mpiexec(3, "-m", "mcts_cluster", *words)

    assert (ended.returncode, ended.stderr) == (0, "")
    told = json.loads(ended.stdout)
    match, ahead, serially = told["costs"]
    assert told["seconds_a_game"] == 0
    assert (match["workers"], match["games"], match["counted"]) == (2, 700, 700)
    assert (ahead["counted"], serially["counted"], serially["games"]) == (800, 800, 800)
    assert ahead["games"] >= 800
    assert all(cost["per_second"] > 0 and 0 < cost["busy"] < 1 for cost in told["costs"])


def test_what_the_master_costs_is_a_table(mpiexec):
    ended = mpiexec(2, "-m", "mcts_cluster", "bench", "master", "0.001", "--games", "8")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("games that sleep 0.001 s; workers: 1")
    rows = [line for line in ended.stdout.splitlines() if line.startswith("│")]
    assert [row.split("│")[1].strip() for row in rows] == [
        "a match",
        "a campaign",
        "serially",
    ]


@pytest.mark.parametrize(
    ("words", "mistake"),
    [
        (["exchanges", "--only", "chess"], "--only chess: "),
        (["master", "1", "--games", "0"], "--games: 0 is too small"),
    ],
)
def test_a_mistake_that_every_rank_finds_is_told_once(words, mistake, mpiexec):
    ended = mpiexec(3, "-m", "mcts_cluster", "bench", *words)

    assert ended.returncode == 2
    assert ended.stderr.count("mcts-cluster: ") == 1
    assert ended.stderr.startswith(f"mcts-cluster: {mistake}")


# Several ranks a game

TEAMS = """
seed = 3
[game]
size = 5
[player.three]
machines = 3
simulations = 12
[player.five]
machines = 5
sharing = "voting"
simulations = 12
[player.one]
simulations = 12
[[match]]
players = ["three", "five"]
games = 4
[[match]]
players = ["one", "three"]
games = 3
"""


def test_a_game_of_teams_is_the_same_on_one_rank_and_on_several(tmp_path, mpiexec):
    job = tmp_path / "teams.toml"
    job.write_text(TEAMS.replace("games = 4", "games = 2").replace("games = 3", "games = 2"))
    command = ["-m", "mcts_cluster", "run", str(job), "-o"]
    alone = run_alone([sys.executable, *command, str(tmp_path / "alone.h5")], 60)

    # Two workers; the team of three does without the last rank of its four.
    ended = mpiexec(9, *command, str(tmp_path / "ranks.h5"), "--ranks-per-game", "4")

    assert (alone.returncode, ended.returncode) == (0, 0), ended.stderr
    (run,) = reader.read(tmp_path / "ranks.h5").runs
    assert (run.ranks, run.slots) == (9, 2)
    assert run.hosts.endswith("(8)")
    rows = [reader.read(tmp_path / f"{name}.h5").rows for name in ("alone", "ranks")]
    assert sorted(rows[0], key=str) == sorted(rows[1], key=str)
    assert {row.worker.rank for row in rows[1]} <= {1, 5}


@pytest.mark.parametrize(
    ("ranks", "together", "mistake"),
    [
        (4, "4", "--ranks-per-game 4: needs 5 ranks with the master, there are 4"),
        (
            3,
            "6",
            "--ranks-per-game 6: too large, must be at most 5, the machines of the largest team",
        ),
        (2, "0", "--ranks-per-game 0: too small, must be at least 1"),
        (1, "2", "--ranks-per-game 2: without MPI there is one; start it by mpirun or srun"),
    ],
)
def test_ranks_that_would_have_nothing_to_do_are_refused(
    ranks, together, mistake, tmp_path, mpiexec
):
    job = tmp_path / "teams.toml"
    job.write_text(TEAMS)
    command = ["-m", "mcts_cluster", "run", str(job), "-o", str(tmp_path / "x.h5")]

    ended = mpiexec(ranks, *command, "--ranks-per-game", together)

    assert ended.returncode == 2
    assert ended.stderr.splitlines()[0] == f"mcts-cluster: {mistake}"
    assert not (tmp_path / "x.h5").exists()


def play_on_two_hosts():
    """Play as if every other rank was on another host."""
    rank = mpi.start().rank
    mpi_ranks.node = lambda: f"host{rank % 2}"
    MpiRanks.hosts = lambda ranks: ranks.communicator.allgather(f"host{rank % 2}")
    sys.exit(main(["run", *sys.argv[1:]]))


def test_teams_are_of_one_host_and_ranks_left_over_do_nothing(tmp_path, mpiexec, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")
    job = tmp_path / "teams.toml"
    job.write_text(TEAMS)
    command = [str(job), "--ranks-per-game", "3", "-o"]
    alone = run_alone([sys.executable, "-m", "mcts_cluster", "run", str(job), "-o", "alone.h5"], 60)
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "import test_mpi_workers; test_mpi_workers.play_on_two_hosts()"
    )

    # The master and four more on host0, four on host1.
    ended = mpiexec(9, "-c", code, *command, str(tmp_path / "ranks.h5"))

    placement = "2 teams of 3 ranks, 1 on host1, 1 on host0; 2 ranks left over on host0 and host1"
    assert (alone.returncode, ended.returncode) == (0, 0)
    assert ended.stderr.splitlines()[0] == placement
    results = reader.read(tmp_path / "ranks.h5")
    [run] = results.runs
    assert (run.slots, run.ranks, run.placement) == (2, 9, placement)
    assert run.hosts == "host0 (3), host1 (3)"
    assert {row.worker.rank for row in results.rows} == {1, 2}
    rows = [reader.read(path).rows for path in (Path("alone.h5"), tmp_path / "ranks.h5")]
    assert sorted(rows[0], key=str) == sorted(rows[1], key=str)
    assert (
        placement
        in run_alone(
            [sys.executable, "-m", "mcts_cluster", "show", str(tmp_path / "ranks.h5")], 60
        ).stdout
    )


def play_with_a_defect():
    """Play over two ranks where every search of the second one fails."""
    comm = mpi.start()
    if comm.rank == 2:
        Machine.search_on = lambda machine: 1 // 0
    sys.exit(main(["run", sys.argv[1], "-o", sys.argv[2], "--ranks-per-game", "2"]))


def test_a_defect_of_a_rank_that_plays_with_another_ends_all_with_its_traceback(tmp_path, mpiexec):
    job = tmp_path / "teams.toml"
    job.write_text(TEAMS)
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "import test_mpi_workers; test_mpi_workers.play_with_a_defect()"
    )

    ended = mpiexec(3, "-c", code, str(job), str(tmp_path / "x.h5"), seconds=30)

    assert ended.returncode not in (0, 2)
    assert "rank 2 of 3 on " in ended.stderr
    assert "ZeroDivisionError: " in ended.stderr


# Without ranks


class Wire:
    """A communicator that keeps what is sent, and hands out what it is given."""

    def __init__(self, size):
        self.size = size
        self.sent = []
        self.inbox = [(worker.READY, rank, [f"host{rank % 2}"]) for rank in range(1, size)]

    def send(self, message, rank):
        self.sent.append((rank, message))

    isend = send

    def improbe(self, source=-1):
        return Letter(self.inbox.pop(0)) if self.inbox else None


@dataclass
class Letter:
    content: tuple

    def recv(self):
        return self.content


@pytest.fixture
def workers():
    return mpi_workers.MpiWorkers(Wire(5), Job(1, "go", {}, {}, Matches(())))


def test_hosts_are_counted(workers):
    assert (workers.hosts, workers.slots, workers.ranks) == ("host0 (2), host1 (2)", 4, 5)
    assert workers.there == {1: "host1", 2: "host0", 3: "host1", 4: "host0"}
    assert workers.name(3) == "rank 3 on host1"


def test_a_run_begins_without_ranks_that_are_not_there(monkeypatch):
    monkeypatch.setattr(mpi_workers, "SECONDS_TO_START", 0.0)
    wire = Wire(5)
    *wire.inbox, late = wire.inbox

    workers = mpi_workers.MpiWorkers(wire, Job(1, "go", {}, {}, Matches(())))
    wire.inbox.append(late)

    assert workers.there == {1: "host1", 2: "host0", 3: "host1"}
    assert workers.heard(1.0) == [(worker.READY, 4, ["host0"])]


@pytest.mark.parametrize(("queued", "answers"), [(0, []), (2, [(0, ("dropped", 1, 2))])])
def test_a_worker_that_is_recalled_says_what_it_drops_and_else_nothing(queued, answers):
    # When it has played all that it was sent, its master may have gone.
    comm = Wire(2)
    comm.rank = 1
    comm.inbox = [("task", Task("m", number)) for number in range(queued)]
    comm.inbox += [("recall", None), ("end", None)]

    worker.play_tasks(comm, None, [])

    assert comm.sent == answers


def test_a_worker_loads_no_more_than_it_plays_with():
    code = "import sys, mcts_cluster.commands.run; print(*sys.modules)"
    loaded = run_alone([sys.executable, "-c", code], seconds=60).stdout.split()

    assert "mcts_cluster.running.worker" in loaded
    others = {"rich", "h5py", "matplotlib", "mpi4py", "multiprocessing", "difflib"}
    assert not (others | {"mcts_cluster.storage.writer", "mcts_cluster.jobs"}) & set(loaded)


# Whether there are ranks


@pytest.mark.parametrize(
    ("environment", "count"),
    [
        ({}, 1),
        ({"PMI_SIZE": "4"}, 4),
        ({"OMPI_COMM_WORLD_SIZE": "3"}, 3),
        ({"SLURM_STEP_NUM_TASKS": "8"}, 8),
        ({"SLURM_STEP_NUM_TASKS": "1"}, 1),
        ({"SLURM_NTASKS": "8"}, 1),
        ({"PMI_SIZE": ""}, 1),
    ],
)
def test_launchers_say_how_many_they_have_started(environment, count):
    assert mpi.launched(environment) == count


def test_a_launcher_of_another_library_is_noticed(job, mpiexec):
    # Started alone, MPI has one rank whatever the launcher says.
    code = (
        "import os, sys; os.environ['SLURM_STEP_NUM_TASKS'] = '8'\n"
        "from mcts_cluster.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )

    ended = run_alone([sys.executable, "-c", code, *words(job)[2:]], seconds=60)

    assert ended.returncode == 2
    assert "8 processes were started, but " in ended.stderr
    assert "sees one rank: the launcher belongs to another MPI library" in ended.stderr
