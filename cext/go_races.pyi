from cext.go import Go

class RaceReader:
    """Finds the capturing races on boards."""

    def races(self, game: Go, smallest: int = 2) -> list[tuple[int, int, str, str, list[int]]]: ...
