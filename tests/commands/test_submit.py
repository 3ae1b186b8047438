"""The commands with which a job is put into a queue."""

import shlex
import stat

import pytest

from mcts_cluster.__main__ import main

JOB = """
[player.a]
playouts = 3
[player.team]
simulations = 3
machines = 8
[[match]]
players = ["a", "a"]
games = 2
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "a job.toml").write_text(JOB)
    (tmp_path / "slurm").mkdir()
    for name in ("mcts_cluster.sbatch", "mcts_cluster.oar"):
        (tmp_path / "slurm" / name).touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def printed(capsys, *words):
    assert main(["submit", "a job.toml", "--dry-run", *words]) == 0
    return shlex.split(capsys.readouterr().out)


def test_slurm_is_told_of_nodes_ranks_and_time(capsys):
    options = ["--nodes", "4", "--cores", "32", "--time", "2:00:00", "-o", "x.h5"]

    words = printed(capsys, "--system", "slurm", *options, "--set", "match.games=3")

    assert words == [
        *("sbatch", "--nodes=4", "--ntasks-per-node=32", "--time=2:00:00"),
        *("slurm/mcts_cluster.sbatch", "a job.toml", "-o", "x.h5", "--set", "match.games=3"),
    ]


def test_oar_is_given_the_script_and_its_words_as_one(capsys):
    words = printed(capsys, "--system", "oar", "--nodes", "4", "--ranks-per-game", "8")

    assert words == [
        *("oarsub", "-l", "/nodes=4,walltime=1:00:00", "-S"),
        "./slurm/mcts_cluster.oar 'a job.toml' --ranks-per-game 8",
    ]
    assert printed(capsys, "--system", "oar", "--cores", "8")[2] == (
        "/nodes=1/core=8,walltime=1:00:00"
    )


def program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_a_job_is_submitted_to_the_system_that_is_here(folder, capfd):
    program(folder / "oarsub", 'echo "asked: $4"; exit 3')

    assert main(["submit", "a job.toml"]) == 3

    said = capfd.readouterr().out.splitlines()
    assert said[0].startswith("oarsub -l /nodes=1,walltime=1:00:00 -S ")
    assert said[1] == "asked: ./slurm/mcts_cluster.oar 'a job.toml'"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "neither sbatch nor oarsub exists here; --dry-run --system slurm prints a command"),
        (("--nodes", "0"), "--nodes 0: too small, must be at least 1"),
        (("--cores", "0"), "--cores 0: too small, must be at least 1"),
        (
            ("--set", "match.games=0"),
            "a job.toml: match.0.games: 0 is too small, must be at least 1",
        ),
        (
            ("--system", "slurm", "--nodes", "2", "--cores", "8", "--ranks-per-game", "8"),
            "--ranks-per-game 8: ranks must be a multiple of it and one, there are 16",
        ),
        (
            ("--system", "slurm", "--ranks-per-game", "2"),
            "--ranks-per-game 2: ranks must be a multiple of it and one, there are 2",
        ),
        (
            ("--system", "oar", "--ranks-per-game", "9"),
            "--ranks-per-game 9: too large, must be at most 8, the machines of the largest team",
        ),
        (("--ranks-per-game", "0"), "--ranks-per-game 0: too small, must be at least 1"),
        (("--system", "slurm"), "sbatch: cannot be started: No such file or directory"),
    ],
)
def test_a_mistake_is_told_before_anything_is_queued(words, says, capsys):
    assert main(["submit", "a job.toml", *words]) == 2

    assert capsys.readouterr().err == f"mcts-cluster: {says}\n"
