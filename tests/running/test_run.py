"""The verb `run`, as a command: its table, its refusals, and how it is continued."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from platform import node

import pytest
from conftest import python_path, run_alone
from rich.console import Console
from run_here import SPENT, command, file_of, plain_surroundings, play_to  # noqa: F401

from cext import build_info
from mcts_cluster import __version__
from mcts_cluster.jobs import jobfile
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches import schedule
from mcts_cluster.matches.matches import Matches
from mcts_cluster.matches.setup import Match, MatchKey
from mcts_cluster.players.flat import Stateless
from mcts_cluster.reports import matches as matches_report
from mcts_cluster.running import master
from mcts_cluster.running.dispatcher import Dispatcher
from mcts_cluster.running.local_workers import LocalWorkers
from mcts_cluster.running.signals import listening
from mcts_cluster.seeds import seed
from mcts_cluster.storage import reader
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord

JOB = """
title = "a small [job]"
seed = 1
[game]
size = 5
[player.a]
playouts = 20
[player.b]
playouts = 4
[[match]]
players = ["a", "b"]
games = 6
[[match]]
players = ["b", "b"]
games = 3
"""

MORE = """
[[match]]
players = ["b", "a"]
games = 2
"""


@pytest.fixture
def job(tmp_path):
    path = tmp_path / "job.toml"
    path.write_text(JOB)
    return path


@pytest.fixture(scope="module")
def played_once(tmp_path_factory):
    path = tmp_path_factory.mktemp("played") / "job.toml"
    path.write_text(JOB)
    return path, run_alone(command(path), seconds=60)


@pytest.fixture
def played(job, played_once):
    """The job and its file after a run, how that ended, and what the file then holds."""
    path, ended = played_once
    shutil.copy(file_of(path), file_of(job))
    return ended, reader.read(file_of(job))


def test_a_job_is_played_and_its_table_printed(played):
    ended, _ = played

    lines = [[cell.strip() for cell in line.split("│")] for line in ended.stdout.splitlines()]
    assert ended.returncode == 0, ended.stderr
    assert SPENT.fullmatch(ended.stderr)
    assert lines[0] == ["a small [job]"]
    assert [line[1:3] for line in lines if len(line) > 1] == [
        ["a against b", "6"],
        ["b against b", "3"],
    ]


def test_nothing_but_text_is_printed_where_there_is_no_terminal(played):
    ended, _ = played

    assert "\x1b" not in ended.stdout
    assert "\r" not in ended.stdout


def test_the_games_are_the_same_for_any_number_of_processes(job):
    tables, rows = [], []
    for number in (1, 3):
        tables.append(run_alone(command(job, "--processes", number), seconds=60).stdout)
        rows.append(sorted(reader.read(file_of(job)).rows, key=lambda row: (row.match, row.number)))
        file_of(job).unlink()

    assert len(rows[0]) == 9
    assert rows[0] == rows[1]
    assert tables[0] == tables[1]


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_no_encoding_of_the_output_costs_a_run_its_table(encoding, job, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    monkeypatch.setenv("PYTHONUTF8", "0")

    ended = run_alone([*command(job), "--processes", "1"], seconds=60)

    assert ended.returncode == 0, ended.stderr
    assert SPENT.fullmatch(ended.stderr)
    assert "a against b" in ended.stdout


def test_a_bad_job_ends_with_status_2_and_all_its_mistakes(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(JOB.replace("seed", "sede").replace("size = 5", "size = 30"))

    ended = run_alone(command(path), seconds=60)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        f'mcts-cluster: {path}:3: sede: unknown key; did you mean "seed"?\n    sede = 1\n'
        f"{path}:5: game.size: 30 is too large, must be at most 25\n    size = 30\n"
    )


def test_a_missing_job_is_one_line(tmp_path):
    ended = run_alone(command(tmp_path / "none.toml"), seconds=60)

    assert ended.returncode == 2
    assert ended.stderr == f"mcts-cluster: {tmp_path / 'none.toml'}: No such file or directory\n"


@pytest.mark.parametrize(
    ("words", "mistake"),
    [
        (("--processes", "0"), "--processes 0: too small, must be at least 1"),
        (("--grace", "-1"), "--grace -1: too small, must be at least 0"),
        (("--grace", "nan"), "--grace nan: too small, must be at least 0"),
        (("--stopped-status", "256"), "--stopped-status 256: must be from 1 to 255"),
        (("--stopped-status", "0"), "--stopped-status 0: must be from 1 to 255"),
    ],
)
def test_an_impossible_option_is_refused(words, mistake, job):
    ended = run_alone(command(job, *words), seconds=60)

    assert (ended.returncode, ended.stderr) == (2, f"mcts-cluster: {mistake}\n")
    assert not file_of(job).exists()


def test_as_many_games_are_played_at_a_time_as_the_batch_system_leaves_cores():
    code = (
        "import os\n"
        "from mcts_cluster.running import master as conductor\n"
        "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
        "print(conductor.cores())"
    )

    assert run_alone([sys.executable, "-c", code], seconds=60).stdout == "1\n"


# What worker processes may do. The runs are scripts of their own: a hang must fail the test.


@dataclass(frozen=True)
class Stumbler(Stateless):
    """A player who passes; in the first game of all something happens first."""

    happens: str

    def choose(self, game, game_seed):
        first = game_seed == seed(1, "a against a", 0)
        if first and self.happens == "a delay":
            time.sleep(0.3)
        elif first and self.happens == "an exception":
            raise ZeroDivisionError("on purpose")
        elif first and self.happens == "a death":
            os._exit(1)
        elif self.happens != "a delay":
            time.sleep(60)
        return game.points


def play_with_a_stumbler(happens, path):
    games = Match(MatchKey("a", "a"), 9)
    job = Job(1, "go", {"size": 5}, {"a": Stumbler(happens)}, Matches((games,)))
    matches = (MatchRecord(games.key, games.games),)
    results = Results("", "go", "", "", "{}", matches, runs=(RunRecord(began=time.time()),))
    with LocalWorkers(job, 2) as workers, listening(20) as stop:
        planned = schedule.Schedule({games.key: games.games})
        console = Console(stderr=True)
        given = Dispatcher(workers, job)
        master.Run(results, planned, Path(path), given, stop, console).play(75)


def stumble(happens, path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", python_path())
    code = f"import test_run; test_run.play_with_a_stumbler({happens!r}, {str(path)!r})"
    return run_alone([sys.executable, "-c", code], seconds=30)


def test_a_game_that_takes_longer_holds_up_no_other(tmp_path, monkeypatch):
    ended = stumble("a delay", tmp_path / "job.h5", monkeypatch)

    numbers = [row.number for row in reader.read(tmp_path / "job.h5").rows]
    assert ended.returncode == 0, ended.stderr
    # Before it may stand, on a busy machine, that a game is late.
    assert SPENT.fullmatch(ended.stderr.splitlines(keepends=True)[-1])
    assert numbers != sorted(numbers)
    assert sorted(numbers) == list(range(9))


def test_an_exception_in_a_worker_ends_the_run_at_once_with_its_traceback(tmp_path, monkeypatch):
    ended = stumble("an exception", tmp_path / "job.h5", monkeypatch)

    assert ended.returncode == 1
    assert ", in choose\n" in ended.stderr
    assert ended.stderr.endswith("\nZeroDivisionError: on purpose\n")
    assert reader.read(tmp_path / "job.h5").runs[0].status == 1


def test_a_worker_that_dies_ends_the_run_at_once(tmp_path, monkeypatch):
    ended = stumble("a death", tmp_path / "job.h5", monkeypatch)

    assert ended.returncode == 1
    assert "UserError: a process that played games was killed" in ended.stderr.splitlines()[-1]
    # No game had ended.
    assert not (tmp_path / "job.h5").exists()


# Continued


def test_a_run_again_plays_nothing_and_prints_the_table(job, played):
    first, before = played

    again, after = play_to(job)

    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert again.stderr == f"{file_of(job)}: continues after 9 games\n"
    assert after == before


def test_a_complete_file_that_a_kill_has_left_open_is_repaired(job, played):
    _, before = played
    leave_open(file_of(job))

    ended, after = play_to(job)

    assert (ended.returncode, after) == (0, before)
    assert f"{file_of(job)}: was left open, as by a kill; it is repaired\n" in ended.stderr
    assert after.is_closed


def leave_open(path):
    """Leave a file as a kill does that comes after the last game and before the end."""
    code = """if True:
        import os, pathlib, sys
        from mcts_cluster.storage import reader
        from mcts_cluster.storage.writer import Writer
        path = pathlib.Path(sys.argv[1])
        writer = Writer(path, reader.read(path))
        os._exit(0)
    """
    subprocess.run([sys.executable, "-c", code, str(path)], check=True, timeout=60)
    assert not reader.read(path).is_closed


def test_what_a_table_says_of_a_match_may_change_when_all_is_played(job, played):
    _, before = played
    text = JOB.replace("games = 6", "games = 6\npublished = 'table1.go9.1000'")
    job.write_text(text.replace('"a small [job]"', '"Compared"'))

    ended, after = play_to(job)

    assert ended.returncode == 0
    assert (after.title, after.matches[0].published) == ("Compared", "table1.go9.1000")
    assert after.text == job.read_text()
    assert (after.rows, after.runs) == (before.rows, before.runs)


def test_games_and_matches_may_be_added(job, played):
    job.write_text(JOB.replace("games = 3", "games = 5") + MORE)

    ended, results = play_to(job)

    assert ended.returncode == 0
    assert Counter(str(row.match) for row in results.rows) == {
        "a against b": 6,
        "b against b": 5,
        "b against a": 2,
    }
    assert [run.first_game for run in results.runs] == [0, 9]
    assert results.text == job.read_text()


def test_another_job_is_refused_with_what_differs(job, played):
    _, before = played
    job.write_text(JOB.replace("games = 6", "games = 4").replace("playouts = 20", "playouts = 21"))

    ended, after = play_to(job)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        f"mcts-cluster: {file_of(job)} has games of another job:\n"
        '  match."a against b".games: 6 in the file, only 4 in the job\n'
        "  player.a.playouts: 20 in the file, 21 in the job\n"
        "only games and matches may be added; use another file: -o FILE\n"
    )
    assert after == before


def test_what_really_ran_is_stored(job):
    _, results = play_to(job, "--set", "player.a.playouts=30", "--set", "match.games=2")

    settings = json.loads(results.settings)
    assert settings["player"]["a"] == {"kind": "FlatMonteCarlo", "playouts": 30}
    assert [match["games"] for match in settings["match"]] == [2, 2]
    assert results.overrides == "player.a.playouts=30\nmatch.games=2"
    assert len(results.rows) == 4


def test_a_run_tells_of_itself(job):
    _, results = play_to(job, "--processes", "2")

    [told] = results.runs
    assert (told.status, told.slots, told.ranks, told.cores) == (0, 2, 1, master.cores())
    assert told.hosts == f"{node()} (2)"
    assert told.version == __version__
    assert told.commit == build_info.commit()
    assert told.arguments.endswith("--processes 2")
    assert 0 < told.busy <= 1
    assert told.began < told.ended


def test_a_file_does_not_tell_where_its_folder_is(job, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    elsewhere = (home / "job.toml").absolute()
    elsewhere.write_text(job.read_text())
    words = ["run", str(elsewhere), "-o", str(file_of(job)), "--set", "title=a title"]
    ended = subprocess.run(
        [sys.executable, "-m", "mcts_cluster", *words],
        cwd=job.parent,
        env=os.environ | {"HOME": str(home)},
        capture_output=True,
        timeout=60,
    )

    [told] = reader.read(file_of(job)).runs
    assert ended.returncode == 0
    assert told.arguments == "mcts-cluster run ~/job.toml -o job.h5 --set 'title=a title'"
    assert told.folder == job.parent.name


def test_the_file_is_put_into_results_if_nothing_else_is_said(job):
    words = [sys.executable, "-m", "mcts_cluster", "run", "job.toml"]
    ended = subprocess.run(words, cwd=job.parent, capture_output=True, timeout=60)

    assert ended.returncode == 0
    assert len(reader.read(job.parent / "results" / "job.h5").rows) == 9


def test_a_folder_that_nothing_can_be_written_into_is_refused(job):
    Path(f"{job}.folder").write_text("a file")

    ended = run_alone([*command(job), "-o", f"{job}.folder/x.h5"], seconds=60)

    assert ended.returncode == 2
    assert ended.stderr == f"mcts-cluster: {job}.folder: File exists\n"


def test_a_file_of_others_is_not_overwritten(job):
    file_of(job).write_text("mine")

    ended = run_alone(command(job), seconds=60)

    assert ended.returncode == 2
    assert "not an HDF5 file that can be read" in ended.stderr
    assert file_of(job).read_text() == "mine"


def test_the_axis_of_a_sweep_is_the_budget_of_the_second_player_or_else_of_the_first():
    budgets = {"a": "simulations = 30", "b": "simulations = 20", "c": "playouts = 9"}
    players = "".join(f"[player.{name}]\n{budget}\n" for name, budget in budgets.items())
    pairs = ["'a', 'b'", "'a', 'c'", "'c', 'c'"]
    matches = "".join(f"[[match]]\nplayers = [{pair}]\ngames = 1\n" for pair in pairs)
    job = jobfile.read_text(players + matches)

    assert [record.simulations for record in matches_report.records(job)] == [20, 30, 0]


# Void games


def test_a_game_in_which_a_program_dies_is_void_and_the_run_goes_on(tmp_path):
    path = tmp_path / "void.toml"
    dead = f"command = \"{sys.executable} -c 'pass'\""
    path.write_text(JOB.replace("playouts = 20", dead))

    ended, results = play_to(path)

    void = [row for row in results.rows if row.points is None]
    assert ended.returncode == 1
    assert {str(row.match) for row in void} == {"a against b"}
    assert len(void) >= schedule.MAX_ATTEMPTS * schedule.MAX_TRIES
    assert all("nothing and ended with status 0" in row.how for row in void)
    assert sum(row.points is not None for row in results.rows) == 3
    assert f"{file_of(path)}: 6 games are void, whatever was tried; the last one: " in ended.stderr
    assert f"; the last one: {void[-1].how}\n" in ended.stderr
    assert f"played {len(results.rows)} games, {len(void)} of them void; " in ended.stderr


def test_a_run_of_void_games_alone_says_so_in_place_of_a_table(tmp_path):
    path = tmp_path / "void.toml"
    path.write_text(
        "[game]\nsize = 5\n[player.a]\nplayouts = 20\n[player.b]\ncommand = 'false'\n"
        "[[match]]\nplayers = ['a', 'b']\ngames = 1\n"
    )

    ended, results = play_to(path)

    assert f"played {len(results.rows)} games, all void; " in ended.stderr
    said = "No game counts yet.\na against b: 6 void games, and no other; the last one: false: "
    assert ended.stdout.startswith(said)


def test_a_program_that_is_not_there_ends_the_run_with_a_line(tmp_path):
    path = tmp_path / "none.toml"
    text = JOB.replace("playouts = 20", "command = 'no-such-program'")
    path.write_text(text.replace('["b", "b"]', '["a", "a"]'))

    ended = run_alone(command(path), seconds=60)

    assert ended.returncode == 2
    assert re.sub(r":\d+: ", ": ", ended.stderr) == (
        f'mcts-cluster: {path}: player.a.command: "no-such-program" is no program in the PATH, '
        "nor in /usr/games\n    command = 'no-such-program'\n"
    )
    # Nothing stands in the way of the job as it should have been.
    assert not file_of(path).exists()


def test_a_program_that_is_there_no_more_leaves_the_file_as_it_was(job, tmp_path):
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -m mcts_cluster gtp simulations=4\n")
    program.chmod(0o755)
    text = JOB.replace("playouts = 20", f"command = '{program}'")
    job.write_text(text)
    played, results = play_to(job, "--processes", "1")
    assert (played.returncode, len(results.rows)) == (0, 9)
    job.write_text(text + MORE)
    program.unlink()

    ended, results = play_to(job)

    assert (ended.returncode, len(results.rows)) == (2, 9)
    assert [run.status for run in results.runs] == [0]
