"""A match as a job states it: two players, by name, and how many games they play."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Match:
    """Two players, by name, and how many games they play."""

    players: tuple[str, str]
    games: int
    published: str = ""  # the name of a figure to compare with
    opening: int = 0  # plies at random, the same in games 2k and 2k + 1
    resign_below: float = 0.0  # a player that expects less of its move gives up; 0: nobody does

    @property
    def name(self) -> str:
        return " against ".join(self.players)
