"""A player chooses moves: by UCT, or by flat Monte-Carlo, which is a search without a tree.

A Player is a recipe, as a job file states it. Seated at a game it becomes a Seat, which may
remember, from one move to the next, whatever its way of thinking can use.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import cext.game
from cext.search import Search
from mcts_cluster.games import Game
from mcts_cluster.seeds import seed

# 200 MB; a search with a full tree goes on without growing it.
MOST_NODES = 10_000_000


class Resigned(Exception):
    """A seat gives the game up instead of choosing a move."""


class Seat(Protocol):
    """Someone at a game, who looks at it and never changes it."""

    def choose(self) -> int:
        """Return the number of a move for the player whose turn it is; may raise Resigned."""

    def close(self) -> None:
        """Leave the game, and let go of whatever it took to play it."""


@runtime_checkable
class Judge(Protocol):
    """A seat that tells dead stones from living ones."""

    def final_score(self) -> float | None:
        """Return by how much the first player has won a finished game; None if it cannot tell."""


class Player(Protocol):
    """Whatever can be seated at a game."""

    def seat(self, game: Game, game_seed: int) -> Seat:
        """Sit down at a game; the same seed and the same moves make the same choices."""


class Forgetful:
    """A player who thinks about every position afresh."""

    def seat(self, game: Game, game_seed: int) -> Seat:
        return ForgetfulSeat(self, game, game_seed)

    def choose(self, game: cext.game.Game, game_seed: int) -> int:
        """Return the number of a move; the same position and seed give the same one."""
        raise NotImplementedError


@dataclass
class ForgetfulSeat:
    player: Forgetful
    game: Game
    seed: int

    def choose(self) -> int:
        return self.player.choose(self.game.core, self.seed)

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class Uct(Forgetful):
    """Algorithm 1 of the scalability paper, which grows a new tree for each move."""

    simulations: int
    widening: float = 0  # the K of progressive widening; 0 considers every move at once

    def choose(self, game: cext.game.Game, game_seed: int) -> int:
        # A simulation expands one node at the most; the first one none.
        most = 1 + (self.simulations - 1) * (game.points + 1)
        search = Search(game, widening=self.widening, nodes=min(most, MOST_NODES))
        search.run(self.simulations, seed(game_seed, game.ply))
        return search.best_move()


@dataclass(frozen=True)
class FlatMonteCarlo(Forgetful):
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
