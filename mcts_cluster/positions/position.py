"""A position whose good moves are known, and a game that begins there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mcts_cluster import games
from mcts_cluster.errors import UserError
from mcts_cluster.games import Game
from mcts_cluster.matches.setup import MatchKey

# The other settings do not apply to a set-up position.
SETTINGS = ("komi", "superko")
USUAL_SIZE = 9


@dataclass(frozen=True)
class PositionKey(MatchKey):
    """A player at a position: `first` is the name of the player, `second` that of the position."""

    def __str__(self) -> str:
        return f"{self.first} at {self.second}"

    @property
    def seed_path(self) -> str:
        return f"position {len(self.second)} {self.second} {self.first}"


@dataclass(frozen=True)
class Position:
    """A position of Go, the moves that are good there, and the source of the proof."""

    name: str
    diagram: str
    to_play: str
    good_moves: tuple[str, ...]
    proof: str = ""
    komi: float | None = None  # of its own, instead of the job's

    def game(self, settings: Mapping[str, Any]) -> Game:
        """Return a game that begins here; raises UserError."""
        known = {key: settings[key] for key in SETTINGS if key in settings}
        if self.komi is not None:
            known["komi"] = self.komi
        return games.from_text(self.diagram, self.to_play, **known)

    def mistakes(self, settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield its mistakes on the board of these settings, with their keys, "" for the whole."""
        if not self.good_moves:
            yield "", "no good move, must be at least one: good moves = E5 D4"
        try:
            game = self.game(settings)
        except UserError as error:
            yield "", str(error)
            return
        size = settings.get("size", USUAL_SIZE)
        if game.size != size:
            yield "", f"{game.size} rows, the board of the job has {size}"
            return
        for move in self.good_moves:
            try:
                game.copy().play(move)
            except UserError as error:
                text = str(error).removeprefix("move 1: ")
                yield "good moves", f"good move {move}: {text}"
