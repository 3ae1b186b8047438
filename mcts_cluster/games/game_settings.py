"""The settings of the games, declared by their names; what goes together the games check."""

from collections.abc import Mapping
from typing import Any

from cext.go import Go
from mcts_cluster.errors import UserError
from mcts_cluster.games.game import GAMES
from mcts_cluster.settings.declaration import Setting
from mcts_cluster.settings.table import Mistakes, Table

SETTINGS: Mapping[str, tuple[Setting, ...]] = {
    "go": (
        Setting(key="size", kind=int, default=9, least=2, most=25, meaning="rows of the board"),
        Setting(
            key="komi",
            kind=float,
            default=7.5,
            least=-1000,
            most=1000,
            step=0.5,
            meaning="points for White",
        ),
        Setting(
            key="superko",
            kind=str,
            default="positional",
            choices=Go.superko_rules,
            meaning="which positions may not come again",
        ),
        Setting(key="handicap", kind=int, default=0, least=0, most=9, meaning="stones for Black"),
    ),
    "havannah": (
        Setting(key="size", kind=int, default=8, least=2, most=16, meaning="cells along an edge"),
        Setting(
            key="swap",
            kind=bool,
            default=False,
            meaning="whether the second player may take over the first stone",
        ),
    ),
}


def read(game: str, table: Table) -> dict[str, Any]:
    """Return the settings of a game in a table, and complain there of what is wrong."""
    given = [one for one in SETTINGS[game] if one.key in table]
    before = len(table.mistakes.found)
    settings = table.read(given)
    table.known += [one.key for one in SETTINGS[game] if one not in given]
    # What is allowed may depend on the size: that only the game knows.
    if len(table.mistakes.found) == before:
        try:
            GAMES[game](**settings)
        except ValueError as error:
            key, _, text = str(error).partition(" ")
            table.complain(text, key)
    return settings


def checked(game: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a game as its class takes them; raises UserError."""
    if game not in GAMES:
        raise UserError(f"game {game!r}: allowed are {', '.join(GAMES)}")
    mistakes = Mistakes()
    table = Table(settings, ("game",), mistakes)
    found = read(game, table)
    table.finish()
    mistakes.refuse()
    return found
