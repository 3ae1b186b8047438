"""What an engine needs of a player that tells what it thinks."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from mcts_cluster.players.player import Watch


class AnalysedMove(Protocol):
    """What a search thinks of a move."""

    move: int
    visits: int
    rate: float  # the result expected for the player to move, 0 to 1
    prior: float
    moves: list[int]  # the principal variation, beginning with the move


@runtime_checkable
class Analyst(Protocol):
    """A session that can be held to a time, and that tells what it thinks."""

    def choose(self, seconds: float | None = None, watch: Watch = None) -> int: ...

    def close(self) -> None: ...

    def think(self, seconds: float) -> None:
        """Go on thinking about the position for about so long."""

    def lines(self) -> Sequence[AnalysedMove]:
        """Return what it thinks of the position, best move first."""
