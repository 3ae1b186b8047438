"""The games by name, one game in progress, and records of games.

Diagrams and records are imported when they are first used: a worker that plays needs neither.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mcts_cluster.games.game import (
    GAMES,
    Game,
    IllegalMove,
    from_checked,
    go_of,
    havannah_of,
    new,
    packed,
    set_up,
    unpacked,
)

if TYPE_CHECKING:
    from mcts_cluster.games.diagrams import from_text
    from mcts_cluster.games.records import from_hgf, from_sgf, to_hgf, to_sgf
else:
    ON_DEMAND = {
        "from_text": "diagrams",
        **dict.fromkeys(("from_hgf", "from_sgf", "to_hgf", "to_sgf"), "records"),
    }

    def __getattr__(name: str) -> Any:
        if name not in ON_DEMAND:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{ON_DEMAND[name]}"), name)


__all__ = [
    "GAMES",
    "Game",
    "IllegalMove",
    "from_checked",
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
