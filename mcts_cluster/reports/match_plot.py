"""The figure of matches: success rates over simulations, ours and the papers'.

Matches make a curve over the simulations of their second player, or else of their first, if these
rise from match to match, as in a sweep, or over machines, or else over the numbers that another
sweep has in its names; the published figures that they name stand next to them. Other matches are
points with their names.

With a curve of 2N simulations against N the figure has speed-ups in place of rates, or equivalent
machines where all matches are of teams against one tree.
"""

import re
from collections.abc import Sequence
from typing import Any

from mcts_cluster import published
from mcts_cluster.errors import UserError
from mcts_cluster.reports.comparison import players_of
from mcts_cluster.reports.match_table import MatchSummary
from mcts_cluster.reports.pictures.figures import name_places, new_figure, words
from mcts_cluster.reports.speedup import Doublings, simulations_a_move, worths
from mcts_cluster.storage.results import MatchRecord, Results, axis_of

# How far the published point of a match stands to the right of ours, of the way to the next match.
ASIDE = 0.1
LABELS = {"simulations": "simulations a move", "machines": "machines"}
RATE = "success rate of the first player, %\n(bars: one standard error)"
# A sweep that spans more has a logarithmic axis.
WIDE = 20
# Names that a sweep over a setting has given: a(rave=10), and a(1000) over simulations.
SWEPT = re.compile(r"(?P<model>.*)\((?:(?P<key>\w+)=)?(?P<number>-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)\)")
OURS: dict[str, Any] = {"color": "#1f5fa8", "marker": "o", "capsize": 3, "label": "mcts_cluster"}
THEIRS: dict[str, Any] = {
    "color": "#c2571a",
    "marker": "s",
    "capsize": 3,
    "mfc": "white",
    "label": "published",
}


def drawn(results: Results, found: list[MatchSummary]) -> Any:
    by_match = {line.match: line for line in found}
    matches = in_order([match for match in results.matches if match.key in by_match])
    places, label = axis_in(results, matches)
    if is_curve := bool(label):
        order = sorted(range(len(places)), key=places.__getitem__)
        places, matches = [places[n] for n in order], [matches[n] for n in order]
    found = [by_match[match.key] for match in matches]
    figure = new_figure()
    axes = figure.add_subplot()
    axes.axhline(50, color="0.7", linewidth=1)
    line = "-" if is_curve else "none"
    for rate in sorted({r for m in matches if (r := published.rate_of_speedup_2(m.published))}):
        label = f"a speed-up of 2, as published: {rate:g} %"
        axes.axhline(rate, color="#c2571a", linewidth=1, linestyle=":", label=label)
    axes.errorbar(
        places,
        [one.rate for one in found],
        [one.error for one in found],
        linestyle=line,
        **OURS,
    )
    # Points on top of each other hide what is below; on a curve they stand where they belong.
    aside = 0.0 if is_curve else ASIDE
    compared = [
        (x + aside, one.published) for x, one in zip(places, found, strict=True) if one.published
    ]
    if compared:
        axes.errorbar(
            [x for x, _ in compared],
            [theirs.rate for _, theirs in compared],
            [theirs.error for _, theirs in compared],
            linestyle="--" if is_curve else "none",
            **THEIRS,
        )
        axes.legend()
    if is_curve:
        scale(axes, places, label)
        axes.set_xlabel(words(label))
    else:
        name_places(axes, places, [str(one.match) for one in found])
        axes.margins(x=0.15)
    # An error bar may go beyond what a rate can be.
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, -2), min(high, 102))
    axes.set_ylabel(RATE)
    axes.set_title(words(results.title))
    return figure


def scale(axes: Any, places: Sequence[float], label: str) -> None:
    """Have the numbers of the points at the axis of a curve."""
    if label in LABELS.values() or max(places) >= WIDE * min(places) > 0:
        axes.set_xscale("log")
    axes.set_xticks(places, [f"{place:,}" for place in places])
    axes.minorticks_off()


def axis_in(results: Results, matches: list[MatchRecord]) -> tuple[list[float], str]:
    """Return where the points of matches stand, and what the axis is; "" if it is none."""
    if axis := axis_of(matches):
        return [getattr(match, axis) for match in matches], LABELS[axis]
    for side in (0, 1):
        names = [match.players[side] for match in matches]
        if found := swept(names):
            model, key, numbers = found
            key = key or key_of(results, names, numbers)
            return numbers, f"{key} of {model}" if key else f"the number in the name of {model}"
    return list(range(len(matches))), ""


def swept(names: list[str]) -> tuple[str, str, list[float]] | None:
    """Return what a sweep has in its names (jobs.expansion): the player, the setting, its numbers.

    The setting is "" in names such as "a(10)".
    """
    found = [SWEPT.fullmatch(name) for name in names]
    models = {(one["model"], one["key"] or "") for one in found if one}
    numbers = [number_of(one["number"]) for one in found if one]
    if not all(found) or len(models) != 1 or not 1 < len(numbers) == len(set(numbers)):
        return None
    [(model, key)] = models
    return model, key, numbers


def number_of(text: str) -> float:
    return int(text) if text.lstrip("-").isdecimal() else float(text)


def key_of(results: Results, names: list[str], numbers: list[float]) -> str:
    """Return the setting that has these numbers, as far as the settings of the file tell."""
    settings = [players_of(results).get(name, {}) for name in names]
    return next((k for k in settings[0] if [one.get(k) for one in settings] == numbers), "")


def in_order(matches: list[MatchRecord]) -> list[MatchRecord]:
    """Return the matches of a sweep by their simulations, any others as they are.

    A job may have a sweep in parts, for matches of one part to have other games.
    """
    # Behind the bracket of a name are the values of a sweep.
    swept = {tuple(name.partition("(")[0] for name in match.players) for match in matches}
    return sorted(matches, key=lambda match: match.simulations) if len(swept) == 1 else matches


def drawn_times(results: Results, found: list[MatchSummary], curve: Doublings) -> Any:
    """Draw the speed-up of each rate over its cost, both in simulations of the second player.

    Where all of them are teams against one tree, both are in simulations of a machine.
    """
    ours = worths(results, found, curve)
    theirs = worths(results, found, curve, published=True)
    if not ours:
        raise UserError(
            "no speed-up: the doublings gain too little"
            if simulations_a_move(results, [line.match for line in found])
            else "no match of players whose simulations are known: nothing to draw"
        )
    are_teams = all(one.machines for one in ours.values())
    figure = new_figure()
    axes = figure.add_subplot()
    for worth, style in ((ours, OURS), (theirs, THEIRS)):
        if worth:
            points = [
                (one.machines, *one.equivalent)
                if are_teams
                else (one.cost, one.times, one.low, one.high)
                for one in worth.values()
            ]
            x, y, low, high = map(list, zip(*points, strict=True))
            errors = [
                [a - b for a, b in zip(y, low, strict=True)],
                [b - a for a, b in zip(y, high, strict=True)],
            ]
            axes.errorbar(x, y, errors, linestyle="none", **style)
    axes.axline((1, 1), slope=1, color="0.7", linewidth=1, label="nothing lost by sharing")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    for one in (axes.xaxis, axes.yaxis):
        one.set_major_formatter(lambda value, _: f"{value:g}")
    if are_teams:
        axes.set_xlabel("machines of the first player")
        axes.set_ylabel("equivalent machines, as simulations of one tree")
    else:
        axes.set_xlabel("simulations of the first player, times those of the second")
        axes.set_ylabel("speed-up, in simulations")
    axes.legend()
    axes.set_title(words(results.title))
    return figure
