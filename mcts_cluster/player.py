"""A player chooses moves: by UCT, or by flat Monte-Carlo, which is a search without a tree."""

from dataclasses import dataclass
from typing import Protocol

from cext.game import Game
from cext.search import Search
from mcts_cluster.seeds import seed

# 200 MB; a search with a full tree goes on without growing it.
MOST_NODES = 10_000_000


class Player(Protocol):
    """Whatever can choose a move."""

    def choose(self, game: Game, game_seed: int) -> int:
        """Return the number of the best move; the same game and seed give the same one."""


@dataclass(frozen=True)
class Uct:
    """Algorithm 1 of the scalability paper, which grows a new tree for each move."""

    simulations: int
    widening: float = 0  # the K of progressive widening; 0 considers every move at once

    def choose(self, game: Game, game_seed: int) -> int:
        # A simulation expands one node at the most; the first one none.
        most = 1 + (self.simulations - 1) * (game.points + 1)
        search = Search(game, self.widening, min(most, MOST_NODES))
        search.run(self.simulations, seed(game_seed, game.ply))
        return search.best_move()


@dataclass(frozen=True)
class FlatMonteCarlo:
    """Shares a budget of playouts equally among the sensible moves and plays the best one."""

    playouts: int

    def choose(self, game: Game, game_seed: int) -> int:
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
