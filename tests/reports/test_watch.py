"""The page of runs under way: what it tells, and what it bears; how it is served."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from typing import NamedTuple

import pytest
from conftest import kill_tree, wait_until
from test_campaign_state import ONE, in_order
from test_campaign_tables import written as campaign_written
from test_report import HOSTILE, Page, hostile_results
from watch_here import games, page_of, shown_games, under_way, write

from mcts_cluster.__main__ import main
from mcts_cluster.bgp.campaign_state import CampaignState
from mcts_cluster.reports.watch import live, server
from mcts_cluster.reports.watch.log_lines import last_lines
from mcts_cluster.reports.watch.server import Pages
from mcts_cluster.reports.watch.watched import Watched
from mcts_cluster.storage import lock, reader

# What it tells


def test_a_run_under_way_is_told_with_its_end_its_rates_and_its_latest_game(tmp_path):
    path = tmp_path / "job.h5"
    writer = under_way(path, *games(0, 40))

    page = page_of(Watched(path))
    writer.close(0)

    assert "running" in page.said
    assert "40 of 100 games, 1,800 an hour, 2 min left; expected end " in page.said
    assert "workers have played 80 % of the time" in page.said
    assert page.tables[0][0][:4] == ["match", "games", "success rate", "95 %"]
    assert [row[:2] for row in page.tables[0][1:]] == [["a against b", "20"], ["b against a", "20"]]
    assert [game["row"] for game in shown_games(page)] == list(range(39, 31, -1))
    assert page.figures == 2


def test_a_file_that_has_grown_is_read_again_and_one_that_has_not_is_not(tmp_path, monkeypatch):
    path = tmp_path / "job.h5"
    writer = under_way(path, *games(0, 4))
    file = Watched(path)
    reads = []
    monkeypatch.setattr(
        reader, "read", lambda path, read=reader.read: reads.append(path) or read(path)
    )

    page_of(file)
    page_of(file)
    assert len(reads) == 1
    writer.append(games(4, 6))
    writer.flush()
    page = page_of(file)
    writer.close(0)

    assert len(reads) == 2
    assert "6 of 100 games" in page.said


def test_a_campaign_shows_the_bounds_of_its_race_and_the_pattern(tmp_path):
    path = tmp_path / "job.h5"
    _, writer = campaign_written(path, ONE, in_order(CampaignState(ONE))[:60])
    file = Watched(path)

    page_of(file)
    text = live.page([file], 5)
    writer.close(75)

    assert "0 of 9 races" in text
    assert "race 1: a+1 against a" in text
    assert "accepted once the lower bound is above 55 %, discarded once the upper one" in text
    assert text.count('class="threshold"') == 2
    assert 'class="pattern"' in text


def test_slow_hosts_come_first(tmp_path):
    rows = [*games(0, 4, "fast"), *games(4, 8, "same"), *games(8, 12, "slow", 200_000)]

    page = page_of(Watched(write(tmp_path / "job.h5", *rows)))

    hosts = page.tables[1]
    assert hosts[0][0] == "host"
    assert hosts[1] == ["slow", "4", "0", "200,000", "-33 % (slow)"]


def test_a_run_without_a_game_for_long_is_silent(tmp_path):
    path = tmp_path / "job.h5"
    rows = [row for row in games(0, 400) if row.ended < time.time() - 700]
    assert rows
    writer = under_way(path, *rows, began=900.0)

    page = page_of(Watched(path))
    writer.close(0)

    assert "silent for 12 min" in page.said


@pytest.mark.parametrize(
    ("status", "word"), [(0, "complete"), (75, "stopped"), (130, "stopped by Ctrl-C")]
)
def test_a_run_that_has_ended_says_how(status, word, tmp_path):
    file = Watched(write(tmp_path / "job.h5", *games(0, 4), status=status))

    page_of(file)

    assert file.state == word


# Files that are not as they should be


def test_a_file_may_come_go_be_damaged_and_be_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "READ_ATTEMPTS", 1)
    path = tmp_path / "job.h5"
    file = Watched(path)
    assert "not there yet" in page_of(file).said

    write(path, *games(0, 4), title="the first")
    page = page_of(file)
    assert "the first" in page.said and "not there yet" not in page.said

    content = path.read_bytes()
    path.write_bytes(content[:5000])
    page = page_of(file)
    # What was read last is shown further, with why it is not that of now.
    assert "truncated file" in page.said and "4 of 100 games" in page.said

    path.unlink()
    assert "is gone" in page_of(file).said

    write(path, *games(0, 8), title="the second")
    page = page_of(file)
    assert "the second" in page.said and "8 of 100 games" in page.said


@pytest.mark.parametrize("what", ["folder", "pipe", "text"])
def test_what_is_no_file_of_results_is_told(what, tmp_path):
    path = tmp_path / "job.h5"
    {"folder": path.mkdir, "pipe": lambda: os.mkfifo(path), "text": lambda: path.write_text("x")}[
        what
    ]()

    page = page_of(Watched(path))

    assert "cannot be read" in page.said
    assert str(path) in page.said


def test_what_a_file_says_is_text_and_nothing_else(tmp_path):
    path = tmp_path / "job.h5"
    hostile_results(path)
    path.with_suffix(".log").write_text(HOSTILE)

    page = page_of(Watched(path))

    assert page.said.count(HOSTILE) >= 5
    assert len(page.scripts) == 2


def test_a_name_that_is_no_text_is_shown_as_far_as_it_is(tmp_path):
    path = tmp_path / os.fsdecode(b"a\xff.h5")
    write(path, *games(0, 4))

    assert "a?.h5" in page_of(Watched(path)).said


def test_a_part_that_fails_is_told_and_the_others_stand(tmp_path, monkeypatch):
    def fails(results, places, number, name):
        raise ZeroDivisionError("<b>")

    monkeypatch.setattr(live.viewer, "viewer", fails)

    page = page_of(Watched(write(tmp_path / "job.h5", *games(0, 4))))

    assert "cannot be shown: ZeroDivisionError('<b>')" in page.said
    assert "4 of 100 games" in page.said


def test_the_lock_of_a_run_is_seen_without_being_touched(tmp_path, monkeypatch):
    """A run that begins while it is held, for a moment only, would be refused."""
    path = tmp_path / "job.h5"
    with lock.locked(path):
        monkeypatch.setattr(lock, "flock", lambda *_: pytest.fail("locked"))
        assert lock.seems_locked(path)
    assert not lock.seems_locked(path)
    # As a kill has left it.
    left = path.with_name(f".{path.name}.lock")
    left.touch()
    os.utime(left, (time.time() - 60,) * 2)
    assert not lock.seems_locked(path)


# The log


def test_the_last_lines_of_a_log_are_shown_without_what_moves_a_cursor(tmp_path):
    log = tmp_path / "job.log"
    lines = [f"line {n}" for n in range(30)]
    log.write_text("\n".join([*lines, "10 %\r20 %\r\x1b[2K\x1b[1;31m30 %\x1b[0m", "end\r\n"]))

    assert last_lines(log) == [*lines[-13:], "30 %", "end"]


def test_a_log_of_gigabytes_is_read_from_its_end(tmp_path):
    log = tmp_path / "job.log"
    with log.open("wb") as file:
        file.truncate(10**10)
        file.seek(0, os.SEEK_END)
        file.write(b"\nthe last line\n")

    assert last_lines(log)[-1] == "the last line"


def test_a_log_beside_the_file_or_a_named_one_is_shown(tmp_path):
    path = write(tmp_path / "job.h5", *games(0, 4))
    assert "Log" not in page_of(Watched(path)).said
    (tmp_path / "job.log").write_text("beside\n")
    (tmp_path / "other.txt").write_text("named\n")

    assert "beside" in page_of(Watched(path)).said
    assert "named" in page_of(Watched(path, tmp_path / "other.txt")).said
    assert "no such file" in page_of(Watched(path, tmp_path / "none")).said


# The server


class Place(NamedTuple):
    port: int
    token: str


@contextmanager
def served(*words):
    """Run the verb on a free port; yield the process, and the port with the token."""
    command = [sys.executable, "-m", "mcts_cluster", "watch", *map(str, words), "--port", "0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        first = process.stdout.readline()
        port, token = re.fullmatch(
            r"http://127\.0\.0\.1:(\d+)/\?token=([\w-]{40,})\n", first
        ).groups()
        yield process, Place(int(port), token)
    finally:
        if process.poll() is None:
            kill_tree(process)
        process.communicate()


def asked(place, path="", method="GET", **headers):
    path = path or f"/?token={place.token}"
    with closing(http.client.HTTPConnection("127.0.0.1", place.port, timeout=30)) as connection:
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode()


JOB = """
title = "a real run"
[game]
size = 5
[player.a]
playouts = 300
[[match]]
players = ["a", "a"]
games = 2000
"""


def test_a_real_run_is_watched_while_it_plays_and_does_not_notice(tmp_path):
    job, out = tmp_path / "job.toml", tmp_path / "job.h5"
    job.write_text(JOB)
    words = ["run", str(job), "-o", str(out), "--processes", "1"]
    with served(out, "--every", "1") as (_, place):
        assert "not there yet" in asked(place)[2]
        run = subprocess.Popen(
            [sys.executable, "-m", "mcts_cluster", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            wait_until(lambda: re.search("[1-9][0-9]* of 2,000 games", asked(place)[2]), 60)
            page = Page(asked(place)[2])
            first = shown_games(page)[0]["row"]
            wait_until(lambda: shown_games(Page(asked(place)[2]))[0]["row"] > first, 60)
            assert "a real run" in page.said and "running" in page.said
            run.send_signal(signal.SIGINT)
            _, err = run.communicate(timeout=60)
        finally:
            if run.poll() is None:
                kill_tree(run)
        assert run.returncode == 130
        assert "mcts-cluster:" not in err
        wait_until(lambda: "stopped by Ctrl-C" in asked(place)[2], 60)
    assert reader.read(out).is_closed


def test_only_this_machine_is_answered_and_only_with_the_page(tmp_path):
    path = write(tmp_path / "job.h5", *games(0, 4))
    with served(path) as (_, place):
        status, headers, text = asked(place)
        assert (status, headers["Cache-Control"]) == (200, "no-store")
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "4 of 100 games" in text
        for host in ("localhost", "LOCALHOST:9000", f"127.0.0.1:{place.port}", "[::1]:80"):
            assert asked(place, Host=host)[0] == 200
        for host in (
            "evil.example",
            f"evil.example:{place.port}",
            "127.0.0.1.evil.example",
            "",
            "10.0.0.1",
        ):
            status, _, text = asked(place, Host=host)
            assert status == 403 and "job.h5" not in text
        token = f"?token={place.token}"
        assert asked(place, f"/job.h5{token}")[0] == 404
        assert asked(place, f"/../../etc/passwd{token}")[0] == 404
        assert asked(place, f"/{token}&x=1")[0] == 200
        assert asked(place, method="HEAD")[::2] == (200, "")
        assert asked(place, method="POST")[0] == 501


def test_who_does_not_know_the_token_sees_nothing(tmp_path):
    path = write(tmp_path / "job.h5", *games(0, 4))
    with served(path) as (_, place):
        wrong = place.token[:-1] + ("a" if place.token[-1] != "a" else "b")
        for query in ("", "?", "?token=", f"?token={wrong}", "?token=%ff", f"?x={place.token}"):
            status, _, text = asked(place, f"/{query}")
            assert status == 403 and "job.h5" not in text and place.token not in text
            assert asked(place, f"/{query}", method="HEAD")[0] == 403
        assert asked(place)[0] == 200


def test_a_browser_that_says_nothing_holds_up_nobody(tmp_path):
    path = write(tmp_path / "job.h5", *games(0, 4))
    with (
        served(path) as (_, place),
        socket.create_connection(("127.0.0.1", place.port)),
    ):
        assert asked(place)[0] == 200


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_the_end_is_quiet_with_status_0(name, tmp_path):
    with served(tmp_path / "none.h5") as (process, _):
        process.stdout.readline(), process.stdout.readline()
        process.send_signal(signal.Signals[name])
        out, err = process.communicate(timeout=30)

    assert (process.returncode, out, err) == (0, "", "")


def test_a_port_in_use_is_a_line(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        assert main(["watch", "none.h5", "--port", str(port)]) == 2

    assert capsys.readouterr().err == (
        f"mcts-cluster: --port {port}: in use by another program; 0 takes a free one\n"
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--port", "99999"], "--port 99999: must be from 0 to 65535"),
        (["--every", "0"], "--every 0: must be from 1 to 86400 seconds"),
        (["--every", "nan"], "--every nan: must be from 1 to 86400 seconds"),
        (["b.h5", "--log", "x"], "--log: one FILE is allowed"),
        (["-o", "."], "'.': must be the name of a file"),
        (["-o", "public/"], "public/: a folder, must be a file or a new name"),
    ],
)
def test_a_mistake_is_a_line(words, says, capsys):
    assert main(["watch", "a.h5", *words]) == 2
    assert capsys.readouterr().err == f"mcts-cluster: {says}\n"


def test_a_page_is_made_for_many_requests_at_once(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(live, "page", lambda files, every: made.append(1) or "page")
    pages = Pages([Watched(tmp_path / "none.h5")], 1000.0)

    assert {pages.page() for _ in range(5)} == {"page"}
    assert len(made) == 1


# The page as a file


def test_the_page_is_written_again_and_again(tmp_path):
    path, out = write(tmp_path / "job.h5", *games(0, 4)), tmp_path / "page.html"
    words = ["watch", str(path), "-o", str(out), "--every", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "mcts_cluster", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        wait_until(out.exists)
        assert "4 of 100 games" in out.read_text("utf-8")
        write(path, *games(0, 6))
        wait_until(lambda: "6 of 100 games" in out.read_text("utf-8"))
        process.send_signal(signal.SIGINT)
        said, err = process.communicate(timeout=30)
    finally:
        if process.poll() is None:
            kill_tree(process)

    assert (process.returncode, err) == (0, "")
    assert said == f"{out}: written every 1 s; Ctrl-C ends that; the runs go on\n"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["job.h5", "page.html"]


def test_a_page_that_cannot_be_written_for_a_while_is_told_once(tmp_path, capsys):
    out = tmp_path / "file" / "page.html"
    out.parent.write_text("no folder")

    trouble = server.rewritten(out, "x", "")
    trouble = server.rewritten(out, "x", trouble)
    out.parent.unlink()
    assert server.rewritten(out, "x", trouble) == ""

    assert out.read_text() == "x"
    said = capsys.readouterr().err.splitlines()
    assert said[0] == f"mcts-cluster: {out.parent}: File exists; tried again"
    assert len([line for line in said if "tried again" in line]) == 1
