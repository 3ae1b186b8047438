"""What is played, as plain data: the setup of a job, its matches and their keys, and tasks.

A worker is sent the setup once, and then one task after another, a game of a match. A match is
known by its key, its two players; the text "a against b" is for people, and never parsed back: a
player may be called so, too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mcts_cluster.columns import TEXT, column
from mcts_cluster.players.player import Player
from mcts_cluster.seeds import seed
from mcts_cluster.settings.declaration import FREE, GROWS, setting


def figures() -> Iterable[str]:
    # Ranks that play need not read them.
    from mcts_cluster import published

    return published.figures()


def opening() -> Any:
    return setting(
        0,
        least=0,
        most=100,
        meaning="moves at random at the start, the same in games 2k and 2k + 1, which swap the "
        "colours",
    )


def resign_below() -> Any:
    return setting(
        0.0,
        least=0,
        most=0.5,
        meaning="a tree search or a team resigns when it expects a lower success rate of its move; "
        "0: it never does",
    )


BETWEEN = " against "


@dataclass(frozen=True, order=True)
class MatchKey:
    """The names of the two players, the first one first."""

    first: str = column(TEXT, "first player")
    second: str = column(TEXT, "second player, or the name of a position")

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

    key: MatchKey = setting(
        key="players",
        kind=str,
        listed="list",
        meaning="two names of players; the first one has the first move in every other game",
    )
    games: int = setting(least=1, most=10**6, continued=GROWS, meaning="how many games")
    published: str = setting(
        "",
        choices=figures,
        continued=FREE,
        meaning="the name of a figure of a paper to compare with, such as `table1.go9.1000`: "
        "mcts_cluster/published.py lists them",
    )
    opening: int = opening()
    resign_below: float = resign_below()

    @property
    def players(self) -> tuple[str, str]:
        return self.key.players


@dataclass(frozen=True)
class Setup:
    """The game with its settings, the players by name, and the seed of the job."""

    seed: int
    game: str
    settings: Mapping[str, Any]
    players: Mapping[str, Player]


@dataclass(frozen=True)
class Task:
    """Of which match, which of its games, and which attempt at it."""

    match: MatchKey
    number: int
    attempt: int = 0

    def seed(self, job_seed: int) -> int:
        """Return the seed of the game, another one for each attempt."""
        # The first attempt has a path that depends on nothing else.
        path = (self.number, self.attempt) if self.attempt else (self.number,)
        return seed(job_seed, self.match.seed_path, *path)

    def __str__(self) -> str:
        return f"game {self.number} of {self.match}"
