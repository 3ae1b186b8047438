"""Openings: how games begin that are played in pairs, with colours swapped.

Games 2k and 2k + 1 of a match with an opening begin with the same moves, chosen at random from the
pair's seed. So players that would repeat themselves play different games, and the advantage of
an opening counts once for each of the two.
"""

from mcts_cluster.games import Game
from mcts_cluster.seeds import seed


def play(game: Game, plies: int, pair_seed: int) -> None:
    """Play so many moves at random: sensible ones, no passes, and none that ends the game."""
    for ply in range(plies):
        moves = [move for move in game.core.sensible_moves() if move < game.core.points]
        if not moves:
            return
        game.play_number(moves[seed(pair_seed, ply) % len(moves)])
        if game.is_over:
            game.undo()
            return
