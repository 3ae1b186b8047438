"""Programs that are not there are told before a game, by the keys and lines that name them."""

from pathlib import Path

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import jobfile
from mcts_cluster.players import gtp_program, programs
from mcts_cluster.running.expectation import check_programs

JOB = """\
[game]
size = 4
[player.a]
playouts = 4
[player."other-1.0"]
command = "no-such-program --level {seed}"
[player.late]
like = "other-1.0"
seconds_to_answer = 5
[player.second]
command = "./neither"
[player.idle]
command = "another-one"
[[match]]
players = ["a", "late"]
games = 2
[[match]]
players = ["a", "second"]
games = 2
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("job.toml").write_text(JOB)


@pytest.mark.parametrize("verb", ["check", "run"])
def test_all_that_the_games_lack_are_told_at_once_and_nothing_is_made(verb, capsys):
    assert main([verb, "job.toml"]) == 2

    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        'mcts-cluster: job.toml:6: player."other-1.0".command: "no-such-program" is no program in '
        "the PATH, nor in /usr/games",
        '    command = "no-such-program --level {seed}"',
        'job.toml:11: player.second.command: "./neither" is no program that can be started',
        '    command = "./neither"',
    ]
    assert [path.name for path in Path().iterdir()] == ["job.toml"]


CAMPAIGN = """
[player.tree]
simulations = 4
[player.unused]
command = "no-such-program"
[campaign]
player = "tree"
iterations = 1
"""


@pytest.mark.parametrize(("job", "refused"), [(CAMPAIGN, False), (JOB, True)])
def test_a_program_that_plays_no_game_may_be_missing(job, refused):
    read = jobfile.read_text(job)

    try:
        check_programs("job.toml", read)
    except UserError as error:
        assert refused
        assert "another-one" not in str(error)
    else:
        assert not refused


def test_a_program_is_found_in_the_folder_of_games(tmp_path, monkeypatch):
    program = tmp_path / "no-such-program"
    program.write_text("#!/bin/sh\n")
    one = gtp_program.Program("no-such-program --mode gtp")
    assert one.lacks

    monkeypatch.setattr(programs, "GAMES_FOLDER", str(tmp_path))
    assert one.lacks
    program.chmod(0o755)
    assert one.lacks == ""
    process = gtp_program.Process(one.words())
    assert process.end() == "ended with status 0"


def test_a_file_that_is_complete_needs_no_program(tmp_path, monkeypatch, capsys):
    program = tmp_path / "neither"
    program.write_text("#!/bin/sh\nexec mcts-cluster-of-this-test\n")
    program.chmod(0o755)
    job = JOB.replace('"a", "late"', '"a", "a"').replace('"a", "second"', '"second", "a"')
    Path("job.toml").write_text(job)
    assert main(["run", "job.toml"]) == 1
    assert "void" in capsys.readouterr().err

    program.unlink()
    assert main(["run", "job.toml"]) == 2
    assert 'player.second.command: "./neither"' in capsys.readouterr().err
    assert main(["show", "results/job.h5"]) == 0
