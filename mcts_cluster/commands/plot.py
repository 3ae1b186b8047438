"""The verb `plot`: success rates over simulations, ours and the papers', as PNG, SVG or PDF.

With --doublings it draws the speed-up that the rates amount to, by a curve of 2N simulations
against N in another file.
"""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from mcts_cluster.errors import UserError
from mcts_cluster.reports.kinds import KINDS, figure_of_all
from mcts_cluster.reports.pictures.figures import save_figure
from mcts_cluster.reports.speedup import Doublings, doublings
from mcts_cluster.storage import reader
from mcts_cluster.text_files import output_file

EXAMPLES = """\
examples:
  mcts-cluster plot results/table1-go9.h5
  mcts-cluster plot results/table1-go9.h5 -o table1.svg
  mcts-cluster plot results/table4-go9.h5 --doublings results/table1-go9.h5
  mcts-cluster plot results/doublings-go9.h5 results/table1-go9.h5 -o scaling.png
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="an HDF5 file of a run; or several of one kind, each in its colour in one figure",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=output_file,
        metavar="OUT",
        help="the figure, a .png, .svg or .pdf (default: FILE.png, of the first)",
    )
    parser.add_argument(
        "--doublings",
        type=Path,
        metavar="CURVE",
        help="draw speed-ups, or equivalent machines, in place of rates, by a file with matches of "
        "2N simulations against N of the same game and player (default of OUT: FILE-times.png)",
    )


def main(args: Namespace) -> int:
    curve = curve_of(args.doublings) if args.doublings else None
    results = {str(path): reader.read(path, together=len(args.files)) for path in args.files}
    first = args.files[0]
    out = args.output or first.with_name(f"{first.stem}{'-times' if args.doublings else ''}.png")
    if len(args.files) == 1:
        [only] = results.values()
        save_figure(lambda: KINDS[only.kind].figure(only, curve), out)
    elif curve:
        raise UserError("--doublings: one FILE is allowed")
    else:
        save_figure(lambda: figure_of_all(results), out)
    print(out)
    return 0


def curve_of(path: Path) -> Doublings:
    """Read the curve of doublings; raises UserError."""
    results = reader.read(path)
    try:
        found = doublings(results)
    except UserError as error:
        raise UserError(f"--doublings {path}: {error}") from None
    if found is None:
        raise UserError(f"--doublings {path}: no match of 2N simulations against N has a game")
    return found
