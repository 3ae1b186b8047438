from collections.abc import Sequence

from cext.go import Go

class RaceReader:
    """Finds the capturing races on boards."""

    def races(
        self, game: Go, smallest: int = 2, moves: Sequence[int] = ()
    ) -> list[tuple[int, int, str, str, list[int]]]: ...
