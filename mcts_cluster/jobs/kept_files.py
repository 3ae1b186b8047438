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
    if "campaign" in settings and (path := written["campaign"].get("patterns")):
        found[path] = patterns(settings["campaign"]["proposing"]["listed"])
    if "positions" in settings:
        names = settings["positions"]["positions"]
        kept = [position_in(settings, name) for name in names]
        found[written["positions"]["file"]] = position_file.write(kept)
    return found


def of_players(job: Mapping[str, Any], settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, player in job.get("player", {}).items():
        kept = settings.get("player", {}).get(name, {})
        # That of a team is the one of its machine.
        kept = kept.get("machine", kept)
        if (path := player.get("patterns")) and "patterns" in kept:
            yield path, patterns(kept["patterns"])
        if (path := player.get("move_model")) and path != EXPERTS.name:
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
        name: player.as_kept(kept[name]) if name in kept else player
        for name, player in players.items()
    }
