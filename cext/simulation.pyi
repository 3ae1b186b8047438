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
        exploration: float = 1,
        rave: float = 0,
        widening: float = 0,
        bias: float = 0,
        first_play_urgency: float = ...,
        expand_at: int = 2,
        virtual_loss: int = 1,
        solve: bool = False,
        priors: bool = True,
        nodes: int = 1_000_000,
    ) -> None: ...
    tree: Tree
    policy: Policy
    exploration: float
    rave: float
    widening: float
    bias: float
    first_play_urgency: float
    expand_at: int
    virtual_loss: int
    solve: bool
    priors: bool

class Worker:
    """The parts of a simulation, one by one."""

    def seek(self, shared: bool) -> tuple[list[int], int]: ...
    def play_out(self, moves: Sequence[int], generator: Generator) -> tuple[int, list[int]]: ...
    def learn_from(self, winner: int, moves: Sequence[int]) -> None: ...
