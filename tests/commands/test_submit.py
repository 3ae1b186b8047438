"""The commands with which a job is put into a queue, and what is told of it before."""

import shlex
import stat

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.jobs import jobfile
from mcts_cluster.reports.estimates import PROCESS_BYTES, Expected, rank_bytes
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.running import batch_systems
from mcts_cluster.running.expectation import Request, expectation, memory

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
    assert main(["submit", "a job.toml", "--dry-run", "--no-estimate", *words]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return shlex.split(said.out)


def test_slurm_gives_whole_nodes_with_all_of_their_memory(capsys):
    assert printed(capsys, "--system", "slurm", "--nodes", "4") == [
        *("sbatch", "--nodes=4", "--mem=0", "--time=1:00:00"),
        *("slurm/mcts_cluster.sbatch", "a job.toml"),
    ]


def test_slurm_is_told_of_nodes_ranks_and_time(capsys):
    options = ["--nodes", "4", "--cores", "32", "--time", "2:00:00", "-o", "x.h5"]

    words = printed(capsys, "--system", "slurm", *options, "--set", "match.games=3")

    assert words == [
        *("sbatch", "--nodes=4", "--ntasks-per-node=32", "--oversubscribe", "--mem-per-cpu=100M"),
        *("--time=2:00:00", "slurm/mcts_cluster.sbatch"),
        *("a job.toml", "-o", "x.h5", "--set", "match.games=3"),
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


@pytest.mark.parametrize("system", ["slurm", "oar"])
def test_who_is_to_be_told_is_one_word_of_the_run(system, capsys):
    words = printed(capsys, "--system", system, "--notify", 'mail -s "{text}" me@example.org')

    run = words if system == "slurm" else shlex.split(words[-1])
    assert run[-3:] == ["a job.toml", "--notify", 'mail -s "{text}" me@example.org']


def test_words_behind_go_to_the_batch_system_as_they_are(capsys):
    options = ["--system", "slurm", "--", "--account=X", "-p", "a b", "--mem-per-cpu=2G", "-o", "y"]
    assert printed(capsys, *options)[:-2] == [
        *("sbatch", "--nodes=1", "--time=1:00:00"),
        *("--account=X", "-p", "a b", "--mem-per-cpu=2G", "-o", "y"),
    ]

    options = ["-p", "cluster='x'", "-q", "production", "-t", "besteffort", "--project", "p"]
    words = printed(capsys, "--system", "oar", "-o", "x.h5", "--", *options)
    assert words == [
        *("oarsub", "-l", "/nodes=1,walltime=1:00:00", *options),
        *("-S", "./slurm/mcts_cluster.oar 'a job.toml' -o x.h5"),
    ]


def test_resources_that_are_asked_for_by_hand_are_the_only_ones(capsys):
    words = printed(capsys, "--system", "oar", "--", "-l", "/switch=1/nodes=4,walltime=2")

    # A second -l would be another choice to OAR.
    assert words[:-2] == ["oarsub", "-l", "/switch=1/nodes=4,walltime=2"]


def test_an_array_is_one_to_the_batch_system_and_to_each_run(capsys):
    assert printed(capsys, "--system", "slurm", "--array", "8") == [
        *("sbatch", "--nodes=1", "--mem=0", "--array=1-8", "--time=1:00:00"),
        *("slurm/mcts_cluster.sbatch", "a job.toml", "--array", "8"),
    ]
    log = "mcts_cluster.%jobid%.log"
    assert printed(capsys, "--system", "oar", "--array", "8", "--set", "seed=3") == [
        *("oarsub", "-l", "/nodes=1,walltime=1:00:00", "--array", "8", "-O", log, "-E", log),
        *("-S", "./slurm/mcts_cluster.oar 'a job.toml' --array 8 --set seed=3"),
    ]


def program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_a_job_is_submitted_to_the_system_that_is_here(folder, capfd):
    program(folder / "oarsub", 'echo "asked: $4"; exit 3')
    program(folder / "mcts-cluster", "")

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
        (("--array", "0"), "--array 0: too small, must be at least 1"),
        *(
            (("--time", time), f"--time {time}: must be H:MM:SS, such as 1:30:00")
            for time in ("90", "1:30", "0:00:00", "1:60:00", "1-00:00:00", "soon")
        ),
        (
            ("--set", "match.games=0"),
            "a job.toml: match.0.games: 0 is too small, must be at least 1\n"
            "    --set match.games=0",
        ),
        (
            ("--system", "slurm", "--cores", "4", "--ranks-per-game", "8"),
            "--ranks-per-game 8: needs 9 ranks with the master, there are 5",
        ),
        (
            ("--system", "oar", "--ranks-per-game", "9"),
            "--ranks-per-game 9: too large, must be at most 8, the machines of the largest team",
        ),
        (("--ranks-per-game", "0"), "--ranks-per-game 0: too small, must be at least 1"),
    ],
)
def test_a_mistake_is_told_before_anything_is_queued(words, says, capsys):
    assert main(["submit", "a job.toml", *words]) == 2

    assert capsys.readouterr().err == f"mcts-cluster: {says}\n"


def test_nothing_is_queued_that_would_not_find_the_program(folder, capfd):
    program(folder / "sbatch", "echo queued")
    assert main(["submit", "a job.toml", "--no-estimate"]) == 2
    said = capfd.readouterr()
    assert "queued" not in said.out
    assert said.err == (
        "mcts-cluster: no .venv in this folder, and no mcts-cluster in the path: "
        "submit from the folder in which mcts_cluster was set up\n"
    )

    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "activate").touch()

    assert main(["submit", "a job.toml", "--no-estimate"]) == 0
    assert "queued" in capfd.readouterr().out


def test_a_batch_system_that_is_not_there_is_told(folder, capsys):
    program(folder / "mcts-cluster", "")

    assert main(["submit", "a job.toml", "--no-estimate", "--system", "slurm"]) == 2

    assert capsys.readouterr().err == (
        "mcts-cluster: sbatch: cannot be started: No such file or directory\n"
    )


# The cores of a node


SINFO = """
case "$*" in
  *--partition=none*) exit 1 ;;
  *--partition=big*) echo "big 8 2 32" ;;
  *) echo "main* 3 2 16+"; echo "main* 4 2 12"; echo "old 9 1 4" ;;
esac
"""
OARNODES = """
node() {
  name=$1; shift
  for core; do echo "network_address : $name"; echo "resource_id : $core"; done
}
case "$2" in
  "type='default' AND (cluster='big')") node n1 1 2 3 4 ;;
  "type='default'") node n1 1 2 3 4; echo; node n2 1 2 3 ;;
esac
"""


@pytest.mark.parametrize(
    ("options", "cores"),
    [
        ([], 24),
        (["--account=X"], 24),
        (["--partition=big"], 64),
        (["-p", "big", "--qos=q"], 64),
        (["--qos=q", "-pbig"], 64),
        (["-p", "none"], None),
    ],
)
def test_slurm_tells_the_cores_of_the_smallest_node_of_a_partition(options, cores, folder):
    program(folder / "sinfo", SINFO)

    assert batch_systems.cores_of_nodes("slurm", options) == cores


@pytest.mark.parametrize(
    ("nodes", "options", "warned"),
    [("7", [], False), ("8", [], True), ("8", ["-pbig"], False), ("9", ["-p", "none"], False)],
)
def test_more_nodes_than_a_partition_has_are_warned_of(nodes, options, warned, folder, capsys):
    program(folder / "sinfo", SINFO)
    words = ["--system", "slurm", "--dry-run", "--no-estimate", "--nodes", nodes, "--", *options]

    assert main(["submit", "a job.toml", *words]) == 0

    says = "warning: there are 7 nodes: the job will wait for more\n"
    assert capsys.readouterr().err == (says if warned else "")


@pytest.mark.parametrize(
    ("options", "cores"),
    [
        ([], 3),
        (["-t", "besteffort"], 3),
        (["-q", "production", "-p", "cluster='big'"], 4),
        (["--property=cluster='none'"], None),
    ],
)
def test_oar_tells_the_cores_of_the_smallest_node_with_a_property(options, cores, folder):
    program(folder / "oarnodes", OARNODES)

    assert batch_systems.cores_of_nodes("oar", options) == cores


@pytest.mark.parametrize("system", ["slurm", "oar"])
def test_where_there_is_no_batch_system_nobody_knows_the_cores(system):
    assert batch_systems.cores_of_nodes(system, []) is None


def test_a_team_that_no_node_has_ranks_for_is_refused_before_the_queue(folder, capsys):
    program(folder / "oarnodes", OARNODES)

    words = ["--system", "oar", "--ranks-per-game", "8", "--", "-p", "cluster='big'"]
    assert main(["submit", "a job.toml", *words]) == 2

    assert capsys.readouterr().err == (
        "mcts-cluster: --ranks-per-game 8: needs 9 ranks with the master, there are 5\n"
    )


# What it will take


@pytest.fixture
def hours(monkeypatch):
    """Let pilot games have told that all games take 116 core-hours."""
    monkeypatch.setattr(KINDS["matches"], "expected", lambda job: Expected(116 * 3600.0, 60.0))


def lines(request):
    return list(expectation(jobfile.read_text(JOB), request))


def test_the_time_on_all_cores_is_told(hours):
    assert lines(Request(4, 32, 3600.0)) == ["about 116 core-hours: 54 min on 128 workers"]
    assert lines(Request(4, 32, 3600.0, tasks=8)) == [
        "about 116 core-hours: 7 min on 128 workers for each of 8 tasks"
    ]


def test_ranks_that_make_no_team_are_no_workers(hours):
    assert lines(Request(1, 31, 10 * 3600.0, together=8)) == [
        "about 116 core-hours: 4 h 50 min on 24 workers"
    ]


def test_a_time_limit_that_is_shorter_is_warned_of(hours):
    assert lines(Request(1, 32, 3600.0)) == [
        "about 116 core-hours: 3 h 38 min on 32 workers",
        "warning: the time limit of 60 min is shorter: the job will be queued again and continue, "
        "4 runs in all",
    ]


def test_no_job_takes_less_than_its_longest_game(hours):
    assert lines(Request(100, 128, 3600.0))[0].startswith("about 116 core-hours: 60 s on 12,800 ")


def test_where_nobody_knows_the_cores_the_workers_that_are_needed_are_told(hours):
    assert lines(Request(4, None, 3600.0)) == ["about 116 core-hours: within 60 min on 116 workers"]


def test_games_that_are_played_take_no_time(hours, folder, capsys):
    assert lines(Request(4, 32, 3600.0, played=0.75)) == [
        "about 116 core-hours, 75 % of them played: 14 min on 128 workers"
    ]
    words = ["--set", "match.games=8", "--set", "player.a.playouts=1"]
    assert main(["run", "a job.toml", "--games", "0:2", "--processes", "1", *words]) == 0
    assert main(["submit", "a job.toml", "--dry-run", "--system", "oar", *words]) == 0

    assert "\nabout 116 core-hours, 25 % of them played: within 60 min on 87 workers\n" in (
        capsys.readouterr().err
    )


def test_a_program_that_only_nodes_may_have_is_warned_of(folder, capsys):
    text = JOB.replace('"a", "a"', '"a", "other"') + '[player.other]\ncommand = "no-such-program"\n'
    (folder / "a job.toml").write_text(text)

    assert main(["submit", "a job.toml", "--dry-run", "--system", "slurm"]) == 0

    said = capsys.readouterr()
    assert said.out.startswith("sbatch ")
    first, quoted = said.err.splitlines()
    assert first.startswith("warning: the nodes must have what this host has not: a job.toml:11: ")
    assert "player.other.command: " in first
    assert quoted == '    command = "no-such-program"'


def test_pilot_games_tell_it_next_to_the_command(capsys):
    assert main(["submit", "a job.toml", "--dry-run", "--system", "slurm", "--cores", "2"]) == 0

    said = capsys.readouterr()
    assert said.out.count("\n") == 1
    first, second = said.err.splitlines()
    assert first.startswith("about 0.0") and first.endswith(" on 2 workers")
    assert second == "memory: about 100 MB a rank, 0.3 GB a node"


@pytest.fixture
def position(folder):
    diagram = "\n".join([" " + " ." * 9] * 9)
    text = f"position p\nto play = black\ngood moves = B2\nproof = none\n\n{diagram}\n"
    (folder / "p.txt").write_text(text)


@pytest.mark.parametrize(
    "experiment",
    [
        "[[match]]\nplayers = ['a', 'a']\ngames = 20",
        "[campaign]\nplayer = 'a'\niterations = 2",
        "[positions]\nfile = 'p.txt'\nplayers = ['a']\nruns = 3",
    ],
    ids=["matches", "campaign", "positions"],
)
def test_every_kind_of_job_expects_something(experiment, position):
    job = jobfile.read_text(f"[player.a]\nsimulations = 4\n{experiment}")

    found = KINDS[job.experiment.kind].expected(job)

    assert 0 < found.a_game < found.seconds


# Memory


def bytes_of(player, together=1):
    text = f"[player.a]\n{player}\n[[match]]\nplayers = ['a', 'a']\ngames = 2"
    return rank_bytes(jobfile.read_text(text), [["a", "a"]], together) - PROCESS_BYTES


def test_memory_is_that_of_the_trees_of_both_players():
    one = bytes_of("simulations = 1000")

    # Twice the simulations, 0.7 nodes for each and point, 32 bytes each.
    assert one == pytest.approx(2 * 2 * 1000 * 0.7 * 81 * 32)
    assert bytes_of("simulations = 2000") == pytest.approx(2 * one)
    assert bytes_of("playouts = 1000") == 0


def test_a_tree_has_no_more_memory_than_it_may_have():
    assert bytes_of("simulations = 1000000\nmegabytes = 10") == pytest.approx(2 * 10e6, rel=0.01)


def test_the_machines_of_a_team_share_the_memory_of_their_ranks():
    one = bytes_of("simulations = 1000")
    team = "simulations = 1000\nmachines = 8"

    assert bytes_of(team) == pytest.approx(8 * one)
    assert bytes_of(team, together=8) == pytest.approx(one)
    assert bytes_of(team, together=3) == pytest.approx(3 * one)


def test_memory_is_told_of_a_rank_and_of_a_node():
    job = jobfile.read_text(JOB)

    assert memory(job, Request(1, 31, 1.0)) == (100, "memory: about 100 MB a rank, 3.2 GB a node")
    assert memory(job, Request(1, None, 1.0)) == (100, "memory: about 100 MB a rank")


PLAYERS = """
[player.small]
simulations = 1000
[player.large]
simulations = 100_000
[player.flat]
playouts = 10
"""


@pytest.mark.parametrize(
    ("experiment", "megabytes"),
    [
        ("[[match]]\nplayers = ['small', 'flat']\ngames = 2", 100 + 4),
        ("[[match]]\nplayers = ['large', 'small']\ngames = 2", 100 + 363 + 4),
        ("[campaign]\nplayer = 'large'\niterations = 2", 100 + 2 * 363),
        ("[positions]\nfile = 'p.txt'\nplayers = ['large']", 100 + 363),
    ],
    ids=["a small match", "matches", "campaign", "positions"],
)
def test_memory_is_that_of_the_players_of_one_game(experiment, megabytes, position):
    job = jobfile.read_text(PLAYERS + experiment)

    assert memory(job, Request(1, None, 1.0))[0] == pytest.approx(megabytes, abs=1)
