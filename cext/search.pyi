from collections.abc import Callable, Sequence
from typing import Any

from numpy import int64
from numpy.typing import NDArray

from cext.rng import Generator
from cext.simulation import SearchState, Worker

class Search(SearchState):
    """Simulations on one tree, from one position."""

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
