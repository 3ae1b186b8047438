"""An engine on standard input and output, alone or on the first rank of a team."""

import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from typing import Any

from mcts_cluster.errors import UserError
from mcts_cluster.games import GAMES
from mcts_cluster.gtp.arguments import one_player
from mcts_cluster.gtp.engine import Engine, Options
from mcts_cluster.gtp.go import GoEngine
from mcts_cluster.gtp.havannah import HavannahEngine
from mcts_cluster.gtp.protocol import Lines, serve
from mcts_cluster.jobs.players import BUDGETS
from mcts_cluster.parallel import leader, mpi, mpi_ranks
from mcts_cluster.parallel.ranks import Ranks
from mcts_cluster.players.player import Player

ENGINES: dict[str, type[Engine]] = {"go": GoEngine, "havannah": HavannahEngine}
assert ENGINES.keys() == GAMES.keys()

# The budget of a player without one.
DEFAULT_BUDGET: Mapping[str, Any] = {"simulations": 10_000}


def play(
    game: str, player: Mapping[str, Any], settings: Mapping[str, Any], options: Options
) -> None:
    """Answer commands until they end; under MPI the first rank answers, the others search."""
    if not any(key in player for kind in BUDGETS for key in kind):
        player = {**DEFAULT_BUDGET, **player}
    engine = partial(ENGINES[game], player, settings, options)
    if mpi.launched() == 1:
        answer(engine)
        return
    with mpi_ranks.world() as ranks:
        if ranks.number:
            leader.follow(ranks)
            return
        with leader.leading(ranks):
            answer(partial(engine, make_player=partial(team_player, game=game, ranks=ranks)))


def answer(make_engine: Callable[[], Engine]) -> None:
    with closing(make_engine()) as engine:
        serve(engine, Lines(sys.stdin.fileno()), write)


def team_player(values: Mapping[str, Any], game: str, ranks: Ranks) -> Player:
    """Return a player over these ranks; without a number of machines it has one on each."""
    if not {"machines", "playouts", "command"} & values.keys():
        values = {"machines": ranks.count, **values}
    player = one_player(values, game)
    if 0 < player.machines < ranks.count:
        least = f"must be at least {ranks.count}, one for each rank"
        raise UserError(f"machines: {player.machines} is too small, {least}")
    return player.over(ranks)


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
