"""The verb `report`: one page of several files, which needs only a browser."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from mcts_cluster.reports.report import page
from mcts_cluster.storage import reader
from mcts_cluster.text_files import write

EXAMPLES = """\
examples:
  mcts-cluster report results/table1-go9.h5 results/table4-go9.h5
  mcts-cluster report results/*.h5 -o reproduction.html --title "Three papers, played again"
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="HDF5 files of runs")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT", help="the page to write (default: report.html)"
    )
    parser.add_argument("--title", default="Results", help="title of the page (default: Results)")


def main(args: Namespace) -> int:
    out = args.output or Path("report.html")
    write(out, page([(path, reader.read(path)) for path in args.files], args.title))
    print(out)
    return 0
