"""The verb `table`: each match of a file with its success rate, next to the published one."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from mcts_cluster.commands.plot import curve_of
from mcts_cluster.reports.formats import FORMATS, wide_console
from mcts_cluster.reports.table import table
from mcts_cluster.storage import reader

EXAMPLES = """\
examples:
  mcts-cluster table results/quickstart.h5
  mcts-cluster table results/table1-go9.h5 --format latex > table1.tex
  mcts-cluster table results/honest-go9.h5 --doublings results/doublings-go9.h5
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("file", type=Path, metavar="FILE", help="an HDF5 file of a run")
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="form of the table (default: text)"
    )

    parser.add_argument(
        "--doublings",
        type=Path,
        metavar="CURVE",
        help="add speed-ups and equivalent machines, by a file with matches of 2N simulations "
        "against N of the same game and player",
    )


def main(args: Namespace) -> int:
    curve = curve_of(args.doublings) if args.doublings else None
    found = table(reader.read(args.file), args.format, curve)
    if isinstance(found, str):
        print(found, end="")
    else:
        wide_console().print(found)
    return 0
