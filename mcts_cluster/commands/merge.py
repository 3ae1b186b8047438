"""The verb `merge`: puts files of one job together, game by game."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from mcts_cluster.commands.show import state
from mcts_cluster.errors import UserError
from mcts_cluster.reports.formats import wide_console
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.running.merging import merged
from mcts_cluster.settings.words import counted
from mcts_cluster.storage import reader
from mcts_cluster.storage.lock import is_locked, locked
from mcts_cluster.storage.results import Results
from mcts_cluster.storage.writer import make_anew
from mcts_cluster.text_files import make_folder, output_file, target_of

EXAMPLES = """\
examples:
  mcts-cluster merge nancy.h5 lyon.h5 -o results/table1-go9.h5
  mcts-cluster merge results/table1-go9.*-of-8.h5 -o results/table1-go9.h5

The files must be of one job and of one version. A game that is in several of
them must be the same in all. The files stay as they are; run continues the new
one.
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument(
        "files", type=Path, nargs="+", metavar="FILE", help="HDF5 files of runs of one job"
    )
    parser.add_argument(
        "-o", "--output", type=output_file, required=True, metavar="FILE", help="the file to write"
    )
    parser.add_argument(
        "--mixed-versions",
        action="store_true",
        help="also merge games of different versions of mcts_cluster",
    )


def main(args: Namespace) -> int:
    check_files(args.files)
    if target_of(args.output).exists():
        raise UserError(f"{args.output}: exists already, must be a new file")
    parts = {path: reader.read(path, together=len(args.files)) for path in args.files}
    results = merged(parts, args.mixed_versions)
    target = target_of(args.output)
    make_folder(target.parent)
    with locked(target):
        make_anew(target, results)
    console = wide_console()
    for path, part in parts.items():
        console.print(told(path, part), markup=False, highlight=False, soft_wrap=True)
    console.print(state(reader.read(target), running=False), highlight=False)
    return 0


def check_files(paths: list[Path]) -> None:
    """Refuse a single file, and one that is given twice; raises UserError."""
    if len(paths) < 2:
        raise UserError(f"{paths[0]}: there must be two files or more")
    seen: dict[Path, Path] = {}
    for path in paths:
        if seen.setdefault(path.resolve(), path) is not path:
            raise UserError(f"{path}: is given twice")


def told(path: Path, results: Results) -> str:
    """Return a line on a file: its games, and whether there may be more by now."""
    games = counted(len(results.rows), KINDS[results.kind].PLAYED)
    now = ", and a run is writing it" if not results.is_closed and is_locked(path) else ""
    return f"{path}: {games}{now}"
