"""What a job amounts to, every setting said, and whether another job may go on with its games.

Games of different players must not be counted as one. So a run continues a file only if its job
differs by more games or more matches, and by nothing that decides a game.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any

import cext.game
from mcts_cluster import games
from mcts_cluster.games import GAMES
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.comparison import compare
from mcts_cluster.players.mcts import Mcts, is_large, policy_defaults

# The same of settings that players with a tree have got since.
OF_SEARCHES: Mapping[str, Any] = {"priors": True}


def describe(job: Job) -> dict[str, Any]:
    """Return all that decides the games of a job, as JSON has it."""
    core = games.new(job.game, **job.settings).core
    players = {
        name: {"kind": type(player).__name__} | settings_of(player, core)
        for name, player in job.players.items()
    }
    described: dict[str, Any] = json.loads(
        json.dumps(
            {
                "seed": job.seed,
                "game": of_game(job.game, job.settings),
                "player": players,
                "kind": job.experiment.kind,
                **job.experiment.described(),
            }
        )
    )
    return described


def of_game(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a game, and those that are left out as the game has them."""
    core = games.new(name, **settings).core
    # A handicap is stones on the board, which does not know why they are there.
    known = {key: getattr(core, key, settings.get(key, 0)) for key in GAMES[name].settings}
    return {"name": name, **known}


def settings_of(player: Any, core: cext.game.Game) -> dict[str, Any]:
    """Return a player's fields on a board, without those that make no other player of it."""
    values = asdict(player)
    for field in fields(player):
        part = getattr(player, field.name)
        if not field.compare:
            del values[field.name]
        elif isinstance(part, Mcts):
            values[field.name] = settings_of(part, core)
    if isinstance(player, Mcts):
        if not is_large(core) or player.policy == "uniform":
            del values["database"]
        # What a policy does if it is not told may be another thing in the next version.
        known = policy_defaults(core) if player.policy == "informed" else {}
        values["policy_settings"] = {**known, **dict(player.policy_settings)}
    return values


def differences(file: Mapping[str, Any], job: Job) -> list[str]:
    """Return why a job cannot continue a file, a line each."""
    now = describe(job)
    found = [
        *compare("seed", file["seed"], now["seed"]),
        *compare("game", of_old_game(**file["game"]), now["game"]),
        *compare("kind", file["kind"], now["kind"]),
    ]
    if file["kind"] != now["kind"]:
        return found
    found += job.experiment.differences(file)
    # Nothing depends on players that do not play.
    playing = job.experiment.playing(file)
    for name in file["player"]:
        if name in playing and name in now["player"]:
            found += another(f"player.{name}", file["player"][name], now["player"][name])
    return found


def another(path: str, file: Mapping[str, Any], job: Mapping[str, Any]) -> Iterator[str]:
    """Yield in what a player differs; one of another kind has nothing else to compare."""
    if file["kind"] != job["kind"]:
        return compare(f"{path}.kind", file["kind"], job["kind"])
    return compare(path, of_old_player(file), job)


def of_old_player(player: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a file's player; older files have fewer settings."""
    if "machine" in player:
        return {**player, "machine": of_old_player(player["machine"])}
    return {**OF_SEARCHES, **player} if "exploration" in player else player


def of_old_game(name: str, **settings: Any) -> dict[str, Any]:
    """Return the settings of a file's game; older files have only those that were said."""
    return of_game(name, settings)


def written(described: Mapping[str, Any]) -> str:
    return json.dumps(described, ensure_ascii=False, indent=1)


def read(text: str) -> dict[str, Any]:
    described: dict[str, Any] = json.loads(text)
    return described
