"""The JSON Schema of job files (draft 2020-12), made of the declarations.

Editors complete and check job files with it; rules about several keys are expressed only in part.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.bgp.mutations import Proposing
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.games.game_settings import SETTINGS
from mcts_cluster.jobs.job import GAME, HEAD, LIKE, TABLES, VARY
from mcts_cluster.jobs.jobfile import EXPERIMENTS
from mcts_cluster.jobs.players import (
    BUDGETS,
    FLAT,
    PROGRAM,
    SEARCH,
    SHARING,
    settings_of_policies,
)
from mcts_cluster.matches.setup import Match, figures
from mcts_cluster.positions.positions import PUBLISHED
from mcts_cluster.positions.positions import SETTINGS as POSITIONS
from mcts_cluster.settings.checks import has_default
from mcts_cluster.settings.declaration import REQUIRED, Setting, declared

Schema = dict[str, Any]

TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}
CAMPAIGN = (*declared(Campaign), *declared(Proposing))
RACE = declared(RaceSettings)


def job() -> Schema:
    """Return the schema of a job."""
    tables = {
        "game": game(),
        "player": {"type": "object", "additionalProperties": player()},
        "match": {"type": "array", "minItems": 1, "items": match()},
        "campaign": table((*CAMPAIGN, *RACE)),
        "positions": table(POSITIONS, {"published": published()}),
    }
    described = {key: one | {"description": TABLES[key]} for key, one in tables.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A job of mcts-cluster",
        **table(HEAD, described),
        "oneOf": [{"required": [key]} for key in EXPERIMENTS],
    }


def game() -> Schema:
    """Return the schema of any game: its name decides which other keys are allowed."""
    name = value(GAME)
    cases = [
        {
            "if": {"properties": {"name": {"const": key}}} | required(key != GAME.default, "name"),
            "then": table(settings, {"name": name}),
        }
        for key, settings in SETTINGS.items()
    ]
    return {"type": "object", "properties": {"name": name}, "allOf": cases}


def player() -> Schema:
    """Return the schema of any player; what it takes over from another one is not seen."""
    search = (*SEARCH, *settings_of_policies(None), *SHARING)
    schema = table([LIKE, *search, *FLAT, *PROGRAM])
    del schema["required"]
    keys = [key for kind in BUDGETS for key in kind]
    schema["anyOf"] = [{"required": [key]} for key in (*keys, "like")]
    # A budget excludes those of other kinds, and what is of teams needs machines.
    depending: Schema = {}
    for kind in BUDGETS:
        others = [{"required": [key]} for key in keys if key not in kind]
        depending |= {key: {"not": {"anyOf": others}} for key in kind}
    machines = {"anyOf": [{"required": ["machines"]}, {"required": ["like"]}]}
    depending |= {one.key: machines for one in SHARING if one.key != "machines"}
    return schema | {"dependentSchemas": depending}


def match() -> Schema:
    """Return the schema of a match, of whose keys a sweep has some in columns."""
    column = {"type": "array", "minItems": 1}
    columns = {"anyOf": [column, {"type": "object", "additionalProperties": column}]}
    vary = {"type": "object", "minProperties": 1, "additionalProperties": columns}
    schema = table(declared(Match), {"vary": vary | {"description": VARY}})
    schema["properties"]["players"] |= {"minItems": 2, "maxItems": 2}
    needed = schema.pop("required")
    return schema | {"if": {"not": {"required": ["vary"]}}, "then": {"required": needed}}


def published() -> Schema:
    """Return the schema of the published figures of players at positions."""
    of_position = {"type": "object", "additionalProperties": {"enum": list(figures())}}
    return {
        "type": "object",
        "additionalProperties": of_position,
        "description": PUBLISHED,
    }


def table(settings: Iterable[Setting], others: Mapping[str, Schema] | None = None) -> Schema:
    """Return the schema of a table with these settings, and these other keys."""
    settings = list(settings)
    return {
        "type": "object",
        "properties": {one.key: value(one) for one in settings} | dict(others or {}),
        **required(True, *(one.key for one in settings if one.default is REQUIRED)),
        "additionalProperties": False,
    }


def required(applies: bool, *keys: str) -> Schema:
    return {"required": list(keys)} if applies and keys else {}


def value(one: Setting) -> Schema:
    """Return the schema of the value of a setting."""
    schema = single(one)
    if one.listed:
        listed = {"type": "array", "items": schema}
        schema = listed if one.listed == "list" else {"anyOf": [schema, listed | {"minItems": 1}]}
    schema |= {"description": one.meaning}
    return schema | {"default": one.default} if has_default(one) else schema


def single(one: Setting) -> Schema:
    schema: Schema = {"type": TYPES[one.kind]}
    if one.allowed:
        none = [""] if one.default == "" else []
        schema["enum"] = [*one.allowed, *none]
    limits = {"minimum": one.least, "maximum": one.most, "multipleOf": one.step or None}
    limits = {key: limit for key, limit in limits.items() if limit is not None}
    if limits and one.zero:
        return {"anyOf": [schema | limits, {"const": 0}]}
    return schema | limits
