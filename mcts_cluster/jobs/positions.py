"""Positions as a job file states them."""

from collections.abc import Mapping, Sequence

from mcts_cluster.errors import UserError
from mcts_cluster.jobs.places import quoted
from mcts_cluster.matches.setup import Setup, figures
from mcts_cluster.positions import position_file
from mcts_cluster.positions.position import Position, PositionKey
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
    known = [one.name for one in positions]
    published = read_published(table, known, names)
    return Positions(tuple(positions), entrants, values["runs"], published)


def read_published(
    table: Table, positions: Sequence[str], players: Sequence[str]
) -> dict[PositionKey, str]:
    """Read which published figures players at positions stand next to."""
    found = {}
    for position, part in table.tables("published"):
        # Without positions their file is the mistake.
        if positions and position not in positions:
            text = f"{shown(position)} is not a position{nearest(position, positions)}"
            table.complain(text, "published", position)
        for player, figure in part.values.items():
            wrong = ""
            if player not in players:
                wrong = f"{shown(player)} is not among the players{nearest(player, players)}"
            elif figure not in figures():
                wrong = f"{shown(figure)} is unknown{nearest(str(figure), figures())}"
            if wrong:
                table.complain(wrong, "published", position, player)
            found[PositionKey(player, position)] = figure
        part.values.clear()
    return found


def read_file(table: Table, path: str, setup: Setup) -> list[Position]:
    """Read the file now, so that every process has the same positions."""
    try:
        found = position_file.read(path, setup.settings)
    except UserError as error:
        table.complain(str(error), "file")
        return []
    for number, (line, text) in enumerate(found.mistakes, 1):
        quotation = f"    {quoted(found.lines[line - 1])}"
        table.complain(f"{path}:{line}: {text}\n{quotation}", "file", number)
    return found.positions
