"""Play with a team laid over all ranks, and say what was played and what was summed.

    mpiexec -n 3 python play.py go 9 20

That is a whole game by slow tree, and the beginnings of games by the other strategies.
"""

import json
import sys
from hashlib import sha256

from mcts_cluster import cluster, games, team
from mcts_cluster.mcts import Mcts
from mcts_cluster.share import STRATEGIES
from mcts_cluster.share.talk import Sharing


class Heard:
    """Ranks that remember every sum of an exchange, in one number."""

    def __init__(self, ranks):
        self.ranks = ranks
        self.digest = sha256()
        self.sums = 0

    def __getattr__(self, name):
        return getattr(self.ranks, name)

    def start(self, numbers):
        return Listening(self.ranks.start(numbers), self)


class Listening:
    def __init__(self, under_way, heard):
        self.under_way = under_way
        self.heard = heard

    def look(self):
        self.under_way.look()

    def finish(self):
        sums = self.under_way.finish()
        # What ranks tell each other of how long they waited is no exchange.
        if len(sums) > 20:
            self.heard.digest.update(sums.tobytes())
            self.heard.sums += 1
        return sums


def play(name, size, simulations, strategy, ranks, overlap=False):
    game = games.new(name, size=size)
    heard = Heard(ranks)
    sharing = Sharing(strategy, machines=8, period=10, overlap=overlap)
    seat = team.TeamPlayer(Mcts(simulations=simulations, megabytes=8), sharing, heard).seat(game, 5)
    plies = 10**6 if strategy == "slow-tree" and not overlap else 6
    while not game.is_over and game.core.ply < plies:
        game.play_number(seat.choose())
    seat.close()
    made = seat.counters.simulations
    return [game.numbers, heard.digest.hexdigest(), heard.sums, made]


def main(name, size, simulations):
    with cluster.world() as ranks:
        if ranks.number:
            return team.follow(ranks)
        with team.leading(ranks):
            played = {
                strategy: play(name, int(size), int(simulations), strategy, ranks)
                for strategy in STRATEGIES
            }
            played["late"] = play(name, int(size), int(simulations), "slow-tree", ranks, True)
    print(json.dumps(played))


main(*sys.argv[1:])
