"""What a worker is sent: the game and the players of its job, and then one game after another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcts_cluster.matches.match_settings import MatchKey
from mcts_cluster.players.player import Player


@dataclass(frozen=True)
class Setup:
    """The game with its settings, the players by name, and the seed of the job."""

    seed: int
    game: str
    settings: Mapping[str, Any]
    players: Mapping[str, Player]


@dataclass(frozen=True)
class Task:
    """Of which match, which of its games, and how often it was void before."""

    match: MatchKey
    number: int
    attempt: int = 0
