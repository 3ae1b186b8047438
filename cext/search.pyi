from typing import Any

from numpy.typing import NDArray

from cext.game import Game
from cext.tree import Tree

class Search:
    """UCT with progressive widening, from one position."""

    def __init__(self, game: Game, widening: float = 0, nodes: int = 1_000_000) -> None: ...
    @property
    def tree(self) -> Tree: ...
    @property
    def widening(self) -> float: ...
    def run(self, simulations: int, seed: int) -> None: ...
    def children(self) -> NDArray[Any]: ...
    def best_move(self) -> int: ...

def logarithm_of(x: float) -> float:
    """Return the logarithm that scores are made of."""
