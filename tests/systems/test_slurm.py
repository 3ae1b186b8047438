"""The batch script on a real Slurm of several nodes: warned, requeued, complete."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from slurm_here import slurm_here

from mcts_cluster.storage import reader

SCRIPT = Path(__file__).parents[2] / "slurm" / "mcts_cluster.sbatch"

JOB = """
seed = 1
[game]
size = 5
[player.a]
playouts = 1500
[[match]]
players = ["a", "a"]
games = 120
"""

pytestmark = pytest.mark.proof


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    with slurm_here(tmp_path_factory.mktemp("slurm")) as environment:
        yield environment


@pytest.fixture
def job(tmp_path):
    (tmp_path / "job.toml").write_text(JOB)
    # The script takes the environment of the folder in which it is submitted.
    (tmp_path / ".venv").symlink_to(Path(sys.prefix))
    return tmp_path / "job.toml"


def submit(slurm, job, *options):
    words = ["sbatch", "--parsable", *options, str(SCRIPT), "job.toml", "-o", "job.h5"]
    done = subprocess.run(
        words, cwd=job.parent, env=slurm, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def state(slurm, number):
    """Return the state of a job, how often it was requeued, and its status."""
    said = subprocess.run(
        ["scontrol", "show", "job", number], env=slurm, capture_output=True, text=True, check=True
    ).stdout
    found = re.search(r"JobState=(\S+)", said), re.search(r"Restarts=(\d+)", said)
    status = re.search(r"ExitCode=(\d+):", said)
    return found[0][1], int(found[1][1]), int(status[1])


def wait_for(slurm, number, wanted, seconds=90):
    deadline = time.monotonic() + seconds
    while not wanted(found := state(slurm, number)):
        assert time.monotonic() < deadline, found
        time.sleep(0.2)
    return found


def rows_of(path):
    return sorted(reader.read(path).rows, key=lambda row: row.number)


def has_rows(path):
    return path.exists() and len(reader.read(path).rows) > 0


def test_a_job_that_is_warned_is_requeued_and_ends_with_the_rows_of_one_that_is_not(slurm, job):
    whole = job.with_name("whole.h5")
    command = [sys.executable, "-m", "mcts_cluster", "run", str(job), "-o", str(whole)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    file = job.with_suffix(".h5")

    number = submit(slurm, job, "--nodes=2", "--ntasks-per-node=2")
    wait_for(slurm, number, lambda _: has_rows(file))
    # As Slurm sends it when the time is nearly up.
    subprocess.run(["scancel", "--batch", "--signal=USR1", number], env=slurm, check=True)
    wait_for(slurm, number, lambda found: found[1] == 1)
    interrupted = len(reader.read(file).rows)
    found = wait_for(slurm, number, lambda found: found[0] in ("COMPLETED", "FAILED"))

    log = next(job.parent.glob("mcts_cluster-*.log")).read_text()
    assert found == ("COMPLETED", 1, 0), log
    assert interrupted < 120
    assert [run.status for run in reader.read(file).runs] == [75, 0]
    assert rows_of(file) == rows_of(whole)
    assert "mcts-cluster ended with status 75" in log
    assert reader.read(file).runs[0].ranks == 4


def test_a_job_that_is_cancelled_is_not_requeued(slurm, job):
    file = job.with_suffix(".h5")

    number = submit(slurm, job, "--nodes=1", "--ntasks-per-node=2")
    wait_for(slurm, number, lambda _: has_rows(file))
    subprocess.run(["scancel", number], env=slurm, check=True)
    found = wait_for(slurm, number, lambda found: found[0] == "CANCELLED")

    assert found[1] == 0
    assert len(reader.read(file).rows) < 120
