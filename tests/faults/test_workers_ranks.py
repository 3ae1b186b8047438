"""Ranks that are frozen, whose programs fail, or that play other games than others do."""

import re
import signal
import sys

import pytest
from conftest import is_alive, run_alone, wait_until
from faults_here import Disturbed, match_in, played, rows_in, told, undisturbed

from mcts_cluster.__main__ import main
from mcts_cluster.parallel import mpi
from mcts_cluster.players.flat import FlatMonteCarlo
from mcts_cluster.running import trust, worker
from mcts_cluster.storage import reader

# A program that only passes; on one host it dies instead.
PROGRAM = """
import os, sys
if os.environ.get("PRETENDED_HOST") == "h2":
    sys.exit(3)
for line in sys.stdin:
    words = line.split()
    answers = {"genmove": "pass", "known_command": "false", "list_commands": "genmove"}
    print("=", answers.get(words[0], ""), end="\\n\\n", flush=True)
    if words[0] == "quit":
        break
"""
PASSING = """
seed = 1
[game]
size = 5
[player.program]
command = "{python} {program}"
[player.a]
playouts = 20
[[match]]
players = ["program", "a"]
games = 16
"""


# What the ranks do; they run this file.


def on_pretended_hosts():
    """Play with a master on h0, ranks 1 and 2 on h1, and so on."""
    rank = mpi.start().rank
    host = f"h{(rank + 1) // 2}"
    worker.node = lambda: host
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRETENDED_HOST", host)
        sys.exit(main(["run", *sys.argv[1:]]))


def with_every_game_played_twice():
    trust.SHARE = 1
    on_pretended_hosts()


def with_a_rank_that_plays_otherwise():
    """Have rank 3 do nothing but pass."""
    if mpi.start().rank == 3:
        FlatMonteCarlo.choose = lambda player, game, game_seed: game.points
    with_every_game_played_twice()


def with_a_rank_that_sends_another_row():
    """Have rank 2 play a game later than it was told to."""
    if mpi.start().rank == 2:
        play = worker.TaskPlayer.play
        worker.TaskPlayer.play = lambda player, task: play(
            player, type(task)(task.match, task.number + 1)
        )
    on_pretended_hosts()


def words(what, job, file):
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        f"import test_workers_ranks; test_workers_ranks.{what.__name__}()"
    )
    return ["-c", code, str(job), "-o", str(file)]


def test_a_host_whose_program_dies_costs_no_game(tmp_path, mpiexec):
    (tmp_path / "program.py").write_text(PROGRAM)
    job, file = tmp_path / "job.toml", tmp_path / "disturbed.h5"
    job.write_text(PASSING.format(python=sys.executable, program=tmp_path / "program.py"))
    expected = played(job, tmp_path / "whole.h5", "--processes", 1)

    ended = mpiexec(7, *words(on_pretended_hosts, job, file))

    assert ended.returncode == 0, ended.stderr
    assert told(file) == expected
    void = [row for row in reader.read(file).rows if row.points is None]
    assert {row.worker.host for row in void} == {"h2"}
    assert 3 <= len(void) <= 6
    assert re.search(
        r"^rank [34] on h2: 3 void games in a row; it gets no more$", ended.stderr, re.M
    )
    assert re.search(r"^void: game \d+ of program against a, rank [34] on h2: ", ended.stderr, re.M)
    shown = run_alone([sys.executable, "-m", "mcts_cluster", "show", str(file)], seconds=60).stdout
    assert f"\nh2: 0 games, {len(void)} void, " in shown


@pytest.mark.proof
def test_a_rank_that_is_frozen_is_not_waited_for(tmp_path, mpiexec):
    job, file = match_in(tmp_path), tmp_path / "disturbed.h5"
    expected = undisturbed(match_in)
    launcher = mpiexec(1, "-c", "pass").args[0]

    with Disturbed(
        [launcher, "-n", 4, sys.executable, "-m", "mcts_cluster", "run", job, "-o", file]
    ) as run:
        wait_until(lambda: rows_in(file) >= 1)
        run.see()
        master = int((tmp_path / ".disturbed.h5.lock").read_text().split()[1])
        ranks = [one for one in run.family if "mcts_cluster" in one.cmdline()]
        next(one for one in ranks if one.pid != master).send_signal(signal.SIGSTOP)
        ended = run.ended()

    assert ended.returncode == 0
    assert re.search(r"^rank \d on .* is at game .* s; ended without it$", ended.stderr, re.M)
    assert told(file) == expected
    wait_until(lambda: not any(map(is_alive, ranks)))


def test_games_that_are_played_by_two_hosts_are_the_same(tmp_path, mpiexec):
    job, file = match_in(tmp_path, games=4, playouts=20), tmp_path / "doubtful.h5"

    ended = mpiexec(5, *words(with_every_game_played_twice, job, file))

    assert ended.returncode == 0, ended.stderr
    [run] = reader.read(file).runs
    assert (run.replayed, run.disagreed, run.disagreement) == (10, 0, "")
    shown = run_alone([sys.executable, "-m", "mcts_cluster", "show", str(file)], seconds=60).stdout
    assert "10 games played again elsewhere, the same" in " ".join(shown.split())


def test_a_rank_that_plays_other_games_is_found_and_named(tmp_path, mpiexec):
    job, file = match_in(tmp_path, games=4, playouts=20), tmp_path / "doubtful.h5"

    ended = mpiexec(5, *words(with_a_rank_that_plays_otherwise, job, file))

    assert ended.returncode == 1
    found = r"game \d+ of . against . is another one by rank \d on h\d than by rank \d on h\d, from"
    lines = [line for line in ended.stderr.splitlines() if re.search(found, line)]
    assert lines
    assert all("rank 3 on h2" in line for line in lines)
    [run] = reader.read(file).runs
    assert run.status == 1
    assert run.replayed >= run.disagreed > 0
    assert re.match(found, run.disagreement)
    shown = run_alone([sys.executable, "-m", "mcts_cluster", "show", str(file)], seconds=60).stdout
    assert f"{run.disagreed} not the same: game" in " ".join(shown.split())


def test_a_rank_that_sends_another_game_ends_the_run_with_a_line(tmp_path, mpiexec):
    job, file = match_in(tmp_path, games=4, playouts=20), tmp_path / "wrong.h5"

    ended = mpiexec(5, *words(with_a_rank_that_sends_another_row, job, file))

    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    [line] = [line for line in ended.stderr.splitlines() if line.startswith("mcts-cluster: ")]
    assert line.startswith("mcts-cluster: rank 2 on h1 has sent game ")
    assert "; it was given game " in line
    assert [run.status for run in reader.read(file).runs] == [1]
