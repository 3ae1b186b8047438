from collections.abc import Iterable, Mapping
from typing import Any

from numpy.typing import NDArray

from cext.go import Go

CELLS: tuple[tuple[int, int], ...]
TABLES: dict[str, tuple[int, ...]]

class MoveModel:
    """How likely an expert plays each move, by what is farther around a point."""

    shapes: int
    def __init__(
        self, tables: Mapping[str, Iterable[int]], shapes: Iterable[tuple[str, int]]
    ) -> None: ...
    def factors(self, game: Go) -> dict[int, int]: ...

def codes_of(drawing: bytes) -> list[int]: ...
def observed(game: Go) -> NDArray[Any]: ...
def codes_at(game: Go, move: int) -> tuple[int, int]: ...
def drawn(game: Go, move: int) -> str: ...
