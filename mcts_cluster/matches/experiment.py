"""The protocol of an experiment of any kind: matches, a campaign, positions.

    job ── plan ──► tasks ── play ──► rows ── fix ──► plan

A kind has this half, which plays, a half in reports/ that reads its file, and a line in the
registries of jobs/ and reports/. The master and the workers never ask which kind it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from mcts_cluster.matches.game_record import GameRecord, Outcome
from mcts_cluster.matches.setup import MatchKey, Setup, Task


class Bar(NamedTuple):
    """The progress of a part of an experiment, for a line on a terminal."""

    name: str
    done: int
    total: int
    text: str = ""


class Plan(Protocol):
    """What to play next, and what has been played: a fold over rows.

    It depends on no process, rank or file. Given the rows of earlier runs, it continues them.
    """

    @property
    def is_complete(self) -> bool: ...

    @property
    def noun(self) -> str:
        """What a task plays: a game, or a move."""

    @property
    def missing(self) -> str:
        """What has not been played, the subject of a sentence; nothing if all has."""

    @property
    def left(self) -> int | None:
        """How many games are left, None where that depends on their results."""

    def issue(self) -> Task | None:
        """Return the next game; nothing where all are issued, or void again and again."""

    def fix(self, row: GameRecord | Outcome) -> None:
        """Count the record of a game that was issued."""

    def bars(self) -> Sequence[Bar]:
        """Return the progress of the whole first, then of its parts, if it has any."""

    def news(self) -> Sequence[str]:
        """Return what was decided since the last call, a line each."""


class Experiment(Protocol):
    """What a job plays. It is data: workers on other machines get a copy."""

    @property
    def kind(self) -> str:
        """The name of the kind, as files and registries have it."""

    def play(self, setup: Setup, task: Task) -> GameRecord:
        """Play a game, or return the row of a void one; raises NoProgram."""

    def players(self, setup: Setup, match: MatchKey) -> Mapping[str, Any]:
        """Return the players of a match by their names."""

    def described(self) -> dict[str, Any]:
        """Return all that decides its games, except setup and players, as JSON has it."""

    def differences(self, file: Mapping[str, Any]) -> Iterable[str]:
        """Return why a file that was described so cannot be continued, a line each."""

    def playing(self, file: Mapping[str, Any]) -> set[str]:
        """Return the names of the players in a file that was described so."""
