"""The table [campaign] of a job: what it says, its mistakes, and the names of its versions."""

from dataclasses import replace

import pytest
from test_jobfile import mistakes, written

from mcts_cluster.bgp import versions
from mcts_cluster.bgp.mutations import Proposing
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.jobs import jobfile
from mcts_cluster.matches.task import Task
from mcts_cluster.players.bias_patterns import Pattern
from mcts_cluster.storage.campaign_rows import CandidateRow

PLAYER = """
[game]
size = 7
[player.mogo]
simulations = 10
[player.flat]
playouts = 10
[player.uct]
simulations = 10
bandit = "uct"
"""
LEAST = 'player = "mogo"\niterations = 3\n'


def job(text=LEAST):
    return jobfile.read_text(f"{PLAYER}[campaign]\n{text}")


def complaints(tmp_path, text, player=PLAYER):
    return mistakes(tmp_path, f"{player}[campaign]\n{text}")


def test_a_campaign_is_a_job_of_its_own():
    read = job()

    assert read.experiment.kind == "campaign"
    assert (read.experiment.player, read.experiment.iterations) == ("mogo", 3)


def test_what_is_not_said_is_as_the_papers_have_it():
    campaign = job().experiment

    assert campaign.candidates == (1,)
    assert campaign.race == RaceSettings()
    assert (campaign.proposing.sign, campaign.proposing.extent) == ("positive", 6)


def test_everything_can_be_said():
    campaign = job(
        f"""{LEAST}
        candidates = [10, 10, 1]
        proposer = "seen"
        sign = "either"
        strength = 0.25
        extent = 3
        cells = 5
        simulations = 4
        stopping_rule = "paper-1"
        bound = "bernstein"
        lower = 0.52
        upper = 0.6
        risk = 0.1
        first_batch = 20
        max_games = 1000
        shadow_rules = ["paper-3"]
        opening = 4
        resign_below = 0.25
        published = "good_shapes_9x9"
        """
    ).experiment

    assert campaign.candidates == (10, 10, 1)
    assert [campaign.racing(n) for n in (1, 2, 3, 4)] == [10, 10, 1, 1]
    how = campaign.proposing
    assert (how.proposer, how.sign, how.strength) == ("seen", "either", 0.25)
    assert (how.extent, how.cells, how.simulations) == (3, 5, 4)
    race = campaign.race
    assert (race.stopping_rule, race.bound, race.lower, race.upper) == (
        "paper-1",
        "bernstein",
        0.52,
        0.6,
    )
    assert (race.risk, race.first_batch, race.max_games, race.shadow_rules) == (
        0.1,
        20,
        1000,
        ("paper-3",),
    )
    assert (campaign.published, campaign.opening) == ("good_shapes_9x9", 4)
    assert campaign.resign_below == 0.25


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("iterations = 3", "campaign.player: missing, must be a string"),
        (
            'player = "flat"\niterations = 3',
            'campaign.player: "flat" is not a tree search of this job; known are mogo, uct',
        ),
        (
            'player = "uct"\niterations = 3',
            'campaign.player: "uct" has the uniform policy, must have the informed one',
        ),
        ('player = "mogo"', "campaign.iterations: missing, must be a whole number"),
        (
            f"{LEAST}candidates = [2, 0]",
            "campaign.candidates.1: 0 is too small, must be at least 1",
        ),
        (
            f'{LEAST}candidates = "2"',
            'campaign.candidates: "2" must be a whole number, or a list',
        ),
        (f"{LEAST}extent = 7", "campaign.extent: 7 is too large, must be at most 6"),
        (
            f'{LEAST}proposer = "randon"',
            'campaign.proposer: "randon" is unknown; did you mean "random"?',
        ),
        (f"{LEAST}sing = 1", 'campaign.sing: unknown key; did you mean "sign"?'),
        (f"{LEAST}upper = 0.4", "campaign.upper: 0.4 is too small, must be at least lower, 0.501"),
        (f"{LEAST}risk = 2", "campaign.risk: 2 is too large, must be at most 0.5"),
        (
            f'{LEAST}patterns = "some.txt"',
            'campaign.patterns: only with proposer = "listed"',
        ),
        (
            f'{LEAST}proposer = "listed"',
            "campaign.patterns: missing, must be a file of patterns",
        ),
        (
            f'{LEAST}published = "good"',
            'campaign.published: "good" is unknown; known are good_shapes_9x9, bad_shapes_9x9, '
            "with_database_19x19, without_database_19x19",
        ),
        (
            f'{LEAST}[[match]]\nplayers = ["mogo", "mogo"]\ngames = 1',
            "match: not allowed next to campaign: a job has one kind of experiment",
        ),
    ],
)
def test_a_mistake_is_one_line(text, line, tmp_path):
    assert complaints(tmp_path, text) == [line]


def test_a_campaign_of_another_game_is_refused(tmp_path):
    other = PLAYER.replace("size = 7", 'name = "havannah"\nsize = 4')

    assert "campaign: the game is havannah, must be go" in complaints(tmp_path, LEAST, other)


def test_a_list_of_patterns_must_be_long_enough(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("pattern\nstrength = 1\nX *\n" * 2)

    [line] = complaints(tmp_path, f'{LEAST}proposer = "listed"\npatterns = "{path}"')

    assert line == f"campaign.iterations: too many: {path} has 2 patterns, 3 mutations are needed"


def test_a_name_that_a_file_has_no_room_for_is_refused(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text(f"pattern {'é' * 51}\nstrength = 1\nX *\n" * 3)

    [line] = complaints(tmp_path, f'{LEAST}proposer = "listed"\npatterns = "{path}"')

    assert line == f"campaign.patterns: {path}: name {'é' * 40}...: must be at most 100 bytes"


def test_a_list_of_patterns_is_read_with_the_job(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("pattern x\nstrength = 1\nX *\n" * 3)
    text = f'{LEAST}proposer = "listed"\npatterns = "{path}"'
    read = jobfile.read(written(tmp_path, f"{PLAYER}[campaign]\n{text}"))
    path.unlink()

    assert read.experiment.mutation((3, 1)) == (Pattern(((-1, 0, "X"),), 1.0, "x"),)


# Versions


@pytest.mark.parametrize("player", ["mogo", "mogo+2", "a against b", "a against b+1.2"])
@pytest.mark.parametrize("candidates", ["1", "[3, 1]"])
def test_the_candidates_of_a_file_are_known_by_what_stands_in_it(player, candidates):
    text = PLAYER.replace("[player.mogo]", f'[player."{player}"]')
    campaign = jobfile.read_text(
        f'{text}[campaign]\nplayer="{player}"\niterations=20\ncandidates={candidates}'
    ).experiment
    mutations = [(), ((1, 1),), ((1, 1), (13, 1)), ((2, 1),)]
    written = [versions.key(campaign, (*before, (16, 1))) for before in mutations]
    baselines = [versions.key(campaign, before) for before in mutations[1:]]
    keys = [*baselines, *written]

    rows = (CandidateRow(*key.players, *key.place, len(key.accepted)) for key in keys)
    read = versions.keys(rows)

    assert list(read) == keys


def test_versions_are_named_after_their_mutations():
    many = job(f"{LEAST}candidates = [3, 1]").experiment

    assert versions.key(many, ((1, 2), (2, 1), (4, 1))).players == (
        "mogo+1.2+2+4",
        "mogo+1.2+2",
    )


def test_a_version_plays_with_the_patterns_of_its_mutations():
    read = job()
    campaign = read.experiment

    key = versions.key(campaign, ((1, 1), (3, 1)))
    players = campaign.players(read, key)

    first, third = campaign.mutation((1, 1)), campaign.mutation((3, 1))
    assert list(players) == list(key.players) == ["mogo+1+3", "mogo+1"]
    assert players["mogo+1+3"].patterns == first + third
    assert players["mogo+1"].patterns == first
    assert [pattern.name for pattern in first + third] == ["1", "3"]
    assert players["mogo+1"].simulations == 10


def test_a_mutation_is_proposed_once(monkeypatch):
    campaign = job().experiment
    first = campaign.mutation((1, 1))
    monkeypatch.setattr(Proposing, "propose", lambda *_: pytest.fail("proposed again"))

    assert campaign.mutation((1, 1)) is first


def test_another_campaign_proposes_others():
    campaign = job().experiment
    first = campaign.mutation((1, 1))

    assert replace(campaign, seed=campaign.seed + 1).mutation((1, 1)) != first


def test_two_games_with_colours_swapped_begin_alike():
    read = job(f"{LEAST}opening = 4")
    first = versions.key(read.experiment, ((1, 1),))

    games = [read.experiment.play(read, Task(first, number)).moves[:4] for number in range(4)]

    assert games[0] == games[1] != games[2] == games[3]


def test_candidates_and_baseline_may_resign():
    text = f"{PLAYER}[campaign]\n{LEAST}resign_below = 0.1"
    hopeless = jobfile.read_text(text, ["game.komi=90"])
    first = versions.key(hopeless.experiment, ((1, 1),))

    rows = [hopeless.experiment.play(hopeless, Task(first, number)) for number in range(2)]

    assert [(row.plies, row.points, row.how) for row in rows] == [
        (0, 0, "resigned"),
        (0, 1, "resigned"),
    ]
