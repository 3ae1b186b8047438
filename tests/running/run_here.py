"""Runs of a job, as a command."""

import re
import sys
from pathlib import Path

import pytest
from conftest import run_alone

from mcts_cluster.storage import reader


def file_of(job):
    return Path(job).with_suffix(".h5")


@pytest.fixture(autouse=True, scope="module")
def plain_surroundings():
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.delenv("FORCE_COLOR", raising=False)
        monkeypatch.delenv("PYTHONIOENCODING", raising=False)
        monkeypatch.setenv("PYTHONUTF8", "1")
        yield


def command(job, *words):
    output = Path(job).with_suffix(".h5")
    return [sys.executable, "-m", "mcts_cluster", "run", *map(str, (job, "-o", output, *words))]


def play_to(job, *words):
    ended = run_alone(command(job, *words), seconds=60)
    return ended, reader.read(file_of(job))


# What a run says at its end, and nothing before it.
SPENT = re.compile(r"played \d+ games?; workers played \d+\.\d % of the time\n")
