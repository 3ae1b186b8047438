"""Positions as a job file states them."""

from collections.abc import Mapping

from mcts_cluster.errors import UserError
from mcts_cluster.matches.task import Setup
from mcts_cluster.positions import position_file
from mcts_cluster.positions.position import Position
from mcts_cluster.positions.positions import SETTINGS, Entrant, Positions
from mcts_cluster.settings.table import Table
from mcts_cluster.settings.words import nearest, shown


def read_positions(table: Table, setup: Setup, models: Mapping[str, str]) -> Positions:
    """Read the table; `models` has the players that budgets were written out for."""
    values = table.read(SETTINGS)
    names = values["players"]
    if not names and not table.is_mistaken("players"):
        table.complain("must be at least one name of a player", "players")
    for index, name in enumerate(names):
        if name not in setup.players:
            text = f"{shown(name)} is not a player{nearest(name, setup.players)}"
            table.complain(text, "players", index)
        elif name in names[:index]:
            table.complain(f"{shown(name)} is named twice", "players", index)
    if setup.game not in ("", "go"):
        table.complain(f"the game is {setup.game}, must be go")
    if setup.settings.get("handicap"):
        table.complain("no handicap is allowed with positions")
    entrants = tuple(Entrant(name, models.get(name, name)) for name in names)
    positions = () if table.is_mistaken("file") else read_file(table, values["file"], setup)
    return Positions(tuple(positions), entrants, values["runs"])


def read_file(table: Table, path: str, setup: Setup) -> list[Position]:
    """Read the file now, so that every process has the same positions."""
    try:
        positions, mistakes = position_file.read(path)
    except UserError as error:
        table.complain(str(error), "file")
        return []
    for position in positions:
        mistakes += [(position.name, text) for text in position.mistakes(setup.settings)]
    for number, (name, text) in enumerate(mistakes, 1):
        table.complain(f"{path}: {name}: {text}", "file", number)
    return positions
