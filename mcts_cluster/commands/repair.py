"""The verb `repair`: makes a file anew that a killed run has left open.

Our own verbs read such a file as it is, and `run` repairs it when it continues; other programs
refuse it until then. With --check it tells what is damaged in a file.
"""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from mcts_cluster.exit_statuses import MISTAKE
from mcts_cluster.settings.words import counted
from mcts_cluster.storage.integrity.examination import findings, has_checksums
from mcts_cluster.storage.reader import read
from mcts_cluster.storage.writer import repair
from mcts_cluster.text_files import target_of

EXAMPLES = """\
examples:
  mcts-cluster repair results/quickstart.h5
  mcts-cluster repair --check results/quickstart.h5       is it damaged, and where?
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("file", type=Path, metavar="FILE", help="an HDF5 file of a run")
    parser.add_argument(
        "--check",
        action="store_true",
        help="change nothing; read all of the file, and tell what is damaged; "
        "the exit status is 2 if anything is",
    )


def main(args: Namespace) -> int:
    if args.check:
        return check(args.file)
    kept = repair(target_of(args.file))
    if kept is None:
        print(f"{args.file}: needs no repair")
    else:
        print(f"{args.file}: repaired, with all of its {counted(kept, 'game')}")
    return 0


def check(path: Path) -> int:
    """Print what is wrong with a file, a line each."""
    if found := findings(path):
        print(*found, sep="\n")
        return MISTAKE
    results = read(path)
    how = "by its checksums" if has_checksums(path) else "as far as a file without checksums tells"
    games = counted(len(results.rows), "game")
    left = "" if results.is_closed else "; left open, by a run or by a kill"
    print(f"{path}: whole {how}: {games}{left}")
    return 0
