from collections.abc import Callable, Sequence
from typing import Any

from numpy import int64
from numpy.typing import NDArray

from cext.game import Game
from cext.policy import Policy
from cext.rng import Generator
from cext.tree import Tree

class Search:
    """Simulations on one tree, from one position."""

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
    def run(
        self,
        simulations: int,
        seed: int | Generator,
        *,
        seconds: float = 0,
        threads: int = 1,
        stop_early: bool = False,
        watch: Callable[[], None] | None = None,
        own_time: bool = False,
    ) -> int: ...
    def advance(self, move: int) -> None: ...
    def children(self) -> NDArray[Any]: ...
    def children_of(self, node: int) -> NDArray[Any]: ...
    def worker(self) -> Worker: ...
    def statistics(self, moves: Sequence[int] = ()) -> NDArray[int64]: ...
    def add(self, changes: NDArray[int64], moves: Sequence[int] = ()) -> bool: ...
    def add_to_root(self, visits: int, results: int) -> None: ...
    def best_move(self) -> int: ...

class Worker:
    """The parts of a simulation, one by one."""

    def seek(self, shared: bool) -> tuple[list[int], int]: ...
    def play_out(self, moves: Sequence[int], generator: Generator) -> tuple[int, list[int]]: ...
    def learn_from(self, winner: int, moves: Sequence[int]) -> None: ...
