"""The verb `gtp`: a player for other programs, over the Go Text Protocol."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter

from mcts_cluster.errors import UserError
from mcts_cluster.games import GAMES
from mcts_cluster.gtp import program
from mcts_cluster.gtp.arguments import settings_of
from mcts_cluster.gtp.clock import LAG
from mcts_cluster.gtp.engine import Options

EXAMPLES = """\
examples:
  mcts-cluster gtp                                    Go 9x9, with the default player
  mcts-cluster gtp game.size=19 simulations=20000     another board, another player
  mcts-cluster gtp game.superko=simple --resign-below 0.1 simulations=5000
  mcts-cluster gtp --game havannah game.size=8 game.swap=true simulations=10000
  mpirun -n 4 mcts-cluster gtp seconds=2              a machine on each rank, rank 0 answers

KEY=VALUE: a setting of the player, as in a job file's [player.NAME] table;
with "game." before it a setting of the game, as in [game]. A board program
sets size, komi and handicap by itself.
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    # Settings may stand between options (__main__).
    parser.set_defaults(assigns=True)
    parser.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="settings, see below")
    parser.add_argument("--game", choices=GAMES, default="go", help="the game (default: go)")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of all games (default: 0)"
    )
    parser.add_argument(
        "--resign-below",
        type=float,
        metavar="RATE",
        help="resign where the expected result of the best move is less, 0 to 1 (default: never)",
    )
    parser.add_argument(
        "--lag",
        type=float,
        default=LAG,
        metavar="SECONDS",
        help=f"reserve for each move, out of its time (default: {LAG:g})",
    )


def main(args: Namespace) -> int:
    if args.seed < 0:
        raise UserError(f"--seed: {args.seed} is too small, must be at least 0")
    if args.resign_below is not None and not 0 <= args.resign_below <= 1:
        raise UserError(f"--resign-below: {args.resign_below:g} must be from 0 to 1")
    if not 0 <= args.lag <= 60:
        raise UserError(f"--lag: {args.lag:g} must be from 0 to 60")
    values = settings_of(args.settings)
    game = values.pop("game", {})
    if not isinstance(game, dict):
        raise UserError("game: must be settings of the game, like game.size=9")
    program.play(args.game, values, game, Options(args.seed, args.resign_below, args.lag))
    return 0
