"""The verb `init`: writes a job with remarks to start from, one of each kind."""

import shlex
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from mcts_cluster.errors import UserError
from mcts_cluster.jobs import templates
from mcts_cluster.text_files import output_file, target_of, write

EXAMPLES = """\
examples:
  mcts-cluster init                               a match, into match.toml
  mcts-cluster init campaign -o shapes.toml
  mcts-cluster init positions                     into positions.toml and positions.txt
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument(
        "kind",
        nargs="?",
        choices=templates.KINDS,
        default="match",
        metavar="KIND",
        help=f"what is played: {', '.join(templates.KINDS)} (default: match)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=output_file,
        metavar="JOB",
        help="the job to write, a new file (default: KIND.toml)",
    )


def main(args: Namespace) -> int:
    job = args.output or Path(f"{args.kind}.toml")
    files = templates.files(args.kind, job)
    for path in files:
        if target_of(path).exists():
            raise UserError(f"{path}: exists already, must be a new file; -o names another")
    for path, text in files.items():
        write(path, text)
        print(path)
    name = shlex.quote(str(job))
    print(f"mcts-cluster check {name} estimates its time, mcts-cluster run {name} plays it")
    return 0
