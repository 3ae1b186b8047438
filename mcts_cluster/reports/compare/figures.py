"""Rates of several files in one figure: curves over what they vary, or matches side by side.

Files that vary the same number are curves. Of any others, the same match, or the same player at a
position, of each file stands next to each other.
"""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any, NamedTuple

from mcts_cluster.errors import UserError
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports.compare.same_matches import own_keys
from mcts_cluster.reports.match_plot import OURS, RATE, THEIRS, axis_in, in_order, scale
from mcts_cluster.reports.match_table import MatchSummary, lines
from mcts_cluster.reports.pictures.figures import COLORS, MARKERS, new_figure, short_names, words
from mcts_cluster.storage.results import Results

GOOD_MOVES = "good moves, %\n(bars: one standard error)"
# Of the way from a match to the next one: what its points take up, and where the published one is.
SPREAD = 0.6
ASIDE = 0.38
MAX_WIDTH = 24.0  # inches
# More names stand upright.
MAX_SLANTED = 12


class Series(NamedTuple):
    """The rates of a file: where each is drawn, and beside which others."""

    name: str
    lines: Sequence[MatchSummary]
    places: Sequence[float]
    groups: Sequence[float]


def figure_of_all(files: Mapping[str, Results]) -> Any:
    """Draw files of matches or of positions; raises UserError where one has no games."""
    found = {path: lines(one.matches, one.rows) for path, one in files.items()}
    for path, rows in found.items():
        if not rows:
            raise UserError(f"{path}: no game has been played yet")
    is_of_matches = all(one.kind == "matches" for one in files.values())
    series, label = curves(files, found) if is_of_matches else ([], "")
    figure = drawn_as_curves(series, label) if label else drawn_as_points(files, found)
    [axes] = figure.axes
    if is_of_matches:
        axes.axhline(50, color="0.7", linewidth=1, zorder=0)
    # An error bar may go beyond what a rate can be.
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, -2), min(high, 102))
    axes.set_ylabel(RATE if is_of_matches else GOOD_MOVES)
    figure.legend(loc="outside upper center", ncols=2)
    return figure


def curves(
    files: Mapping[str, Results], found: Mapping[str, Sequence[MatchSummary]]
) -> tuple[list[Series], str]:
    """Return a curve for each file and what their axis is; "" if they have none in common."""
    series, labels = [], set()
    for (path, results), name in zip(files.items(), short_names(files), strict=True):
        by_match = {line.match: line for line in found[path]}
        matches = in_order([match for match in results.matches if match.key in by_match])
        places, label = axis_in(results, matches)
        labels.add(label)
        order = sorted(range(len(places)), key=places.__getitem__)
        at = [places[n] for n in order]
        series.append(Series(name, [by_match[matches[n].key] for n in order], at, at))
    return series, labels.pop() if len(labels) == 1 else ""


def drawn_as_curves(series: Sequence[Series], label: str) -> Any:
    figure = new_figure()
    axes = figure.add_subplot()
    draw(axes, series, "-")
    scale(axes, sorted({place for one in series for place in one.places}), label)
    axes.tick_params(axis="x", rotation=45)
    axes.set_xlabel(words(label))
    return figure


def drawn_as_points(
    files: Mapping[str, Results], found: Mapping[str, Sequence[MatchSummary]]
) -> Any:
    """Draw each match of any file, with the points of all files that have it side by side."""
    rows: dict[MatchKey, int] = {}
    series = []
    for number, (path, name) in enumerate(zip(files, short_names(files), strict=True)):
        # The names in the first file that has a match, by those in this one.
        shared = {own: key for key, own in own_keys(files, path).items()}
        groups = [
            rows.setdefault(shared.get(line.match, line.match), len(rows)) for line in found[path]
        ]
        offset = SPREAD * ((number + 0.5) / len(files) - 0.5)
        series.append(Series(name, found[path], [group + offset for group in groups], groups))
    width = min(MAX_WIDTH, max(7, len(rows) * (0.4 + 0.16 * len(files))))
    is_slanted = len(rows) <= MAX_SLANTED
    figure = new_figure((width, 4.5 if is_slanted else 6))
    axes = figure.add_subplot()
    for group in range(0, len(rows), 2):
        axes.axvspan(group - 0.5, group + 0.5, color="0.95", zorder=0)
    draw(axes, series, "none")
    axes.set_xlim(-0.5, len(rows) - 0.5)
    turned = {"rotation": 20, "ha": "right"} if is_slanted else {"rotation": 90}
    names = [words(str(key)) for key in rows]
    axes.set_xticks(range(len(rows)), names, fontsize=8 if is_slanted else 7, **turned)
    return figure


def draw(axes: Any, series: Sequence[Series], linestyle: str) -> None:
    """Draw the rates of each file in its color, then the published ones."""
    # Of one match, or at one place of a curve, files may name figures of several tables.
    theirs: dict[float, Any] = {}
    are_shared = True
    for one, color, marker in zip(series, cycle(COLORS), cycle(MARKERS), strict=False):
        look = {"label": words(one.name), "color": color, "marker": marker, "linestyle": linestyle}
        draw_rates(axes, one.places, one.lines, OURS | look)
        for group, line in zip(one.groups, one.lines, strict=True):
            if line.published:
                are_shared &= theirs.setdefault(group, line.published) == line.published
    look = {"linestyle": "--" if linestyle == "-" else "none"}
    aside = 0.0 if linestyle == "-" else 1.0
    if theirs and are_shared:
        at = sorted(theirs)
        places = [group + aside * ASIDE for group in at]
        draw_rates(axes, places, [theirs[group] for group in at], THEIRS | look)
    elif theirs:
        aside *= SPREAD / len(series) / 2
        for one, color in zip(series, cycle(COLORS), strict=False):
            named = zip(one.places, one.lines, strict=True)
            points = [(x + aside, line.published) for x, line in named if line.published]
            own = {"label": f"published, {words(one.name)}", "color": color}
            if points:
                places = [x for x, _ in points]
                draw_rates(axes, places, [one for _, one in points], THEIRS | look | own)


def draw_rates(axes: Any, places: Sequence[float], rates: Any, look: Mapping[str, Any]) -> None:
    axes.errorbar(places, [one.rate for one in rates], [one.error for one in rates], **look)
