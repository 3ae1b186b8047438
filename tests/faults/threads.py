"""Searches by several threads, for ThreadSanitizer to look at: make sanitize-threads."""

import sys
from threading import Thread

from cext import build_info
from cext.go import Go
from cext.go_bias_patterns import Patterns
from cext.go_policy import GoPolicy
from cext.havannah import Havannah
from cext.havannah_policy import HavannahPolicy
from cext.policy import Policy
from cext.search import Search

THREADS = 4
SETTINGS = {"rave": 300, "bias": 1, "explore_every": 8}


def searches():
    """Return searches of every kind that threads share."""
    patterns = Patterns([(0.5, [(1, 0, "X"), (0, 1, "O")])])
    informed = GoPolicy(patterns, threads=THREADS, playout_replay=2, prior_semeai=10)
    return [
        Search(Go(5), Policy(), nodes=20_000),
        Search(Go(5), Policy(), nodes=300, exploration=1, widening=2),
        Search(Go(7), informed, nodes=20_000, **SETTINGS),
        Search(Havannah(3), HavannahPolicy(), nodes=20_000, solve=True, **SETTINGS),
    ]


def main(simulations):
    if "-fsanitize=thread" not in build_info.flags():
        sys.exit("not a build of MCTS_CLUSTER_SANITIZE=threads")
    for search in searches():
        for seed in range(3):
            search.run(simulations, seed, threads=THREADS, watch=search.children)
            search.run(simulations, seed, threads=THREADS, seconds=0.2, stop_early=True)
            if not len(search.children()):
                break
            search.advance(search.best_move())
    game = Go(9)
    players = [Thread(target=game.copy().playouts, args=(50, seed)) for seed in range(THREADS)]
    for one in players:
        one.start()
    for one in players:
        one.join()
    print("all searches done")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 300)
