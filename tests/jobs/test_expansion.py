"""What a job file abbreviates, written out, and what of it is refused."""

import json
import tomllib

import pytest

from mcts_cluster.errors import UserError
from mcts_cluster.jobs import jobfile
from mcts_cluster.jobs.expansion import override
from mcts_cluster.players.flat import FlatMonteCarlo
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.settings.words import dotted

MATCH = """
[[match]]
players = ["a", "b"]
games = 2
"""


def read(text):
    return jobfile.read_text(text)


def mistakes(text):
    with pytest.raises(jobfile.InvalidJob) as refused:
        jobfile.read_text(text)
    return refused.value.lines


# like


def test_a_player_is_like_another_one_but_for_what_is_said():
    job = read(
        "[player.a]\nsimulations = 100\nrave = 5\n[player.b]\nlike = 'a'\nrave = 7\n" + MATCH
    )

    assert job.players["b"] == Mcts(simulations=100, rave=7)


def test_likeness_goes_on_from_player_to_player_in_any_order():
    job = read(
        "[player.a]\nlike = 'b'\nexpand_at = 2\n[player.b]\nlike = 'c'\nbias = 3\n"
        "[player.c]\nsimulations = 9\n" + MATCH
    )

    assert job.players["a"] == Mcts(simulations=9, bias=3, expand_at=2)


@pytest.mark.parametrize(
    ("budget", "player"),
    [
        ("seconds = 2", Mcts(seconds=2, rave=5)),
        ("simulations = 3", Mcts(simulations=3, rave=5)),
        ("simulations = 3\nseconds = 2", Mcts(simulations=3, seconds=2, rave=5)),
    ],
)
def test_a_budget_of_its_own_replaces_the_others(budget, player):
    job = read(
        f"[player.a]\nsimulations = 100\nrave = 5\n[player.b]\nlike = 'a'\n{budget}\n" + MATCH
    )

    assert job.players["b"] == player


LIKE = "[player.b]\nplayouts = 4\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("[player.a]\nlike = 'c'\n" + LIKE, ['player.a.like: "c" is not a player; known are b']),
        ("[player.a]\nlike = 3\n" + LIKE, ["player.a.like: 3 is not a player; known are b"]),
        (
            "[player.a]\nlike = 'a'\nplayouts = 3\n" + LIKE,
            ['player.a.like: "a" is like "a" itself'],
        ),
        (
            "[player.a]\nlike = 'b'\nplayouts = 3\n[player.b]\nlike = 'a'\n",
            ['player.b.like: "a" is like "b" itself', 'player.a.like: "b" is like "a" itself'],
        ),
        # A mistake that is taken over is told once.
        (
            "[player.a]\nlike = 'b'\n[player.b]\nsimulations = 9\nraev = 3\n",
            ['player.b.raev: unknown key; did you mean "rave"?'],
        ),
    ],
)
def test_likeness_that_cannot_be(text, lines):
    assert mistakes(text + MATCH) == lines


# vary

SWEEP = """
[player.a]
simulations = 2
[player.b]
playouts = 3
[[match]]
players = ["a", "b"]
games = 4
vary.a.simulations = [20, 80]
vary.a.rave = [0.5, 1]
vary.b.playouts = [10, 40]
vary.published = ["table1.go9.1000", "table1.go9.4000"]
"""


def test_a_sweep_is_a_match_for_each_row_of_its_columns():
    job = read(SWEEP)

    assert [str(match.key) for match in job.experiment.matches] == [
        "a(20, rave=0.5) against b(playouts=10)",
        "a(80, rave=1) against b(playouts=40)",
    ]
    assert [match.games for match in job.experiment.matches] == [4, 4]
    figures = [match.published for match in job.experiment.matches]
    assert figures == ["table1.go9.1000", "table1.go9.4000"]
    assert job.players["a(80, rave=1)"] == Mcts(simulations=80, rave=1)
    assert job.players["b(playouts=10)"] == FlatMonteCarlo(10)


def test_a_sweep_may_leave_a_player_as_it_is():
    job = read(SWEEP.replace("vary.b.playouts = [10, 40]\n", ""))

    assert [match.players[1] for match in job.experiment.matches] == ["b", "b"]


def test_a_sweep_replaces_no_player_of_the_file():
    taken = "[player.'a(20, rave=0.5)']\nplayouts = 3\n"

    assert mistakes(taken + SWEEP) == [
        'match.0.vary.a: there is a player "a(20, rave=0.5)" already'
    ]


def test_a_sweep_has_the_games_of_its_points():
    job = read(SWEEP.replace("vary.published", "vary.games = [5, 6]\nvary.published"))

    assert [match.games for match in job.experiment.matches] == [5, 6]


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (
            ("[10, 40]", "[10]"),
            ["match.0.vary.b.playouts: 1 values, must be 2 as in other columns"],
        ),
        (("[10, 40]", "10"), ["match.0.vary.b.playouts: 10 must be a list of values"]),
        (("vary.b", "vary.c"), ['match.0.vary.c.playouts: "c" is not a player of this match']),
        (
            ("[10, 40]", "[10, 0]"),
            ["match.0.vary.b.playouts.1: 0 is too small, must be at least 1"],
        ),
        (
            ("table1.go9.4000", "table1.go9.400"),
            [
                'match.0.vary.published.1: "table1.go9.400" is unknown; '
                'did you mean "table1.go9.4000"?',
            ],
        ),
        # The mistake of the player that they are like is told once.
        (
            ("simulations = 2\n", "simulations = 2\nexpand_at = 0\n"),
            ["player.a.expand_at: 0 is too small, must be at least 1"],
        ),
    ],
)
def test_sweeps_that_cannot_be(change, lines):
    assert mistakes(SWEEP.replace(*change)) == lines


@pytest.mark.parametrize("vary", ["3", "{}", "[1]"])
def test_a_sweep_is_a_table_of_lists(vary):
    text = LIKE + "[player.a]\nplayouts = 3\n" + MATCH + f"vary = {vary}\n"

    assert mistakes(text) == [
        "match.0.vary: must be a table of lists, like vary.NAME.simulations = [1, 2]"
    ]


# --set

JOB = {
    "seed": 1,
    "player": {"a": {"playouts": 3}},
    "match": [{"games": 2}, {"games": 3}],
}


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("seed=7", ("seed",), 7),
        ("player.a.playouts = 20", ("player", "a", "playouts"), 20),
        ("player.a.rave=0.5", ("player", "a", "rave"), 0.5),
        ("player.a.reuse_tree=false", ("player", "a", "reuse_tree"), False),
        ("player.a.like=b", ("player", "a", "like"), "b"),
        ('title="x = y"', ("title",), "x = y"),
        ("title=x = y", ("title",), "x = y"),
        ("match.1.games=9", ("match", 1, "games"), 9),
        ("match[1].games=9", ("match", 1, "games"), 9),
        ("match[1]={games = 9}", ("match", 1), {"games": 9}),
        (f"seed={'1' * 5000}", ("seed",), "1" * 5000),
        (f"seed={'[' * 5000}", ("seed",), "[" * 5000),
    ],
)
def test_one_value_is_replaced_and_nothing_else(text, path, value):
    changed = override(JOB, text)

    found = changed
    for key in path:
        found = found[key]
    assert found == value
    untouched = [key for key in JOB if key != path[0]]
    assert [changed[key] for key in untouched] == [JOB[key] for key in untouched]
    assert JOB["match"] == [{"games": 2}, {"games": 3}]


NAMES = ["gnugo-3.8", "a against b", "a.b", 'say "é"', "it's", "ü", "tab\t", "a=b", "[0]", "x[0].y"]


@pytest.mark.parametrize("name", NAMES)
def test_players_of_any_name_are_reached_by_their_quoted_keys(name):
    key = f"player.{dotted((name,))}.playouts"
    job = {"player": {"other": {"playouts": 3}, name: {"playouts": 3}}}

    changed = override(job, f"{key}=7")

    assert changed["player"] == {"other": {"playouts": 3}, name: {"playouts": 7}}
    text = (
        f"[player.{dotted((name,))}]\nplayouts = 3\n[[match]]\nplayers = [{json.dumps(name)}, 'b']"
    )
    assert f"{key}: 0 is too small, must be at least 1" in mistakes(
        text.replace("playouts = 3", "playouts = 0")
    )


@pytest.mark.parametrize(
    "key",
    [
        "player.'gnugo-3.8'.playouts",
        'player."gnugo-\\u0033.8".playouts',
        "player . 'gnugo-3.8' . playouts",
    ],
)
def test_keys_may_be_written_in_all_the_ways_of_toml(key):
    job = {"player": {"gnugo-3.8": {"playouts": 3}}}

    assert override(job, f"{key} = 7") == {"player": {"gnugo-3.8": {"playouts": 7}}}


def test_all_matches_are_meant_where_none_is_named():
    assert override(JOB, "match.games=9")["match"] == [{"games": 9}, {"games": 9}]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("seed", "must be KEY=VALUE, like player.NAME.simulations=500"),
        ("=3", "must be KEY=VALUE, like player.NAME.simulations=500"),
        ("player..x=3", "must be KEY=VALUE, like player.NAME.simulations=500"),
        ("seed=1\ntitle='x'", "must be KEY=VALUE, like player.NAME.simulations=500"),
        ("player.a.rave", "must be KEY=VALUE, like player.NAME.simulations=500"),
        ('player."a=3', "must be KEY=VALUE, like player.NAME.simulations=500"),
        ("player.a[x].rave=3", "must be KEY=VALUE, like player.NAME.simulations=500"),
        ('player."a.b".rave=3', 'the job has no "a.b"; known are a'),
        ("player.c.playouts=3", 'the job has no "c"; known are a'),
        ("plaier.a.rave=3", 'the job has no "plaier"; did you mean "player"?'),
        ("match.7.games=3", "the job has no entry 7; it has 2"),
        ("seed.x=3", 'the job has no table to hold "x"'),
    ],
)
def test_what_is_not_there_cannot_be_replaced(text, says):
    with pytest.raises(UserError) as refused:
        override(JOB, text)

    assert str(refused.value) == f"--set {text}: {says}"


def test_a_long_text_is_quoted_from_its_beginning():
    with pytest.raises(
        UserError, match=r"--set match\.9+\.\.\.: the job has no entry 9+"
    ) as refused:
        override(JOB, f"match.{'9' * 5000}.games=3")

    assert len(str(refused.value)) < 1000


def test_a_replaced_value_is_checked_like_any_other():
    with pytest.raises(jobfile.InvalidJob, match=r'player\.a\.simulations: "many"'):
        jobfile.read_text(SWEEP, ["player.a.simulations=many"])


def test_a_job_keeps_its_text_and_what_was_replaced():
    job = jobfile.read_text(SWEEP, ["seed=3"])

    assert (job.text, job.overrides, job.seed) == (SWEEP, ("seed=3",), 3)
    assert tomllib.loads(job.text).get("seed") is None
