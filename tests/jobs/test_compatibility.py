"""Whether a job may go on with the games of another one."""

import pytest

from cext.go import Go
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.matches import comparison
from mcts_cluster.players.mcts import POLICY_SETTINGS

JOB = """
seed = 1
[game]
size = 5
[player.a]
simulations = 20
[player.b]
playouts = 4
[player.gnugo]
command = "gnugo --mode gtp"
[player.idle]
playouts = 4
[[match]]
players = ["a", "b"]
games = 6
[[match]]
players = ["b", "gnugo"]
games = 3
"""


def described(text):
    return compatibility.describe(jobfile.read_text(text))


def changed(*replacement):
    text = JOB.replace(*replacement)
    assert text != JOB
    return compatibility.differences(described(JOB), jobfile.read_text(text))


@pytest.mark.parametrize(
    "replacement",
    [
        ("games = 6", "games = 7"),
        ("seed = 1", "seed = 1\ntitle = 'x'"),
        ('command = "gnugo', 'seconds_to_answer = 9\ncommand = "gnugo'),
        ("[player.idle]\nplayouts = 4", "[player.idle]\nplayouts = 5"),
        ("[player.idle]\nplayouts = 4", ""),
        ("simulations = 20", "simulations = 20\nrave = 1000"),  # as it is anyway
        ("size = 5", "size = 5\nkomi = 7.5\nhandicap = 0\nname = 'go'"),
        ("games = 3", "games = 3\n[[match]]\nplayers = ['b', 'a']\ngames = 1"),
    ],
)
def test_what_decides_no_game_may_change(replacement):
    assert changed(*replacement) == []


@pytest.mark.parametrize(
    ("replacement", "lines"),
    [
        (("seed = 1", "seed = 2"), ["seed: 1 in the file, 2 in the job"]),
        (("size = 5", "size = 6"), ["game.size: 5 in the file, 6 in the job"]),
        (("size = 5", ""), ["game.size: 5 in the file, 9 in the job"]),
        (
            ("size = 5", "size = 5\nkomi = 0.5"),
            ["game.komi: 7.5 in the file, 0.5 in the job"],
        ),
        (
            ("simulations = 20", "simulations = 20\nrave = 9"),
            ["player.a.rave: 1000.0 in the file, 9.0 in the job"],
        ),
        (
            ("--mode gtp", "--mode gtp --level 1"),
            [
                'player.gnugo.command: "gnugo --mode gtp" in the file, '
                '"gnugo --mode gtp --level 1" in the job'
            ],
        ),
        (("games = 6", "games = 5"), ["match 'a against b': 6 games in the file, 5 in the job"]),
        (
            ("games = 6", "games = 6\nopening = 4"),
            ["match 'a against b': opening: 0 in the file, 4 in the job"],
        ),
        (
            ("games = 6", "games = 6\nresign_below = 0.1"),
            ["match 'a against b': resign_below: 0.0 in the file, 0.1 in the job"],
        ),
        (
            ('players = ["a", "b"]', 'players = ["b", "a"]'),
            ["match 'a against b': is in the file, and not in the job"],
        ),
    ],
)
def test_what_decides_a_game_may_not(replacement, lines):
    assert changed(*replacement) == lines


@pytest.mark.parametrize("team", ["", "machines = 3\n"])
def test_a_file_that_does_not_know_a_setting_of_players_has_the_usual(team):
    text = JOB.replace("simulations = 20\n", f"simulations = 20\n{team}")
    old = described(text)
    player = old["player"]["a"]
    del player.get("machine", player)["priors"]
    other = text.replace("simulations = 20", "simulations = 20\npriors = false")

    assert compatibility.differences(old, jobfile.read_text(text)) == []
    [line] = compatibility.differences(old, jobfile.read_text(other))
    assert line.endswith("priors: true in the file, false in the job")


def test_a_player_of_another_kind_is_another_player():
    lines = changed("simulations = 20", "playouts = 20")

    assert lines == ['player.a.kind: "Mcts" in the file, "FlatMonteCarlo" in the job']


def test_settings_of_the_game_are_all_said():
    game = {"name": "go", "size": 5, "komi": 7.5, "superko": "positional", "handicap": 0}
    havannah = {"name": "havannah", "size": 4, "swap": False}

    assert described(JOB)["game"] == game
    assert compatibility.of_game("havannah", {"size": 4}) == havannah
    assert compatibility.of_game("go", {"size": 9, "handicap": 3})["handicap"] == 3


def test_a_file_that_has_only_the_settings_that_were_said_is_continued():
    old = described(JOB) | {"game": {"name": "go", "size": 5}}

    assert compatibility.differences(old, jobfile.read_text(JOB)) == []
    assert compatibility.differences(
        old, jobfile.read_text(JOB.replace("size = 5", "size = 5\nkomi = 0.5"))
    ) == ["game.komi: 7.5 in the file, 0.5 in the job"]


@pytest.mark.parametrize("settings", ["", "machines = 2"])
def test_a_policy_that_is_another_by_default_is_another(settings, monkeypatch):
    text = JOB.replace("simulations = 20", f"simulations = 20\n{settings}")
    before = described(text)
    path = "player.a.machine.policy_settings" if settings else "player.a.policy_settings"

    monkeypatch.setitem(POLICY_SETTINGS, Go, {**POLICY_SETTINGS[Go], "playout_save": 12})

    assert compatibility.differences(before, jobfile.read_text(text)) == [
        f"{path}.playout_save: 90 in the file, 12 in the job"
    ]
    uniform = text.replace("simulations = 20", "simulations = 20\npolicy = 'uniform'")
    assert not described(uniform)["player"]["a"].get("policy_settings")


@pytest.mark.parametrize("size", [13, 19])
def test_a_database_makes_another_player_on_large_boards_only(size):
    text = JOB.replace("size = 5", f"size = {size}")
    without = text.replace("simulations = 20", "simulations = 20\ndatabase = ''")

    found = compatibility.differences(described(text), jobfile.read_text(without))

    lines = ['player.a.database.name: "people" in the file, "" in the job']
    assert found == (lines if size == 19 else [])


def test_a_description_is_written_and_read():
    assert compatibility.read(compatibility.written(described(JOB))) == described(JOB)


def test_long_values_are_shown_by_their_beginning():
    assert comparison.shown("x" * 100) == '"' + "x" * 56 + "..."
