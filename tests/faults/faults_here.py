"""Runs that are disturbed: jobs whose games take long enough to be killed in, and their rows."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from functools import cache
from pathlib import Path

import psutil
from conftest import (
    LAUNCHER_VARIABLES,
    OPEN_MPI_CONSENT,
    is_alive,
    kill_tree,
    run_alone,
    wait_until,
)

from mcts_cluster.errors import UserError
from mcts_cluster.storage import campaign_tables, reader

MATCH = """
seed = 1
[game]
size = 5
[player.a]
playouts = {playouts}
[player.b]
playouts = 40
[[match]]
players = ["a", "b"]
games = {games}
[[match]]
players = ["b", "a"]
games = 6
"""
# It makes the player stronger.
PATTERNS = """
pattern touch
strength = 0.1
O ?
* ?
"""
CAMPAIGN = """
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
proposer = "listed"
patterns = "{patterns}"
iterations = 1
lower = 0.6
upper = 0.8
first_batch = 10
"""
POSITION = """
position capture
to play = black
good moves = C2

    . . . . .
    . . X . .
    . X O X .
    . . . . .
    . . . . .
"""
POSITIONS = """
seed = 1
[game]
size = 5
[player.a]
simulations = 6000
[positions]
file = "{positions}"
players = ["a"]
runs = 20
"""


def match_in(folder, games=14, playouts=10000):
    path = folder / "match.toml"
    path.write_text(MATCH.format(games=games, playouts=playouts))
    return path


def campaign_in(folder):
    patterns, path = folder / "patterns.txt", folder / "campaign.toml"
    patterns.write_text(PATTERNS)
    path.write_text(CAMPAIGN.format(patterns=patterns))
    return path


def positions_in(folder):
    positions, path = folder / "positions.txt", folder / "positions.toml"
    positions.write_text(POSITION)
    path.write_text(POSITIONS.format(positions=positions))
    return path


def command(job, file, *more):
    return [sys.executable, "-m", "mcts_cluster", "run", *map(str, (job, "-o", file, *more))]


def played(job, file, *more):
    """Play a job undisturbed; return what it has come to."""
    ended = run_alone(command(job, file, *more), seconds=120)
    assert ended.returncode == 0, ended.stderr
    return told(file)


@cache
def undisturbed(job_in):
    """Return what the job that is made so comes to undisturbed."""
    with tempfile.TemporaryDirectory() as folder:
        return played(job_in(Path(folder)), Path(folder) / "whole.h5")


def told(file):
    """Return what a file tells of its job, but for when and where: rows that count, verdicts."""
    results = reader.read(file)
    if results.kind == "campaign":
        of_it = campaign_tables.in_file(results)
        looks = {one.match: (one.looks, one.estimates) for one in of_it.candidates if one.looks}
        return looks, [
            (v.iteration, [m.match for m in v.accepted], v.games) for v in of_it.verdicts
        ]
    return sorted(
        (row for row in results.rows if row.points is not None),
        key=lambda row: (row.match, row.number),
    )


def rows_in(file):
    """Return how many rows a file has, 0 where there is none yet."""
    with suppress(UserError, OSError):
        return len(reader.read(file).rows)
    return 0


class Disturbed:
    """A run that is under way, of which processes can be killed; a context manager."""

    def __init__(self, words):
        clean = {k: v for k, v in os.environ.items() if not k.startswith(LAUNCHER_VARIABLES)}
        self.process = subprocess.Popen(
            list(map(str, words)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=clean | OPEN_MPI_CONSENT,
            start_new_session=True,
        )
        self.family = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.see()
        if self.process.poll() is None:
            kill_tree(self.process)
        for one in filter(is_alive, self.family):
            one.kill()
        self.process.communicate()

    def see(self):
        """Note which processes belong to it."""
        with suppress(psutil.NoSuchProcess):
            found = psutil.Process(self.process.pid).children(recursive=True)
            self.family += [one for one in found if one not in self.family]

    def workers(self, seconds=0.4):
        """Return its workers that have worked for so long: longer than it takes to start."""
        self.see()
        return [one for one in filter(is_alive, self.family) if busy(one) > seconds]

    def be_killed(self, what, dice):
        """Kill a worker, the master, or everything."""
        self.see()
        if what == "everything":
            os.killpg(self.process.pid, signal.SIGKILL)
        elif what == "the master":
            kill(self.process)
        elif victims := [*filter(is_alive, self.family)]:
            kill(dice.choice(victims))

    def has_ended(self):
        return self.process.poll() is not None

    def ended(self, seconds=120):
        out, err = self.process.communicate(timeout=seconds)
        return subprocess.CompletedProcess(self.process.args, self.process.returncode, out, err)


def busy(process):
    with suppress(psutil.NoSuchProcess):
        return process.cpu_times().user
    return 0.0


def kill(process):
    with suppress(psutil.NoSuchProcess):
        process.kill()


KILLS = ("a worker", "a worker", "the master", "everything")


def killed_at_random_moments(job, file, moments, dice, launcher=()):
    """Play a job in which workers, the master or all of it are killed so often; then to its end.

    With the words of a launcher it plays on ranks, and the launcher stands for the master. Return
    how often each was killed.
    """
    kills = Counter()
    while kills.total() < moments:
        processes = () if launcher else ("--processes", 2)
        with Disturbed([*launcher, *command(job, file, *processes)]) as run:
            while kills.total() < moments:
                time.sleep(dice.uniform(0.0, 1.5))
                if run.process.poll() is not None:
                    break
                what = dice.choice(KILLS)
                kills[what] += 1
                run.be_killed(what, dice)
                if what != "a worker":
                    break
            run.process.wait() if kills.total() < moments else run.ended()
        # Another run may write the file only when nobody plays for this one any more.
        wait_until(lambda: not any(map(is_alive, run.family)))
        if run.process.returncode == 0 and kills.total() < moments:
            file.unlink()
    ended = run_alone(command(job, file), seconds=120)
    assert ended.returncode == 0, ended.stderr
    return kills
