"""The tables of settings in the documents, made of the declarations.

| key | meaning | default | allowed |
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from mcts_cluster.games.game_settings import SETTINGS
from mcts_cluster.jobs.job import HEAD, LIKE, TABLES, VARY
from mcts_cluster.jobs.players import FLAT, PROGRAM, SEARCH, SHARING
from mcts_cluster.jobs.schema import CAMPAIGN, RACE
from mcts_cluster.matches.match_settings import Match
from mcts_cluster.players.mcts import BANDITS
from mcts_cluster.positions.positions import SETTINGS as POSITIONS
from mcts_cluster.settings.declaration import KINDS, Setting, declared
from mcts_cluster.settings.words import number

# More choices are not listed; there may be hundreds.
MOST_CHOICES = 10


def tables() -> dict[str, list[str]]:
    """Return the lines of each table, by the document and the heading that it stands under."""
    vary = cells("`vary`", VARY, "", "a table of lists")
    games = {f"jobs.md: The game {name}": rows(one) for name, one in SETTINGS.items()}
    parts = [cells(f"`{key}`", meaning, "", "") for key, meaning in TABLES.items()]
    return {
        "jobs.md: The job": [*head("default"), *rows(HEAD), *parts],
        **{title: [*head("default"), *found] for title, found in games.items()},
        "jobs.md: Players": [*head("default"), *rows([LIKE, *FLAT, *PROGRAM])],
        "jobs.md: Matches": [*head("default"), *rows(declared(Match)), vary],
        "jobs.md: Positions": [*head("default"), *rows(POSITIONS)],
        "search.md: Settings": [*head(*BANDITS), *map(row_of_bandits, SEARCH)],
        "sharing.md: Settings": [*head("default"), *rows(SHARING)],
        "campaigns.md: The campaign": [*head("default"), *rows(CAMPAIGN)],
        "races.md: Settings": [*head("default"), *rows(RACE)],
    }


def head(*defaults: str) -> list[str]:
    columns = ["setting", "meaning", *defaults, "allowed"]
    return [cells(*columns), "|" + "---|" * len(columns)]


def rows(settings: Iterable[Setting]) -> Iterator[str]:
    for one in settings:
        yield cells(f"`{one.key}`", one.meaning, default_of(one), allowed(one))


def row_of_bandits(one: Setting) -> str:
    """Return a row with the default of each bandit."""
    others = [values.get(one.name) for values in BANDITS.values()]
    if one.key == "bandit":
        others = list(BANDITS)
    defaults = [default_of(one) if other is None else text(other) for other in others]
    return cells(f"`{one.key}`", one.meaning, *defaults, allowed(one))


def cells(*words: str) -> str:
    return "".join(f"| {word} " if word else "| " for word in words) + "|"


def default_of(one: Setting) -> str:
    return one.usual or (text(one.default) if one.has_default else "")


def text(value: Any) -> str:
    return number(value) if type(value) in (int, float) else json.dumps(value)


def allowed(one: Setting) -> str:
    """Return what a setting may be."""
    part = allowed_part(one)
    if one.zero:
        part += f"; 0: {one.zero}"
    return {"": part, "list": f"a list: {part}", "or list": f"{part}, or a list"}[one.listed]


def allowed_part(one: Setting) -> str:
    if one.kind is bool:
        return "true, false"
    if one.allowed:
        named = ", ".join(map(json.dumps, one.allowed))
        return named if len(one.allowed) <= MOST_CHOICES else "a name"
    if one.kind is str:
        return KINDS[str] if not one.listed else "strings"
    steps = f", multiples of {number(one.step)}" if one.step else ""
    return f"{number(one.least or 0)} to {number(one.most or 0)}{steps}"
