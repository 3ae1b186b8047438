"""The verb `compare`: several files side by side, and which differences chance does not explain."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from mcts_cluster.reports.compare.files import compared
from mcts_cluster.reports.formats import FORMATS, wide_console

EXAMPLES = """\
examples:
  mcts-cluster compare results/before.h5 results/after.h5
  mcts-cluster compare results/before.h5 results/after.h5 --format markdown

Matches, or players at positions, are the same if their players have the same
names, or the same settings; candidates of campaigns if they have the same
patterns. Each is compared with that of the first file that has it.
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="HDF5 files of runs, at least two"
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="form of the table (default: text)"
    )


def main(args: Namespace) -> int:
    found = compared(args.files, args.format)
    if isinstance(found, str):
        print(found, end="")
    else:
        wide_console().print(found, highlight=False)
    return 0
