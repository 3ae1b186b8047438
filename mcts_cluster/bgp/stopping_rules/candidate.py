"""What a stopping rule knows of a candidate, and the bounds that it returns."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcts_cluster.bgp.pairs import Pairs
from mcts_cluster.bgp.stopping_rules import floats

# The bounds after so many pairs, at the candidate's test of this number, from 1.
Bounds = Callable[[Pairs, int], tuple[Any, Any]]


@dataclass(frozen=True)
class Candidate:
    """One candidate of a race, as a stopping rule sees it."""

    lower: float  # a candidate is accepted above it
    upper: float  # and discarded below it
    risk: float  # of the race
    bound: str  # of the paper's rules: a name in paper.DEVIATIONS
    candidates: int = 1  # of the race
    index: int = 1  # of this candidate among all there ever were, for variant 3
    on: Any = floats  # or numpy, where counts are arrays

    @property
    def share(self) -> float:
        """The risk of this candidate, where those of the race share it alike."""
        return self.risk / self.candidates
