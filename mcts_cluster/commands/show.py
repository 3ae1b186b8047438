"""The verb `show`: the progress of a run, from its file, also while it runs."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from rich.console import Group
from rich.text import Text

from mcts_cluster.reports import runs
from mcts_cluster.reports.formats import wide_console
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.storage import reader
from mcts_cluster.storage.lock import is_locked
from mcts_cluster.storage.results import Results

EXAMPLES = """\
examples:
  mcts-cluster show results/quickstart.h5
  watch -n 60 mcts-cluster show results/quickstart.h5     while it runs
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("file", type=Path, metavar="FILE", help="an HDF5 file of a run")


def main(args: Namespace) -> int:
    results = reader.read(args.file)
    running = not results.is_closed and is_locked(args.file)
    wide_console().print(state(results, running), highlight=False)
    return 0


def state(results: Results, running: bool) -> Group:
    """Return what was played so far, by which runs and where."""
    pace = runs.per_second(results) if running else 0.0
    kind = KINDS[results.kind]
    played = map(Text, runs.lines(results, running, kind.PLAYED))
    title = [Text(results.title, "bold")] * bool(results.title)
    return Group(*title, *kind.standing(results, pace), *played)
