"""docs/sharing.md says what the settings of a team are."""

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from mcts_cluster.errors import UserError
from mcts_cluster.gtp.arguments import one_player
from mcts_cluster.parallel.sharing import STRATEGIES
from mcts_cluster.parallel.sharing.exchange import AVERAGES, Sharing

NAMES = {
    "machines": "machines",
    "sharing": "strategy",
    "period": "period",
    "period_seconds": "period_seconds",
    "share_depth": "depth",
    "share_threshold": "threshold",
    "average": "average",
    "share_rave": "rave",
    "overlap": "overlap",
}


def tables():
    """Return the cells of the document's rows by name: of the settings, and of the strategies."""
    text = (Path(__file__).parents[2] / "docs" / "sharing.md").read_text()
    lines = [line for line in text.splitlines() if line.startswith(("| `", '| "'))]
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines]
    settings = {row[0]: row[1:] for row in rows if len(row) == 4}
    strategies = {row[0].strip('"') for row in rows if len(row) == 3 and row[0] != "sharing"}
    return settings, strategies


def team(**settings):
    return one_player({"simulations": 9, "machines": 2} | settings, "go").sharing


def values_of(cell):
    """Return the values that a cell names or the ends of its range."""
    if " to " in cell:
        ends = cell.replace("10^9", "1e9").replace("10^6", "1e6").split(" to ")
        return [float(end) for end in ends]
    return tomllib.loads(f"values = [{cell}]")["values"]


def test_it_has_every_setting_and_no_other():
    settings, _ = tables()

    assert settings.keys() == NAMES.keys()
    assert set(NAMES.values()) == {field.name for field in fields(Sharing)}


def test_it_has_every_strategy():
    settings, strategies = tables()

    assert strategies == STRATEGIES.keys() == set(values_of(settings["sharing"][2]))
    assert values_of(settings["average"][2]) == list(AVERAGES)


@pytest.mark.parametrize("name", NAMES)
def test_it_has_the_default_of_each(name):
    default = tomllib.loads(f"value = {tables()[0][name][1]}")["value"]

    sharing = one_player({"simulations": 9, "machines": 1}, "go").sharing
    assert default == getattr(sharing, NAMES[name]) == getattr(Sharing(), NAMES[name])


@pytest.mark.parametrize("name", NAMES)
def test_it_has_what_is_allowed(name):
    allowed = values_of(tables()[0][name][2])
    kind = type(getattr(Sharing(), NAMES[name]))
    for value in allowed:
        assert getattr(team(**{name: kind(value)}), NAMES[name]) == value
    if kind in (int, float):
        for value in (allowed[0] / 2 if kind is float else allowed[0] - 1, 2 * allowed[1]):
            with pytest.raises(UserError, match=f"^{name}: "):
                team(**{name: kind(value)})
    elif kind is str:
        with pytest.raises(UserError, match=f"^{name}: 'x'; known are "):
            team(**{name: "x"})
