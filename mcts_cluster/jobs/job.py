"""A job without mistakes, and the keys of its file that belong to no other class."""

from dataclasses import dataclass, field

from mcts_cluster.games import GAMES
from mcts_cluster.matches.experiment import Experiment
from mcts_cluster.matches.task import Setup
from mcts_cluster.settings.declaration import Setting

HEAD = (
    Setting(key="title", kind=str, default="", meaning="a title for tables"),
    Setting(
        key="seed",
        kind=int,
        default=0,
        least=0,
        most=2**63 - 1,
        meaning="seed of all games",
    ),
)
TABLES = {
    "game": "the game, below",
    "player": "a table for each player, below",
    "match": "a list of matches, below",
    "campaign": "races of mutations, instead of matches ([campaigns.md](campaigns.md))",
    "positions": "positions and their good moves, instead of matches, below",
}
GAME = Setting(key="name", kind=str, default="go", choices=GAMES, meaning="the game")
LIKE = Setting(
    key="like",
    kind=str,
    default="",
    usual="none",
    meaning="a player whose settings are taken over, except for those that are set; a budget "
    "replaces all budgets of the other player",
)
VARY = "columns of values: a match for each row of them, below"


@dataclass(frozen=True)
class Job(Setup):
    """A game, its players, and the experiment that they play."""

    experiment: Experiment
    title: str = ""
    text: str = field(default="", compare=False)  # of the file
    overrides: tuple[str, ...] = field(default=(), compare=False)

    @property
    def setup(self) -> Setup:
        """The part of it that a worker needs in addition to the experiment."""
        return Setup(self.seed, self.game, self.settings, self.players)
