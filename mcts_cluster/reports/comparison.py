"""Published figures next to ours: budgets, core-hours, and the cost at the size of the papers.

Core-hours are those in which players chose their moves, by the clock, on all ranks and threads of a
game. Games that are void, or turned out not to be needed, took theirs too.
"""

import shlex
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcts_cluster import published
from mcts_cluster.columns import SIDES
from mcts_cluster.jobs import compatibility
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.published import PublishedCost
from mcts_cluster.reports.formats import plain
from mcts_cluster.storage.results import Results, RunRecord

# Half a minute: of less nobody asks how much it is.
MIN_HOURS = 0.01
BUDGETS = {"simulations": "simulations", "playouts": "playouts", "seconds": "s"}
# What says where and how fast a run plays, and nothing of its games.
OF_A_RUN = ("-o", "--output", "--processes", "--grace", "--stopped-status", "--silence")


@dataclass(frozen=True)
class Comparison:
    """A published figure, or campaign, next to ours."""

    name: str  # of the figure
    place: str  # in the papers
    published: str
    match: str
    ours: str
    games: str
    verdict: str  # "" where nothing is said
    budget: str
    core_hours: float

    @property
    def cost(self) -> PublishedCost | None:
        """What it costs at the size of the papers, if that is known."""
        return published.costs().get(self.name)


def hours(core_hours: float) -> str:
    """Return core-hours with two digits that count: "0.033", "4.9", "290,000"; of few, "<0.01"."""
    if 0 < core_hours < MIN_HOURS:
        return f"<{MIN_HOURS:g}"
    return plain(core_hours) if core_hours < 10 else f"{float(f'{core_hours:.2g}'):,.0f}"


# Budgets


def players_of(results: Results) -> Mapping[str, Mapping[str, Any]]:
    """Return the settings of all players."""
    found: Mapping[str, Mapping[str, Any]] = compatibility.read(results.settings).get("player", {})
    return found


def budget(players: Mapping[str, Mapping[str, Any]], names: Iterable[str]) -> str:
    """Return what players spend on a move: "2,000 against 1,000 simulations", "40 × 2 s each"."""
    found = [spending(players[name]) for name in names if name in players]
    amounts, units = zip(*found, strict=True) if found else ((), ())
    if len(set(found)) == 1:
        return " ".join((*found[0], "each") if len(found) > 1 else found[0])
    if len(set(units)) == 1:
        return f"{' against '.join(amounts)} {units[0]}"
    return " against ".join(map(" ".join, found))


def spending(player: Mapping[str, Any]) -> tuple[str, str]:
    """Return the amount of a player's budget, and its unit."""
    machines = player.get("sharing", {}).get("machines", 0)
    own = {key: value for key in BUDGETS if (value := machine_of(player).get(key))}
    if not own:
        return "another", "program"
    amounts = [f"{value:,g}" if key == "seconds" else f"{value:,}" for key, value in own.items()]
    units = [BUDGETS[key] for key in own]
    # With two limits the first one reached ends a move.
    rest = "".join(f" {unit} or {amount}" for unit, amount in zip(units, amounts[1:], strict=False))
    return (f"{machines} × " if machines else "") + amounts[0] + rest, units[-1]


def machine_of(player: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = player.get("machine", player)
    return found


# Core-hours


def core_hours(results: Results, baseline: str = "") -> Mapping[MatchKey, float]:
    """Return the core-hours of each match that has games.

    Players that no job names are versions of the baseline.
    """
    players = players_of(results)
    usual = players.get(baseline, {})
    matches = results.games.linked["match"]
    threads = [
        np.array([machine_of(players.get(name, usual)).get("threads", 1) for name in names])
        for names in zip(*(key.players for key in matches), strict=True)
    ]
    spent, first = np.zeros(len(matches)), 0
    for match, *seconds in results.games.parts("match", *map("{}_seconds".format, SIDES)):
        ranks = ranks_of_games(results.runs, first, first + len(match))
        for own, of_match in zip(seconds, threads, strict=True):
            spent += np.bincount(match, ranks * own * of_match[match], len(matches))
        first += len(match)
    return defaultdict(float, zip(matches, (spent / 3600).tolist(), strict=True))


def ranks_of_games(runs: Sequence[RunRecord], start: int, end: int) -> Any:
    """Return how many ranks have played each of some games, by the numbers of their rows."""
    found = np.ones(end - start)
    for run in runs:
        # One rank is the master.
        found[max(0, run.first_game - start) :] = max(1, (run.ranks - 1) // max(1, run.slots))
    return found


# Commands


def command(results: Results) -> str:
    """Return the command that plays the games of a file again, "" if nothing has played them."""
    if not results.runs:
        return ""
    words = iter(shlex.split(results.runs[-1].arguments))
    kept = []
    for word in words:
        name, _, value = word.partition("=")
        if name in OF_A_RUN and not value:
            next(words, None)
        elif name not in OF_A_RUN:
            kept.append(word)
    return shlex.join(kept)
