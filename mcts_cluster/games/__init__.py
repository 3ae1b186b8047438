"""The games by name, one game in progress, and records of games."""

from mcts_cluster.games.diagrams import from_text
from mcts_cluster.games.game import (
    Game,
    IllegalMove,
    go_of,
    havannah_of,
    new,
    packed,
    set_up,
    unpacked,
)
from mcts_cluster.games.game_settings import GAMES
from mcts_cluster.games.records import from_hgf, from_sgf, to_hgf, to_sgf

__all__ = [
    "GAMES",
    "Game",
    "IllegalMove",
    "from_hgf",
    "from_sgf",
    "from_text",
    "go_of",
    "havannah_of",
    "new",
    "packed",
    "set_up",
    "to_hgf",
    "to_sgf",
    "unpacked",
]
