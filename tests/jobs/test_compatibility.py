"""Whether a job may go on with the games of another one."""

import pytest

from cext.go import Go
from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.bgp.mutations import Proposing
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.matches.setup import Match
from mcts_cluster.players.mcts import POLICY_BEFORE, POLICY_SETTINGS
from mcts_cluster.settings.declaration import declared
from mcts_cluster.settings.words import shown

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


@pytest.mark.parametrize("machines", ["", "\nmachines = 2"])
def test_settings_that_an_older_file_does_not_have_count_as_they_were(machines):
    search = "simulations = 20"
    old = described(JOB.replace(search, search + machines))
    player = old["player"]["a"]
    for name in POLICY_BEFORE[Go]:
        del (player["machine"] if machines else player)["policy_settings"][name]

    def differences(*values):
        text = "".join(f"\n{name} = {value}" for name, value in values)
        job = jobfile.read_text(JOB.replace(search, search + machines + text))
        return compatibility.differences(old, job)

    now = list(POLICY_BEFORE[Go].items())
    assert differences(*now) == []
    where = "player.a.machine" if machines else "player.a"
    assert differences(*now[1:]) == [
        f"{where}.policy_settings.playout_nakade: 0 in the file, 100 in the job"
    ]


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
        (
            ("games = 6", "games = 5"),
            ['match."a against b".games: 6 in the file, only 5 in the job'],
        ),
        (
            ("games = 6", "games = 6\nopening = 4"),
            ['match."a against b".opening: 0 in the file, 4 in the job'],
        ),
        (
            ("games = 6", "games = 6\nresign_below = 0.1"),
            ['match."a against b".resign_below: 0.0 in the file, 0.1 in the job'],
        ),
        (
            ('players = ["a", "b"]', 'players = ["b", "a"]'),
            ['match."a against b": is in the file, and not in the job'],
        ),
    ],
)
def test_what_decides_a_game_may_not(replacement, lines):
    assert changed(*replacement) == lines


def test_names_that_read_like_a_match_do_not_hide_who_plays():
    names = JOB.replace("[player.a]", '[player."a against b"]').replace(
        '"a", "b"', '"a against b", "b"'
    )
    changed = names.replace("simulations = 20", "simulations = 400")

    assert compatibility.differences(described(names), jobfile.read_text(changed)) == [
        'player."a against b".simulations: 20 in the file, 400 in the job'
    ]


@pytest.mark.parametrize("name", ["published", "games", "shadow_rules"])
def test_a_player_named_like_a_setting_that_may_change_is_compared(name):
    named = JOB.replace("[player.a]", f"[player.{name}]").replace('"a", "b"', f'"{name}", "b"')
    changed = named.replace("simulations = 20", "simulations = 400")

    assert compatibility.differences(described(named), jobfile.read_text(changed)) == [
        f"player.{name}.simulations: 20 in the file, 400 in the job"
    ]


def test_shadow_rules_and_published_figures_of_a_campaign_may_change_and_iterations_grow():
    campaign = "[player.a]\nsimulations = 9\n[campaign]\nplayer = 'a'\niterations = 5\n"
    more = campaign.replace("5", "6") + "shadow_rules = ['sprt']\npublished = 'good_shapes_9x9'\n"

    assert compatibility.differences(described(campaign), jobfile.read_text(more)) == []
    assert compatibility.differences(described(more), jobfile.read_text(campaign)) == [
        "campaign.iterations: 6 in the file, only 5 in the job"
    ]
    several = jobfile.read_text(f"{campaign}winners = 'several'")
    assert compatibility.differences(described(campaign), several) == [
        'campaign.race.winners: "one" in the file, "several" in the job'
    ]
    # A file of before that was a setting.
    before = described(campaign)
    del before["campaign"]["race"]["winners"]
    assert compatibility.differences(before, jobfile.read_text(campaign)) == []
    assert len(compatibility.differences(before, several)) == 1
    assert compatibility.differences(
        described(campaign), jobfile.read_text(f"{campaign}risk = 0.1")
    ) == ["campaign.race.risk: 0.05 in the file, 0.1 in the job"]


def test_what_may_change_is_the_same_wherever_a_name_is_declared():
    found = {}
    for cls in (Match, *compatibility.PLAYERS, Campaign, Proposing, RaceSettings):
        for one in declared(cls):
            assert found.setdefault(one.name, one.continued) == one.continued


def test_a_player_of_another_kind_is_another_player():
    lines = changed("simulations = 20", "playouts = 20")

    assert lines == ['player.a.kind: "Mcts" in the file, "FlatMonteCarlo" in the job']


def test_settings_of_the_game_are_all_said():
    game = {"name": "go", "size": 5, "komi": 7.5, "superko": "positional", "handicap": 0}
    havannah = {"name": "havannah", "size": 4, "swap": False}

    assert described(JOB)["game"] == game
    assert compatibility.of_game("havannah", {"size": 4}) == havannah
    assert compatibility.of_game("go", {"size": 9, "handicap": 3})["handicap"] == 3


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
def test_a_move_model_makes_another_player_on_large_boards_only(size):
    text = JOB.replace("size = 5", f"size = {size}")
    without = text.replace("simulations = 20", "simulations = 20\nmove_model = ''")

    found = compatibility.differences(described(text), jobfile.read_text(without))

    lines = ['player.a.move_model.name: "experts" in the file, "" in the job']
    assert found == (lines if size == 19 else [])


def test_a_description_is_written_and_read():
    assert compatibility.read(compatibility.written(described(JOB))) == described(JOB)


def test_long_values_are_shown_by_their_beginning():
    assert shown("x" * 100) == '"' + "x" * 56 + "..."
