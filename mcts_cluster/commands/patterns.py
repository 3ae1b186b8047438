"""The verb `patterns`: draws bias patterns of Go, and learns the model of expert moves."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from rich.console import Console

from mcts_cluster.errors import UserError
from mcts_cluster.players import bias_patterns, move_model_training
from mcts_cluster.reports import pattern_drawings
from mcts_cluster.terminal import guarded
from mcts_cluster.text_files import output_file

EXAMPLES = """\
examples:
  mcts-cluster patterns show my-patterns.txt
  mcts-cluster patterns show my-patterns.txt --png my-patterns.png
  mcts-cluster patterns learn games/*.sgf -o my-experts.txt

docs/patterns.md describes files of patterns.
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    showing = actions.add_parser(
        "show", help="draw the patterns of a file", description="show: draw the patterns of a file"
    )
    showing.add_argument("file", metavar="FILE", help="a file of patterns")
    showing.add_argument(
        "--png", metavar="OUT.png", type=output_file, help="write a picture (default: print)"
    )
    showing.set_defaults(act=show)
    text = "learn a model of expert moves from games on large boards"
    learning = actions.add_parser("learn", help=text, description=f"learn: {text}")
    add_learning(learning)
    learning.set_defaults(act=learn)


def add_learning(parser: ArgumentParser) -> None:
    parser.add_argument(
        "games",
        type=Path,
        nargs="+",
        metavar="GAMES",
        help="SGF files, also .gz, or folders of them",
    )
    parser.add_argument(
        "-o", "--output", type=output_file, required=True, metavar="OUT", help="the model to write"
    )
    parser.add_argument(
        "--every",
        type=int,
        default=4,
        metavar="N",
        help="learn from one position of N (default: 4)",
    )
    parser.add_argument(
        "--least",
        type=int,
        default=12,
        metavar="N",
        help="learn shapes that were played at least N times (default: 12)",
    )


def main(args: Namespace) -> int:
    args.act(args)
    return 0


def show(args: Namespace) -> None:
    patterns = bias_patterns.read(args.file)
    if args.png:
        pattern_drawings.save_png(patterns, args.png)
    else:
        pattern_drawings.show(patterns, guarded(Console(highlight=False)))


def learn(args: Namespace) -> None:
    for option, value in (("--every", args.every), ("--least", args.least)):
        if value < 1:
            raise UserError(f"{option}: {value} is too small, must be at least 1")
    print(move_model_training.learn_from_files(args.games, args.output, args.every, args.least))
