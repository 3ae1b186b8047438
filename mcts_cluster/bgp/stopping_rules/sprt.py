"""Wald's sequential probability ratio test between the two thresholds, in two forms.

    p0, p1  the thresholds, p0 < p1
    α       this candidate's share of the risk, for either error
    N       pairs; x̄ their mean score, σ̂² the variance of a pair's mean

`games` takes the games as independent. Where a win is p1/p0 times as likely at the upper threshold
and a loss (1 - p1)/(1 - p0) times, that ratio is the capital of a gambler against p0 who stakes
(p1 - p0) / (p0 (1 - p0)) on each game, a draw being half a win. So α is kept at any rate of draws,
whichever colour has an advantage; not, where the games of a pair are positively correlated.

`pairs` takes whole pairs as independent results of normal means, and their variance from
themselves: N (p1 - p0) (x̄ - (p0 + p1)/2) / σ̂² is the logarithm of the ratio. It uses what pairs
have in common, but keeps α only approximately, the better the closer the thresholds.
"""

from typing import Any

from mcts_cluster.bgp.pairs import Pairs
from mcts_cluster.bgp.stopping_rules import betting
from mcts_cluster.bgp.stopping_rules.candidate import Bounds, Candidate


def games(candidate: Candidate) -> Bounds:
    """Return the bounds that leave a threshold when the ratio of all games reaches 1/α."""
    p0, p1 = candidate.lower, candidate.upper
    need = candidate.on.log(1 / candidate.share)
    low = [((p1 - p0) / (p0 * (1 - p0)), 1.0)]
    high = [((p1 - p0) / (p1 * (1 - p1)), 1.0)]

    def bounds(pairs: Pairs, tests: int) -> tuple[Any, Any]:
        lost, drawn, won = pairs.results()
        return betting.bounds(
            low, high, need, [(0.0, lost), (0.5, drawn), (1.0, won)], candidate.on
        )

    return bounds


def pairs(candidate: Candidate) -> Bounds:
    """Return the same for whole pairs: x̄ ± ((p1 - p0)/2 + σ̂² log(1/α) / (N (p1 - p0)))."""
    p0, p1 = candidate.lower, candidate.upper
    need = candidate.on.log(1 / candidate.share)

    def bounds(pairs: Pairs, tests: int) -> tuple[Any, Any]:
        spread = pairs.widened().pair_variance * need / (pairs.games // 2 * (p1 - p0))
        half = (p1 - p0) / 2 + spread
        return pairs.mean - half, pairs.mean + half

    return bounds
