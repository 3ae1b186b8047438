"""Trust in workers: each row is held against its task, and a few games are played by two of them.

A game that is to be the same everywhere is chosen by its number, one of SHARE, and played again by
another worker, on another host where there is one. So each run proves its determinism on its own
machines. Games with clocks, several threads or other programs are never chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcts_cluster.running.workers import WrongRow
from mcts_cluster.seeds import seed

if TYPE_CHECKING:
    from mcts_cluster.jobs.job import Job
    from mcts_cluster.matches.game_record import GameRecord
    from mcts_cluster.matches.setup import MatchKey, Task

SHARE = 200


@dataclass(frozen=True)
class Disagreement:
    """A game that two workers have played differently."""

    one: GameRecord
    other: GameRecord

    def __str__(self) -> str:
        pairs = zip(self.one.moves, self.other.moves, strict=False)
        shorter = min(len(self.one.moves), len(self.other.moves))
        ply = next((n for n, (a, b) in enumerate(pairs) if a != b), shorter)
        where = "in its record" if self.one.moves == self.other.moves else f"from move {ply + 1} on"
        return (
            f"game {self.one.number} of {self.one.match} is another one by {self.other.worker} "
            f"than by {self.one.worker}, {where}"
        )


class Trust:
    """What a master believes of its workers.

    Public attributes (treat as read-only): awaited, the rows of games that are being played again;
    replayed, how many have been; disagreements.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.repeatable: dict[MatchKey, bool] = {}
        self.awaited: dict[Task, GameRecord] = {}
        self.replayed = 0
        self.disagreements: list[Disagreement] = []

    def check(self, task: Task | None, row: GameRecord, name: str) -> None:
        """Refuse a row that is not of the task that a worker was given; raises WrongRow."""
        found = row.match, row.number, row.attempt, row.seed
        if task and found == (task.match, task.number, task.attempt, task.seed(self.job.seed)):
            return
        was = f"{task}, attempt {task.attempt}, seed {task.seed(self.job.seed)}" if task else "none"
        raise WrongRow(
            f"{name} has sent game {row.number} of {row.match}, attempt {row.attempt}, "
            f"seed {row.seed}; it was given {was}"
        )

    def is_chosen(self, task: Task, row: GameRecord) -> bool:
        """Return whether a game is to be played again by another worker."""
        if row.points is None or not self.is_repeatable(task.match):
            return False
        return seed(self.job.seed, "again", task.match.seed_path, task.number) % SHARE == 0

    def is_repeatable(self, match: MatchKey) -> bool:
        """Return whether games of a match are the same everywhere."""
        if match not in self.repeatable:
            players = self.job.experiment.players(self.job.setup, match).values()
            self.repeatable[match] = not any(player.why_not_repeatable for player in players)
        return self.repeatable[match]

    def compare(self, task: Task, row: GameRecord) -> Disagreement | None:
        """Compare a game with what it was before, if that is awaited."""
        before = self.awaited.pop(task, None)
        if before is None:
            return None
        self.replayed += 1
        if row == before:
            return None
        self.disagreements.append(Disagreement(before, row))
        return self.disagreements[-1]
