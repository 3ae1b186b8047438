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
from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.games import GAMES
from mcts_cluster.jobs.job import Job
from mcts_cluster.players.mcts import Mcts, is_large, policy_defaults

# What decides the games of a match beside its players, and what it was before files knew of it.
OF_MATCHES: Mapping[str, float] = {"opening": 0, "resign_below": 0}
# The same of settings that players with a tree have got since.
OF_SEARCHES: Mapping[str, Any] = {"priors": True}
# How long a program may take decides no game that counts, and shadows decide nothing.
HARMLESS = {"seconds_to_answer", "shadows", "published"}


def describe(job: Job) -> dict[str, Any]:
    """Return all that decides the games of a job, as JSON has it."""
    core = games.new(job.game, **job.settings).core
    players = {
        name: {"kind": type(player).__name__} | settings_of(player, core)
        for name, player in job.players.items()
    }
    matches = {
        match.name: {"games": match.games} | {key: getattr(match, key) for key in OF_MATCHES}
        for match in job.matches
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
    """Return the settings of a game, and those that are left out as the game has them."""
    core = games.new(name, **settings).core
    # A handicap is stones on the board, which does not know why they are there.
    known = {key: getattr(core, key, settings.get(key, 0)) for key in GAMES[name].settings}
    return {"name": name, **known}


def of_campaign(campaign: Campaign) -> dict[str, Any]:
    told = asdict(campaign)
    # What is proposed follows from the rest.
    del told["proposed"]
    # The seed, the board and the player are described already.
    del told["seed"], told["proposing"]["board"], told["proposing"]["player"]
    return told


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
            del values["database"]
        # What a policy does if it is not told may be another thing in the next version.
        known = policy_defaults(core) if player.policy == "informed" else {}
        values["policy_settings"] = {**known, **dict(player.policy_settings)}
    return values


def differences(file: Mapping[str, Any], job: Mapping[str, Any]) -> list[str]:
    """Return why a job cannot continue a file, a line each."""
    found = [
        *compare("seed", file["seed"], job["seed"]),
        *compare("game", of_old_game(**file["game"]), job["game"]),
    ]
    for name, match in file["match"].items():
        if name not in job["match"]:
            found.append(f"match {name!r}: is in the file, and not in the job")
        elif job["match"][name]["games"] < match["games"]:
            fewer = job["match"][name]["games"]
            found.append(f"match {name!r}: {match['games']} games in the file, {fewer} in the job")
        else:
            for key, usual in OF_MATCHES.items():
                both = match.get(key, usual), job["match"][name][key]
                found += compare(f"match {name!r}: {key}", *both)
    found += races(file.get("campaign"), job.get("campaign"))
    # Of players that play in no match nothing depends.
    playing = {name for match in file["match"] for name in match.split(" against ")}
    playing |= {file["campaign"]["player"]} if file.get("campaign") else set()
    for name in file["player"]:
        if name in playing and name in job["player"]:
            found += another(f"player.{name}", file["player"][name], job["player"][name])
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


def races(file: Mapping[str, Any] | None, job: Mapping[str, Any] | None) -> list[str]:
    """Return why a job cannot continue a file's campaign: only iterations may be added."""
    if file is None or job is None:
        return list(compare("campaign", file and "one", job and "one"))
    found = []
    if job["iterations"] < file["iterations"]:
        fewer = job["iterations"]
        found.append(f"campaign: {file['iterations']} iterations in the file, {fewer} in the job")
    # Older files know of nobody who resigns.
    file = {"resign_below": 0, **file}
    return found + list(compare("campaign", file, {**job, "iterations": file["iterations"]}))


def written(described: Mapping[str, Any]) -> str:
    return json.dumps(described, ensure_ascii=False, indent=1)


def read(text: str) -> dict[str, Any]:
    described: dict[str, Any] = json.loads(text)
    return described


def compare(path: str, file: Any, job: Any) -> Iterator[str]:
    """Yield a line for each value that differs, with the path of its key."""
    if isinstance(file, dict) and isinstance(job, dict):
        for key in file | job:
            if key not in HARMLESS:
                yield from compare(f"{path}.{key}", file.get(key), job.get(key))
    elif file != job:
        yield f"{path}: {shown(file)} in the file, {shown(job)} in the job"


def shown(value: Any) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
