"""The rules that end races, and their names here.

A judge says between which bounds a candidate's efficiency lies; what follows from bounds is the
same for all (`race`). docs/races.md tells what each of them promises, and costs.
"""

from collections.abc import Callable
from typing import NamedTuple

from mcts_cluster.bgp.stopping_rules import confidence, paper, sprt
from mcts_cluster.bgp.stopping_rules.candidate import Bounds, Seat


class Judge(NamedTuple):
    bounds: Callable[[Seat], Bounds]
    growth: float  # how many times as many games at the next test
    in_order: bool = False  # one candidate after the other, or it need not end
    apart: bool = False  # the thresholds must not be equal


JUDGES = {
    "paper-1": Judge(paper.variant_1, growth=2.0),
    "paper-2": Judge(paper.variant_2, growth=2.0),
    "paper-3": Judge(paper.variant_3, growth=2.0, in_order=True),
    "sprt": Judge(sprt.games, growth=1.1, apart=True),
    "sprt-pairs": Judge(sprt.pairs, growth=1.1, apart=True),
    "confidence-sequence": Judge(confidence.sequence, growth=1.1),
}
