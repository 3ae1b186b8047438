"""The anytime-valid stopping rule: a confidence sequence of the mean, from whole pairs.

It holds at all times together, so one may look at any time; estimates are reported with it after
any rule has stopped a race. The two games of a pair may depend on each other in any way: a pair is
one result. If they are negatively correlated, its variance is smaller and the bounds are closer.
"""

from typing import Any

from mcts_cluster.bgp.pairs import MEANS, Pairs
from mcts_cluster.bgp.stopping_rules import betting
from mcts_cluster.bgp.stopping_rules.candidate import Bounds, Candidate


def sequence(candidate: Candidate) -> Bounds:
    """Return bounds that hold together, at every test, but for this candidate's share of risk."""
    # Half of the risk on either side.
    need = candidate.on.log(2 / candidate.share)

    def bounds(pairs: Pairs, tests: int) -> tuple[Any, Any]:
        bets = stakes(pairs.games // 2)
        results = list(zip(MEANS, pairs.means(), strict=True))
        return betting.bounds(bets, bets, need, results, candidate.on)

    return bounds


def stakes(pairs: int) -> list[tuple[float, float]]:
    """Return the stakes 1, 1/2, 1/4, ... that pay after so many pairs, with their weights.

    One of them is within √2 of the best; where bounds are r from the mean that is about r over the
    variance, some 10/√pairs. The weights of all that there will ever be add up to 1.
    """
    # 2^-last is about 2/√pairs.
    last = max(0, (pairs.bit_length() - 1) // 2 - 1)
    return [(0.5**j, 4 / ((j + 4) * (j + 5))) for j in range(last + 1)]
