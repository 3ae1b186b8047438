"""The verb `pack`: this environment in one file, which unpacks itself on the disk of each node."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from mcts_cluster.running import packing
from mcts_cluster.text_files import output_file

EXAMPLES = """\
examples:
  mcts-cluster pack                               into mcts_cluster.pack
  mcts-cluster pack -o /scratch/mcts_cluster.pack
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument(
        "-o",
        "--output",
        type=output_file,
        default=Path("mcts_cluster.pack"),
        metavar="FILE",
        help="the file to write (default: mcts_cluster.pack, which the batch scripts look for)",
    )


def main(args: Namespace) -> None:
    size = packing.pack(args.output)
    print(f"{args.output}: {size / 1e6:,.0f} MB; mpiexec -n 4 {args.output.absolute()} run JOB")
