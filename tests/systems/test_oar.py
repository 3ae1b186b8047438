"""The batch script on a real OAR of several nodes: warned, resubmitted, complete."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mpis_here import activated, environment_of
from oar_here import CORES, NODES, ROOT, oar_here

from mcts_cluster.storage import reader

SCRIPT = ROOT / "slurm" / "mcts_cluster.oar"

# It takes as long on any machine, because one player sleeps: OAR resubmits no job that took less
# than a minute.
JOB = """
seed = 1
[game]
size = 5
[player.a]
playouts = 30
[player.sleeper]
command = "sh sleeper"
[[match]]
players = ["a", "sleeper"]
games = 150
"""
SLEEPER = """
while read word rest; do
  case $word in
    genmove) sleep 0.1; echo "= pass" ;;
    known_command) echo "= false" ;;
    *) echo "=" ;;
  esac
  echo
  if [ "$word" = quit ]; then exit; fi
done
"""
SECONDS_TO_BE_RESUBMITTED = 62

pytestmark = pytest.mark.proof


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("oar") / "job"
    folder.mkdir()
    (folder / "job.toml").write_text(JOB)
    (folder / "sleeper").write_text(SLEEPER)
    # The script takes the environment of the folder in which it is submitted.
    (folder / ".venv").symlink_to(Path(sys.prefix))
    return folder


@pytest.fixture(scope="module")
def oar(folder):
    with oar_here(folder) as oar:
        yield oar


def submit(oar, file):
    said = oar.alice(f"oarsub -l /nodes={NODES},walltime=0:10:00 -S '{SCRIPT} job.toml -o {file}'")
    return int(re.search(r"OAR_JOB_ID=(\d+)", said)[1])


def state(oar, number):
    said = oar.alice(f"oarstat -f -j {number}")
    return re.search(r"^ *state = (\w+)", said, re.MULTILINE)[1]


def wait_for(oar, number, *wanted, seconds=180):
    deadline = time.monotonic() + seconds
    while (found := state(oar, number)) not in wanted:
        assert time.monotonic() < deadline, found
        time.sleep(0.5)


def rows_of(path):
    return sorted(reader.read(path).rows, key=lambda row: row.number)


def has_rows(path):
    return path.exists() and len(reader.read(path).rows) > 0


def test_a_job_at_its_checkpoint_is_resubmitted_and_ends_with_the_rows_of_one_that_is_not(
    oar, folder
):
    file, whole = folder / "job.h5", folder / "whole.h5"
    # Meanwhile, on this machine: it only sleeps.
    command = [sys.executable, "-m", "mcts_cluster", "run", "job.toml", "-o", str(whole)]
    uninterrupted = subprocess.Popen([*command, "--processes", "6"], cwd=folder)

    number = submit(oar, file.name)
    wait_for(oar, number, "Running")
    began = time.monotonic()
    while not has_rows(file) or time.monotonic() < began + SECONDS_TO_BE_RESUBMITTED:
        time.sleep(0.5)
    # As OAR does it by itself when the time is nearly up.
    oar.alice(f"oardel -c {number}")
    wait_for(oar, number, "Terminated", "Error")
    interrupted = len(reader.read(file).rows)
    wait_for(oar, number + 1, "Terminated", "Error")

    log = (folder / "mcts_cluster.log").read_text()
    results = reader.read(file)
    assert uninterrupted.wait(timeout=120) == 0
    assert 0 < interrupted < 150, log
    assert [run.status for run in results.runs] == [99, 0], log
    assert [run.ranks for run in results.runs] == [NODES * CORES + 1] * 2
    assert rows_of(file) == rows_of(whole)
    assert "mcts-cluster ended with status 99" in log
    assert f"resubmit_job_id = {number}" in oar.alice(f"oarstat -f -j {number + 1}")


def test_the_script_starts_ranks_by_open_mpi(oar, folder):
    environment = environment_of("Open MPI")
    other = folder / "open"
    activated(other, environment)
    other.chmod(0o777)  # also the user's
    (other / "job.toml").write_text(JOB)
    (other / "sleeper").write_text(SLEEPER)
    words = "job.toml -o job.h5 --set match.games=8"

    # Its daemons of several nodes want a machine each, and these nodes are all one.
    said = oar.alice(f"cd open && oarsub -l /nodes=1 -S '{SCRIPT} {words}'")
    wait_for(oar, int(re.search(r"OAR_JOB_ID=(\d+)", said)[1]), "Terminated", "Error")

    log = (other / "mcts_cluster.log").read_text()
    assert "mcts-cluster ended with status 0" in log, log
    [run] = reader.read(other / "job.h5").runs
    assert run.mpi_library.startswith("Open MPI")
    assert run.ranks == CORES + 1
    assert "\x1b" not in log


def test_a_job_that_is_deleted_is_not_resubmitted(oar, folder):
    file = folder / "deleted.h5"

    number = submit(oar, file.name)
    wait_for(oar, number, "Running")
    while not has_rows(file):
        time.sleep(0.5)
    oar.alice(f"oardel {number}")
    wait_for(oar, number, "Terminated", "Error")

    assert len(reader.read(file).rows) < 150
    # Not even a waiting one.
    assert oar.alice(f"oarstat -f -j {number + 1}", check=False) == ""


def test_each_task_of_an_array_plays_its_part(oar, folder):
    words = "job.toml --array 2 -o array.h5 --set match.games=8 --time 0:10:00"

    said = oar.alice(f".venv/bin/mcts-cluster submit {words} -- --project tests 2>&1")
    numbers = [int(number) for number in re.findall(r"OAR_JOB_ID=(\d+)", said)]
    for number in numbers:
        wait_for(oar, number, "Terminated", "Error")

    assert re.search(rf"core-hours: \d+ s on {CORES} workers for each of 2 tasks\n", said)
    assert "--project tests -S" in said
    logs = [(folder / f"mcts_cluster.{number}.log").read_text() for number in numbers]
    parts = [reader.read(folder / f"array.{number}-of-2.h5") for number in (1, 2)]
    assert [{row.number for row in part.rows} for part in parts] == [{0, 1, 4, 5}, {2, 3, 6, 7}]
    assert [part.runs[0].portion for part in parts] == ["part 1/2", "part 2/2"]
    assert all("mcts-cluster ended with status 0" in log for log in logs), logs
