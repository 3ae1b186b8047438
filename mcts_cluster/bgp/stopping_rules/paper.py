"""The stopping rules of the BGP papers: computeBounds, in its three variants.

Each test of a candidate may err with a small part of the risk, and the parts add up to no more
than the whole; so all bounds of a race hold together, with probability 1 - δ0 at least.

    δ0      the risk of the race
    δ       the risk of one test
    #S      candidates in the race
    i       the number of a candidate, from 1
    nbTest  tests of a candidate so far, this one included
    n       games of a candidate
    σ̂       the empirical standard deviation of their scores

The games are taken as independent, those of a pair too.
"""

from collections.abc import Callable
from math import pi
from typing import Any

from mcts_cluster.bgp.pairs import Pairs
from mcts_cluster.bgp.stopping_rules import floats
from mcts_cluster.bgp.stopping_rules.candidate import Bounds, Candidate


def hoeffding(risk: float, pairs: Pairs, on: Any = floats) -> Any:
    """√(log(2/δ) / 2n), equation 1."""
    return floats.sqrt(floats.log(2 / risk) / (2 * pairs.games))


def bernstein(risk: float, pairs: Pairs, on: Any = floats) -> Any:
    """σ̂ √(2 log(3/δ) / n) + 3 log(3/δ) / n, equation 2."""
    part = floats.log(3 / risk) / pairs.games
    return on.sqrt(pairs.variance * 2 * part) + 3 * part


DEVIATIONS = {"hoeffding": hoeffding, "bernstein": bernstein}


def variant_1(candidate: Candidate) -> Bounds:
    """Return the bounds with δ = δ0 / (#S 2^nbTest)."""
    return around_mean(candidate, lambda tests: candidate.share / 2.0**tests)


def variant_2(candidate: Candidate) -> Bounds:
    """Return the bounds with δ = δ0 / (#S π² nbTest² / 6)."""
    return around_mean(candidate, lambda tests: part(candidate.share, tests))


def variant_3(candidate: Candidate) -> Bounds:
    """Return the bounds with δ = δi / (π² nbTest² / 6), δi = 6 δ0 / π² i²: for any number of
    candidates, one after the other."""
    return around_mean(candidate, lambda tests: part(part(candidate.risk, candidate.index), tests))


def part(risk: float, number: int) -> float:
    """Return the part of a risk with this number, from 1, of endlessly many: Σ 1/n² = π²/6."""
    return 6 * risk / (pi * number) ** 2


def around_mean(candidate: Candidate, risk_of: Callable[[int], float]) -> Bounds:
    deviation = DEVIATIONS[candidate.bound]

    def bounds(pairs: Pairs, tests: int) -> tuple[Any, Any]:
        half = deviation(risk_of(tests), pairs, candidate.on)
        return pairs.mean - half, pairs.mean + half

    return bounds
