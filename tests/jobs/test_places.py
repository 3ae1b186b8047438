"""Mistakes in a job file stand with their line, which is quoted, in the order of the file."""

import re
import tomllib
from pathlib import Path

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.jobs.places import line_of, lines_of

FOLDER = Path(__file__).parents[2]
RESULTS = FOLDER / "results" / "quickstart-example.h5"

JOB = """\
title = '''
[game] # in a text of
several lines'''
[game]
size = 5  # seed = 3

[player."a.b"] # "a comment
simulations = 4
rave = "300"
[player]
b = { playouts = 3, note = [ "]", '''
''', 1 ] }
c.like = "d"

[[match]]
players = [
    "a.b",  # [
    "nobody",
]
games = 0
[[match]]
players = ["a.b", "b"]
games = 2
vary.b.playouts = [1, 2,
  "x"]
[match.more]
n = 1
"""

LINES = [
    (("title",), 1),
    (("game",), 4),
    (("game", "size"), 5),
    (("player",), 7),
    (("player", "a.b"), 7),
    (("player", "a.b", "rave"), 9),
    (("player", "b"), 11),
    (("player", "b", "note"), 11),
    (("player", "b", "note", 1), 11),
    (("player", "b", "note", 2), 12),
    (("player", "c", "like"), 13),
    (("match",), 15),
    (("match", 0), 15),
    (("match", 0, "players", 1), 18),
    (("match", 0, "games"), 20),
    (("match", 1), 21),
    (("match", 1, "players", 1), 22),
    (("match", 1, "vary"), 24),
    (("match", 1, "vary", "b", "playouts", 0), 24),
    (("match", 1, "vary", "b", "playouts", 2), 25),
    (("match", 1, "more"), 26),
    (("match", 1, "more", "n"), 27),
]


@pytest.mark.parametrize(("path", "line"), LINES)
def test_each_part_of_a_job_has_its_line(path, line):
    assert lines_of(JOB)[path] == line


def test_what_is_missing_has_the_line_of_its_table():
    assert line_of(("match", 0, "opening"), lines_of(JOB)) == 15
    assert line_of(("campaign", "player"), lines_of(JOB)) == 0


def paths_of(value, path=()):
    """Yield the paths of all values in a table."""
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in entries:
        yield (*path, key)
        if isinstance(one, (dict, list)):
            yield from paths_of(one, (*path, key))


@pytest.mark.parametrize("path", sorted((FOLDER / "jobs").glob("*.toml")), ids=lambda p: p.stem)
def test_every_value_of_a_job_of_the_project_has_a_line_that_names_its_key(path):
    text = path.read_text()
    lines = text.splitlines()
    found = lines_of(text)

    paths = list(paths_of(tomllib.loads(text)))

    assert found.keys() == set(paths)
    for one in paths:
        if isinstance(one[-1], str):
            assert one[-1] in lines[found[one] - 1]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("job.toml").write_text(JOB)


def said(capsys, *words):
    assert main(list(words)) == 2
    return capsys.readouterr().err


def test_all_mistakes_are_told_in_the_order_of_the_file_with_their_lines(capsys):
    told = said(capsys, "check", "job.toml").removeprefix("mcts-cluster: ").splitlines()

    assert told[::2] == [
        'job.toml:9: player."a.b".rave: "300" must be a number',
        "job.toml:11: player.b.note: unknown key; known are playouts",
        'job.toml:13: player.c.like: "d" is not a player; known are a.b, b',
        'job.toml:18: match.0.players.1: "nobody" is not a player; known are a.b, b, c',
        "job.toml:20: match.0.games: 0 is too small, must be at least 1",
        'job.toml:25: match.1.vary.b.playouts.2: "x" must be a whole number',
        "job.toml:26: match.1.more: unknown key; known are players, games, published, opening, "
        "resign_below",
    ]
    lines = JOB.splitlines()
    for place, line in zip(told[::2], told[1::2], strict=True):
        number = int(re.match(r"job\.toml:(\d+): ", place)[1])
        assert line == f"    {lines[number - 1].strip()}"


def test_a_mistake_that_an_option_makes_is_quoted_from_it(capsys):
    told = said(capsys, "check", "job.toml", "--set", "match.games=-1", "--set", "game.size=x")

    assert told.splitlines()[-6:] == [
        'job.toml: game.size: "x" must be a whole number',
        "    --set game.size=x",
        "job.toml: match.0.games: -1 is too small, must be at least 1",
        "    --set match.games=-1",
        "job.toml: match.1.games: -1 is too small, must be at least 1",
        "    --set match.games=-1",
    ]
    assert "job.toml:20" not in told


def test_the_place_of_a_mistake_is_what_set_takes(capsys):
    """The words before a mistake can be typed behind --set, and mend it."""
    first = said(capsys, "check", "job.toml")
    place = re.search(r"job\.toml:18: (\S+): ", first)[1]

    second = said(capsys, "check", "job.toml", "--set", f"{place}=b")

    assert "nobody" in first
    assert "nobody" not in second.replace('"nobody",', "")
    assert len(second.splitlines()) == len(first.splitlines()) - 2


def test_a_line_with_strange_characters_is_quoted_without_them_and_cut(capsys):
    Path("job.toml").write_text(f"seed = '\t{'x' * 300}'\n{JOB}")

    _, quoted, *_ = said(capsys, "check", "job.toml").splitlines()

    assert quoted.startswith("    seed = '")
    assert quoted.endswith("xxx...")
    assert len(quoted) < 120


def test_of_too_many_mistakes_the_first_have_their_lines(capsys):
    lines = [f"x{n} = 1" for n in range(200)]
    Path("job.toml").write_text("\n".join(lines))

    *told, last = said(capsys, "check", "job.toml").removeprefix("mcts-cluster: ").splitlines()

    assert last == "job.toml: and more mistakes"
    places = [int(re.match(r"job\.toml:(\d+): x", line)[1]) for line in told[::2] if "x" in line]
    assert len(places) >= 99
    assert places == sorted(places)


def test_no_toml_is_quoted_too(capsys):
    Path("job.toml").write_text("seed = 1\n[game\n")

    place, quoted = said(capsys, "check", "job.toml").splitlines()

    assert place.startswith("mcts-cluster: job.toml:2: Expected")
    assert quoted == "    [game"


@pytest.mark.parametrize("verb", ["run", "check"])
def test_a_file_of_results_is_no_job_and_told_so(verb, capsys):
    line = said(capsys, verb, str(RESULTS))

    assert line.startswith(f"mcts-cluster: {RESULTS}: a file of results, must be a job")
    assert f"mcts-cluster run JOB -o {RESULTS}" in line
    assert f"mcts-cluster show {RESULTS}" in line
    assert line.count("\n") == 1


@pytest.mark.parametrize("verb", ["show", "table", "plot"])
def test_a_job_is_no_file_of_results_and_told_so(verb, capsys):
    line = said(capsys, verb, "job.toml")

    assert (
        line
        == "mcts-cluster: job.toml: a job, must be a file of its results, such as results/job.h5\n"
    )
