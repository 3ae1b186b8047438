"""Matches as an experiment: pairs of players, and how many games each pair plays."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.match import play_or_void
from mcts_cluster.matches.setup import Match, MatchKey, Setup, Task
from mcts_cluster.players.player import Player
from mcts_cluster.settings.declaration import FREE, declared

# What a file keeps of a match next to its players.
KEPT = [one.name for one in declared(Match) if one.name != "key" and one.continued != FREE]


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
        from mcts_cluster.settings.comparison import compare, continued
        from mcts_cluster.settings.words import dotted

        known = {match.key: match for match in self.matches}
        for match in file["match"]:
            key = MatchKey(match["first"], match["second"])
            path = "match", str(key)
            if key in known:
                yield from compare(path, match, described(known[key]), continued(Match))
            else:
                yield f"{dotted(path)}: is in the file, and not in the job"

    def playing(self, file: Mapping[str, Any]) -> set[str]:
        return {match[side] for match in file["match"] for side in ("first", "second")}


def described(match: Match) -> dict[str, Any]:
    first, second = match.players
    return {"first": first, "second": second} | {name: vars(match)[name] for name in KEPT}
