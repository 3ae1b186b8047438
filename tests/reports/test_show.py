"""Where a run stands, as `show` tells it, and as the run itself does while it plays."""

from collections import deque
from dataclasses import replace
from io import StringIO

import pytest
import test_campaign_tables
from rich.console import Console
from test_campaign_state import ONE, in_order

from mcts_cluster.__main__ import main
from mcts_cluster.bgp.campaign_state import CampaignState
from mcts_cluster.commands import show
from mcts_cluster.matches.game_record import GameRecord, WorkerInfo
from mcts_cluster.matches.schedule import Schedule
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports import estimates, runs
from mcts_cluster.reports.formats import duration, plain
from mcts_cluster.reports.table import table
from mcts_cluster.running import progress
from mcts_cluster.running.progress import View
from mcts_cluster.settings.words import counted
from mcts_cluster.storage import reader
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord
from mcts_cluster.storage.writer import Writer

MATCHES = (MatchRecord(MatchKey("a", "b"), 40), MatchRecord(MatchKey("b", "c"), 40))


def rows(count, host="here", seconds=36.0, begin=0.0):
    return tuple(
        GameRecord(
            MATCHES[number % 2].key,
            number // 2,
            float(number % 4 == 0),
            "area",
            (number, 1),
            simulations=(300, 600),
            seconds=(1.0, 2.0),
            ended=begin + seconds * number,
            worker=WorkerInfo(host),
        )
        for number in range(count)
    )


ONE_RUN = (RunRecord(began=0.0, hosts="here (2)"),)


def results(*some, runs=ONE_RUN, is_closed=True):
    return Results("a title", "go", "", "", "{}", MATCHES, tuple(some), runs, is_closed)


def said(found, running=False):
    out = StringIO()
    Console(file=out, width=100).print(show.state(found, running))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_a_run_under_way_is_told_match_by_match_with_its_pace():
    lines = said(results(*rows(20), is_closed=False), running=True)

    assert lines[:5] == [
        "a title",
        "match        games  wanted   success rate",
        "a against b     10      40  50.0 ± 15.8 %",
        "b against c     10      40    0.0 ± 8.7 %",
        "20 of 80 games, 100 an hour, 36 min left",
    ]
    assert lines[5].endswith(": 20 games on here (2), not ended")


def test_a_match_without_games_is_told_too():
    assert said(results())[2:5] == [
        "a against b      0      40",
        "b against c      0      40",
        "0 of 80 games",
    ]


def test_a_match_of_void_games_only_is_told():
    void = [replace(row, points=None, how="no answer") for row in rows(4)]

    assert said(results(*void))[5:7] == [
        f"{match.key}: 2 void games, and no other; the last one: no answer" for match in MATCHES
    ]


def test_a_file_that_a_kill_has_left_says_what_to_do():
    lines = said(results(*rows(4), is_closed=False))

    assert lines[-1] == "left open, as by a kill: run again to continue, or repair the file"


def test_every_run_is_told_with_its_games_and_its_end():
    first = RunRecord(began=0.0, hosts="here (2)")
    second = RunRecord(
        began=1e3, ended=1e3 + 60, status=75, first_game=5, hosts="x (1)", busy=0.987
    )
    third = RunRecord(
        began=1e4,
        ended=1e4 + 9,
        status=0,
        first_game=12,
        hosts="x (1)",
        busy=1.0,
        mpi_library="MPICH 5",
    )

    lines = said(results(*rows(20), runs=(first, second, third)))

    assert [line.partition(": ")[2] for line in lines[5:8]] == [
        "5 games on here (2), killed",
        "7 games on x (1), stopped after 60 s, workers busy 99 %",
        "8 games on x (1) by MPICH 5, complete after 9 s, workers busy 100 %",
    ]


def test_hosts_are_compared_where_there_are_several():
    speeds = {"fast": 300_000, "same": 310_000, "slow": 240_000}
    some = [
        replace(row, worker=WorkerInfo(host, rank, playouts_per_second=speed))
        for host, speed in speeds.items()
        for rank, row in enumerate(rows(4))
    ]

    lines = said(results(*some))

    assert lines[-3:] == [
        "fast: 4 games, 300,000 playouts a second",
        "same: 4 games, 310,000 playouts a second",
        "slow: 4 games, 240,000 playouts a second, 20 % slower than usual here",
    ]


def test_the_verb_reads_a_file(tmp_path, capsys):
    path = tmp_path / "job.h5"
    writer = Writer(path, results(*rows(4)))
    writer.close(75)

    assert main(["show", str(path)]) == 0
    assert "4 of 80 games" in capsys.readouterr().out


def test_where_there_is_no_terminal_nothing_is_broken_to_eighty_columns(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.delenv("COLUMNS", raising=False)
    path = tmp_path / "job.h5"
    Writer(path, results(*rows(4), runs=(replace(ONE_RUN[0], hosts="h" * 50 + " (2)"),))).close(75)

    assert main(["show", str(path)]) == 0

    [line] = [line for line in capsys.readouterr().out.splitlines() if "h" * 50 in line]
    assert "stopped after" in line


# repair


def test_a_file_is_repaired_once(tmp_path, capsys):
    path = tmp_path / "job.h5"
    writer = Writer(path, results(*rows(4)))
    copy = tmp_path / "copy.h5"
    copy.write_bytes(path.read_bytes())
    writer.close(0)

    assert main(["repair", str(copy)]) == 0
    assert main(["repair", str(copy)]) == 0

    assert capsys.readouterr().out == (
        f"{copy}: repaired, with all of its 4 games\n{copy}: needs no repair\n"
    )
    assert reader.read(copy).rows == rows(4)


# What a run says of itself


def lines_of(view):
    return view.console.file.getvalue().splitlines()


@pytest.fixture
def view(monkeypatch):
    monkeypatch.setattr(progress.time, "strftime", lambda form: "12:00:00")
    schedule = Schedule({match.key: match.games for match in MATCHES}, rows(4))
    return View(schedule, Console(file=StringIO(), width=70))


def test_a_batch_log_has_a_plain_line_a_minute(view):
    view.tick()
    assert lines_of(view) == []
    view.next_line = 0.0

    view.tick()
    view.tick()

    assert lines_of(view) == [
        "12:00:00, 4 of 80 games, a against b 50.0 ± 35.4 % of 2; b against c 0.0 ± 30.6 % of 2"
    ]


def test_the_pace_is_that_of_this_run(view):
    view.ended = deque([0.0, 30.0, 72.0])

    assert view.pace() == "100 games/hour, 46 min left"


def test_a_terminal_has_a_bar_for_each_match_with_its_rate():
    schedule = Schedule({match.key: match.games for match in MATCHES}, rows(4))
    out = StringIO()
    with View(schedule, Console(file=out, width=90, force_terminal=True)) as view:
        row = replace(rows(5)[-1], number=2)
        schedule.fix(row)
        view.fixed()

    assert "3/40" in out.getvalue()
    assert "66.7 ± 28.3 %" in out.getvalue()
    assert "5/80" in out.getvalue()


def test_a_terminal_with_few_lines_shows_the_bar_of_all_games():
    many = {f"{number} against x": 10 for number in range(30)}
    out = StringIO()
    console = Console(file=out, width=90, height=10, force_terminal=True)
    with View(Schedule(many), console) as view:
        view.progress.refresh()
        shown = out.getvalue()

    assert "0/300" in shown
    assert "29 against x" not in shown


def versions(*first_games):
    return tuple(
        RunRecord(began=0.0, first_game=first, version="0.1.0", commit=commit)
        for first, commit in first_games
    )


def test_games_of_several_versions_are_told():
    mixed = versions((0, "abc"), (5, "def"), (5, "abc"), (8, "def"))
    line = "played by 2 versions: 0.1.0 abc (8 games), 0.1.0 def (12 games)"

    found = results(*rows(20), runs=mixed)

    assert line in said(found)
    out = StringIO()
    Console(file=out, width=100).print(table(found, "text"))
    assert line in out.getvalue().splitlines()
    assert line in table(found, "markdown")


def test_a_version_that_played_no_game_is_none_of_several():
    found = results(*rows(20), runs=versions((0, "abc"), (20, "def")))

    assert runs.mixed_versions(found) == []
    assert runs.mixed_versions(results(*rows(20))) == []


# What a verb says that takes long


def one_by_one(console, clock, monkeypatch):
    monkeypatch.setattr(estimates.time, "monotonic", lambda: clock[0])
    for thing in estimates.one_by_one({"a": 40.0, "b": 30.0, "c": 5.0}, "game of", console):
        clock[0] += thing
    return console.file.getvalue()


def test_a_batch_log_has_a_line_a_minute_of_what_takes_long(monkeypatch):
    shown = one_by_one(Console(file=StringIO()), [1000.0], monkeypatch)

    assert shown == "game of c, 2 of 3 over\n"


def test_a_terminal_shows_what_takes_long_until_it_is_over(monkeypatch):
    shown = one_by_one(Console(file=StringIO(), force_terminal=True), [1000.0], monkeypatch)

    assert "game of" in shown
    # The bar is wiped out at the end.
    assert shown.endswith("\x1b[2K")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (99, "99 s"),
        (100, "2 min"),
        (5900, "98 min"),
        (6000, "1 h 40 min"),
        (200_000, "2 d 8 h"),
    ],
)
def test_durations_are_said_as_people_say_them(seconds, text):
    assert duration(seconds) == text


def test_a_campaign_under_way_is_told_with_its_pace_and_its_runs(tmp_path):
    bgp, writer = test_campaign_tables.written(
        tmp_path / "job.h5", ONE, in_order(CampaignState(ONE))[:60]
    )
    writer.close(75)
    found = reader.read(tmp_path / "job.h5")
    timed = tuple(replace(row, ended=36.0 * n) for n, row in enumerate(found.rows))

    said = test_campaign_tables.shown(
        show.state(replace(found, rows=timed, is_closed=False), running=True)
    )

    assert said.startswith("a [campaign]\n0 of 9 races finished, 0 mutations accepted\n")
    assert f"race 1: a+1 against a, {bgp.counted.total()} games, " in said
    assert "\n100 games an hour\n" in said
    assert "60 games on no host, stopped after " in said


# Words


def test_one_is_told_in_the_singular():
    lines = said(results(*rows(1)))

    assert any(": 1 game on " in line for line in lines)
    assert "1 of 80 games" in lines
    assert (counted(1, "move"), counted(0, "move"), counted(2000, "move")) == (
        "1 move",
        "0 moves",
        "2,000 moves",
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.00009, "0.00009"), (0.000123, "0.00012"), (0.5, "0.5"), (9.96, "10"), (0.0, "0")],
)
def test_small_numbers_are_written_plainly(value, text):
    assert plain(value) == text


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        (["table", "a.h5", "b.h5"], "usage: mcts-cluster table "),
        (["bench", "rules", "0.4", "0.5", "b.h5"], "usage: mcts-cluster bench rules "),
    ],
)
def test_words_too_many_are_refused_with_the_usage_of_the_verb(words, usage, capsys):
    with pytest.raises(SystemExit) as ended:
        main(words)

    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert said.startswith(usage)
    assert said.endswith("error: unrecognized arguments: b.h5\n")
