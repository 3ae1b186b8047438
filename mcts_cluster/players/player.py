"""A player chooses moves: here by flat Monte-Carlo, a search without a tree; mcts.py has one.

A Player is a recipe, as a job file states it. Seated at a game it becomes a Session, which may
remember, from one move to the next, whatever its way of thinking can use.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import cext.game
from mcts_cluster.games import Game
from mcts_cluster.seeds import seed

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


class Stateless:
    """A player who thinks about every position afresh."""

    def session(self, game: Game, game_seed: int) -> Session:
        return StatelessSession(self, game, game_seed)

    def choose(self, game: cext.game.Game, game_seed: int) -> int:
        """Return the number of a move; the same position and seed give the same one."""
        raise NotImplementedError


@dataclass
class StatelessSession:
    player: Stateless
    game: Game
    seed: int

    def choose(self) -> int:
        return self.player.choose(self.game.core, self.seed)

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class FlatMonteCarlo(Stateless):
    """Shares a budget of playouts equally among the sensible moves and plays the best one."""

    playouts: int

    def choose(self, game: cext.game.Game, game_seed: int) -> int:
        moves = game.sensible_moves()
        each = max(1, self.playouts // len(moves))
        wins = {}
        for move in moves:
            after = game.copy()
            after.play(move)
            result = after.playouts(each, seed(game_seed, game.ply, move))
            mine = result.first_wins if game.to_play == 1 else result.second_wins
            wins[move] = 2 * mine + result.draws
        # Not the first of equals: with few playouts there are many, and playing them in the order
        # of their numbers would be a strategy of its own.
        most = max(wins.values())
        best = [move for move in moves if wins[move] == most]
        return best[seed(game_seed, game.ply, "equals") % len(best)]
