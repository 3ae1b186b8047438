from collections.abc import Sequence

from cext.game import Game
from cext.policy import Policy
from cext.rng import Generator
from cext.tree import Tree

class SearchState:
    """What the simulations of a search have in common."""

    def __init__(
        self,
        game: Game,
        policy: Policy | None = None,
        *,
        nodes: int = 1_000_000,
        # Those of mcts_cluster.players.mcts.SearchSettings.
        **settings: float,
    ) -> None: ...
    tree: Tree
    policy: Policy
    unit: int
    def __getattr__(self, setting: str) -> float: ...

class Worker:
    """The parts of a simulation, one by one."""

    def seek(self, shared: bool) -> tuple[list[int], int]: ...
    def play_out(self, moves: Sequence[int], generator: Generator) -> tuple[int, list[int]]: ...
    def learn_from(self, winner: int, moves: Sequence[int]) -> None: ...
