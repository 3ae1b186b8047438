"""The verb `gtp`: a player that programs talk to, in the Go Text Protocol, version 2.

    7 play b D4 # a comment         an id if wanted, a command, its arguments
    =7                              the answer: = or ?, the id, text; ended by an empty line

This module is the protocol: lines in, answers out. What the commands do is in gtp_engine, and in
gtp_go and gtp_havannah, which are the dialects of the two games. docs/gtp.md is the user's guide.
"""

import os
import select
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

from mcts_cluster.errors import UserError
from mcts_cluster.games import GAMES
from mcts_cluster.gtp.arguments import one_player, settings_of
from mcts_cluster.gtp.clock import LAG
from mcts_cluster.gtp.engine import Engine, Options
from mcts_cluster.gtp.go import GoEngine
from mcts_cluster.gtp.havannah import HavannahEngine
from mcts_cluster.jobs.players import BUDGETS
from mcts_cluster.parallel import leader, mpi, mpi_ranks, ranks
from mcts_cluster.players.player import Player

EXAMPLES = """\
examples:
  mcts-cluster gtp                                    Go 9x9, with the default player
  mcts-cluster gtp game.size=19 simulations=20000     another board, another player
  mcts-cluster gtp game.superko=simple --resign-below 0.1 simulations=5000
  mcts-cluster gtp --game havannah game.size=8 game.swap=true simulations=10000
  mpirun -n 4 mcts-cluster gtp seconds=2              a machine on each rank, rank 0 speaks

KEY=VALUE: a setting of the player, as in a job file's [player.NAME] table; with "game." before
it a setting of the game, as in [game]. A board program sets size, komi and handicap by itself.
"""

ENGINES: dict[str, type[Engine]] = {"go": GoEngine, "havannah": HavannahEngine}
assert ENGINES.keys() == GAMES.keys()

# The budget of a player without one.
DEFAULT_BUDGET: Mapping[str, Any] = {"simulations": 10_000}


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="see below")
    parser.add_argument("--game", choices=ENGINES, default="go", help="(default: go)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="(default: 0)")
    parser.add_argument(
        "--resign-below",
        type=float,
        metavar="RATE",
        help="give up where the move to play is expected to score less, 0 to 1 (default: never)",
    )
    parser.add_argument(
        "--lag",
        type=float,
        default=LAG,
        metavar="SECONDS",
        help=f"how much of the time for each move to keep in reserve (default: {LAG:g})",
    )


def main(args: Namespace) -> int:
    if args.seed < 0:
        raise UserError(f"--seed {args.seed}: must be at least 0")
    if args.resign_below is not None and not 0 <= args.resign_below <= 1:
        raise UserError(f"--resign-below {args.resign_below:g}: must be from 0 to 1")
    if not 0 <= args.lag <= 60:
        raise UserError(f"--lag {args.lag:g}: must be from 0 to 60")
    values = settings_of(args.settings)
    game = values.pop("game", {})
    if not isinstance(game, dict):
        raise UserError("game: must be settings of the game, like game.size=9")
    options = Options(args.seed, args.resign_below, args.lag)
    if not any(key in values for kind in BUDGETS for key in kind):
        values = {**DEFAULT_BUDGET, **values}
    engine = partial(ENGINES[args.game], values, game, options)
    if mpi.launched() == 1:
        speak(engine())
        return 0
    with mpi_ranks.world() as ranks:
        if ranks.number:
            leader.follow(ranks)
            return 0
        with leader.leading(ranks):
            speak(engine(make_player=partial(team_player, game=args.game, ranks=ranks)))
    return 0


def speak(engine: Engine) -> None:
    with closing(engine):
        serve(engine, Lines(sys.stdin.fileno()), write)


def team_player(values: Mapping[str, Any], game: str, ranks: ranks.Ranks) -> Player:
    """Return a player over these ranks; without a word of machines there is one on each."""
    if not {"machines", "playouts", "command"} & values.keys():
        values = {"machines": ranks.count, **values}
    player = one_player(values, game)
    if isinstance(player, leader.TeamPlayer) and player.sharing.machines < ranks.count:
        machines = player.sharing.machines
        raise UserError(f"machines {machines}: at least one for each of the {ranks.count} ranks")
    return leader.over(player, ranks)


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


class Lines:
    """The lines that come in at a descriptor, and whether there is one already.

    Not sys.stdin: what that has read ahead cannot be seen with select.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.read_ahead = b""
        self.ended = False

    def __iter__(self) -> "Lines":
        return self

    def __next__(self) -> str:
        while b"\n" not in self.read_ahead and not self.ended:
            self.read()
        line, _, self.read_ahead = self.read_ahead.partition(b"\n")
        if not line and not self.read_ahead and self.ended:
            raise StopIteration
        return line.decode(errors="replace")

    def are_waiting(self) -> bool:
        """Tell, at once, whether another line has come, or the end of them."""
        while b"\n" not in self.read_ahead and not self.ended:
            if not select.select([self.descriptor], [], [], 0)[0]:
                return False
            self.read()
        return True

    def read(self) -> None:
        more = os.read(self.descriptor, 65536)
        self.read_ahead += more
        self.ended = not more


# The protocol.

# Tabulators are spaces; other control characters are to be ignored, a carriage return too.
CONTROL = dict.fromkeys((*range(32), 127)) | {ord("\t"): " "}


class Command(NamedTuple):
    id: str
    name: str
    words: list[str]


def parse(line: str) -> Command | None:
    """Return the command in a line; None where there is none, as in a comment."""
    words = line.translate(CONTROL).partition("#")[0].split()
    if not words:
        return None
    number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
    return Command(number, words[0] if words else "", words[1:])


def serve(engine: Engine, source: Any, write: Callable[[str], None]) -> None:
    """Answer the lines of a source until they end, or until the command to quit.

    The source also tells whether another line has come: that ends an analysis.
    """
    engine.interrupted = source.are_waiting
    engine.report = lambda line: write(f"{line}\n")
    for line in source:
        if command := parse(line):
            answer(engine, command, write)
        if engine.has_quit:
            break


def answer(engine: Engine, command: Command, write: Callable[[str], None]) -> None:
    """Carry out one command and write its answer, which is always one and ends in an empty line."""
    try:
        result = engine.carry_out(command.name, command.words)
    except UserError as error:
        write(f"?{command.id} {tidy(str(error))}\n\n")
        return
    if isinstance(result, str):
        write(f"={command.id} {tidy(result)}\n\n")
        return
    # An answer that grows while the player thinks.
    write(f"={command.id}\n")
    for line in result:
        write(f"{line}\n")
    write("\n")


def tidy(text: str) -> str:
    """Leave out empty lines but the first one, because an empty line ends an answer."""
    first, *rest = (line.rstrip() for line in text.split("\n"))
    return "\n".join([first, *filter(None, rest)])
