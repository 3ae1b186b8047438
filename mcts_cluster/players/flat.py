"""Flat Monte Carlo, a search without a tree, and the base of players without a memory."""

from collections.abc import Mapping
from dataclasses import dataclass

import cext.game
from mcts_cluster.games import Game
from mcts_cluster.players.player import Player, Session, Watch
from mcts_cluster.seeds import seed
from mcts_cluster.settings.declaration import setting


class Stateless(Player):
    """A player that considers every position afresh."""

    def session(self, game: Game, game_seed: int) -> Session:
        return StatelessSession(self, game, game_seed)

    def choose(self, game: cext.game.Game, game_seed: int) -> int:
        """Return the number of a move; the same position and seed give the same one."""
        raise NotImplementedError


@dataclass
class StatelessSession(Session):
    player: Stateless
    game: Game
    seed: int

    def choose(self, seconds: float | None = None, watch: Watch = None) -> int:
        return self.player.choose(self.game.core, self.seed)


@dataclass(frozen=True)
class FlatMonteCarlo(Stateless):
    """Shares a budget of playouts equally among the sensible moves and plays the best one."""

    playouts: int = setting(
        least=1,
        most=10**9,
        meaning="flat Monte Carlo, without a tree: playouts a move",
    )

    def budgets(self) -> Mapping[str, float]:
        return {"playouts": self.playouts}

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
