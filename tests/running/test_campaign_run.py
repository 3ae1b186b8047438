"""Campaigns as they are run: a truth is found, nothing is found where there is none, and neither
kills nor the number of workers change a verdict."""

import os
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from conftest import kill_tree, run_alone, wait_until
from run_here import SPENT

from mcts_cluster.errors import UserError
from mcts_cluster.storage import campaign_tables, reader

# Without priors a player does not know that a stone should touch another one.
JOB = """
title = "a campaign"
seed = 1
[game]
size = 5
[player.weak]
simulations = 20
megabytes = 1
prior_expert = 0
prior_capture = 0
prior_escape = 0
prior_ladder = 0
prior_atari = 0
[campaign]
player = "weak"
lower = 0.55
upper = 0.75
first_batch = 20
"""
NULL = """
proposer = "empty"
iterations = 3
"""
# The second one is the truth; the others, a stone behind the edge and far away, are nothing.
PATTERNS = """
pattern nowhere
strength = 0.1
* # X

pattern touch
strength = 0.1
O ?
* ?

pattern nowhere either
strength = 0.1
* # O
"""
PLANTED = """
proposer = "listed"
patterns = "{path}"
iterations = {iterations}
candidates = {candidates}
"""


def file_of(job):
    return Path(job).with_suffix(".h5")


def words(job, *more):
    return ["-m", "mcts_cluster", "run", *map(str, (job, "-o", file_of(job), *more))]


def run(job, *more):
    ended = run_alone([sys.executable, *words(job, *more)], seconds=120)
    assert ended.returncode == 0, ended.stderr
    return ended


def verdicts_of(path):
    """Return what a file tells of its races, but for when."""
    told = campaign_tables.in_file(reader.read(path))
    looks = {
        record.match: (record.looks, record.estimates) for record in told.candidates if record.looks
    }
    ends = [(v.iteration, [one.match for one in v.accepted], v.games) for v in told.verdicts]
    return looks, ends


def accepted(path):
    return [record.players[0] for record in campaign_tables.in_file(reader.read(path)).accepted]


@pytest.fixture
def null(tmp_path):
    path = tmp_path / "null.toml"
    # Where nothing changes, quick games do.
    path.write_text(JOB.replace("simulations = 20", "simulations = 4") + NULL)
    return path


def plant(folder):
    patterns = folder / "patterns.txt"
    patterns.write_text(PATTERNS)
    path = folder / "planted.toml"
    path.write_text(JOB + PLANTED.format(path=patterns, iterations=3, candidates=1))
    return path


@pytest.fixture
def planted(tmp_path):
    return plant(tmp_path)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The file of a planted truth that one worker has found, and how that ended."""
    job = plant(tmp_path_factory.mktemp("found"))
    ended = run(job, "--processes", 1)
    return file_of(job), ended


def test_a_planted_truth_is_found_and_the_useless_is_dropped(found):
    file, ended = found

    assert accepted(file) == ["weak+2"]
    assert "1 mutation accepted" in ended.stdout
    last = campaign_tables.in_file(reader.read(file)).candidates[-1]
    assert last.players == ("weak+2+3", "weak+2")


def test_a_planted_truth_is_found_among_three_candidates(planted):
    text = planted.read_text().replace("candidates = 1", "candidates = 3")
    planted.write_text(text.replace("iterations = 3", "iterations = 1"))

    ended = run(planted)

    assert accepted(file_of(planted)) == ["weak+1.2"]
    assert "1 mutation accepted" in ended.stdout


def test_where_there_is_nothing_to_be_found_nothing_is_accepted(null):
    ended = run(null)

    assert accepted(file_of(null)) == []
    assert "3 of 3 races finished, 0 mutations accepted" in ended.stdout


def test_verdicts_are_the_same_for_any_number_of_workers(found, planted, mpiexec):
    alone, ended = found
    of_three = run(planted, "--processes", 3)
    verdicts = verdicts_of(file_of(planted))
    file_of(planted).unlink()
    assert verdicts_of(alone) == verdicts
    assert tables_of(ended) == tables_of(of_three)

    ended = mpiexec(4, *words(planted))

    assert ended.returncode == 0
    said = SPENT.sub("", ended.stderr)
    assert re.fullmatch(r"race 2: 2 is accepted after \d+ games\n", said)
    assert accepted(file_of(planted)) == ["weak+2"]
    assert verdicts_of(file_of(planted)) == verdicts
    [one] = reader.read(file_of(planted)).runs
    assert (one.ranks, one.slots) == (4, 3)


def tables_of(ended):
    return ended.stdout.split("games count")[0]


def started(job, *more):
    return subprocess.Popen(
        [sys.executable, *words(job, *more)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def has_rows(job, count, runs=1):
    try:
        found = reader.read(file_of(job))
        return len(found.runs) == runs and len(found.rows) >= count
    except UserError:
        return False


@pytest.mark.proof
def test_verdicts_are_the_same_after_kills(planted, tmp_path):
    # So many games that there is time to kill.
    planted.write_text(planted.read_text().replace("upper = 0.75", "upper = 0.65"))
    run(planted)
    expected = verdicts_of(file_of(planted))
    file_of(planted).unlink()

    for number, rows in enumerate((15, 120), 1):
        one = started(planted)
        wait_until(partial(has_rows, planted, rows, number), seconds=60)
        kill_tree(one)
        one.communicate()
    ended = run(planted)

    assert "was left open, as by a kill; it is repaired" in ended.stderr
    assert verdicts_of(file_of(planted)) == expected
    assert len(reader.read(file_of(planted)).runs) == 3


def test_a_run_that_is_stopped_leaves_its_race_undecided_and_says_so(null):
    # Bounds so close to what the empty pattern is worth that no race ends before it hears.
    one = started(null, "--set", "campaign.lower=0.5001", "--set", "campaign.upper=0.5002")
    wait_until(lambda: has_rows(null, 30), seconds=60)

    os.kill(one.pid, signal.SIGTERM)
    out, err = one.communicate(timeout=60)

    assert one.returncode == 75
    assert "races are missing; run again to play them" in err
    assert "undecided" in out
    told = campaign_tables.in_file(reader.read(file_of(null)))
    assert told.verdicts == []


def test_iterations_may_be_added_and_nothing_else_changed(null):
    run(null, "--set", "campaign.iterations=1")
    before = verdicts_of(file_of(null))

    refused = run_alone([sys.executable, *words(null, "--set", "campaign.lower=0.56")], seconds=60)
    assert refused.returncode == 2
    assert "campaign.race.lower: 0.55 in the file, 0.56 in the job" in refused.stderr

    run(null, "--set", "campaign.iterations=2")
    _, ends = verdicts_of(file_of(null))
    assert ends[:1] == before[1]
    assert len(ends) == 2

    refused = run_alone(
        [sys.executable, *words(null, "--set", "campaign.iterations=1")], seconds=60
    )
    assert "campaign.iterations: 2 in the file, only 1 in the job" in refused.stderr


def test_other_verbs_read_the_file(found):
    path, _ = found

    def said(*more):
        command = [sys.executable, "-m", "mcts_cluster", *map(str, more)]
        ended = run_alone(command, seconds=60)
        assert (ended.returncode, ended.stderr) == (0, "")
        return ended.stdout

    assert "pattern touch" in said("show", path)
    assert "weak+2" in said("table", path)
    assert "every move is the same" in said("replay", path, 5)
    assert "[weak+1]" in said("export", path, "--format", "sgf", "--game", "0")
