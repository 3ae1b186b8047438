"""The games by name, one game in progress, and records of games."""

from mcts_cluster.games.game import (
    GAMES,
    Game,
    IllegalMove,
    check_settings,
    from_hgf,
    from_sgf,
    from_text,
    go_of,
    havannah_of,
    new,
    packed,
    set_up,
    to_hgf,
    to_sgf,
    unpacked,
)

__all__ = [
    "GAMES",
    "Game",
    "IllegalMove",
    "check_settings",
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
