"""docs/races.md says what the settings of a race are, and which judges there are."""

import tomllib
from pathlib import Path

import pytest

from mcts_cluster.bgp.race_settings import SETTINGS
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES

TEXT = (Path(__file__).parents[2] / "docs" / "races.md").read_text()


def rows(cells):
    """Return the cells of rows that begin with a name, where there are so many of them."""
    lines = [line for line in TEXT.splitlines() if line.startswith("| `")]
    found = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return {row[0].strip("`"): row[1:] for row in found if len(row) == cells}


def test_it_has_every_setting_and_no_other():
    assert list(rows(4)) == list(SETTINGS)


@pytest.mark.parametrize("name", SETTINGS)
def test_the_defaults_are_what_it_says(name):
    default = tomllib.loads(f"value = {rows(4)[name][1]}")["value"]

    assert default == (list(SETTINGS[name].default) if default == [] else SETTINGS[name].default)


@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_allowed_is_what_it_says(name):
    setting, allowed = SETTINGS[name], rows(4)[name][2]

    if name == "shadows":
        assert allowed == "the judges"
    elif setting.choices:
        assert tomllib.loads(f"values = [{allowed}]")["values"] == list(setting.choices)
    else:
        ends = allowed.replace("10^", "1e").split(" to ")
        assert [float(end) for end in ends] == [setting.least, setting.most]


def test_it_has_every_judge_and_no_other():
    assert list(rows(3)) == list(STOPPING_RULES)


def test_judges_look_as_often_as_it_says():
    assert "0: 2 in the papers' judges, 1.1 in the others" in TEXT
    for name, judge in STOPPING_RULES.items():
        assert judge.growth == (2 if name.startswith("paper") else 1.1)
