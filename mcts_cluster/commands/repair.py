"""The verb `repair`: makes a file anew that a killed run has left open.

Our own verbs read such a file as it is, and `run` repairs it when it continues; other programs
refuse it until then.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mcts_cluster.settings.words import counted
from mcts_cluster.storage.writer import repair
from mcts_cluster.text_files import target_of


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="an HDF5 file of a run")


def main(args: Namespace) -> int:
    kept = repair(target_of(args.file))
    if kept is None:
        print(f"{args.file}: needs no repair")
    else:
        print(f"{args.file}: repaired, with all of its {counted(kept, 'game')}")
    return 0
