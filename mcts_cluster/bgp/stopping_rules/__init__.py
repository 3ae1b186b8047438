"""The rules that end races, and their names here.

A rule computes bounds of a candidate's efficiency; what follows from the bounds is the same for all
(`race`). docs/races.md has the error and the cost of each.
"""

from collections.abc import Callable
from typing import NamedTuple

from mcts_cluster.bgp.stopping_rules import confidence, paper, sprt
from mcts_cluster.bgp.stopping_rules.candidate import Bounds, Candidate


class StoppingRule(NamedTuple):
    bounds: Callable[[Candidate], Bounds]
    growth: float  # how many times as many games at the next test
    in_order: bool = False  # one candidate after the other, or it need not end
    apart: bool = False  # the thresholds must not be equal


STOPPING_RULES = {
    "paper-1": StoppingRule(paper.variant_1, growth=2.0),
    "paper-2": StoppingRule(paper.variant_2, growth=2.0),
    "paper-3": StoppingRule(paper.variant_3, growth=2.0, in_order=True),
    "sprt": StoppingRule(sprt.games, growth=1.1, apart=True),
    "sprt-pairs": StoppingRule(sprt.pairs, growth=1.1, apart=True),
    "confidence-sequence": StoppingRule(confidence.sequence, growth=1.1),
}
