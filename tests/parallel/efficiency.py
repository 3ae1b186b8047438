"""How much of what ranks could do alone they do as a team: for a machine with nothing else to do.

    mpiexec -n 2 python tests/mpi/efficiency.py 9 10 5

On a board of that size, by turns one rank alone, while the others sleep, and all ranks
together as a team with slow tree, three exchanges a second; here ten seconds each, five times. Told
are the simulations a second of one and of all, and the median of all / (ranks x one).
"""

import sys
from statistics import median

from mcts_cluster import games
from mcts_cluster.parallel import mpi_ranks
from mcts_cluster.parallel.leader import TeamPlayer
from mcts_cluster.parallel.ranks import ALONE
from mcts_cluster.parallel.sharing.exchange import Sharing
from mcts_cluster.parallel.team import Team
from mcts_cluster.players.mcts import defaults


def rate(ranks, size, seconds):
    sharing = Sharing("slow-tree", ranks.count, period_seconds=1 / 3)
    player = TeamPlayer(defaults("mogo", games.GAMES["go"]), sharing, ranks)
    team = Team(player, games.new("go", size=size), 1)
    team.search(0, seconds)
    return sum(team.counters.simulations) / seconds


def main(size, seconds, rounds):
    ratios = []
    with mpi_ranks.world() as ranks:
        for _ in range(rounds):
            one = rate(ALONE, size, seconds) if ranks.number == 0 else 0.0
            mpi_ranks.wait(ranks.communicator.Ibarrier(), mpi_ranks.MAX_SLEEP)
            together = rate(ranks, size, seconds)
            if ranks.number == 0:
                ratios.append(together / (ranks.count * one))
                print(f"{one:,.0f} {together:,.0f} {ratios[-1]:.3f}", flush=True)
    if ratios:
        print(f"median {median(ratios):.3f}")


main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]))
