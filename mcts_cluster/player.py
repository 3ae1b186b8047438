"""A player chooses moves. For now there is one kind: flat Monte-Carlo, a search without a tree."""

from dataclasses import dataclass

from cext.game import Game
from mcts_cluster.seeds import seed


@dataclass(frozen=True)
class FlatMonteCarlo:
    """Shares a budget of playouts equally among the sensible moves and plays the best one."""

    playouts: int

    def choose(self, game: Game, game_seed: int) -> int:
        """Return the number of the best move; the same game and seed give the same one."""
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
