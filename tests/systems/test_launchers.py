"""How a run on ranks ends under mpich and under Open MPI, and what its log says then."""

import re
import signal
import subprocess
import sys

import psutil
import pytest
from conftest import kill_tree, rest_in_proof, wait_until
from mpis_here import NAMES, environment_of

from mcts_cluster.storage import reader

JOB = """
seed = 1
[game]
size = 5
[player.a]
playouts = 1500
[[match]]
players = ["a", "a"]
games = 200
"""
# One move alone takes minutes.
ENDLESS = JOB.replace("size = 5", "size = 19").replace("1500", "100_000_000")


@pytest.fixture(params=rest_in_proof(NAMES, ["mpich"]))
def library(request):
    return request.param


@pytest.fixture
def start(library, tmp_path):
    """Start a job on three ranks, into a log."""
    environment = environment_of(library)
    started = []

    def run(job, *words):
        (tmp_path / "job.toml").write_text(job)
        run = [sys.executable, "-m", "mcts_cluster", "run", "job.toml", "-o", "job.h5", *words]
        with (tmp_path / "log").open("w") as log:
            process = subprocess.Popen(
                ["mpiexec", "-n", "3", *run],
                cwd=tmp_path,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        started.append(process)
        return process

    yield run
    for process in started:
        if process.poll() is None:
            kill_tree(process)


def rows(folder):
    path = folder / "job.h5"
    return reader.read(path).rows if path.exists() else []


def ends(process):
    return process.wait(timeout=60)


def log_of(folder):
    return (folder / "log").read_text()


# All of a log: what a stopped run says, its table, and no word of a launcher.
STOPPED = re.compile(
    r"stopping: games under way have 20 s to end\n"
    r"job.h5: \d+ games are missing; run again to play them\n"
    r"played \d+ games; workers played \d+\.\d % of the time\n"
    r"┏[━┳]+┓\n┃ match .*\n┡[━╇]+┩\n│ a against a │.*\n└[─┴]+┘\n"
    r"± is one standard error, [^┃]*\n\d+ games show a difference [^┃]*five\)\.\n"
)


def test_usr1_ends_a_run_with_nothing_in_its_log_but_its_own_words(start, tmp_path):
    one = start(JOB)
    wait_until(lambda: len(rows(tmp_path)) > 1)

    one.send_signal(signal.SIGUSR1)

    assert ends(one) == 75
    assert STOPPED.fullmatch(log_of(tmp_path)), log_of(tmp_path)
    results = reader.read(tmp_path / "job.h5")
    assert results.is_closed and [run.status for run in results.runs] == [75]


PROOF = pytest.mark.proof


# What the launcher ends with, and what the run has written into its file.
@pytest.mark.parametrize(
    ("library", "name", "status", "written"),
    [
        ("mpich", "SIGTERM", 75, 75),
        pytest.param("mpich", "SIGINT", 130, 130, marks=PROOF),
        # It sends TERM on, whatever it gets, and kills all ranks half a second later.
        pytest.param("Open MPI", "SIGTERM", 1, 75, marks=PROOF),
        pytest.param("Open MPI", "SIGINT", 1, 75, marks=PROOF),
        pytest.param("Open MPI", "SIGUSR2", 75, 75, marks=PROOF),
    ],
    indirect=["library"],
)
def test_the_file_is_closed_whatever_a_launcher_makes_of_a_signal(
    name, status, written, start, tmp_path
):
    one = start(JOB)
    wait_until(lambda: len(rows(tmp_path)) > 1)

    one.send_signal(signal.Signals[name])

    assert ends(one) == status
    assert "Traceback" not in log_of(tmp_path)
    wait_until(lambda: reader.read(tmp_path / "job.h5").is_closed)
    assert [run.status for run in reader.read(tmp_path / "job.h5").runs] == [written]


@pytest.mark.parametrize(
    ("library", "name"),
    [
        pytest.param("mpich", "SIGUSR2", marks=PROOF),
        pytest.param("mpich", "SIGKILL", marks=PROOF),
        pytest.param("Open MPI", "SIGKILL", marks=PROOF),
    ],
    indirect=["library"],
)
def test_a_run_whose_launcher_dies_is_continued(name, start, tmp_path):
    job = JOB.replace("200", "60")
    one = start(job)
    wait_until(lambda: len(rows(tmp_path)) > 1)
    before = rows(tmp_path)

    one.send_signal(signal.Signals[name])
    ends(one)

    # Its ranks end a moment later, and with them the lock on the file.
    wait_until(lambda: ends(start(job)) == 0, seconds=120)
    after = {row.number: row for row in rows(tmp_path)}
    assert sorted(after) == list(range(60))
    assert all(after[row.number] == row for row in before)


def at_work(process):
    """Return how many ranks have played for longer than it takes to start."""
    children = psutil.Process(process.pid).children(recursive=True)
    return sum(child.cpu_times().user > 2 for child in children)


@pytest.mark.proof
def test_games_that_outlast_the_grace_are_left(start, tmp_path):
    one = start(ENDLESS, "--grace", "0.5")
    wait_until(lambda: (tmp_path / "job.h5").exists() and at_work(one) == 2)

    one.send_signal(signal.SIGUSR1)

    assert ends(one) == 75
    assert reader.read(tmp_path / "job.h5").is_closed
    said = log_of(tmp_path)
    assert said.startswith("stopping: games under way have 0.5 s to end\n")
    assert "job.h5: 200 games are missing; run again to play them\n" in said
    assert "Traceback" not in said


def test_a_mistake_is_told_once(start, tmp_path):
    one = start(JOB.replace("size = 5", "size = 1"))

    assert ends(one) == 2
    says = "game.size: 1 is too small, must be at least 2\n    size = 1\n"
    assert re.fullmatch(rf"mcts-cluster: job\.toml:\d+: {re.escape(says)}", log_of(tmp_path))


def test_a_log_has_no_escape_codes(start, tmp_path):
    one = start(JOB.replace("200", "4"))

    assert ends(one) == 0
    assert "workers played " in log_of(tmp_path)
    assert "\x1b" not in log_of(tmp_path)
