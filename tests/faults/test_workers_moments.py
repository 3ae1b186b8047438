"""Runs whose workers, or master, or all of them, are killed at random moments."""

import random

import pytest
from faults_here import campaign_in, killed_at_random_moments, match_in, told, undisturbed

JOBS = [match_in, campaign_in]


@pytest.mark.parametrize("job_in", JOBS)
def test_kills_at_a_few_moments_change_nothing(job_in, tmp_path):
    job, file = job_in(tmp_path), tmp_path / "disturbed.h5"
    expected = undisturbed(job_in)

    kills = killed_at_random_moments(job, file, 3, random.Random(job.stem))

    assert kills.total() >= 3
    assert told(file) == expected


@pytest.mark.soak
@pytest.mark.parametrize("job_in", JOBS)
@pytest.mark.parametrize("start", range(25))
def test_kills_at_a_thousand_moments_change_nothing(job_in, start, tmp_path):
    job, file = job_in(tmp_path), tmp_path / "disturbed.h5"
    expected = undisturbed(job_in)

    kills = killed_at_random_moments(job, file, 20, random.Random(start))

    assert kills.total() >= 20
    assert told(file) == expected


@pytest.mark.soak
@pytest.mark.parametrize("start", range(5))
def test_kills_of_ranks_at_a_hundred_moments_change_nothing(start, tmp_path, mpiexec):
    job, file = match_in(tmp_path), tmp_path / "disturbed.h5"
    launcher = mpiexec(1, "-c", "pass").args[0]

    kills = killed_at_random_moments(job, file, 20, random.Random(start), [launcher, "-n", 4])

    assert kills.total() >= 20
    assert told(file) == undisturbed(match_in)
