"""The verb `plot`: success rates over simulations, ours and the papers', as PNG, SVG or PDF.

Matches make a curve over the simulations of their second player, or else of their first, if these
rise from match to match, as in a sweep, or over machines; the published figures that they name
stand beside. Other matches are points with their names. Of a campaign, bounds and verdicts are
drawn (trajectories).

With --doublings it draws what the rates are worth: as how many times the simulations, by a curve of
2N simulations against N in another file.
"""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mcts_cluster.errors import UserError
from mcts_cluster.reports import campaign_plot
from mcts_cluster.reports.speedup import Doublings, doublings, simulations_a_move, smoothed
from mcts_cluster.reports.table import MatchSummary, lines
from mcts_cluster.storage import campaign_tables, reader
from mcts_cluster.storage.results import Results, axis_of

EXAMPLES = """\
examples:
  mcts-cluster plot results/table1-go9.h5
  mcts-cluster plot results/table1-go9.h5 -o table1.svg
  mcts-cluster plot results/table4-go9.h5 --doublings results/table1-go9.h5
"""
NO_MATPLOTLIB = 'a picture needs matplotlib: pip install "mcts_cluster[plot]"'
FORMS = (".png", ".svg", ".pdf")

# How far the published point of a match stands to the right of ours, of the way to the next match.
ASIDE = 0.1
LABELS = {"simulations": "simulations a move", "machines": "machines"}
OURS: dict[str, Any] = {"color": "#1f5fa8", "marker": "o", "capsize": 3, "label": "mcts_cluster"}
THEIRS: dict[str, Any] = {
    "color": "#c2571a",
    "marker": "s",
    "capsize": 3,
    "mfc": "white",
    "label": "published",
}


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("file", type=Path, metavar="FILE", help="an HDF5 file of a run")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT", help="a .png, .svg or .pdf (default: FILE.png)"
    )
    parser.add_argument(
        "--doublings",
        type=Path,
        metavar="CURVE",
        help="draw as how many times the simulations the rates are, by a file with matches of 2N "
        "simulations against N (default of OUT: FILE-times.png)",
    )


def main(args: Namespace) -> int:
    default = args.file.with_name(f"{args.file.stem}{'-times' if args.doublings else ''}.png")
    curve = curve_of(args.doublings) if args.doublings else None
    results = reader.read(args.file)
    if results.tables and curve:
        raise UserError(f"--doublings: {args.file} is a file of a campaign, not of matches")
    out = args.output or default
    save(results, out, curve)
    print(out)
    return 0


def curve_of(path: Path) -> Doublings:
    """Read what doublings are worth; raises UserError."""
    results = reader.read(path)
    found = None if results.tables else doublings(results)
    if found is None:
        raise UserError(f"--doublings {path}: no match of 2N simulations against N has a game")
    return found


def save(results: Results, out: Path, curve: Doublings | None = None) -> None:
    """Draw the success rates into a file, all of it or nothing; raises UserError."""
    found = lines(results.matches, results.rows)
    if not found:
        raise UserError("no game has been played yet: there is nothing to draw")
    save_figure(lambda: figure_of(results, found, curve), out)


def save_figure(draw: Callable[[], Any], out: Path) -> None:
    """Draw a figure into a file, all of it or nothing; raises UserError."""
    if out.suffix not in FORMS:
        raise UserError(f"-o {out}: one of {', '.join(FORMS)} is wanted at its end")
    fresh = out.with_name(f".{out.name}.new")
    try:
        draw().savefig(fresh, format=out.suffix[1:], dpi=150)
        fresh.replace(out)
    except OSError as error:
        raise UserError(f"{out}: {error.strerror}") from None
    finally:
        fresh.unlink(missing_ok=True)


def figure_of(results: Results, found: list[MatchSummary], curve: Doublings | None) -> Any:
    if results.tables:
        return campaign_plot.drawn(
            campaign_tables.in_file(results), results.title, new_figure((7, 7))
        )
    return drawn_times(results, found, curve) if curve else drawn(results, found)


def new_figure(size: tuple[float, float] = (7, 4.5)) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UserError(NO_MATPLOTLIB) from None
    return Figure(figsize=size, layout="constrained")


def drawn(results: Results, found: list[MatchSummary]) -> Any:
    drawn = {line.match for line in found}
    matches = [match for match in results.matches if match.name in drawn]
    axis = axis_of(matches)
    is_curve = bool(axis)
    places = [getattr(m, axis) for m in matches] if is_curve else list(range(len(found)))
    figure = new_figure()
    axes = figure.add_subplot()
    axes.axhline(50, color="0.7", linewidth=1)
    line = "-" if is_curve else "none"
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
        axes.set_xscale("log")
        axes.set_xticks(places, [f"{place:,}" for place in places])
        axes.minorticks_off()
        axes.set_xlabel(LABELS[axis])
    else:
        axes.set_xticks(places, [one.match for one in found], rotation=20, ha="right", fontsize=8)
        axes.margins(x=0.15)
    # An error bar may go beyond what a rate can be.
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, -2), min(high, 102))
    axes.set_ylabel("success rate of the first player, %")
    # A title is no formula, whatever it contains.
    axes.set_title(results.title, parse_math=False)
    return figure


def drawn_times(results: Results, found: list[MatchSummary], curve: Doublings) -> Any:
    """Draw what each rate is worth over what it cost, both in simulations of the second player."""
    spent = simulations_a_move(results, [line.match for line in found])
    figure = new_figure()
    axes = figure.add_subplot()
    for published, style in ((False, OURS), (True, THEIRS)):
        worth = [
            (first / second, *times)
            for line in found
            if line.match in spent
            for first, second in [spent[line.match]]
            if (times := bounds(line, published, second, curve))
        ]
        if worth:
            x, y, low, high = map(list, zip(*worth, strict=True))
            errors = [
                [a - b for a, b in zip(y, low, strict=True)],
                [b - a for a, b in zip(y, high, strict=True)],
            ]
            axes.errorbar(x, y, errors, linestyle="none", **style)
        elif not published:
            raise UserError(
                "the doublings win so little that they cannot tell what a rate is worth"
                if spent
                else "no match of players whose simulations are known: nothing to draw"
            )
    axes.axline((1, 1), slope=1, color="0.7", linewidth=1, label="nothing lost by sharing")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    for one in (axes.xaxis, axes.yaxis):
        one.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlabel("simulations of the first player, times those of the second")
    axes.set_ylabel("worth as many times the simulations")
    axes.legend()
    axes.set_title(results.title, parse_math=False)
    return figure


def bounds(
    line: MatchSummary, published: bool, simulations: float, curve: Doublings
) -> tuple[float, float, float] | None:
    """Return what a rate is worth, and what it is with one standard error less and more."""
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
