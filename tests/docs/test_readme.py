"""The first commands of the README, held against the Makefile that makes them true."""

import re
from pathlib import Path

from mcts_cluster.__main__ import VERBS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()


def test_the_command_is_on_the_path_before_it_is_typed():
    first = re.search(r"^    (\$ )?mcts-cluster ", README, flags=re.MULTILINE).start()
    activated = README.index("    . .venv/bin/activate")

    assert README.index("    make run ") < activated < first
    assert "VENV := .venv\n" in MAKEFILE


def test_what_is_set_up_is_enough_for_the_verbs_that_it_shows():
    extras = re.search(r"^run_extras := (.*)$", MAKEFILE, flags=re.MULTILINE)[1].split(",")
    declared = (ROOT / "pyproject.toml").read_text()

    assert {"mpich", "plot"} <= set(extras)
    assert all(re.search(rf"^{extra} = \[", declared, flags=re.MULTILINE) for extra in extras)
    assert re.search(r"mcts-cluster plot .*\n.*mcts-cluster report ", README)


def test_the_first_things_that_a_reader_may_want_are_there():
    commands = r"(?:^    (?:\$ )?|`)mcts-cluster ([a-z]+)"
    shown = set(re.findall(commands, README, flags=re.MULTILINE))

    assert {"run", "init", "check", "show", "table", "completion"} <= shown
    assert shown <= VERBS.keys()
