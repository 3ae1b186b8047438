"""Campaigns as a job file states them."""

from collections.abc import Mapping
from typing import Any

from mcts_cluster.bgp.campaign import Campaign, mutations_before
from mcts_cluster.bgp.mutations import PROPOSERS, Mutation, Proposing
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.players.bias_patterns import MAX_REACH
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.players.player import Player
from mcts_cluster.settings.declaration import declared
from mcts_cluster.settings.table import Table
from mcts_cluster.settings.words import nearest, shown

# Files of results have lines of fixed length for it.
MAX_NAME = 100


def read_campaign(
    table: Table,
    players: Mapping[str, Player],
    game: str,
    board: Mapping[str, Any],
    seed: int,
) -> Campaign:
    if game not in ("", "go"):
        table.complain(f"the game is {game}, must be go")
    path = table.values.get("patterns")
    if table.values.get("proposer", "random") in [name for name in PROPOSERS if name != "listed"]:
        table.drop("patterns", 'only with proposer = "listed"')
    values = table.read(declared(Campaign))
    player = baseline(table, values["player"], players)
    reach = max(1, min(board.get("size", 9) - 1, MAX_REACH))
    how = table.read(declared(Proposing), extent=reach)
    if how["extent"] > reach:
        table.complain(f"{how['extent']} is too large, must be at most {reach}", "extent")
    proposing = Proposing(**how, board=dict(board), player=player)
    if proposing.proposer == "listed":
        needed = mutations_before(values["iterations"] + 1, values["candidates"])
        check_patterns(table, proposing.listed, path, needed)
    return Campaign(**values, race=RaceSettings.read(table), proposing=proposing, seed=seed)


def baseline(table: Table, name: str, players: Mapping[str, Player]) -> Mcts:
    """Return the player that mutations are tried on."""
    searches = {key: one for key, one in players.items() if isinstance(one, Mcts)}
    if name not in searches:
        table.complain(
            f"{shown(name)} is not a tree search of this job{nearest(name, searches)}", "player"
        )
        return Mcts()
    if searches[name].policy == "uniform":
        table.complain(
            f"{shown(name)} has the uniform policy, must have the informed one",
            "player",
        )
    return searches[name]


def check_patterns(table: Table, listed: Mutation, path: Any, needed: int) -> None:
    """Report a file with fewer patterns than mutations."""
    if not path:
        table.complain("missing, must be a file of patterns", "patterns")
    for pattern in listed:
        if len(pattern.name.encode()) > MAX_NAME:
            short = f"{pattern.name[:40]}..."
            table.complain(f"{path}: name {short}: must be at most {MAX_NAME} bytes", "patterns")
    if len(listed) < needed and not table.is_mistaken("patterns"):
        text = f"too many: {path} has {len(listed)} patterns, {needed} mutations are needed"
        table.complain(text, "iterations")
