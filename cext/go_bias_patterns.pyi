from collections.abc import Iterable, Sequence

from cext.go import Go

KINDS_OF_CELLS: str

class Patterns:
    """Compiled patterns of Go, read-only: (strength, [(dx, dy, kind), ...]) each."""

    def __init__(
        self, patterns: Iterable[tuple[float, Iterable[tuple[int, int, str]]]]
    ) -> None: ...
    @property
    def count(self) -> int: ...
    @property
    def reach(self) -> int: ...
    def __len__(self) -> int: ...
    def at(self, game: Go, moves: Sequence[int], times: int = 1) -> list[float]: ...
