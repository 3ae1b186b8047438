"""The speed-up of a success rate, in simulations: our curve of 2N simulations against N, inverted.

    strength    log(r / (1 - r)) of a success rate r; it adds up from player to player
    gain        the strength of 2N simulations against N, as a curve over log2 N

A player has the speed-up k if its strength against N simulations is the sum of the gains from N to
kN. Between the measured N, the gain is interpolated linearly; beyond them it stays as at the last.
A curve is of one game and one player: it says nothing of others.

A team of machines is worth so many equivalent machines: one tree of as many times the simulations
of a machine is as strong. The curve tells it from any match against one tree; matches against one
tree of several times the simulations, the honest opponents, tell it without a curve.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, log, log2
from typing import Any, NamedTuple

import numpy as np

from mcts_cluster.columns import SIDES
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports.match_table import MatchSummary
from mcts_cluster.settings.words import dotted, shown
from mcts_cluster.storage.results import Results
from mcts_cluster.storage.rows.match_sums import added, tallies

STEP = 1 / 64  # of a doubling
MAX_DOUBLINGS = 20  # doublings that are looked at, either way
# What may differ between the player of a curve and that of a match. A machine has no kind.
ASIDE = ("simulations", "seconds", "megabytes", "kind")


def strength(rate: float) -> float:
    return log(rate / (1 - rate))


def smoothed(total: float, games: int) -> float:
    """Return a rate with one more win and one more loss: a clean sweep has a strength, too."""
    return (total + 1) / (games + 2)


class Doublings:
    """The curve, of some N and the rates of 2N simulations against each.

    Public attributes (treat as read-only): places and gains; game and player, whose curve it is, by
    their settings. Where these are empty it holds for all.
    """

    def __init__(
        self,
        rates: Mapping[int, float],
        game: Mapping[str, Any] | None = None,
        player: Mapping[str, Any] | None = None,
    ) -> None:
        self.game, self.player = game or {}, player or {}
        # The gain of a doubling is that of its middle.
        self.places = [log2(simulations) + 0.5 for simulations in sorted(rates)]
        self.gains = [strength(rates[simulations]) for simulations in sorted(rates)]

    def gain(self, place: float) -> float:
        return float(np.interp(place, self.places, self.gains))

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


def described(results: Results) -> dict[str, Any]:
    """Return the settings of all players."""
    players: dict[str, Any] = compatibility.read(results.settings).get("player", {})
    return players


def without_budget(player: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a tree search, or of a machine of a team, but its budget."""
    search = player.get("machine", player)
    return {key: value for key, value in search.items() if key not in ASIDE}


def doublings(results: Results) -> Doublings | None:
    """Return the curve in a file: of its matches of twice the simulations, if there are any.

    Raises UserError where they are matches of several players.
    """
    players = described(results)
    rates, models = {}, {}
    found = tallies(results.games)
    for match in results.matches:
        first, second = (players.get(name, {}) for name in match.players)
        played = found[match.key].games
        budget = second.get("simulations", 0)
        is_doubled = budget and first.get("simulations", 0) == 2 * budget
        if played and is_doubled and without_budget(first) == without_budget(second):
            rates[budget] = smoothed(found[match.key].points, played)
            models[match.players[1]] = without_budget(second)
    if not rates:
        return None
    model = next(iter(models.values()))
    for name, other in models.items():
        for line in differing(("player", name), model, other, "the first curve", "another"):
            raise UserError(f"curves of several players: {line}")
    return Doublings(rates, compatibility.read(results.settings).get("game"), model)


def differing(
    path: tuple[str, ...],
    one: Mapping[str, Any],
    other: Mapping[str, Any],
    here: str = "the curve",
    there: str = "the file",
) -> Iterator[str]:
    """Yield the settings in which two players or games differ, a line each.

    What only one of them has is a setting that the version of the other did not know.
    """
    for key in one.keys() & other.keys():
        if isinstance(one[key], dict) and isinstance(other[key], dict):
            yield from differing((*path, key), one[key], other[key], here, there)
        elif one[key] != other[key]:
            where = dotted((*path, key))
            yield f"{where}: {shown(one[key])} in {here}, {shown(other[key])} in {there}"


def simulations_a_move(
    results: Results, matches: Iterable[MatchKey]
) -> dict[MatchKey, tuple[float, float]]:
    """Return the simulations a move of the players of each match, all machines together."""
    openings = {match.key: match.opening for match in results.matches}
    keys = results.games.linked["match"]
    of_match = np.array([openings[key] for key in keys], dtype=np.int64)
    sums = np.zeros((3, len(keys)))
    columns = ("match", "points", "moves_end", *(f"{side}_simulations" for side in SIDES))
    for match, points, plies, *spent in results.games.parts(*columns):
        moves = np.maximum(0, plies - of_match[match])
        for own, cells in zip(sums, (moves, *spent), strict=True):
            own += added(match, ~np.isnan(points), cells, len(keys))
    of_keys = dict(zip(keys, sums.T.tolist(), strict=True))
    return {
        match: (2 * first / moves, 2 * second / moves)
        for match in matches
        for moves, first, second in [of_keys[match]]
        if moves and first and second
    }


@dataclass(frozen=True)
class Worth:
    """The speed-up of the first player of a match, by one standard error less and more, too."""

    cost: float  # its simulations, times those of the second player
    times: float
    low: float
    high: float
    machines: int = 0  # of a team against one tree
    share: float = 1.0  # simulations of the second player, times those of a machine

    @property
    def equivalent(self) -> tuple[float, float, float]:
        """The equivalent machines of a team, with one standard error less and more."""
        return self.share * self.times, self.share * self.low, self.share * self.high


def worths(
    results: Results, found: Iterable[MatchSummary], curve: Doublings, published: bool = False
) -> dict[MatchKey, Worth]:
    """Return what matches are worth by a curve; raises UserError if it is the curve of another."""
    settings, worth, others = compatibility.read(results.settings), {}, []
    for line in differing(("game",), curve.game, settings.get("game", {})):
        raise UserError(f"a curve of another game: {line}")
    lines = {line.match: line for line in found}
    for key, (first, second) in simulations_a_move(results, lines).items():
        players = [described(results).get(name, {}) for name in key.players]
        machines = machines_of(*players)
        share = machines * second / first if machines else 1.0
        model = without_budget(players[1])
        if unlike := list(differing(("player", key.second), curve.player, model)):
            others += unlike
        elif times := bounds(lines[key], published, second, curve):
            worth[key] = Worth(first / second, *times, machines, share)
    if others and not worth:
        raise UserError(f"a curve of another player: {others[0]}")
    return worth


def machines_of(first: Mapping[str, Any], second: Mapping[str, Any]) -> int:
    """Return the machines of a team that plays against one tree; 0 in other matches."""
    machines: int = first.get("sharing", {}).get("machines", 0)
    return 0 if "sharing" in second else machines


def bounds(
    line: MatchSummary, published: bool, simulations: float, curve: Doublings
) -> tuple[float, float, float] | None:
    """Return the speed-up of a rate, and those of one standard error less and more."""
    if published:
        if not line.published:
            return None
        rate, error = line.published.rate / 100, line.published.error / 100
    else:
        rate, error = smoothed(line.rate / 100 * line.games, line.games), line.error / 100
    least = 0.5 / (line.games + 2)
    rates = [min(max(r, least), 1 - least) for r in (rate, rate - error, rate + error)]
    times = [curve.times(simulations, r) for r in rates]
    found = [k for k in times if k is not None]
    return (found[0], found[1], found[2]) if len(found) == 3 else None


# Honest opponents


class Opponent(NamedTuple):
    """One tree against which a team has played: its simulations, and how the team fared."""

    place: float  # log2 of its simulations, times those of a machine
    strength: float
    error: float

    @property
    def times(self) -> str:
        return f"{2**self.place:.3g}"


def even_matches(results: Results, found: Iterable[MatchSummary]) -> list[str]:
    """Return for each team with honest opponents which of them would be as strong, in a line."""
    notes = []
    for team, opponents in honest_opponents(results, found).items():
        machines = described(results)[team]["sharing"]["machines"]
        one = f"{team} with {machines} machines is {{}} one tree of {{}} times their simulations"
        if even := evenly(opponents):
            worth = f"{even[0]:.2g} ({even[1]:.2g}–{even[2]:.2g})"
            notes.append(one.format("as strong as", worth))
        elif opponents[0].strength < 0:
            notes.append(one.format("weaker than", opponents[0].times))
        else:
            notes.append(one.format("stronger than", opponents[-1].times))
    return notes


def honest_opponents(results: Results, found: Iterable[MatchSummary]) -> dict[str, list[Opponent]]:
    """Return the opponents of teams that are one tree of their own settings, the weakest first.

    Without teams none of whose opponents has more simulations than a machine.
    """
    lines = {line.match: line for line in found}
    opponents: dict[str, list[Opponent]] = {}
    for key, (first, second) in simulations_a_move(results, lines).items():
        players = [described(results).get(name, {}) for name in key.players]
        machines = machines_of(*players)
        if machines and without_budget(players[0]) == without_budget(players[1]):
            line = lines[key]
            rate = smoothed(line.rate / 100 * line.games, line.games)
            error = line.error / 100 / (rate * (1 - rate))
            place = log2(machines * second / first)
            opponents.setdefault(key.first, []).append(Opponent(place, strength(rate), error))
    return {team: sorted(some) for team, some in opponents.items() if max(some).place > 0.5}


def evenly(opponents: Sequence[Opponent]) -> tuple[float, float, float] | None:
    """Return the simulations at which a team wins one half, along a line between two opponents.

    With one standard error less and more; None where it wins, or loses, against all.
    """
    for weak, strong in pairwise(opponents):
        if weak.strength > 0 >= strong.strength:
            fall, way = weak.strength - strong.strength, strong.place - weak.place
            place = weak.place + way * weak.strength / fall
            slope = way / fall**2
            error = slope * hypot(strong.strength * weak.error, weak.strength * strong.error)
            return 2**place, 2 ** (place - error), 2 ** (place + error)
    return None
