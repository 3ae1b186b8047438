"""What a job leaves to its surroundings, as a file of its results keeps it: files, and defaults.

All that decides a game is in the settings of the results. Files that a job names (patterns, models,
positions) become text again, by the paths that the job has, so that it can be read where these are
missing, or are others by now. Settings that a job does not name have their values of that time.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from mcts_cluster.jobs.expansion import Expansion
from mcts_cluster.players import bias_patterns
from mcts_cluster.players.bias_patterns import Pattern
from mcts_cluster.players.mcts import EXPERTS
from mcts_cluster.players.player import Player
from mcts_cluster.positions import position_file
from mcts_cluster.positions.positions import position_in


def kept_files(job: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of the files that a job names, by their paths there.

    It is given as TOML has it, with all settings of the results.
    """
    written = Expansion(job).job
    found = dict(of_players(written, settings))
    if "campaign" in settings and (path := text_in(table_in(written, "campaign"), "patterns")):
        found[path] = patterns(settings["campaign"]["proposing"]["listed"])
    if "positions" in settings and (path := text_in(table_in(written, "positions"), "file")):
        names = settings["positions"]["positions"]
        kept = [position_in(settings, name) for name in names]
        found[path] = position_file.write(kept)
    return found


# The job may be anything that TOML can say: its reader complains of that.


def table_in(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = table.get(key)
    return found if isinstance(found, dict) else {}


def text_in(table: Mapping[str, Any], key: str) -> str:
    found = table.get(key)
    return found if isinstance(found, str) else ""


def of_players(job: Mapping[str, Any], settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    players = table_in(job, "player")
    for name in players:
        player = table_in(players, name)
        kept = settings.get("player", {}).get(name, {})
        # That of a team is the one of its machine.
        kept = kept.get("machine", kept)
        if (path := text_in(player, "patterns")) and "patterns" in kept:
            yield path, patterns(kept["patterns"])
        if (path := text_in(player, "move_model")) and path != EXPERTS.name:
            # On small boards none is used, and none is kept.
            yield path, kept.get("move_model", {}).get("text", "")


def patterns(kept: list[dict[str, Any]]) -> str:
    """Return the text of patterns that were described."""
    return bias_patterns.write(
        Pattern(
            tuple((dx, dy, kind) for dx, dy, kind in one["cells"]), one["strength"], one["name"]
        )
        for one in kept
    )


def kept_players(players: Mapping[str, Player], settings: Mapping[str, Any]) -> dict[str, Player]:
    """Return players with the defaults of the version that made the results."""
    kept = settings.get("player", {})
    return {
        name: player.as_kept(kept[name]) if is_like(player, kept.get(name, {})) else player
        for name, player in players.items()
    }


def is_like(player: Player, kept: Mapping[str, Any]) -> bool:
    """Return whether settings are those of a player of its kind."""
    return kept.get("kind") == type(player).__name__
