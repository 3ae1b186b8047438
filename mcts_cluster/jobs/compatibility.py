"""All settings of a job, and whether another job may continue a file with its games.

Games of different players must not be counted as one. So a run continues a file only if its job
differs by more games or more matches, and by nothing that decides a game.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any

import cext.game
from mcts_cluster import games
from mcts_cluster.games.game_settings import SETTINGS
from mcts_cluster.jobs import kept_settings
from mcts_cluster.jobs.job import Job
from mcts_cluster.parallel.sharing.exchange import Sharing
from mcts_cluster.players.flat import FlatMonteCarlo
from mcts_cluster.players.gtp_program import Program
from mcts_cluster.players.mcts import Mcts, completed, is_large, policy_defaults
from mcts_cluster.settings.comparison import compare, continued
from mcts_cluster.settings.words import Path

# The classes whose settings a player has.
PLAYERS = Mcts, FlatMonteCarlo, Program, Sharing


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
    """Return the settings of a game, those that are left out by their defaults."""
    return {"name": name} | {one.key: settings.get(one.key, one.default) for one in SETTINGS[name]}


def settings_of(player: Any, core: cext.game.Game) -> dict[str, Any]:
    """Return a player's fields on a board, without those that make no other player of it."""
    values = asdict(player)
    for field in fields(player):
        part = vars(player)[field.name]
        if not field.compare:
            del values[field.name]
        elif isinstance(part, Mcts):
            values[field.name] = settings_of(part, core)
    if isinstance(player, Mcts):
        if not is_large(core) or player.policy == "uniform":
            del values["move_model"]
        # The defaults of a policy may be others in the next version.
        known = policy_defaults(core) if player.policy == "informed" else {}
        values["policy_settings"] = {**known, **dict(player.policy_settings)}
    return values


def differences(file: Mapping[str, Any], job: Job) -> list[str]:
    """Return why a job cannot continue a file, a line each."""
    now = describe(job)
    found = [
        line for key in ("seed", "game", "kind") for line in compare((key,), file[key], now[key])
    ]
    if file["kind"] != now["kind"]:
        return found
    found += job.experiment.differences(file)
    # Players that do not play do not matter.
    for name in job.experiment.playing(file):
        if name in file["player"] and name in now["player"]:
            found += another(("player", name), file["player"][name], now["player"][name])
    return found


def another(path: Path, file: Mapping[str, Any], job: Mapping[str, Any]) -> Iterator[str]:
    """Yield the differences of a player; of another kind, only that."""
    if file["kind"] != job["kind"]:
        return compare((*path, "kind"), file["kind"], job["kind"])
    return compare(path, as_now(file), job, continued(*PLAYERS))


def as_now(kept: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the settings of a player with those that older results do not have."""
    if "machine" in kept:
        return {**kept, "machine": completed(kept["machine"])}
    return completed(kept) if "policy_settings" in kept else kept


def written(described: Mapping[str, Any]) -> str:
    return json.dumps(described, ensure_ascii=False, indent=1)


def read(text: str) -> dict[str, Any]:
    """Return settings that a file has kept; raises UserError for what no run writes."""
    return kept_settings.checked(text)
