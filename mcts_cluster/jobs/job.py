"""A job that has been found free of mistakes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.matches.match_settings import Match
from mcts_cluster.players.player import Player


@dataclass(frozen=True)
class Job:
    """A job file that has been found free of mistakes."""

    title: str
    seed: int
    game: str
    settings: Mapping[str, Any]
    players: Mapping[str, Player]
    matches: tuple[Match, ...]
    campaign: Campaign | None = None  # a job has matches or a campaign
    text: str = field(default="", compare=False)  # of the file
    overrides: tuple[str, ...] = field(default=(), compare=False)
