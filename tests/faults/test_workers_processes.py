"""Worker processes that are killed or frozen: the rows are those of a run in which none was."""

import signal

import pytest
from conftest import wait_until
from faults_here import (
    Disturbed,
    campaign_in,
    command,
    kill,
    match_in,
    positions_in,
    rows_in,
    told,
    undisturbed,
)


@pytest.mark.parametrize(
    "job_in", [match_in, campaign_in, pytest.param(positions_in, marks=pytest.mark.proof)]
)
def test_workers_that_are_killed_one_after_another_are_replaced(job_in, tmp_path):
    job, file = job_in(tmp_path), tmp_path / "disturbed.h5"
    expected = undisturbed(job_in)

    with Disturbed(command(job, file, "--processes", 2)) as run:
        for _ in range(2):
            wait_until(lambda: run.workers() or run.has_ended())
            for worker in run.workers()[:1]:
                kill(worker)
        ended = run.ended()

    assert ended.returncode == 0, ended.stderr
    lines = [line for line in ended.stderr.splitlines() if "was killed by signal 9" in line]
    assert lines
    assert all(line.startswith("process ") and " on " in line for line in lines)
    assert any(" in game " in line and line.endswith(", which is played again") for line in lines)
    assert told(file) == expected


def test_a_worker_that_is_frozen_is_not_waited_for(tmp_path):
    job, file = match_in(tmp_path), tmp_path / "disturbed.h5"
    expected = undisturbed(match_in)

    with Disturbed(command(job, file, "--processes", 2)) as run:
        wait_until(lambda: rows_in(file) >= 1 and len(run.workers()) == 2)
        run.workers()[0].send_signal(signal.SIGSTOP)
        ended = run.ended()

    assert ended.returncode == 0
    assert " s; ended without it\n" in ended.stderr
    assert told(file) == expected
