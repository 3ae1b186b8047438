"""Settings that a file of results has kept, read; what no run writes there is refused.

Older files may lack settings that came later, and newer ones may have others.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.bgp.mutations import Proposing
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.errors import UserError
from mcts_cluster.games import GAMES, game_settings
from mcts_cluster.jobs.job import GAME, HEAD
from mcts_cluster.matches.setup import Match
from mcts_cluster.parallel.sharing.exchange import Sharing
from mcts_cluster.players.bias_patterns import MAX_REACH, MAX_STRENGTH
from mcts_cluster.players.flat import FlatMonteCarlo
from mcts_cluster.players.gtp_program import Program
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.settings.checks import mistakes
from mcts_cluster.settings.declaration import FREE, Setting, declared
from mcts_cluster.settings.table import Mistakes
from mcts_cluster.settings.words import Path, dotted, shown

# By their names, with the settings that each has itself.
PLAYERS: Mapping[str, tuple[Setting, ...]] = {
    "Mcts": declared(Mcts),
    "FlatMonteCarlo": declared(FlatMonteCarlo),
    "Program": declared(Program),
    "TeamPlayer": (),
}
PLAYER = Setting(key="kind", kind=str, choices=PLAYERS)
STRENGTH = Setting(key="strength", kind=float, least=-MAX_STRENGTH, most=MAX_STRENGTH)
DISTANCE = Setting(key="", kind=int, least=-MAX_REACH, most=MAX_REACH)
POLICY = Setting(key="", kind=int, least=0, most=1000)
TEXT = Setting(key="", kind=str)
TEXTS = Setting(key="", kind=str, listed="list")
RUNS = Setting(key="runs", kind=int, least=1)
# Of the kinds of experiments.
TABLES = {"matches": "match", "campaign": "campaign", "positions": "positions"}
# What the first files of this schema do not have.
LATER = {"winners"}

Parts = Mapping[str, Callable[["Kept"], None]]


def checked(text: str, complete: bool = False) -> dict[str, Any]:
    """Return the settings in a text; raises UserError, also for what is missing of all."""
    try:
        found = json.loads(text)
    except RecursionError:
        raise UserError("job/settings: nested too deeply") from None
    except ValueError:
        raise UserError("job/settings: not JSON") from None
    wrong = Mistakes()
    kept = Kept(found, (), wrong, complete)
    read_settings(kept)
    for path, mistake in wrong.found.items():
        raise UserError(
            f"job/settings: {dotted(path)}: {mistake}" if path else f"job/settings: {mistake}"
        )
    return kept.values


class Kept:
    """A table of kept settings, and all mistakes that are found there."""

    def __init__(self, values: Any, path: Path, mistakes: Mistakes, complete: bool) -> None:
        if not isinstance(values, dict):
            mistakes.add(path, f"{shown(values)} must be a table")
        self.values: dict[str, Any] = values if isinstance(values, dict) else {}
        self.path = path
        self.mistakes = mistakes
        self.complete = complete

    def complain(self, text: str, *path: str | int) -> None:
        self.mistakes.add((*self.path, *path), text)

    def check(self, settings: Iterable[Setting], of: Parts = MappingProxyType({})) -> None:
        """Check what stands under the names of settings; some may be tables by now."""
        for one in settings:
            name = one.name or one.key
            if name in of:
                of[name](self)
            elif name in self.values:
                self.check_value(one, self.values[name], name)

    def require(self, settings: Iterable[Setting], of: Parts = MappingProxyType({})) -> None:
        """Check settings that must all be there where the whole must be complete."""
        settings = list(settings)
        for name in [one.name or one.key for one in settings]:
            if self.complete and name not in self.values and name not in LATER:
                self.complain("missing", name)
        self.check(settings, of)

    def check_value(self, one: Setting, value: Any, *path: str | int) -> None:
        # The default may be out of range, and a figure may have another name by now.
        if type(value) is type(one.default) and value == one.default:
            return
        allowed = replace(one, choices=()) if one.continued == FREE else one
        for inner, text in mistakes(allowed, value):
            self.complain(text, *path, *inner)

    def part(self, key: str) -> "Kept":
        """Return a table in this one, an empty one if it is missing."""
        return self.inner(self.values.get(key, {}), key)

    def inner(self, values: Any, *path: str | int) -> "Kept":
        return Kept(values, (*self.path, *path), self.mistakes, self.complete)

    def parts(self) -> Iterable["Kept"]:
        return [self.part(name) for name in self.values]

    def entries(self, key: str) -> Iterable[tuple[int, Any]]:
        """Return the entries of a list in this table, by their numbers."""
        found = self.values.get(key, [])
        if not isinstance(found, list):
            self.complain(f"{shown(found)} must be a list", key)
            return ()
        return enumerate(found)


def read_settings(kept: Kept) -> None:
    kept.require([HEAD[1], replace(TEXT, key="kind", choices=TABLES)])
    kind = kept.values.get("kind")
    for key in ("game", "player", *([TABLES[kind]] if kind in list(TABLES) else [])):
        if kept.complete and key not in kept.values:
            kept.complain("missing", key)
    read_game(kept.part("game"))
    for player in kept.part("player").parts():
        read_player(player)
    for number, match in kept.entries("match"):
        entry = kept.inner(match, "match", number)
        entry.require([replace(TEXT, key="first"), replace(TEXT, key="second")])
        entry.check([one for one in declared(Match) if one.name != "key"])
    if "campaign" in kept.values:
        read_campaign(kept.part("campaign"))
    if "positions" in kept.values:
        read_positions(kept.part("positions"))


def read_game(kept: Kept) -> None:
    kept.require([GAME])
    name = kept.values.get("name")
    if isinstance(name, str) and name in GAMES:
        kept.check(game_settings.SETTINGS[name])


def read_player(kept: Kept) -> None:
    kept.require([PLAYER])
    kind = kept.values.get("kind")
    if kind == "TeamPlayer":
        if kept.complete and "machine" not in kept.values:
            kept.complain("missing", "machine")
        kept.part("sharing").check(declared(Sharing))
        read_search(kept.part("machine"))
    elif kind == "Mcts":
        read_search(kept)
    elif isinstance(kind, str) and kind in PLAYERS:
        kept.check(PLAYERS[kind])


def read_search(kept: Kept) -> None:
    kept.check(declared(Mcts), {"patterns": read_patterns, "move_model": read_model})
    policy = kept.part("policy_settings")
    for name, value in policy.values.items():
        policy.check_value(POLICY, value, name)


def read_patterns(kept: Kept, key: str = "patterns") -> None:
    for number, pattern in kept.entries(key):
        one = kept.inner(pattern, key, number)
        one.require([STRENGTH, replace(TEXT, key="name")])
        for place, cell in one.entries("cells"):
            read_cell(one, cell, "cells", place)


def read_cell(kept: Kept, cell: Any, *path: str | int) -> None:
    if not isinstance(cell, list) or len(cell) != 3:
        kept.complain(f"{shown(cell)} must be a list of three", *path)
        return
    for one, value in zip((DISTANCE, DISTANCE, TEXT), cell, strict=True):
        kept.check_value(one, value, *path)


def read_model(kept: Kept) -> None:
    if "move_model" in kept.values:
        kept.part("move_model").check([replace(TEXT, key=key) for key in ("name", "text")])


def read_campaign(kept: Kept) -> None:
    kept.require(declared(Campaign))
    kept.part("race").require(declared(RaceSettings))
    if not isinstance(kept.values.get("candidates", []), list):
        kept.complain("must be a list", "candidates")
    kept.part("proposing").require(
        declared(Proposing), {"listed": lambda part: read_patterns(part, "listed")}
    )


def read_positions(kept: Kept) -> None:
    kept.require([RUNS])
    for position in kept.part("positions").parts():
        position.require([replace(TEXT, key=key) for key in ("diagram", "to_play", "proof")])
        position.require([replace(TEXTS, key="good_moves")])
    for name, model in (players := kept.part("players")).values.items():
        players.check_value(TEXT, model, name)
