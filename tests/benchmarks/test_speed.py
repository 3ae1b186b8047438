"""The verb `bench`: what it prints and what it refuses, but not how fast anything is."""

import json
import shlex
import sys

import pytest

import mcts_cluster.__main__ as command
from mcts_cluster.benchmarks import speed
from mcts_cluster.benchmarks.speed import Measurement
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES

GO = ("uniform", "informed", "uct", "search")
HAVANNAH = ("uniform", "informed", "uct", "rave", "search")
WORKLOADS = [f"go{size}.{kind}" for size in (9, 13, 19) for kind in GO]
WORKLOADS += [f"havannah{size}.{kind}" for size in (4, 5, 8, 10) for kind in HAVANNAH]
QUICK = ("--seconds", "0.01", "--rounds", "1")


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command in this process; return its status, its output and its error lines."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setattr(speed, "SIMULATIONS", 100)

    def start(*words):
        status = command.main(["bench", *words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return start


def test_json_has_the_figures_of_every_workload(run):
    status, out, err = run("--json", *QUICK)

    assert (status, err) == (0, "")
    figures = json.loads(out)
    assert [f"{game}.{kind}" for game in figures for kind in figures[game]] == WORKLOADS
    for game in figures.values():
        for kind, found in game.items():
            playouts = ["playouts_per_second", "ns_per_move", "mean_length"]
            searches = ["simulations_per_second"]
            assert list(found) == (searches if kind in ("uct", "rave", "search") else playouts)
            assert all(figure > 0 for figure in found.values())


def test_the_figures_belong_together(run):
    _, out, _ = run("--json", "--only", "go9", *QUICK)

    rate, ns, length = json.loads(out)["go9"]["uniform"].values()
    assert 1e9 / rate == pytest.approx(ns * length)
    # An empty 9x9 board takes a little over a hundred moves at random.
    assert 100 < length < 125


@pytest.mark.parametrize(
    ("only", "figures"),
    [
        (["go13"], {"go13": [*GO]}),
        (["go13.uniform"], {"go13": ["uniform"]}),
        (["go9.uct", "go19.uniform"], {"go9": ["uct"], "go19": ["uniform"]}),
    ],
)
def test_only_limits_what_is_measured(only, figures, run):
    words = [word for name in only for word in ("--only", name)]
    _, out, _ = run("--json", *words, *QUICK)

    assert {game: list(parts) for game, parts in json.loads(out).items()} == figures


def test_a_file_of_patterns_is_searched_with_beside_none(run, tmp_path, monkeypatch):
    path = tmp_path / "my.patterns"
    path.write_text("pattern\nstrength = 1\n. .\nX *\n")
    searched = []
    real = speed.Mcts.search

    def search(player, core):
        searched.append(len(player.patterns))
        return real(player, core)

    monkeypatch.setattr(speed.Mcts, "search", search)

    _, out, _ = run("--json", "--only", "go9", "--patterns", str(path), *QUICK)

    found = json.loads(out)["go9"]
    assert [*found] == [*GO, "patterns"]
    assert [*found["patterns"]] == ["simulations_per_second"]
    assert searched[0] == 0 and searched[-1] == 1


def test_a_file_of_patterns_that_is_none_is_refused(run, tmp_path):
    status, out, err = run("--patterns", str(tmp_path / "none"))

    assert (status, out) == (2, "")
    assert str(tmp_path / "none") in err


@pytest.mark.parametrize("only", ["chess", "go1", "go9.", "go9.unif", ""])
def test_an_unknown_workload_is_refused_with_the_known_ones(only, run):
    status, out, err = run("--only", only)

    assert (status, out) == (2, "")
    assert err == (f"mcts-cluster: --only {only}: known are {', '.join(WORKLOADS)}\n")


@pytest.mark.parametrize(
    "words",
    [
        ("--seconds", "0"),
        ("--seconds", "-1"),
        ("--seconds", "nan"),
        ("--seconds", "inf"),
        ("--rounds", "0"),
    ],
)
def test_senseless_amounts_are_refused(words, run):
    status, _, err = run(*words)

    assert status == 2
    assert err == "mcts-cluster: --seconds must be more than 0, --rounds at least 1\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--master", "nan"), "--master must be at least 0, --games at least 1"),
        (("--master", "1", "--games", "0"), "--master must be at least 0, --games at least 1"),
        (
            ("--master", "1", "--only", "go9.uct"),
            "--master goes with none of --exchanges, --beside, --patterns, --only",
        ),
        (("--master", "1"), "--master needs ranks: mpirun -n 3 mcts-cluster bench --master 0"),
        (
            ("--exchanges", "--beside", "true"),
            "--exchanges goes with neither --beside nor --patterns",
        ),
        (("--machines", "2"), "--machines goes with --exchanges only"),
    ],
)
def test_what_does_not_go_together_is_refused(words, says, run):
    status, _, err = run(*words)

    assert (status, err) == (2, f"mcts-cluster: {says}\n")


def test_the_table_has_a_line_a_workload(run):
    status, out, _ = run(*QUICK)

    rows = [line.split() for line in out.splitlines() if line.startswith(("│ go", "│ hav"))]
    assert status == 0
    assert [row[1] for row in rows] == WORKLOADS
    assert "ratio" not in out


# Another program beside us


@pytest.fixture
def other(tmp_path):
    """Return the command of a Python program with this source."""

    def write(source):
        path = tmp_path / "other program.py"
        path.write_text(source)
        return shlex.join([sys.executable, str(path)])

    return write


def test_another_program_is_measured_beside_us(run, other):
    beside = other("print('go13.uniform 5.0 and more')\nprint('go9.uniform 1000')")

    _, out, _ = run("--json", "--only", "go9", "--beside", beside, *QUICK)

    figures = json.loads(out)["go9"]["uniform"]
    assert figures["beside"] == 1000
    assert figures["ratio"] == pytest.approx(figures["playouts_per_second"] / 1000)


def test_workloads_that_the_other_program_lacks_stand_alone(run, other):
    beside = other("print('go9.uniform 1000')")

    _, out, _ = run("--beside", beside, *QUICK)

    lines = {line.split()[1]: line for line in out.splitlines() if ".uniform" in line}
    assert "ratio" in out
    assert "1,000" in lines["go9.uniform"]
    assert lines["go19.uniform"].split()[-3:] == ["│", "│", "│"]


def test_the_other_program_runs_once_after_each_round(run, other, tmp_path):
    beside = other(
        "import pathlib, sys\n"
        f"log = pathlib.Path({str(tmp_path / 'log')!r})\n"
        "with log.open('a') as file: file.write('x')\n"
        "print('go9.uniform', 10 ** len(log.read_text()))"
    )

    _, out, _ = run(
        "--json", "--only", "go9", "--beside", beside, "--seconds", "0.01", "--rounds", "3"
    )

    assert (tmp_path / "log").read_text() == "xxx"
    assert json.loads(out)["go9"]["uniform"]["beside"] == 100


FAILURES = [
    ("import sys; sys.exit(3)", "returned non-zero exit status 3."),
    ("print('go9.uniform')", "list index out of range"),
    ("print('go9.uniform fast')", "could not convert string to float: 'fast'"),
    (
        "print('go9.uniform 0')",
        "no rate in its output for go9.uniform, go9.informed, go9.uct, go9.search",
    ),
    (
        "print('go9.uniform nan')",
        "no rate in its output for go9.uniform, go9.informed, go9.uct, go9.search",
    ),
    (
        "print('go19.uniform 5')",
        "no rate in its output for go9.uniform, go9.informed, go9.uct, go9.search",
    ),
    ("", "no rate in its output for go9.uniform, go9.informed, go9.uct, go9.search"),
]


@pytest.mark.parametrize(("source", "reason"), FAILURES, ids=[source for source, _ in FAILURES])
def test_a_failing_other_program_is_one_line(source, reason, run, other):
    beside = other(source)

    status, out, err = run("--only", "go9", "--beside", beside, *QUICK)

    assert (status, out) == (2, "")
    assert err.startswith(f"mcts-cluster: --beside {beside}: ")
    assert err.endswith(f"{reason}\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("beside", "reason"),
    [
        ("./no-such-program", "[Errno 2] No such file or directory: './no-such-program'"),
        ("'unclosed", "No closing quotation"),
    ],
)
def test_a_program_that_cannot_be_started_is_one_line(beside, reason, run):
    status, _, err = run("--only", "go9", "--beside", beside, *QUICK)

    assert (status, err) == (2, f"mcts-cluster: --beside {beside}: {reason}\n")


# Rounds


def test_figures_and_ratios_are_medians_of_the_rounds(monkeypatch):
    ours = iter([100.0, 400.0, 200.0])
    theirs = iter([50.0, 50.0, 200.0])
    workloads = {"x.y": lambda seconds, seed: {"playouts_per_second": next(ours)}}
    monkeypatch.setattr(speed, "other_rates", lambda command, names: {"x.y": next(theirs)})

    measurements = speed.measure(workloads, 0.1, 3, "other")

    # The ratios are 2, 8 and 1: not the ratio of the medians, which is 4.
    assert speed.as_object(measurements) == {
        "x": {"y": {"playouts_per_second": 200, "beside": 50, "ratio": 2}}
    }


def test_every_round_has_a_seed_of_its_own():
    seeds = []
    workloads = {"x.y": lambda seconds, seed: seeds.append(seed) or {"rate": 1.0}}

    speed.measure(workloads, 0.1, 3, None)

    assert seeds == [0, 1, 2]


def test_a_measurement_alone_has_no_ratio():
    assert Measurement([{"playouts_per_second": 5.0}]).ratio() is None


# Judges of races


def test_judges_are_set_beside_each_other_at_each_rate(run):
    status, out, err = run("--judges", "0.45", "0.55", "--races", "20", "--json")

    assert (status, err) == (0, "")
    rows = json.loads(out)
    assert {row["judge"] for row in rows} == {*STOPPING_RULES}
    assert sorted({row["rate"] for row in rows}) == [0.45, 0.49, 0.5, 0.51, 0.52, 0.54, 0.55]
    assert all(row["games"] <= row["games_95"] for row in rows)
    assert all(row["accepted"] < 0.5 for row in rows if row["rate"] == 0.45)
    assert all(row["accepted"] > 0.5 for row in rows if row["rate"] == 0.55)


def test_a_table_has_a_line_a_judge_and_a_column_a_rate(run):
    _, out, _ = run("--judges", "0.45", "0.55", "--races", "5")

    heading = next(line for line in out.splitlines() if "judge" in line)
    assert heading.split()[1::2] == ["judge", "0.45", "0.49", "0.5", "0.51", "0.52", "0.54", "0.55"]
    for judge in STOPPING_RULES:
        assert f"│ {judge} " in out
    assert "paper-2, bernstein" in out


def test_pairs_that_are_alike_take_more_games_of_those_who_look(run):
    def games(correlation):
        words = ("--judges", "0.45", "0.55", "--races", "100", "--json")
        rows = json.loads(run(*words, "--correlation", correlation)[1])
        return {row["judge"]: row["games"] for row in rows if row["rate"] == 0.45}

    alike, opposite = games("0.5"), games("-0.5")

    assert alike["confidence-sequence"] > 1.5 * opposite["confidence-sequence"]
    assert alike["sprt-pairs"] > 1.5 * opposite["sprt-pairs"]


def test_races_have_the_risk_and_the_batches_that_are_asked_for(run):
    def row(*words):
        found = run("--judges", "0.45", "0.55", "--races", "20", "--json", *words)[1]
        return next(row for row in json.loads(found) if row["judge"] == "paper-2")

    plain = row()

    assert row("--risk", "0.001")["games"] > plain["games"]
    assert row("--first", "2000")["games"] == 2000 > plain["games"]


@pytest.mark.parametrize(
    ("words", "mistake"),
    [
        (("0.6", "0.5"), "upper: 0.5 is too small, must be at least lower, 0.6"),
        (("nan", "0.5"), "lower: nan must be at least 0.001"),
        (("0.4", "0.5", "--risk", "0"), "risk: 0.0 is too small, must be at least 10^-9"),
        (
            ("0.4", "0.5", "--first", "5"),
            "first_batch: 5 must be even",
        ),
        (("0.5", "0.5"), "upper: 0.5 is too small, must be more than lower for sprt"),
        (
            ("0.4", "0.5", "--races", "0"),
            "--races must be at least 1, --correlation between -0.67 and 1 at these rates",
        ),
        (
            ("0.4", "0.5", "--correlation", "-0.8"),
            "--races must be at least 1, --correlation between -0.67 and 1 at these rates",
        ),
    ],
)
def test_races_that_cannot_be_are_refused(run, words, mistake):
    assert run("--judges", *words) == (2, "", f"mcts-cluster: {mistake}\n")
