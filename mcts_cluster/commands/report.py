"""The verb `report`: one page of several files, for a browser or as Markdown."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from mcts_cluster.errors import UserError
from mcts_cluster.reports.page import markdown
from mcts_cluster.reports.page import page as pages
from mcts_cluster.reports.page.overview import compared, overview
from mcts_cluster.reports.page.sections import section
from mcts_cluster.storage import reader
from mcts_cluster.text_files import output_file, write

MAX_GAMES = 1000
EXAMPLES = """\
examples:
  mcts-cluster report results/table1-go9.h5 results/table4-go9.h5
  mcts-cluster report results/*.h5 -o reproduction.html --title "Three papers, played again"
  mcts-cluster report results/*.h5 --format markdown --summary
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="HDF5 files of runs")
    parser.add_argument(
        "-o",
        "--output",
        type=output_file,
        metavar="OUT",
        help="the page to write (default: report.html; Markdown is printed)",
    )
    parser.add_argument("--title", default="Results", help="title of the page (default: Results)")
    parser.add_argument(
        "--format",
        choices=("html", "markdown"),
        default="html",
        help="form of the page; Markdown has no pictures (default: html)",
    )
    parser.add_argument(
        "--summary",
        action="store_true",
        help="write only the table of all published figures for which the files have games",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=pages.GAMES,
        metavar="N",
        help="games of each file to step through on a board, the first of each match in turn "
        f"(default: {pages.GAMES})",
    )


def main(args: Namespace) -> int:
    if not 0 <= args.games <= MAX_GAMES:
        raise UserError(f"--games {args.games}: must be from 0 to {MAX_GAMES:,}")
    text = page(args)
    out = args.output or (Path("report.html") if args.format == "html" else None)
    if out is None:
        print(text, end="")
        return 0
    write(out, text)
    print(out)
    return 0


def page(args: Namespace) -> str:
    """Return the page in its format; raises UserError."""
    files = [(path, reader.read(path, together=len(args.files))) for path in args.files]
    found = compared(files)
    summary = overview(files, found)
    if args.format == "markdown" and args.summary:
        return markdown.summary(summary) + "\n"
    sections = [] if args.summary else [section(*one) for one in files]
    if args.format == "markdown":
        return markdown.page(args.title, summary, sections)
    links = [] if args.summary else [place for place, _ in found]
    return pages.page(args.title, summary, links, sections, args.games)
