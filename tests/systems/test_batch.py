"""The OAR script as OAR runs it: told that its time ends, run again, complete."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import kill_tree, wait_until

from mcts_cluster.storage import reader

SCRIPT = Path(__file__).parents[2] / "slurm" / "mcts_cluster.oar"

JOB = """
seed = 1
[game]
size = 5
[player.a]
playouts = 2000
[[match]]
players = ["a", "a"]
games = 24
"""


@pytest.fixture
def start(tmp_path):
    """Start the script in a folder with a job, as on a node with three cores."""
    if not Path(sys.executable).with_name("mpiexec").exists():
        pytest.skip("the launcher of a cluster has habits of its own")
    (tmp_path / "job.toml").write_text(JOB)
    (tmp_path / ".venv").symlink_to(Path(sys.prefix))
    (tmp_path / "nodes").write_text(f"{socket.gethostname()}\n" * 3)
    started = []

    def run():
        with (tmp_path / "log").open("a") as log:
            process = subprocess.Popen(
                [SCRIPT, "job.toml", "-o", "job.h5"],
                cwd=tmp_path,
                env=os.environ | {"OAR_NODEFILE": str(tmp_path / "nodes")},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        started.append(process)
        return started[-1]

    yield run
    for process in started:
        if process.poll() is None:
            kill_tree(process)


def test_a_job_at_the_end_of_its_time_asks_to_be_run_again_and_then_is_complete(start, tmp_path):
    file = tmp_path / "job.h5"
    first = start()
    wait_until(lambda: file.exists() and len(reader.read(file).rows) > 0)

    # To the first process only, as OAR does.
    first.send_signal(signal.SIGUSR1)
    assert first.wait(timeout=60) == 99
    missing = 24 - len(reader.read(file).rows)
    assert start().wait(timeout=60) == 0

    log = (tmp_path / "log").read_text()
    results = reader.read(file)
    assert missing > 0
    assert [run.status for run in results.runs] == [99, 0]
    assert [run.ranks for run in results.runs] == [3, 3]
    assert sorted(row.number for row in results.rows) == list(range(24))
    assert f"{missing} games are missing; run again to play them" in log
    assert "mcts-cluster ended with status 99" in log


def test_the_script_says_how_it_is_used():
    ended = subprocess.run([SCRIPT], capture_output=True, text=True, timeout=60)

    assert ended.returncode != 0
    assert "usage: oarsub -S" in ended.stderr
