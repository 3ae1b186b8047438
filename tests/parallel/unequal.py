"""What waiting for each other costs two ranks of unequal speed, with and without overlap.

    mpiexec -n 2 python tests/mpi/unequal.py 3

The search of a tiny board is made slow by sleep, so that it matters little what else the machine
does: a simulation takes 1 ms. On the second rank it takes 2 ms ("half"), or one in 500, on both
ranks, takes 50 ms ("hiccups"). Told are the simulations of both ranks, of what they are when
nobody waits until the end; medians of so many searches of four seconds each.
"""

import random
import sys
from statistics import median
from time import sleep

from mcts_cluster import games
from mcts_cluster.parallel import leader, mpi_ranks, team
from mcts_cluster.parallel.machine import Machine
from mcts_cluster.parallel.sharing.exchange import Sharing
from mcts_cluster.players.mcts import Mcts

MS = 1e-3
SECONDS = 4.0
NOBODY_WAITS = Sharing("voting", 2)
SHARINGS = {
    (period, overlap): Sharing("slow-tree", 2, **setting, overlap=overlap)
    for period, setting in (
        ("100 simulations", {"period": 100}),
        ("0.1 s", {"period_seconds": 0.1}),
    )
    for overlap in (False, True)
}


def slowed(search, rank, speed, chance):
    """Return a Machine.run_on that takes its time."""

    def run_on(self, simulations, seconds):
        each = 2 * MS if speed == "half" and rank == 1 else MS
        made = search(self, max(1, min(simulations, int(min(seconds, SECONDS) / each))), seconds)
        hiccups = sum(chance.random() < 1 / 500 for _ in range(made * (speed == "hiccups")))
        sleep(each * made + 50 * MS * hiccups)
        return made

    return run_on


def simulations(ranks, sharing):
    player = leader.TeamPlayer(Mcts(megabytes=4), sharing, ranks)
    one = team.Team(player, games.new("go", size=5), 1)
    one.search(0, SECONDS)
    return sum(one.counters.simulations)


def main(rounds):
    search = Machine.run_on
    with mpi_ranks.world() as ranks:
        chance = random.Random(ranks.number)
        for speed in ("equal", "half", "hiccups"):
            Machine.run_on = slowed(search, ranks.number, speed, chance)
            ratios = {key: [] for key in SHARINGS}
            for _ in range(rounds):
                alone = simulations(ranks, NOBODY_WAITS)
                for key, sharing in SHARINGS.items():
                    ratios[key].append(simulations(ranks, sharing) / alone)
            for (period, overlap), found in ratios.items() if ranks.number == 0 else ():
                how = "overlap" if overlap else "blocking"
                print(f"{speed:8} {period:16} {how:9} {median(found):.2f}", flush=True)


main(int(sys.argv[1]))
