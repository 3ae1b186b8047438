"""Workers of any kind, as the master of a run sees them.

The master hands out tasks and takes in rows. Some tasks more are under way than games, so that who
ends one has the next at hand and does not wait for the master to look.

However a run ends, its worker processes end with it: they ignore signals, and the master
recalls them; where the master is killed, they notice that it is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from mcts_cluster.parallel.mpi import own_cores

if TYPE_CHECKING:
    from mcts_cluster.matches.game_record import GameRecord
    from mcts_cluster.matches.setup import Task


def cores() -> int:
    return len(own_cores())


class Workers(Protocol):
    """Workers of any kind, as their master sees them."""

    slots: int  # games played at a time
    ranks: int
    hosts: str
    placement: str  # of teams, nothing where each worker is a rank or a process

    def has_room(self) -> bool:
        """Tell whether another task would be taken at once, or soon."""

    def submit(self, task: Task) -> None:
        """Have a game played."""

    def under_way(self) -> int:
        """Return how many tasks have no row yet."""

    def rows(self, seconds: float) -> Sequence[GameRecord]:
        """Return what has been played since, after some time at most; raises what a game raises."""

    def recall(self) -> None:
        """Take back what has not been begun."""

    def abandon(self) -> None:
        """Stop all games under way."""
