"""Matches as an experiment: pairs of players, and how many games each pair plays."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from mcts_cluster.matches.match import GameRecord, play_or_void
from mcts_cluster.matches.match_settings import Match, MatchKey
from mcts_cluster.matches.task import Setup, Task
from mcts_cluster.players.player import Player

# What decides the games of a match next to its players.
DECIDING = ("opening", "resign_below")


@dataclass(frozen=True)
class Matches:
    """The matches of a job, no two of the same players."""

    matches: tuple[Match, ...]
    kind: ClassVar[str] = "matches"

    def play(self, setup: Setup, task: Task) -> GameRecord:
        match = next(one for one in self.matches if one.key == task.match)
        return play_or_void(setup, match, task.number, task.attempt)

    def players(self, setup: Setup, match: MatchKey) -> Mapping[str, Player]:
        return {name: setup.players[name] for name in match.players}

    def described(self) -> dict[str, Any]:
        return {"match": [described(match) for match in self.matches]}

    def differences(self, file: Mapping[str, Any]) -> Iterator[str]:
        """Only games and matches may be added."""
        # Ranks that play have nothing to compare.
        from mcts_cluster.matches.comparison import compare

        known = {match.key: match for match in self.matches}
        for match in file["match"]:
            key = MatchKey(match["first"], match["second"])
            path = f"match {str(key)!r}"
            if key not in known:
                yield f"{path}: is in the file, and not in the job"
            elif known[key].games < match["games"]:
                yield f"{path}: {match['games']} games in the file, {known[key].games} in the job"
            else:
                for name in DECIDING:
                    yield from compare(f"{path}: {name}", match[name], getattr(known[key], name))

    def playing(self, file: Mapping[str, Any]) -> set[str]:
        return {match[side] for match in file["match"] for side in ("first", "second")}


def described(match: Match) -> dict[str, Any]:
    first, second = match.players
    deciding: Iterable[tuple[str, Any]] = ((name, getattr(match, name)) for name in DECIDING)
    return {"first": first, "second": second, "games": match.games, **dict(deciding)}
