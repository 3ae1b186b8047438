"""The verb `bench rules`: the table of simulated races, and what it refuses."""

import json

import pytest

import mcts_cluster.__main__ as command
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command in this process; return its status, its output and its error lines."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def start(*words):
        status = command.main(["bench", "rules", *words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return start


def test_rules_are_compared_at_each_rate(run):
    status, out, err = run("0.45", "0.55", "--races", "20", "--json")

    assert (status, err) == (0, "")
    rows = json.loads(out)
    assert {row["rule"] for row in rows} == {*STOPPING_RULES}
    assert sorted({row["rate"] for row in rows}) == [0.45, 0.49, 0.5, 0.51, 0.52, 0.54, 0.55]
    assert all(row["games"] <= row["games_95"] for row in rows)
    assert all(row["accepted"] < 0.5 for row in rows if row["rate"] == 0.45)
    assert all(row["accepted"] > 0.5 for row in rows if row["rate"] == 0.55)


def test_a_table_has_a_line_a_rule_and_a_column_a_rate(run):
    _, out, _ = run("0.45", "0.55", "--races", "5")

    heading = next(line for line in out.splitlines() if "rule" in line)
    assert heading.split()[1::2] == ["rule", "0.45", "0.49", "0.5", "0.51", "0.52", "0.54", "0.55"]
    for rule in STOPPING_RULES:
        assert f"│ {rule} " in out
    assert "paper-2, bernstein" in out


def test_pairs_that_are_alike_take_more_games_of_those_who_look(run):
    def games(correlation):
        words = ("0.45", "0.55", "--races", "100", "--json")
        rows = json.loads(run(*words, "--correlation", correlation)[1])
        return {row["rule"]: row["games"] for row in rows if row["rate"] == 0.45}

    alike, opposite = games("0.5"), games("-0.5")

    assert alike["confidence-sequence"] > 1.5 * opposite["confidence-sequence"]
    assert alike["sprt-pairs"] > 1.5 * opposite["sprt-pairs"]


def test_races_have_the_risk_and_the_batches_that_are_asked_for(run):
    def row(*words):
        found = run("0.45", "0.55", "--races", "20", "--json", *words)[1]
        return next(row for row in json.loads(found) if row["rule"] == "paper-2")

    plain = row()

    assert row("--risk", "0.001")["games"] > plain["games"]
    assert row("--first-batch", "2000")["games"] == 2000 > plain["games"]


def test_races_may_have_several_candidates_and_several_winners(run):
    def row(*words):
        found = run("0.45", "0.55", "--races", "40", "--candidates", "3", "--json", *words)[1]
        rows = [row for row in json.loads(found) if row["rate"] == 0.55]
        return next(row for row in rows if row["rule"] == "paper-2")

    one, several = row(), row("--winners", "several")

    assert (one["accepted"], one["all_accepted"]) == (1, 0)
    assert several["all_accepted"] > 0.9
    assert several["games"] > 1.5 * one["games"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "% that accept one, mean games"),
        (("--winners", "several"), "% that accept any, % that accept all, mean games"),
    ],
)
def test_a_table_says_what_its_cells_are(run, words, said):
    _, out, _ = run("0.45", "0.55", "--races", "5", "--candidates", "2", *words)

    assert f"5 races of 2 candidates of one rate: {said}" in " ".join(out.split())


@pytest.mark.parametrize(
    ("words", "mistake"),
    [
        (("0.6", "0.5"), "upper: 0.5 is too small, must be at least lower, 0.6"),
        (("nan", "0.5"), "lower: nan must be at least 0.001"),
        (("0.4", "0.5", "--risk", "0"), "risk: 0.0 is too small, must be at least 10^-9"),
        (
            ("0.4", "0.5", "--first-batch", "5"),
            "first_batch: 5 must be even",
        ),
        (("0.5", "0.5"), "upper: 0.5 is too small, must be more than lower for sprt"),
        (
            ("0.4", "0.5", "--candidates", "0"),
            "--candidates: 0 must be from 1 to 1000",
        ),
        (
            ("0.4", "0.5", "--races", "0"),
            "--races: 0 is too small, must be at least 1",
        ),
        (
            ("0.4", "0.5", "--correlation", "-0.8"),
            "--correlation: -0.8 must be from -0.67 to 1 at these rates",
        ),
    ],
)
def test_races_that_cannot_be_are_refused(run, words, mistake):
    assert run(*words) == (2, "", f"mcts-cluster: {mistake}\n")
