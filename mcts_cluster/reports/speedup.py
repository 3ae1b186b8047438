"""The speed-up of a success rate, in simulations: our curve of 2N simulations against N, inverted.

    strength    log(r / (1 - r)) of a success rate r; it adds up from player to player
    gain        the strength of 2N simulations against N, as a curve over log2 N

A player has the speed-up k if its strength against N simulations is the sum of the gains from N to
kN. Between the measured N, the gain is interpolated linearly; beyond them it stays as at the last.
"""

from collections.abc import Iterable, Mapping
from math import log, log2
from typing import Any

import numpy

from mcts_cluster.jobs import compatibility
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.storage.results import Results

STEP = 1 / 64  # of a doubling
MAX_DOUBLINGS = 20  # doublings that are looked at, either way


def strength(rate: float) -> float:
    return log(rate / (1 - rate))


def smoothed(total: float, games: int) -> float:
    """Return a rate with one more win and one more loss: a clean sweep has a strength, too."""
    return (total + 1) / (games + 2)


class Doublings:
    """The curve, of some N and the rates of 2N simulations against each."""

    def __init__(self, rates: Mapping[int, float]) -> None:
        # The gain of a doubling is that of its middle.
        self.places = [log2(simulations) + 0.5 for simulations in sorted(rates)]
        self.gains = [strength(rates[simulations]) for simulations in sorted(rates)]

    def gain(self, place: float) -> float:
        return float(numpy.interp(place, self.places, self.gains))

    def times(self, simulations: float, rate: float) -> float | None:
        """Return k, so that k times the simulations win with this rate; None if no k is in reach.

        It is below 1 for a rate below one half.
        """
        target = strength(rate)
        direction = 1 if target >= 0 else -1
        start, total = log2(simulations), 0.0
        for step in range(int(MAX_DOUBLINGS / STEP)):
            gain = STEP * self.gain(start + direction * (step + 0.5) * STEP)
            if total + gain >= abs(target):
                steps = step + (abs(target) - total) / gain if gain else step
                return float(2 ** (direction * steps * STEP))
            total += gain
        return None


def doublings(results: Results) -> Doublings | None:
    """Return the curve in a file: of its matches of twice the simulations, if there are any."""
    players: dict[str, Any] = compatibility.read(results.settings)["player"]
    rates = {}
    for match in results.matches:
        first, second = (players.get(name, {}).get("simulations", 0) for name in match.players)
        points = [row.points for row in results.rows if row.match == match.key]
        played = [point for point in points if point is not None]
        if played and second and first == 2 * second:
            rates[second] = smoothed(sum(played), len(played))
    return Doublings(rates) if rates else None


def simulations_a_move(
    results: Results, matches: Iterable[MatchKey]
) -> dict[MatchKey, tuple[float, float]]:
    """Return the simulations a move of the players of each match, all machines together."""
    found = {}
    openings = {match.key: match.opening for match in results.matches}
    for match in matches:
        rows = [row for row in results.rows if row.match == match and row.points is not None]
        moves = sum(max(0, row.plies - openings[match]) for row in rows) / 2
        spent = [sum(row.simulations[side] for row in rows) for side in (0, 1)]
        if moves and all(spent):
            found[match] = spent[0] / moves, spent[1] / moves
    return found
