"""The verb `run`, as a command: its table, its refusals, and how it ends when it must end early."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from platform import node

import psutil
import pytest
from conftest import is_alive, kill_tree, python_path, run_alone, wait_until
from rich.console import Console

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
from mcts_cluster.running.local_workers import SIGNALS, LocalWorkers, signals_held_back
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


def file_of(job):
    return Path(job).with_suffix(".h5")


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    monkeypatch.setenv("PYTHONUTF8", "1")


@pytest.fixture
def job(tmp_path):
    path = tmp_path / "job.toml"
    path.write_text(JOB)
    return path


def command(job, *words):
    output = Path(job).with_suffix(".h5")
    return [sys.executable, "-m", "mcts_cluster", "run", *map(str, (job, "-o", output, *words))]


def test_a_job_is_played_and_its_table_printed(job):
    ended = run_alone(command(job), seconds=60)

    lines = [[cell.strip() for cell in line.split("│")] for line in ended.stdout.splitlines()]
    assert (ended.returncode, ended.stderr) == (0, "")
    assert lines[0] == ["a small [job]"]
    assert [line[1:3] for line in lines if len(line) > 1] == [
        ["a against b", "6"],
        ["b against b", "3"],
    ]


def test_nothing_but_text_is_printed_where_there_is_no_terminal(job):
    ended = run_alone(command(job), seconds=60)

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

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "a against b" in ended.stdout


def test_a_bad_job_ends_with_status_2_and_a_line_for_each_mistake(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(JOB.replace("seed", "sede").replace("size = 5", "size = 30"))

    ended = run_alone(command(path), seconds=60)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        f"mcts-cluster: {path}: game.size: 30 is too large, must be at most 25\n"
        f'{path}: sede: unknown key; did you mean "seed"?\n'
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
        master.Run(results, planned, Path(path), workers, stop, console).play(75)


def stumble(happens, path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", python_path())
    code = f"import test_run; test_run.play_with_a_stumbler({happens!r}, {str(path)!r})"
    return run_alone([sys.executable, "-c", code], seconds=30)


def test_a_game_that_takes_longer_holds_up_no_other(tmp_path, monkeypatch):
    ended = stumble("a delay", tmp_path / "job.h5", monkeypatch)

    numbers = [row.number for row in reader.read(tmp_path / "job.h5").rows]
    assert (ended.returncode, ended.stderr) == (0, "")
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


def play_to(job, *words):
    ended = run_alone(command(job, *words), seconds=60)
    return ended, reader.read(file_of(job))


def test_a_run_again_plays_nothing_and_prints_the_table(job):
    first, before = play_to(job)

    again, after = play_to(job)

    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert again.stderr == f"{file_of(job)}: continues after 9 games\n"
    assert after == before


def test_a_complete_file_that_a_kill_has_left_open_is_repaired(job):
    _, before = play_to(job)
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


def test_what_a_table_says_of_a_match_may_change_when_all_is_played(job):
    _, before = play_to(job)
    text = JOB.replace("games = 6", "games = 6\npublished = 'table1.go9.1000'")
    job.write_text(text.replace('"a small [job]"', '"Compared"'))

    ended, after = play_to(job)

    assert ended.returncode == 0
    assert (after.title, after.matches[0].published) == ("Compared", "table1.go9.1000")
    assert after.text == job.read_text()
    assert (after.rows, after.runs) == (before.rows, before.runs)


def test_games_and_matches_may_be_added(job):
    play_to(job)
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


def test_another_job_is_refused_with_what_differs(job):
    _, before = play_to(job)
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
    assert len(void) >= schedule.MAX_VOID
    assert all("nothing and ended with status 0" in row.how for row in void)
    assert sum(row.points is not None for row in results.rows) == 3
    assert f"{file_of(path)}: 6 games are void, whatever was tried\n" in ended.stderr


def test_a_program_that_is_not_there_ends_the_run_with_a_line(tmp_path):
    path = tmp_path / "none.toml"
    text = JOB.replace("playouts = 20", "command = 'no-such-program'")
    path.write_text(text.replace('["b", "b"]', '["a", "a"]'))

    ended = run_alone(command(path), seconds=60)

    assert ended.returncode == 2
    assert ended.stderr == (
        "mcts-cluster: no-such-program: cannot be started: No such file or directory\n"
    )
    # Nothing stands in the way of the job as it should have been.
    assert not file_of(path).exists()


def test_a_mistake_that_comes_late_is_one_of_the_file_s_runs(job, tmp_path):
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -m mcts_cluster gtp simulations=4\n")
    program.chmod(0o755)
    text = JOB.replace("playouts = 20", f"command = '{program}'")
    job.write_text(text)
    played, results = play_to(job)
    assert (played.returncode, len(results.rows)) == (0, 9)
    job.write_text(text + MORE)
    program.unlink()

    ended, results = play_to(job)

    assert (ended.returncode, len(results.rows)) == (2, 9)
    assert [run.status for run in results.runs] == [0, 2]


# Killed, and asked to stop

SLOW = """
seed = 1
[game]
size = 5
[player.a]
playouts = 1500
[[match]]
players = ["a", "a"]
games = 24
"""


@pytest.fixture
def slow(tmp_path):
    path = tmp_path / "slow.toml"
    path.write_text(SLOW)
    return path


def started(path, *words):
    return subprocess.Popen(
        command(path, "--processes", "2", *words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def has_rows(path, least):
    return file_of(path).exists() and len(reader.read(file_of(path)).rows) >= least


def test_a_run_that_is_killed_again_and_again_plays_the_games_of_one_that_is_not(slow, tmp_path):
    whole = tmp_path / "whole.toml"
    whole.write_text(SLOW)
    ended, expected = play_to(whole)
    assert ended.returncode == 0

    for least in (1, 9):
        one = started(slow)
        wait_until(lambda: has_rows(slow, least))  # noqa: B023
        one.kill()
        one.communicate()
    ended, results = play_to(slow)

    assert ended.returncode == 0
    assert f"{file_of(slow)}: was left open, as by a kill; it is repaired\n" in ended.stderr
    assert sorted(results.rows, key=number_of) == sorted(expected.rows, key=number_of)
    assert [run.status for run in results.runs][-1] == 0
    assert {run.status for run in results.runs[:-1]} == {-1}


def number_of(row):
    return row.number


@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 75), ("SIGUSR1", 75), ("SIGINT", 130)])
def test_a_signal_lets_games_end_and_leaves_a_file_to_continue(name, status, slow):
    one = started(slow)
    wait_until(lambda: has_rows(slow, 1))

    # To all processes, as batch systems do.
    os.killpg(one.pid, signal.Signals[name])
    out, err = one.communicate(timeout=30)

    results = reader.read(file_of(slow))
    assert one.returncode == status
    assert results.is_closed
    assert [run.status for run in results.runs] == [status]
    assert "stopping: games under way have 20 s to end\n" in err
    assert f"{24 - len(results.rows)} games are missing; run again to play them\n" in err
    assert "a against a" in out
    # Every game that was begun has its row: none stands alone behind a gap of two.
    assert max(map(number_of, results.rows)) < len(results.rows) + 2


def test_oar_can_have_the_status_that_it_wants(slow):
    one = started(slow, "--stopped-status", "99")
    wait_until(lambda: has_rows(slow, 1))

    one.send_signal(signal.SIGUSR2)
    one.communicate(timeout=30)

    assert one.returncode == 99


# Interrupted

# One move alone takes minutes.
ENDLESS = """
[game]
size = 19
[player.a]
playouts = 100_000_000
[[match]]
players = ["a", "a"]
games = 8
"""


@pytest.fixture
def endless(tmp_path):
    with endless_run(tmp_path, "20") as process:
        yield process


@pytest.fixture
def endless_with_little_grace(tmp_path):
    with endless_run(tmp_path, "0.5") as process:
        yield process


@contextmanager
def endless_run(tmp_path, grace):
    """A run that would never end, in a process group of its own, with both its workers at work."""
    path = tmp_path / "endless.toml"
    path.write_text(ENDLESS)
    # A program that was started with Ctrl-C ignored passes that on, and so must we not.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    started = subprocess.Popen(
        command(path, "--processes", "2", "--grace", grace),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    signal.signal(signal.SIGINT, before)
    itself = psutil.Process(started.pid)
    family = []
    try:
        wait_until(lambda: len(at_work(itself)) == 2)
        family += itself.children(recursive=True)
        yield started, family
    finally:
        if started.poll() is None:
            kill_tree(started)
        for process in filter(is_alive, family):
            process.kill()
        started.communicate()


def at_work(process):
    # Starting up takes less than this.
    children = process.children(recursive=True)
    return [child for child in children if is_alive(child) and child.cpu_times().user > 0.4]


@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["alone", "with its group"])
def test_a_second_ctrl_c_ends_a_run_at_once_and_leaves_nothing_behind(send, endless):
    started, family = endless

    send(started.pid, signal.SIGINT)
    assert started.stderr.readline().startswith("stopping: ")
    send(started.pid, signal.SIGINT)
    _, err = started.communicate(timeout=10)

    assert started.returncode == 130
    assert err.endswith(".h5: 8 games are missing; run again to play them\n")
    wait_until(lambda: not any(map(is_alive, family)))


def test_games_that_do_not_end_in_the_grace_period_are_left(endless_with_little_grace):
    started, family = endless_with_little_grace

    started.send_signal(signal.SIGTERM)
    started.communicate(timeout=15)

    assert started.returncode == 75
    wait_until(lambda: not any(map(is_alive, family)))


def test_workers_end_with_a_run_that_is_killed(endless):
    started, family = endless

    started.kill()

    assert started.wait(timeout=10) == -signal.SIGKILL
    wait_until(lambda: not any(map(is_alive, family)))


@pytest.mark.parametrize("number", SIGNALS)
def test_a_process_that_is_started_while_signals_are_held_back_never_hears_one(number):
    with signals_held_back():
        code = f"import os; os.kill(os.getpid(), {int(number)})"
        child = subprocess.run([sys.executable, "-c", code], capture_output=True)

    assert (child.returncode, child.stderr) == (0, b"")


def test_a_signal_that_is_held_back_comes_afterwards():
    with listening(20) as stop:
        with signals_held_back():
            # Sent to the process, it could reach another thread, which holds nothing back.
            signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
            assert not stop.is_asked
        wait_until(lambda: stop.is_asked)

    assert stop.signal is signal.SIGTERM
