"""Completion, in the shells themselves: bash, and zsh and fish where they are installed."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from mcts_cluster import shells
from mcts_cluster.__main__ import VERBS, all_verbs, main
from mcts_cluster.reports.formats import FORMATS

# Each prints the candidates for the last word, a line each.
ASK = {
    "bash": """
        source "$1"; words=("${@:2}")
        COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
        complete -p mcts-cluster > /dev/null && _mcts_cluster && printf '%s\\n' "${COMPREPLY[@]}"
    """,
    # Its editor stands behind these functions, and is there at a terminal only.
    "zsh": """
        compdef() { }
        compadd() {
            while [[ $1 != -- ]] { shift }; shift
            print -l -- ${(M)@:#${words[CURRENT]}*}
        }
        _files() { print -l -- ${words[CURRENT]}*(N/) ${words[CURRENT]}${~2}(N.) }
        source $1; shift; words=("$@"); CURRENT=$#words; _mcts_cluster
    """,
    "fish": "source $argv[1]; complete -C (string join ' ' -- $argv[2..])",
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("job.toml", "my job.toml", "out.h5", "notes.txt"):
        Path(name).touch()
    Path("jobs").mkdir()


@pytest.fixture(params=ASK)
def complete(request, tmp_path, capsys):
    """Return the candidates for the last word of a line."""
    shell = request.param
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell} here")
    assert main(["completion", shell]) == 0
    script = tmp_path.parent / f"{tmp_path.name}.{shell}"
    script.write_text(capsys.readouterr().out)
    # Neither prompts nor what the user has set up.
    plain = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--private"]}[shell]
    surroundings = os.environ | {"HOME": str(tmp_path.parent), "XDG_CONFIG_HOME": "/none"}

    def candidates(line):
        words = shlex.split(line) + ([""] if line.endswith(" ") else [])
        # fish takes the script's arguments by themselves, the others the name of the script first.
        name = [] if shell == "fish" else [shell]
        command = [program, *plain, "-c", ASK[shell], *name, str(script), *words]
        ended = subprocess.run(
            command, capture_output=True, text=True, timeout=60, env=surroundings
        )
        assert ended.stderr == ""
        found = [one.partition("\t")[0] for one in ended.stdout.splitlines()]
        return {one.rstrip("/") for one in found if one}

    return candidates


def test_verbs_are_completed(complete):
    assert complete("mcts-cluster ") >= set(VERBS)
    assert complete("mcts-cluster re") == {name for name in VERBS if name.startswith("re")}


def test_files_are_those_that_a_verb_reads(complete):
    assert complete("mcts-cluster run j") == {"job.toml", "jobs"}
    assert complete("mcts-cluster check --workers 3 job") == {"job.toml", "jobs"}
    assert complete("mcts-cluster show o") == {"out.h5"}
    assert complete("mcts-cluster table --doublings o") == {"out.h5"}
    assert complete("mcts-cluster patterns show n") == {"notes.txt"}


def test_names_with_spaces_stay_whole(complete):
    [found] = complete("mcts-cluster run m")

    assert found.replace("\\", "") == "my job.toml"


def test_values_of_options_are_completed(complete):
    assert complete("mcts-cluster table out.h5 --format ") == set(FORMATS)
    assert complete("mcts-cluster gtp --game h") == {"havannah"}


def test_actions_of_a_verb_are_completed(complete):
    assert complete("mcts-cluster patterns ") == {"show", "learn"}
    assert "--every" in complete("mcts-cluster patterns learn --e")


def test_settings_of_an_engine_are_completed(complete):
    assert complete("mcts-cluster gtp simul") == {"simulations="}
    assert complete("mcts-cluster gtp rave=3 game.s") >= {"game.size=", "game.swap="}


def test_all_options_are_completed(complete):
    for verb in shells.all_of(shells.verbs_of(all_verbs())):
        for option in verb.options:
            for name in option.names:
                if name.startswith("--"):
                    assert name in complete(f"mcts-cluster {verb.name} {name[:4]}"), verb.name


@pytest.mark.parametrize("verb", ["run", "check", "submit"])
def test_the_first_place_of_these_is_a_job(verb):
    [found] = [one for one in shells.verbs_of(all_verbs()) if one.name == verb]

    assert found.value == shells.Place(is_file=True, ending=".toml")


def test_every_file_of_a_run_is_known_as_one():
    of_runs = {verb.name for verb in shells.verbs_of(all_verbs()) if verb.value.ending == ".h5"}

    others = {"init", "run", "submit", "check", "pack", "schema", "gtp", "completion", "solve"}
    assert of_runs == VERBS.keys() - others - {"patterns", "bench"}


def test_another_shell_is_refused_with_those_that_there_are(capsys):
    with pytest.raises(SystemExit) as refused:
        main(["completion", "tcsh"])

    assert refused.value.code == 2
    assert "choose from 'bash', 'zsh', 'fish'" in capsys.readouterr().err
