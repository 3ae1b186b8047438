"""Players from the settings of a job file, or of the command line of GTP.

simulations, seconds    a tree search, for either of them or both; machines make it a team
playouts                flat Monte-Carlo
command                 a program that speaks GTP
"""

from dataclasses import fields

import cext.game
from cext.go import Go
from mcts_cluster.games import GAMES
from mcts_cluster.parallel.leader import TeamPlayer
from mcts_cluster.parallel.sharing.exchange import Sharing
from mcts_cluster.players.flat import FlatMonteCarlo
from mcts_cluster.players.gtp_program import Program
from mcts_cluster.players.mcts import BANDIT, INFORMED, Mcts, defaults, policy_settings
from mcts_cluster.players.player import Player
from mcts_cluster.settings.declaration import Setting, declared
from mcts_cluster.settings.table import Table
from mcts_cluster.settings.words import shown

GameKind = type[cext.game.Game] | None  # None where a mistake hides which

# The first of these keys that a player has decides its kind.
BUDGETS = ("simulations", "seconds"), ("playouts",), ("command",)

SEARCH = (BANDIT, *declared(Mcts))
SHARING = declared(Sharing)
FLAT = declared(FlatMonteCarlo)
PROGRAM = declared(Program)


def settings_of_policies(game: GameKind) -> tuple[Setting, ...]:
    """Return the settings of the policy of a game, or of any if a mistake hides which game."""
    games = [game] if game else GAMES.values()
    found = {one.key: one for kind in games for one in policy_settings(kind)}
    return tuple(found.values())


def read_player(table: Table, game: GameKind) -> Player:
    if "simulations" in table or "seconds" in table:
        for other in ("playouts", "command"):
            table.drop(other, "not allowed next to simulations or seconds")
        return read_searcher(table, game)
    if "playouts" in table:
        table.drop("command", "not allowed next to playouts")
        return FlatMonteCarlo(**table.read(FLAT))
    if "command" in table:
        return read_program(table)
    table.complain("missing, needs simulations, seconds, playouts or command", "simulations")
    # Its other settings are checked too, whatever its kind.
    player = read_mcts(table, game)
    optional = [one for one in (*SHARING, *FLAT, *PROGRAM) if one.key in table]
    table.read(optional)
    table.known += [one.key for one in (*SHARING, *FLAT, *PROGRAM)]
    return player


def read_searcher(table: Table, game: GameKind) -> Player:
    """Read a single tree search, or a team of machines."""
    is_team = "machines" in table
    player = read_mcts(table, game)
    if not is_team:
        for one in SHARING:
            table.drop(one.key, "only allowed next to machines")
    sharing = Sharing(**table.read(SHARING))
    if not is_team:
        return player
    if player.stop_early:
        table.complain("not allowed next to machines", "stop_early")
    return TeamPlayer(player, sharing)


def read_mcts(table: Table, game: GameKind) -> Mcts:
    """Read a tree search; settings that are missing have the defaults of the bandit."""
    of_go = [key for key in ("patterns", "move_model") if table.values.get(key)]
    usual = defaults(table.take(BANDIT), game)
    values = table.read(declared(Mcts), **{f.name: getattr(usual, f.name) for f in fields(usual)})
    given = read_policy(table, game)
    for name in [*given, *of_go]:
        if values["policy"] == "uniform":
            table.complain("not allowed with the uniform policy", name)
        elif game and (game not in INFORMED or (name in of_go and game is not Go)):
            table.complain(f"the policy of {game.__name__} has no such setting", name)
    return Mcts(**values, policy_settings=tuple(given.items()))


def read_policy(table: Table, game: GameKind) -> dict[str, int]:
    """Return the settings of the policy that are there."""
    known = settings_of_policies(game)
    given = table.read(one for one in known if one.key in table)
    table.known += [one.key for one in known]
    return given


def read_program(table: Table) -> Program:
    """Read a program; it need not exist here: another machine may play the games."""
    program = Program(**table.read(PROGRAM))
    try:
        if not program.words():
            table.complain(f"{shown(program.command)} must be the name of a program", "command")
    except ValueError as error:
        table.complain(f"{shown(program.command)}: {error}", "command")
    return program
