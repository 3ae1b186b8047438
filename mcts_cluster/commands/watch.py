"""The verb `watch`: a page of runs under way, which renews itself, for a browser."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from mcts_cluster.errors import UserError
from mcts_cluster.reports.watch import server
from mcts_cluster.reports.watch.watched import Watched
from mcts_cluster.text_files import output_file

PORT = 8123
SECONDS = 5.0
EXAMPLES = """\
examples:
  mcts-cluster watch results/table1-go9.h5
  mcts-cluster watch results/*.h5 --port 9000
  mcts-cluster watch results/table1-go9.h5 --log mcts_cluster-4711.log
  mcts-cluster watch results/table1-go9.h5 -o public/table1.html --every 60

The page is served to this machine only, and to those who know the token in the
address that is printed, another one each time; so is the command that brings it
to your machine. Files may not be there yet, and may be replaced. The runs are
only read. Ctrl-C ends it, with status 0.
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="HDF5 files of runs")
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--port",
        type=int,
        default=PORT,
        metavar="N",
        help=f"serve the page on this port; 0: any that is free (default: {PORT})",
    )
    place.add_argument(
        "-o",
        "--output",
        type=output_file,
        metavar="OUT",
        help="write the page to a file again and again, for a folder that a web server shows",
    )
    parser.add_argument(
        "--every",
        type=float,
        default=SECONDS,
        metavar="SECONDS",
        help=f"how often the page is renewed, if not slower (default: {SECONDS:g})",
    )
    parser.add_argument(
        "--log",
        type=Path,
        metavar="LOG",
        help="the log of the run, whose last lines are shown (default: FILE with the ending .log, "
        "if there is one)",
    )


def main(args: Namespace) -> int:
    if not 0 <= args.port <= 65535:
        raise UserError(f"--port {args.port}: must be from 0 to 65535")
    if not 1 <= args.every <= 86400:
        raise UserError(f"--every {args.every:g}: must be from 1 to 86400 seconds")
    if args.log and len(args.files) > 1:
        raise UserError("--log: one FILE is allowed")
    files = [Watched(path, args.log) for path in args.files]
    if args.output:
        server.rewrite(files, args.every, args.output)
    else:
        server.serve(files, args.every, args.port)
    return 0
