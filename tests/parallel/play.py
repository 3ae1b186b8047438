"""Play with a team laid over all ranks, and say what was played and what was summed.

    mpiexec -n 3 python play.py go 9 20

That is a whole game by slow tree, and the beginnings of games by the other strategies.
"""

import json
import sys
from hashlib import sha256

from mcts_cluster import games
from mcts_cluster.parallel import leader, mpi_ranks, team
from mcts_cluster.parallel.sharing import STRATEGIES
from mcts_cluster.parallel.sharing.exchange import Sharing
from mcts_cluster.players.mcts import Mcts


class Heard(team.Team):
    """The machines of a rank, which remember every sum of an exchange, in one number."""

    digest = sha256()
    sums = 0

    def finish(self, under_way):
        sums = super().finish(under_way)
        Heard.digest.update(sums.tobytes())
        Heard.sums += 1
        return sums


def play(name, size, simulations, strategy, ranks, overlap=False):
    game = games.new(name, size=size)
    Heard.digest, Heard.sums = sha256(), 0
    sharing = Sharing(strategy, machines=8, period=10, overlap=overlap)
    session = leader.TeamPlayer(Mcts(simulations=simulations, megabytes=8), sharing, ranks).session(
        game, 5
    )
    plies = 10**6 if strategy == "slow-tree" and not overlap else 6
    while not game.is_over and game.core.ply < plies:
        game.play_number(session.choose())
    session.close()
    return [game.numbers, Heard.digest.hexdigest(), Heard.sums, session.counters.simulations]


def main(name, size, simulations):
    with mpi_ranks.world() as ranks:
        if ranks.number:
            return leader.follow(ranks)
        with leader.leading(ranks):
            played = {
                strategy: play(name, int(size), int(simulations), strategy, ranks)
                for strategy in STRATEGIES
            }
            played["late"] = play(name, int(size), int(simulations), "slow-tree", ranks, True)
    print(json.dumps(played))


leader.Team = Heard
main(*sys.argv[1:])
