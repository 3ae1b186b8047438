"""The verb `solve`: the exact value of a small position of Havannah, and the moves that keep it."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter

from cext.solver import Solver, TooManyNodes
from mcts_cluster import games
from mcts_cluster.errors import UserError

EXAMPLES = """\
examples:
  mcts-cluster solve --size 3
  mcts-cluster solve --size 3 --swap b1 swap
  mcts-cluster solve --size 4 c2 d5 c5 a2 c1 d2 f7 e6 d7 a4 b2 e2 f4 b1 e5 a1 c6 g7 g4

Size 3 takes a second, size 4 about as much with half of its cells filled.
"""
MAX_NODES = 10**12
OUTCOMES = {1: "wins", 0: "can draw, and no more", -1: "loses"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("moves", nargs="*", metavar="MOVE", help="the moves so far, such as c3")
    parser.add_argument(
        "--size", type=int, default=3, metavar="N", help="cells along an edge (default: 3)"
    )
    parser.add_argument("--swap", action="store_true", help="play with the swap rule")
    parser.add_argument(
        "--nodes",
        type=int,
        default=5_000_000,
        metavar="N",
        help="stop after so many (default: 5,000,000)",
    )


def main(args: Namespace) -> int:
    if not 1 <= args.nodes <= MAX_NODES:
        raise UserError(f"--nodes: {args.nodes} must be from 1 to {MAX_NODES:,}")
    game = games.new("havannah", size=args.size, swap=args.swap)
    for move in args.moves:
        game.play(move)
    print(game)
    if not game.is_over:
        solver = Solver(args.nodes)
        try:
            value, best = solver.value(game.core), solver.best_moves(game.core)
        except TooManyNodes as error:
            raise UserError(f"{error}; increase --nodes, or play more moves") from None
        print(f"{game.to_play} {OUTCOMES[value]}: {' '.join(map(game.core.name, best))}")
        print(f"{solver.nodes:,} nodes")
    return 0
