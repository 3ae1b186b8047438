"""--notify: what becomes of a run is told once, by a command that may fail or hang."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time

import pytest
from conftest import is_alive, kill_tree, wait_until
from run_here import command, file_of, plain_surroundings, play_to  # noqa: F401

from mcts_cluster.__main__ import main
from mcts_cluster.errors import UserError
from mcts_cluster.running.continuing import without_notify
from mcts_cluster.running.notices import notice, notifier
from mcts_cluster.running.notices.notice import Notice
from mcts_cluster.running.notices.notifier import Notifier, words_of
from mcts_cluster.storage import reader

JOB = """
title = "a \\u001b[31m title"
[game]
size = 5
[player.a]
playouts = {playouts}
[[match]]
players = ["a", "a"]
games = {games}
"""
# Leaves what it is told: a line an event with its words, and what it can read.
TELLS = """
import json, os, sys
with open(os.path.join(os.path.dirname(sys.argv[0]), "told"), "a") as file:
    file.write(json.dumps([sys.argv[1:], json.load(sys.stdin)]) + "\\n")
"""


@pytest.fixture
def job(tmp_path):
    path = tmp_path / "job.toml"
    path.write_text(JOB.format(playouts=20, games=4))
    return path


@pytest.fixture
def tells(tmp_path):
    """The command that leaves a line an event."""
    script = tmp_path / "tells.py"
    script.write_text(TELLS)
    return shlex.join([sys.executable, str(script), "{event}", "{text}", "{file} $HOME"])


def told(tmp_path):
    path = tmp_path / "told"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def started(job, *words):
    return subprocess.Popen(
        command(job, "--processes", "1", *words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


# Runs


def test_a_run_that_is_complete_is_told_once_without_a_shell(job, tells, tmp_path):
    ended, results = play_to(job, "--notify", tells)

    assert ended.returncode == 0, ended.stderr
    [[words, read]] = told(tmp_path)
    path = str(file_of(job))
    host = os.uname().nodename
    assert words[0] == read["event"] == "complete"
    assert words[1] == read["text"]
    assert words[1].startswith(f"complete: a [31m title ({path}) on {host}, 4 games, in ")
    assert words[2] == f"{path} $HOME"
    assert (read["status"], read["games"], read["file"]) == (0, 4, path)
    # What a file keeps of the command line is published.
    assert "notify" not in results.runs[-1].arguments
    assert "tells" not in results.runs[-1].arguments


def test_a_run_that_finds_nothing_to_play_tells_nothing(job, tells, tmp_path):
    play_to(job)

    ended, _ = play_to(job, "--notify", tells)

    assert ended.returncode == 0
    assert told(tmp_path) == []


@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 75)])
def test_a_run_that_is_stopped_is_told_once(name, status, job, tells, tmp_path):
    job.write_text(JOB.format(playouts=1000, games=400))
    run = started(job, "--notify", tells)
    wait_until(lambda: file_of(job).exists() and len(reader.read(file_of(job)).rows))

    run.send_signal(signal.Signals[name])
    run.communicate(timeout=60)

    assert run.returncode == status
    [[_, read]] = told(tmp_path)
    assert (read["event"], read["status"]) == ("stopped", status)
    assert read["text"].startswith("stopped, run again to continue: ")
    assert read["text"].endswith(" games are missing")


def test_a_run_that_is_given_up_is_told_with_the_reason(job, tells, tmp_path):
    with job.open("a") as file:
        file.write("[player.b]\ncommand = 'false'\n[[match]]\nplayers = ['a', 'b']\ngames = 1\n")

    ended, _ = play_to(job, "--notify", tells)

    assert ended.returncode != 0
    [[words, read]] = told(tmp_path)
    assert words[0] == read["event"] == "given-up"
    why = "the last void game: false: to 'boardsize 5' it answered nothing and ended with status 1"
    assert read["reason"] == why
    assert (read["games"], read["void"]) == (10, 6)
    assert ", 10 games, 6 of them void, in " in read["text"]
    assert read["text"].endswith(f", 1 game is missing, {why}")


def test_a_silent_run_is_told_once_and_plays_on(job, tells, tmp_path):
    # A game alone takes longer than the silence that is borne.
    job.write_text(JOB.format(playouts=100_000_000, games=1))
    run = started(job, "--notify", tells, "--silence", "0.5", "--grace", "0")
    try:
        wait_until(lambda: told(tmp_path))
        time.sleep(1)
        assert run.poll() is None
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=60)
    finally:
        if run.poll() is None:
            kill_tree(run)

    [[_, first], [_, second]] = told(tmp_path)
    assert (first["event"], second["event"]) == ("silent", "stopped")
    assert "no game has ended for " in first["text"]


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("import sys; sys.exit('no\\x1b[31m route')", "ended with status 1: no[31m route"),
        ("import os; os.kill(os.getpid(), 9)", "ended with status -9"),
    ],
)
def test_a_command_that_fails_is_a_line_and_hurts_no_run(script, says, job):
    ended, results = play_to(job, "--notify", shlex.join([sys.executable, "-c", script]))

    assert ended.returncode == 0
    assert f"--notify {sys.executable}: {says}\n" in ended.stderr
    assert len(results.rows) == 4 and results.is_closed


def test_only_the_master_of_ranks_tells(job, tells, tmp_path, mpiexec):
    words = ["-m", "mcts_cluster", "run", str(job), "-o", str(file_of(job)), "--notify", tells]

    ended = mpiexec(3, *words)

    assert ended.returncode == 0, ended.stderr
    assert [read["event"] for _, read in told(tmp_path)] == ["complete"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mail 'x", "--notify mail 'x: no closing quotation"),
        (" ", "--notify: must be a command"),
    ],
)
def test_a_command_that_cannot_be_is_found_before_a_game_is_played(text, says, job, capsys):
    out = job.with_suffix(".h5")

    assert main(["run", str(job), "-o", str(out), "--notify", text]) == 2

    assert capsys.readouterr().err == f"mcts-cluster: {says}\n"
    assert not out.exists()


def test_a_node_without_the_program_plays_all_the_same(job):
    ended, results = play_to(job, "--notify", "no-such-program x")

    assert ended.returncode == 0
    first, *_, last = ended.stderr.splitlines()
    assert first.startswith("--notify no-such-program: no such program here")
    assert last.startswith("--notify no-such-program: cannot be started: ")
    assert len(results.rows) == 4


def test_a_silence_of_nothing_is_refused(job, capsys):
    assert main(["run", str(job), "--silence", "0"]) == 2
    assert "--silence 0: too small, must be more than 0" in capsys.readouterr().err


# The notifier


NOTICE = Notice(notice.COMPLETE, "", "job.h5", 2, 60.0)


def test_a_command_that_hangs_is_ended_with_all_that_it_has_started(monkeypatch, tmp_path):
    monkeypatch.setattr(notifier, "SECONDS_TO_TELL", 1.0)
    said, mark = [], tmp_path / "pid"
    script = f"sleep 1000 & echo $! > {mark}; wait"

    Notifier(["sh", "-c", script], 1e9, said.append).end(NOTICE)

    assert said == ["--notify sh: took too long, and was ended"]
    wait_until(lambda: not is_alive(int(mark.read_text())))


def test_after_a_second_signal_a_command_has_little_time(monkeypatch):
    monkeypatch.setattr(notifier, "SECONDS_IF_URGENT", 0.0)
    monkeypatch.setattr(notifier, "SECONDS_TO_TELL", 1e6)
    said = []

    Notifier(["sleep", "1000"], 1e9, said.append).end(NOTICE, lambda: True)

    assert said == ["--notify sleep: took too long, and was ended"]


def test_an_end_is_told_once(tmp_path):
    one = Notifier(["sh", "-c", f"echo x >> {tmp_path}/told"], 1e9)

    one.end(NOTICE)
    one.end(NOTICE)

    assert (tmp_path / "told").read_text() == "x\n"


def test_a_command_that_has_gone_is_a_line():
    said = []

    Notifier(["no-such-program"], 1e9, said.append).end(NOTICE)

    assert said[1:] == [
        "--notify no-such-program: cannot be started: "
        "[Errno 2] No such file or directory: 'no-such-program'"
    ]


def test_each_silence_is_told_once_and_long_games_have_longer_ones(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(notifier.time, "monotonic", lambda: clock[0])
    one = Notifier(["true"], 100.0)
    reasons = []
    monkeypatch.setattr(one, "tell", lambda notice: reasons.append(notice))

    def after(seconds):
        clock[0] += seconds
        one.tick(lambda reason: reason)

    after(99), after(2), after(50)
    assert reasons == ["no game has ended for 101 s"]
    one.hear(40.0)
    after(199)
    assert len(reasons) == 1
    after(2)
    assert len(reasons) == 2


def test_without_a_command_nothing_is_told(monkeypatch):
    monkeypatch.setattr(notifier, "started", lambda *words: pytest.fail("started"))
    one = Notifier()

    one.tick(lambda reason: pytest.fail("silent"))
    one.end(NOTICE)


def test_a_notice_is_one_line_whatever_the_title():
    found = Notice(
        notice.STOPPED, "a\n\x1b[2K{file}" + "x" * 5000, "job.h5", 1, 7300.0, "3 games are"
    )

    assert found.text.startswith("stopped, run again to continue: a [2K{file}xxx")
    assert "\n" not in found.text and "\x1b" not in found.text
    assert len(found.text) == 400
    assert json.loads(found.json)["event"] == "stopped"


@pytest.mark.parametrize(
    ("games", "void", "noun", "says"),
    [
        (600, 0, "move", "600 moves, in 60 s"),
        (8, 2, "game", "8 games, 2 of them void, in 60 s"),
        (8, 8, "game", "8 games, all void, in 60 s"),
        (1, 1, "game", "1 game, void, in 60 s"),
    ],
)
def test_a_notice_counts_what_is_played_and_what_is_void(games, void, noun, says):
    found = Notice(notice.GIVEN_UP, "", "job.h5", games, 60.0, void=void, noun=noun)

    assert found.text.endswith(f", {says}")


def test_what_stands_in_a_title_is_not_replaced(tmp_path):
    out = tmp_path / "told"
    one = Notifier(
        [sys.executable, "-c", f"import sys; open({str(out)!r}, 'w').write(sys.argv[1])", "{text}"]
    )

    one.end(Notice(notice.COMPLETE, "{file}", "job.h5", 2, 60.0))

    assert out.read_text().startswith("complete: {file} (job.h5) on ")


def test_what_a_file_keeps_has_no_command_of_notify():
    for words in (["--notify", "mail x"], ["--notify=mail x"], ["--notif", "mail x"], ["--no=x"]):
        assert list(without_notify(["run", *words, "a.toml", "--set", "a=b"])) == [
            *("run", "a.toml", "--set", "a=b")
        ]


def test_words_are_those_of_a_shell():
    assert words_of("sh -c 'a b' \"{text}\"") == ["sh", "-c", "a b", "{text}"]
    with pytest.raises(UserError, match="must be a command"):
        words_of("")
