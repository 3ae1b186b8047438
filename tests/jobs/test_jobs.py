"""The jobs that come with the program: nothing in them is by chance."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from mcts_cluster import games
from mcts_cluster.jobs import jobfile
from mcts_cluster.players.mcts import POLICY_SETTINGS, SearchSettings
from mcts_cluster.reports.estimates import planned

JOBS = sorted((Path(__file__).parents[2] / "jobs").glob("*.toml"))
# Those of tables and curves, and campaigns of strong players.
WRITTEN_OUT = [
    path
    for path in JOBS
    if re.match(
        r"table\d|doublings|honest|averages|sharing-sweep|plateau|bgp-.*-long-laptop"
        r"|counter-examples|semeai",
        path.stem,
    )
]


@pytest.mark.parametrize("path", JOBS, ids=lambda path: path.stem)
def test_no_tree_is_planned_full(path):
    job = jobfile.read(path)
    game = games.from_checked(job.game, job.settings)
    for name, player in job.players.items():
        room = player.fits(game)
        assert not room or planned(player, game) <= room, name


@pytest.mark.parametrize("path", WRITTEN_OUT, ids=lambda path: path.stem)
def test_a_later_default_does_not_change_what_a_table_asks(path):
    text = tomllib.loads(path.read_text())
    settings = {field.name for field in fields(SearchSettings)} - {"virtual_loss"} | {"reuse_tree"}
    policy = POLICY_SETTINGS[games.GAMES[text["game"]["name"]]].keys()
    for name, player in text["player"].items():
        if "like" not in player and "command" not in player:
            assert settings <= player.keys(), name
            assert player["policy"] == "uniform" or policy <= player.keys(), name
