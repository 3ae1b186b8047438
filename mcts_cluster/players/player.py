"""A player chooses moves: here by flat Monte-Carlo, a search without a tree; mcts.py has one.

A Player is a recipe, as a job file states it. Seated at a game it becomes a Session, which may
remember, from one move to the next, whatever its way of thinking can use.
"""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from mcts_cluster.games import Game

# What is called while a player thinks, if anything is.
Watch = Callable[[], None] | None


class Resigned(Exception):
    """A session gives the game up instead of choosing a move."""


class Session(Protocol):
    """Someone at a game, who looks at it and never changes it."""

    def choose(self) -> int:
        """Return the number of a move for the player whose turn it is; may raise Resigned."""

    def close(self) -> None:
        """Leave the game, and let go of whatever it took to play it."""


@runtime_checkable
class Scorer(Protocol):
    """A session that tells dead stones from living ones."""

    def final_score(self) -> float | None:
        """Return by how much the first player has won a finished game; None if it cannot tell."""


@runtime_checkable
class SimulationCounter(Protocol):
    """A session that counts its simulations."""

    simulations: int  # of all its moves so far


@runtime_checkable
class Foreseer(Protocol):
    """A session that knows how its game stands."""

    def expects(self, move: int) -> float:
        """Return the result that it expects of a move it chose, 0 to 1."""


class Player(Protocol):
    """Whatever can be in_session at a game."""

    def session(self, game: Game, game_seed: int) -> Session:
        """Sit down at a game; the same seed and the same moves make the same choices."""
