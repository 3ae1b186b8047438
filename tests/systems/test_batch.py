"""The OAR script as OAR runs it: told that its time ends, run again, complete."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from conftest import kill_tree, wait_until

from mcts_cluster.storage import reader

SLURM = Path(__file__).parents[2] / "slurm"
OF_OAR, OF_SLURM = SLURM / "mcts_cluster.oar", SLURM / "mcts_cluster.sbatch"

JOB = """
seed = 1
[game]
size = 5
[player.a]
playouts = 8000
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

    def run(*more):
        with (tmp_path / "log").open("a") as log:
            process = subprocess.Popen(
                [OF_OAR, "job.toml", "-o", "job.h5", *more],
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
    wait_until(lambda: file.exists() and len(reader.read(file).rows) > 0, seconds=100)

    # To the first process only, as OAR does.
    first.send_signal(signal.SIGUSR1)
    assert first.wait(timeout=60) == 99
    missing = 24 - len(reader.read(file).rows)
    assert start().wait(timeout=60) == 0

    log = (tmp_path / "log").read_text()
    results = reader.read(file)
    assert missing > 0
    assert [run.status for run in results.runs] == [99, 0]
    assert [run.ranks for run in results.runs] == [4, 4]
    assert sorted(row.number for row in results.rows) == list(range(24))
    assert f"{missing} games are missing; run again to play them" in log
    assert "mcts-cluster ended with status 99" in log


@pytest.mark.parametrize("more", [[], ["--survive"]], ids=["", "survive"])
def test_a_job_that_loses_a_rank_starts_again_if_it_is_to_survive(more, start, tmp_path):
    file = tmp_path / "job.h5"
    job = start(*more)
    wait_until(lambda: file.exists() and len(reader.read(file).rows) > 0, seconds=100)
    family = psutil.Process(job.pid).children(recursive=True)
    ranks = [one for one in family if "mcts-cluster" in " ".join(one.cmdline()[:2])]
    master = int((tmp_path / ".job.h5.lock").read_text().split()[1])

    next(one for one in ranks if one.pid != master).kill()
    status = job.wait(timeout=60)

    log = (tmp_path / "log").read_text()
    results = reader.read(file)
    assert (status == 0) == bool(more)
    assert ("and starts again" in log) == bool(more)
    assert len(results.runs) == 1 + len(more)
    if more:
        assert results.runs[1].status == 0
        assert sorted(row.number for row in results.rows) == list(range(24))


def test_a_script_starts_the_pack_that_is_in_the_folder(start, tmp_path):
    pack = tmp_path / "mcts_cluster.pack"
    pack.write_text('#!/bin/sh\necho "packed: $1"\nexec mcts-cluster "$@"\n')
    pack.chmod(0o755)

    assert start().wait(timeout=60) == 0

    log = (tmp_path / "log").read_text()
    assert log.startswith("packed: --version\n")
    assert log.count("packed: run\n") == 4


@pytest.mark.parametrize("script", [OF_OAR, OF_SLURM], ids=["oar", "slurm"])
def test_a_script_says_how_it_is_used(script):
    ended = subprocess.run([script], capture_output=True, text=True, timeout=60)

    assert ended.returncode != 0
    assert re.search(r"usage: (oarsub -S|sbatch slurm/)", ended.stderr)


@pytest.mark.parametrize("script", [OF_OAR, OF_SLURM], ids=["oar", "slurm"])
@pytest.mark.parametrize(
    ("has_program", "says"),
    [
        (False, "no .venv in {here}, and no mcts-cluster in the path: submit from the folder"),
        (True, "job.toml: no such file in {here}: submit from the folder of mcts_cluster, or"),
    ],
)
def test_a_script_in_the_wrong_folder_says_what_to_do(script, has_program, says, tmp_path):
    if has_program:
        (tmp_path / ".venv").symlink_to(Path(sys.prefix))
    else:
        (tmp_path / "job.toml").write_text(JOB)

    ended = subprocess.run(
        ["bash", script, "job.toml"],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "SLURM_JOB_ID": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert ended.returncode == 2
    assert ended.stderr.startswith(says.format(here=tmp_path))
    assert ended.stderr.count("\n") == 1


def test_the_script_of_slurm_refuses_a_task_of_an_array_that_is_not_told_of_how_many(tmp_path):
    (tmp_path / ".venv").symlink_to(Path(sys.prefix))
    (tmp_path / "job.toml").write_text(JOB)
    task = {"SLURM_JOB_ID": "7", "SLURM_ARRAY_JOB_ID": "5", "SLURM_ARRAY_TASK_ID": "2"}

    ended = subprocess.run(
        ["bash", OF_SLURM, "job.toml"],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", **task},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert ended.returncode == 2
    assert ended.stderr == (
        "task 2 of a job array: give --array N behind the job, too, the number of all tasks\n"
    )
