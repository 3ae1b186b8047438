"""The verb `plot`: success rates over simulations, ours and the papers', as PNG, SVG or PDF.

Matches make a curve over the simulations of their second player, or else of their first, if these
rise from match to match, as in a sweep; the published figures that they name stand beside. Other
matches are points with their names.
"""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from mcts_cluster import store
from mcts_cluster.errors import UserError
from mcts_cluster.store import Results
from mcts_cluster.table import Line, lines

EXAMPLES = """\
examples:
  mcts-cluster plot results/table1-go9.h5
  mcts-cluster plot results/table1-go9.h5 -o table1.svg
"""
NO_MATPLOTLIB = 'plot needs matplotlib: pip install "mcts_cluster[plot]"'
FORMS = (".png", ".svg", ".pdf")

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


def main(args: Namespace) -> int:
    out = args.output or args.file.with_suffix(".png")
    if out.suffix not in FORMS:
        raise UserError(f"-o {out}: one of {', '.join(FORMS)} is wanted at its end")
    save(store.read(args.file), out)
    print(out)
    return 0


def save(results: Results, out: Path) -> None:
    """Draw the success rates into a file, all of it or nothing; raises UserError."""
    found = lines(results.matches, results.rows)
    if not found:
        raise UserError("no game has been played yet: there is nothing to draw")
    fresh = out.with_name(f".{out.name}.new")
    try:
        figure = drawn(results, found)
        figure.savefig(fresh, format=out.suffix[1:], dpi=150)
        fresh.replace(out)
    except OSError as error:
        raise UserError(f"{out}: {error.strerror}") from None
    finally:
        fresh.unlink(missing_ok=True)


def drawn(results: Results, found: list[Line]) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UserError(NO_MATPLOTLIB) from None
    budgets = {match.name: match.simulations for match in results.matches}
    places = [budgets[line.match] for line in found]
    is_curve = store.is_axis(places)
    if not is_curve:
        places = list(range(len(found)))
    figure = Figure(figsize=(7, 4.5), layout="constrained")
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
    compared = [(x, one.published) for x, one in zip(places, found, strict=True) if one.published]
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
        axes.set_xlabel("simulations a move")
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
