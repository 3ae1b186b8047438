"""A match as a job states it: two players, by name, and how many games they play."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

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
        meaning="a player with a tree, or a team, resigns whose chosen move it expects to yield "
        "less; 0: nobody does",
    )


def match_name(first: str, second: str) -> str:
    return f"{first} against {second}"


@dataclass(frozen=True)
class Match:
    """Two players, by name, and how many games they play."""

    players: tuple[str, str] = setting(
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
    def name(self) -> str:
        return match_name(*self.players)
