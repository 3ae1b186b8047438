"""Files of results from strangers: they start no program and open no file."""

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord
from mcts_cluster.storage.writer import Writer

JOB = """
[game]
size = 5
[player.a]
simulations = 10
{more}
[player.b]
{other}
[[match]]
players = ["a", "b"]
games = 1
"""
PATTERN = "pattern\nstrength = 50\nX *\n"


def stored(tmp_path, more="", other="playouts = 4", change=lambda described: described, title=""):
    """Write a file with a game of a job, whose settings may be changed."""
    text = JOB.format(more=more, other=other)
    job = jobfile.read_text(text)
    [match] = job.experiment.matches
    described = change(compatibility.describe(job))
    row = GameRecord(match.key, 0, 1.0, "resigned", (0, 1))
    results = Results(
        title=title,
        game=job.game,
        text=text,
        overrides="",
        settings=compatibility.written(described),
        matches=(MatchRecord(match.key, 1),),
        rows=(row,),
        runs=(RunRecord(0.0),),
    )
    path = tmp_path / "strange.h5"
    Writer(path, results).close(0)
    return path


def said(capsys, *words):
    status = main(list(map(str, words)))
    return status, *capsys.readouterr()


@pytest.fixture
def touching(tmp_path):
    """A program that leaves a mark, and the mark."""
    mark = tmp_path / "mark"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n")
    script.chmod(0o755)
    return script, mark


def test_replay_starts_no_program_that_a_file_names(touching, tmp_path, capsys):
    script, mark = touching
    path = stored(tmp_path, other=f"command = '{script} --seed {{seed}}'")

    status, out, err = said(capsys, "replay", path, 0)

    assert status == 2
    assert not mark.exists()
    assert out == ""
    assert err == (
        f'mcts-cluster: {path}: player "b" is another program, '
        f'--run-programs starts it: "{script} --seed {{seed}}"\n'
    )


def test_replay_starts_programs_where_that_is_asked_for(touching, tmp_path, capsys):
    script, mark = touching
    path = stored(tmp_path, other=f"command = '{script}'")

    status, out, _ = said(capsys, "replay", path, 0, "--run-programs")

    assert status == 1
    assert mark.exists()
    assert "b is another program: its games may differ" in out


def test_a_command_is_shown_without_what_changes_a_terminal(tmp_path, capsys):
    path = stored(tmp_path, other=r'command = "rm \u001b[2K\rls"')

    _, _, err = said(capsys, "replay", path, 0)

    assert r"rm \u001b[2K\rls" in err
    assert "\x1b" not in err


TEXTS = {"patterns": PATTERN, "move_model": "shape .................... 3\n"}


@pytest.mark.parametrize("key", TEXTS)
def test_what_a_file_has_kept_is_read_in_place_of_the_files_that_it_names(key, tmp_path, capsys):
    named = tmp_path / "named.txt"
    named.write_text(TEXTS[key])
    path = stored(tmp_path, f"{key} = '{named}'")
    named.write_text("no text of that kind\n")

    status, out, _ = said(capsys, "replay", path, 0)

    assert status == 1
    assert "move 1: A1 in the file, " in out


def test_no_file_is_opened_that_a_file_names_and_has_not_kept(tmp_path, capsys):
    named = tmp_path / "named.txt"
    named.write_text(PATTERN)
    path = stored(
        tmp_path, f"patterns = '{named}'", change=lambda described: {**described, "player": {}}
    )

    status, _, err = said(capsys, "replay", path, 0)

    assert status == 2
    assert err == (
        f"mcts-cluster: {path}: job/text: player.a.patterns: {named}: "
        "not kept in the file of results, and nothing else is opened\n"
    )


def without(key):
    return lambda described: {name: part for name, part in described.items() if name != key}


def with_player(**values):
    def change(described):
        players = described["player"]
        return {**described, "player": {**players, "a": {**players["a"], **values}}}

    return change


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        (lambda described: [described], "must be a table"),
        (lambda described: {**described, "player": 3}, "player: 3 must be a table"),
        (with_player(rave="x"), 'player.a.rave: "x" must be a number'),
        (with_player(expand_at=-5), "player.a.expand_at: -5 is too small, must be at least 1"),
        (with_player(kind="Shell"), 'player.a.kind: "Shell" is unknown'),
        (with_player(policy_settings={"prior_even": 1e99}), "prior_even: 1e+99 must be a whole"),
        (
            with_player(patterns=[{"strength": 1, "name": "", "cells": 3}]),
            "cells: 3 must be a list",
        ),
    ],
)
def test_settings_that_no_run_writes_are_refused_in_a_line(change, mistake, tmp_path, capsys):
    path = stored(tmp_path, change=change)

    for verb in ("replay", path, 0), ("show", path), ("table", path):
        status, _, err = said(capsys, *verb)

        assert status == 2
        assert err.startswith(f"mcts-cluster: {path}: job/settings")
        assert mistake in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("key", ["seed", "game", "player", "kind"])
def test_a_job_is_not_played_without_all_of_its_settings(key, tmp_path, capsys):
    path = stored(tmp_path, change=without(key))

    _, _, err = said(capsys, "replay", path, 0)

    assert err == f"mcts-cluster: {path}: job/settings: {key}: missing\n"


def test_a_title_of_megabytes_is_refused_in_a_line(tmp_path, capsys):
    path = stored(tmp_path, title="x" * 20_000_000)

    for verb in ("show", "table"):
        status, _, err = said(capsys, verb, path)

        assert status == 2
        assert err.startswith(f'mcts-cluster: {path}: job/title: "xxx')
        assert err.endswith("is too long, must be at most 4,000 characters\n")
        assert len(err) < 500
