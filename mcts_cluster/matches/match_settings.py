"""A match as a job states it, and the key that it is known by: its two players.

The text "a against b" is for people, and never parsed back: a player may be called so, too.
"""

from dataclasses import dataclass

BETWEEN = " against "


@dataclass(frozen=True, order=True)
class MatchKey:
    """The names of the two players, the first one first."""

    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.first}{BETWEEN}{self.second}"

    @property
    def players(self) -> tuple[str, str]:
        return self.first, self.second

    @property
    def seed_path(self) -> str:
        """The text that seeds are made of, another one for each match.

        Where the text for people could be that of other players it is preceded by lengths.
        """
        text = str(self)
        if occurrences(BETWEEN, text) == 1:
            return text
        return f"{len(self.first)},{len(self.second)} {text}"


def occurrences(part: str, text: str) -> int:
    """Return how often a text has a part; two occurrences may overlap."""
    return sum(text.startswith(part, place) for place in range(len(text)))


@dataclass(frozen=True)
class Match:
    """Two players, by name, and how many games they play."""

    key: MatchKey
    games: int
    published: str = ""  # the name of a figure to compare with
    opening: int = 0  # plies at random, the same in games 2k and 2k + 1
    resign_below: float = 0.0  # a player that expects less of its move resigns; 0: nobody does

    @property
    def players(self) -> tuple[str, str]:
        return self.key.players
