"""A job that has been found free of mistakes."""

from dataclasses import dataclass, field

from mcts_cluster.matches.experiment import Experiment
from mcts_cluster.matches.task import Setup


@dataclass(frozen=True)
class Job(Setup):
    """A game, its players, and the experiment that they play."""

    experiment: Experiment
    title: str = ""
    text: str = field(default="", compare=False)  # of the file
    overrides: tuple[str, ...] = field(default=(), compare=False)

    @property
    def setup(self) -> Setup:
        """What a worker needs of it next to the experiment."""
        return Setup(self.seed, self.game, self.settings, self.players)
