"""A job that has been found free of mistakes, and the keys of its file that no class has."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.games import GAMES
from mcts_cluster.matches.match_settings import Match
from mcts_cluster.players.player import Player
from mcts_cluster.settings.declaration import Setting

HEAD = (
    Setting(key="title", kind=str, default="", meaning="a title for tables"),
    Setting(
        key="seed",
        kind=int,
        default=0,
        least=0,
        most=2**63 - 1,
        meaning="another one gives other games",
    ),
)
TABLES = {
    "game": "the game, below",
    "player": "a table for each player, below",
    "match": "a list of matches, below",
    "campaign": "races of mutations, instead of matches ([campaigns.md](campaigns.md))",
}
GAME = Setting(key="name", kind=str, default="go", choices=GAMES, meaning="the game")
LIKE = Setting(
    key="like",
    kind=str,
    default="",
    usual="nobody",
    meaning="the name of a player whose settings are taken over, except for those that are set; a "
    "budget of its own replaces that of the other",
)
VARY = "columns of values: a match for each row of them, below"


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
