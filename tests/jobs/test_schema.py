"""The JSON Schema of job files: what the reader takes and what it refuses, as far as it can say."""

import json
import tomllib
from pathlib import Path

import json_schema
import pytest
from test_expansion import SWEEP
from test_jobfile import MATCH, MISTAKES, PLAYERS

from mcts_cluster.__main__ import main
from mcts_cluster.jobs import jobfile, schema

JOBS = sorted((Path(__file__).parents[2] / "jobs").glob("*.toml"))
SCHEMA = schema.job()

# What depends on other keys, or on the world.
BEYOND = (
    "is not a player",
    "is like",
    "must be unique",
    "has no such setting",
    "with the uniform policy",
    "No such file",
    "No closing quotation",
    "name of a program",
    "size 5 allows none",
    "stop_early: not allowed next to machines",
    'unknown key; did you mean "playout_rings"',
    # JSON has one kind of number.
    "1.0 must be a whole number",
    "nan must be",
    # Keys of players are those of any kind.
    "known are playouts",
)


def paths(text):
    return set(json_schema.mistakes(SCHEMA, tomllib.loads(text)))


@pytest.mark.parametrize("path", JOBS, ids=lambda path: path.stem)
def test_every_job_of_the_project_is_valid(path):
    assert paths(path.read_text()) == set()


def test_the_rarer_things_are_valid():
    assert paths(SWEEP.replace("games = 4", "vary.games = [5, 6]")) == set()
    assert paths("[player.a]\nlike = 'b'\nperiod = 3\n[player.b]\nplayouts = 3\n" + MATCH) == set()
    assert paths("game.name = 'havannah'\ngame.swap = true\n" + PLAYERS + MATCH) == set()
    campaign = "[player.a]\nsimulations = 2\n[campaign]\nplayer = 'a'\niterations = 1\n"
    assert paths(campaign + "max_games = 0\ncandidates = [2, 1]\npublished = ''") == set()


@pytest.mark.parametrize(
    "text",
    [text for text, line in MISTAKES if not any(words in line for words in BEYOND)],
    ids=[line for _, line in MISTAKES if not any(words in line for words in BEYOND)],
)
def test_mistakes_that_the_reader_refuses_are_refused(text):
    with pytest.raises(jobfile.InvalidJob):
        jobfile.read_text(text)

    assert paths(text)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("candidates = [2, 0]", ("campaign", "candidates")),
        ("candidates = []", ("campaign", "candidates")),
        ("shadow_rules = 'sprt'", ("campaign", "shadow_rules")),
        ("shadow_rules = ['srpt']", ("campaign", "shadow_rules", 0)),
        ("first_batch = 5", ("campaign", "first_batch")),
        ("max_games = 1", ("campaign", "max_games")),
        ("batch_growth = 1.0", ("campaign", "batch_growth")),
        ("judge = 'sprt'", ("campaign", "judge")),
        ("strength = 0", ("campaign", "strength")),
    ],
)
def test_mistakes_in_a_campaign_are_refused_by_their_keys(text, path):
    job = "[player.a]\nsimulations = 2\n[campaign]\nplayer = 'a'\niterations = 1\n"

    assert paths(job) == set()
    assert paths(job + text) == {path}


def test_a_job_has_one_kind_of_experiment():
    campaign = "[campaign]\nplayer = 'a'\niterations = 1\n"

    assert paths(PLAYERS)
    assert paths(PLAYERS + MATCH + campaign)


def test_every_key_has_a_description():
    def without(part, path=()):
        for key, one in part.get("properties", {}).items():
            if "description" not in one and "if" not in path:
                yield (*path, key)
            yield from without(one, (*path, key))
        for key in ("additionalProperties", "items"):
            if isinstance(part.get(key), dict):
                yield from without(part[key], (*path, key))

    assert list(without(SCHEMA)) == []


def test_the_command_prints_it(capsys):
    assert main(["schema"]) == 0

    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(SCHEMA))
