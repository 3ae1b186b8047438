"""What a job amounts to, every setting of it, and whether another job may go on with its games.

Games of different players must not be counted as one. So a run continues a file only if its job
differs by more games or more matches, and by nothing that decides a game.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any

import cext.game
from mcts_cluster import games
from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.bgp.mutations import Proposing
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.games.game_settings import SETTINGS
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.match_settings import Match, match_name
from mcts_cluster.parallel.sharing.exchange import Sharing
from mcts_cluster.players.flat import FlatMonteCarlo
from mcts_cluster.players.gtp_program import Program
from mcts_cluster.players.mcts import Mcts, is_large, policy_defaults
from mcts_cluster.settings.declaration import FREE, SAME, declared
from mcts_cluster.settings.words import Path, dotted, shown

# The classes whose settings a job has.
CLASSES = Match, Mcts, FlatMonteCarlo, Program, Sharing, Campaign, Proposing, RaceSettings
# What may become of a setting, by the name of its field; others stay the same.
CONTINUED = {
    one.name: one.continued for cls in CLASSES for one in declared(cls) if one.continued != SAME
}
# What else a match says: names of its players are its own.
OF_MATCHES = [
    one.name for one in declared(Match) if one.name != "players" and one.continued != FREE
]


def describe(job: Job) -> dict[str, Any]:
    """Return all that decides the games of a job, as JSON has it."""
    core = games.new(job.game, **job.settings).core
    players = {
        name: {"kind": type(player).__name__} | settings_of(player, core)
        for name, player in job.players.items()
    }
    matches = {
        match.name: {key: getattr(match, key) for key in OF_MATCHES} for match in job.matches
    }
    campaign = {"campaign": of_campaign(job.campaign)} if job.campaign else {}
    described: dict[str, Any] = json.loads(
        json.dumps(
            {
                "seed": job.seed,
                "game": of_game(job.game, job.settings),
                "player": players,
                "match": matches,
                **campaign,
            }
        )
    )
    return described


def of_game(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a game, those that are left out by their defaults."""
    return {"name": name} | {one.key: settings.get(one.key, one.default) for one in SETTINGS[name]}


def of_campaign(campaign: Campaign) -> dict[str, Any]:
    described = asdict(campaign)
    # What is proposed follows from the rest.
    del described["proposed"]
    # The seed, the board and the player are described already.
    del described["seed"], described["proposing"]["board"], described["proposing"]["player"]
    return described


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


def differences(file: Mapping[str, Any], job: Mapping[str, Any]) -> list[str]:
    """Return why a job cannot continue a file, a line each."""
    found = [
        *compare(("seed",), file["seed"], job["seed"]),
        *compare(("game",), file["game"], job["game"]),
    ]
    for name, match in file["match"].items():
        if name in job["match"]:
            found += compare(("match", name), match, job["match"][name])
        else:
            found.append(f"{dotted(('match', name))}: is in the file, and not in the job")
    found += compare(("campaign",), file.get("campaign"), job.get("campaign"))
    # Of players that play in no match nothing depends.
    for name in playing(file):
        if name in job["player"]:
            found += another(("player", name), file["player"][name], job["player"][name])
    return found


def playing(file: Mapping[str, Any]) -> list[str]:
    """Return the players of a file's matches, or of its campaign."""
    names = file["player"]
    if file.get("campaign"):
        return [file["campaign"]["player"]]
    return [
        one
        for one in names
        if any({match_name(one, two), match_name(two, one)} & file["match"].keys() for two in names)
    ]


def another(path: Path, file: Mapping[str, Any], job: Mapping[str, Any]) -> Iterator[str]:
    """Yield in what a player differs; one of another kind has nothing else to compare."""
    if file["kind"] != job["kind"]:
        return compare((*path, "kind"), file["kind"], job["kind"])
    return compare(path, file, job)


def written(described: Mapping[str, Any]) -> str:
    return json.dumps(described, ensure_ascii=False, indent=1)


def read(text: str) -> dict[str, Any]:
    described: dict[str, Any] = json.loads(text)
    return described


def compare(path: Path, file: Any, job: Any, continued: str = SAME) -> Iterator[str]:
    """Yield a line for each value that may not be another one, with the path of its key."""
    if file == job or continued == FREE:
        return
    if isinstance(file, dict) and isinstance(job, dict):
        for key in file | job:
            rule = CONTINUED.get(key, SAME)
            yield from compare((*path, key), file.get(key), job.get(key), rule)
    elif continued == SAME or None in (file, job):
        yield f"{dotted(path)}: {value_text(file)} in the file, {value_text(job)} in the job"
    elif job < file:
        yield f"{dotted(path)}: {file} in the file, only {job} in the job"


def value_text(value: Any) -> str:
    return "nothing" if value is None else shown(value)
