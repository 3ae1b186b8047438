"""The batch script on a real Slurm of several nodes: warned, requeued, complete."""

import re
import subprocess
import sys
import time
from pathlib import Path
from platform import node

import pytest
from mpis_here import NAMES, activated, environment_of
from slurm_here import CORES, NODES, slurm_here

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

# Open MPI has ranks of other nodes in mind until all have ended, and says this of a status.
NOTICE = re.compile(
    r"-{20,}\nprterun detected that one or more .*?Exit code: +75\n-{20,}\n", re.DOTALL
)
# What launchers say of a rank that fails or is killed.
NOISE = re.compile(r"abort|terminat|exit code|non-zero|kill|\x1b|Traceback", re.IGNORECASE)

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


@pytest.fixture(params=NAMES)
def job_with_each_library(request, tmp_path):
    (tmp_path / "job.toml").write_text(JOB)
    activated(tmp_path, environment_of(request.param))
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


def test_a_job_that_is_warned_is_requeued_and_ends_with_the_rows_of_one_that_is_not(
    slurm, job_with_each_library
):
    job = job_with_each_library
    whole = job.with_name("whole.h5")
    command = [sys.executable, "-m", "mcts_cluster", "run", str(job), "-o", str(whole)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    file = job.with_suffix(".h5")

    number = submit(slurm, job, f"--nodes={NODES}")
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
    assert "\nstopping: games under way have 60 s to end\n" in log
    assert "mcts-cluster ended with status 75" in log
    assert not NOISE.search(NOTICE.sub("", log)), log
    # One more than cores.
    assert reader.read(file).runs[0].ranks == NODES * CORES + 1
    assert sorted(reader.read(file).runs[0].hosts.split(", ")) == [f"{node()} ({NODES * CORES})"]


def test_a_job_whose_node_fails_is_requeued_and_ends_with_all_rows(slurm, job):
    file = job.with_suffix(".h5")

    number = submit(slurm, job, f"--nodes={NODES}")
    wait_for(slurm, number, lambda _: has_rows(file))
    set_node = ["scontrol", "update", "nodename=node2"]
    subprocess.run([*set_node, "state=down", "reason=test"], env=slurm, check=True)
    wait_for(slurm, number, lambda found: found[1] == 1)
    # It may have come back by itself.
    subprocess.run([*set_node, "state=resume"], env=slurm)
    found = wait_for(slurm, number, lambda found: found[0] in ("COMPLETED", "FAILED"))

    log = next(job.parent.glob("mcts_cluster-*.log")).read_text()
    assert found == ("COMPLETED", 1, 0), log
    assert sorted(row.number for row in reader.read(file).rows) == list(range(120))


def test_a_job_that_is_cancelled_is_not_requeued(slurm, job_with_each_library):
    job = job_with_each_library
    file = job.with_suffix(".h5")

    number = submit(slurm, job)
    wait_for(slurm, number, lambda _: has_rows(file))
    subprocess.run(["scancel", number], env=slurm, check=True)
    found = wait_for(slurm, number, lambda found: found[0] == "CANCELLED")

    log = next(job.parent.glob("mcts_cluster-*.log")).read_text()
    assert found[1] == 0
    assert len(reader.read(file).rows) < 120
    assert "Traceback" not in log


def submitted(slurm, job, *options):
    """Submit by our own verb, and return the number of the job and what it said."""
    command = [sys.executable, "-m", "mcts_cluster", "submit", "job.toml", "-o", "job.h5", *options]
    done = subprocess.run(command, cwd=job.parent, env=slurm, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return re.search(r"Submitted batch job (\d+)", done.stdout)[1], done


def ended(found):
    return found[0] in ("COMPLETED", "FAILED")


def test_a_task_of_an_array_that_is_warned_is_requeued_alone_and_all_parts_are_the_whole(
    slurm, job
):
    number, _ = submitted(slurm, job, "--array", "3", "--no-estimate")
    # The task that has the number of the array.
    last = job.with_name("job.3-of-3.h5")
    wait_for(slurm, f"{number}_3", lambda _: has_rows(last))
    subprocess.run(["scancel", "--batch", "--signal=USR1", f"{number}_3"], env=slurm, check=True)
    found = [wait_for(slurm, f"{number}_{task}", ended) for task in (1, 2, 3)]

    logs = "".join(path.read_text() for path in job.parent.glob("mcts_cluster-*.log"))
    assert found == [("COMPLETED", 0, 0), ("COMPLETED", 0, 0), ("COMPLETED", 1, 0)], logs
    assert [run.status for run in reader.read(last).runs] == [75, 0]
    parts = [str(job.with_name(f"job.{task}-of-3.h5")) for task in (1, 2, 3)]
    merged, whole = job.with_name("merged.h5"), job.with_name("whole.h5")
    verbs = [["merge", *parts, "-o", str(merged)], ["run", str(job), "-o", str(whole)]]
    for words in verbs:
        command = [sys.executable, "-m", "mcts_cluster", *words]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert rows_of(merged) == rows_of(whole)


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


def test_teams_fill_even_nodes_and_are_of_one_of_them(slurm, job):
    job.write_text(TEAMS)

    number, said = submitted(slurm, job, "--nodes", "2", "--ranks-per-game", "2")
    found = wait_for(slurm, number, ended)

    log = next(job.parent.glob("mcts_cluster-*.log")).read_text()
    assert found == ("COMPLETED", 0, 0), log
    assert "on 4 workers" in said.stderr
    [run] = reader.read(job.with_suffix(".h5")).runs
    # Slurm's nodes are one host here.
    assert (run.ranks, run.slots, run.placement) == (5, 2, f"2 teams of 2 ranks, 2 on {node()}")
    assert f"\n2 teams of 2 ranks, 2 on {node()}\n" in log


def test_some_cores_of_a_node_leave_the_others(slurm, job):
    number, _ = submitted(slurm, job, "--cores", "1", "--set", "match.games=4", "--no-estimate")
    wait_for(slurm, number, ended)

    said = subprocess.run(
        ["scontrol", "show", "job", number], env=slurm, capture_output=True, text=True
    ).stdout
    assert "NumCPUs=1 " in said
    assert re.search(r"MinMemoryCPU=1\d\dM ", said)
    [run] = reader.read(job.with_suffix(".h5")).runs
    assert (run.ranks, run.slots) == (2, 1)


def test_two_jobs_of_some_cores_share_a_node(slurm, job):
    program = [sys.executable, "-m", "mcts_cluster", "submit"]
    words = ["--cores", "1", "--no-estimate", "--", "--nodelist=node1"]
    numbers = []
    for name in ("one", "two"):
        job.with_name(f"{name}.toml").write_text(JOB)
        done = subprocess.run(
            [*program, f"{name}.toml", "-o", f"{name}.h5", *words],
            cwd=job.parent,
            env=slurm,
            capture_output=True,
            text=True,
        )
        numbers.append(re.search(r"Submitted batch job (\d+)", done.stdout)[1])

    for name in ("one", "two"):
        deadline = time.monotonic() + 60
        while not has_rows(job.with_name(f"{name}.h5")):
            assert time.monotonic() < deadline
            time.sleep(0.2)
    found = [state(slurm, number)[0] for number in numbers]
    subprocess.run(["scancel", *numbers], env=slurm, check=True)

    assert found == ["RUNNING", "RUNNING"]


def test_words_behind_go_to_slurm(slurm, job):
    command = [sys.executable, "-m", "mcts_cluster", "submit", "job.toml", "--no-estimate", "--"]
    done = subprocess.run(
        [*command, "--partition=other"], cwd=job.parent, env=slurm, capture_output=True, text=True
    )

    assert done.returncode != 0
    assert "invalid partition specified: other" in done.stderr


def test_threads_of_a_core_are_no_cores(job, tmp_path_factory):
    with slurm_here(tmp_path_factory.mktemp("threads"), threads=2) as slurm:
        number, said = submitted(slurm, job, "--nodes", "2", "--set", "match.games=8")
        found = wait_for(slurm, number, ended)

    log = next(job.parent.glob("mcts_cluster-*.log")).read_text()
    assert found == ("COMPLETED", 0, 0), log
    assert f"on {NODES * CORES} workers" in said.stderr
    assert reader.read(job.with_suffix(".h5")).runs[0].ranks == NODES * CORES + 1
