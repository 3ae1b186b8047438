"""Job files: what they say, and one exact line for each mistake in them."""

import re
from pathlib import Path

import pytest

from mcts_cluster.errors import UserError
from mcts_cluster.jobs import jobfile
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.matches import Matches
from mcts_cluster.matches.setup import Match, MatchKey
from mcts_cluster.parallel.leader import TeamPlayer
from mcts_cluster.parallel.sharing.exchange import Sharing
from mcts_cluster.players.flat import FlatMonteCarlo
from mcts_cluster.players.gtp_program import Program
from mcts_cluster.players.mcts import BANDITS, Mcts

JOBS = sorted((Path(__file__).parents[2] / "jobs").glob("*.toml"))

PLAYERS = """
[player.slow]
playouts = 20
[player.fast]
playouts = 4
"""

MATCH = """
[[match]]
players = ["slow", "fast"]
games = 2
"""

GAME = """
[game]
size = 5
"""


def written(tmp_path, text):
    path = tmp_path / "job.toml"
    path.write_text(text)
    return path


def mistakes(tmp_path, text):
    """Return the lines that are said about a job file, without its name, places and quotations."""
    path = written(tmp_path, text)
    with pytest.raises(UserError) as refused:
        jobfile.read(path)
    lines = [line for line in str(refused.value).splitlines() if not line.startswith("    ")]
    place = re.compile(rf"{re.escape(str(path))}(:\d+)?: ")
    assert all(place.match(line) for line in lines)
    return [place.sub("", line, count=1) for line in lines]


def test_a_job_is_read(tmp_path):
    text = f'title = "a title"\nseed = 3\n{GAME}komi = 0.5\n{PLAYERS}{MATCH}'

    job = jobfile.read(written(tmp_path, text))

    assert job == Job(
        title="a title",
        seed=3,
        game="go",
        settings={"size": 5, "komi": 0.5},
        players={"slow": FlatMonteCarlo(20), "fast": FlatMonteCarlo(4)},
        experiment=Matches((Match(MatchKey("slow", "fast"), 2),)),
    )
    assert str(job.experiment.matches[0].key) == "slow against fast"


def test_title_seed_and_game_may_be_left_out(tmp_path):
    job = jobfile.read(written(tmp_path, PLAYERS + MATCH))

    assert (job.title, job.seed, job.game, job.settings) == ("", 0, "go", {})


@pytest.mark.parametrize("path", JOBS, ids=lambda path: path.stem)
def test_every_job_of_the_project_reads_without_mistakes(path):
    job = jobfile.read(path)

    assert job.title
    assert job.experiment.described()


def test_the_project_has_a_job_to_start_with():
    assert "quickstart.toml" in {path.name for path in JOBS}


# One mistake, one line

COMPLETE = GAME + PLAYERS + MATCH

MISTAKES = [
    # Keys that do not exist, with the nearest one that does.
    ("sede = 1\n" + COMPLETE, 'sede: unknown key; did you mean "seed"?'),
    (
        "threads = 1\n" + COMPLETE,
        "threads: unknown key; known are title, seed, game, player, match, campaign, positions",
    ),
    (COMPLETE + "game = 2", 'match.0.game: unknown key; did you mean "games"?'),
    (COMPLETE + "[player.slow.tree]", "player.slow.tree: unknown key; known are playouts"),
    (
        PLAYERS + "playout = 4\n" + MATCH,
        'player.fast.playout: unknown key; did you mean "playouts"?',
    ),
    ("[games]\n" + COMPLETE, 'games: unknown key; did you mean "game"?'),
    # Values of the wrong kind.
    ("title = 1\n" + COMPLETE, "title: 1 must be a string"),
    ("seed = 1.5\n" + COMPLETE, "seed: 1.5 must be a whole number"),
    ("seed = true\n" + COMPLETE, "seed: true must be a whole number"),
    ("seed = '1'\n" + COMPLETE, 'seed: "1" must be a whole number'),
    ("game = 'go'\n" + PLAYERS + MATCH, 'game: "go" must be a table'),
    ("game.name = 1\n" + PLAYERS + MATCH, "game.name: 1 must be a string"),
    (
        "[player]\nslow = 20\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow: 20 must be a table",
    ),
    ("match = 3\n" + PLAYERS, "match: 3 must be a list of tables, [[match]]"),
    ("match = [3]\n" + PLAYERS, "match.0: 3 must be a table"),
    (
        PLAYERS + "[match]\ngames = 2",
        'match: {"games": 2} must be a list of tables, [[match]]',
    ),
    (
        PLAYERS + "[[match]]\nplayers = 'slow'\ngames = 2",
        'match.0.players: "slow" must be a list',
    ),
    (
        PLAYERS + "[[match]]\nplayers = ['slow', ['fast']]\ngames = 2",
        'match.0.players.1: ["fast"] must be a string',
    ),
    (
        PLAYERS + "[[match]]\nplayers = ['slow', 4]\ngames = 2",
        "match.0.players.1: 4 must be a string",
    ),
    (
        "[player.slow]\nplayouts = false\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.playouts: false must be a whole number",
    ),
    (
        "[player.slow]\nsimulations = 9\nwidening = '2'\n[player.fast]\nplayouts = 4\n" + MATCH,
        'player.slow.widening: "2" must be a number',
    ),
    (
        "[player.slow]\nsimulations = 9\nplayouts = 4\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.playouts: not allowed next to simulations or seconds",
    ),
    (
        "[player.slow]\ncommand = 3\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.command: 3 must be a string",
    ),
    (
        "[player.slow]\ncommand = 'x'\nseconds_to_answer = '60'\n[player.fast]\nplayouts = 4\n"
        + MATCH,
        'player.slow.seconds_to_answer: "60" must be a number',
    ),
    (
        "[player.slow]\ncommand = 'x'\nseconds = 60\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.command: not allowed next to simulations or seconds",
    ),
    (
        "[player.slow]\ncommand = 'x'\nsimulations = 9\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.command: not allowed next to simulations or seconds",
    ),
    # What a team allows.
    (
        "[player.slow]\nsimulations = 9\nmachines = 0\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.machines: 0 is too small, must be at least 1",
    ),
    (
        "[player.slow]\nplayouts = 9\nmachines = 8\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.machines: unknown key; known are playouts",
    ),
    (
        "[player.slow]\nsimulations = 9\nperiod = 3\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.period: only allowed next to machines",
    ),
    (
        "[player.slow]\nsimulations = 9\nmachines = 8\nsharing = 'slow tree'\n"
        "[player.fast]\nplayouts = 4\n" + MATCH,
        'player.slow.sharing: "slow tree" is unknown; did you mean "slow-tree"?',
    ),
    (
        "[player.slow]\nsimulations = 9\nmachines = 8\naverage = 'total'\n"
        "[player.fast]\nplayouts = 4\n" + MATCH,
        'player.slow.average: "total" is unknown; known are mean, sum',
    ),
    (
        "[player.slow]\nsimulations = 9\nmachines = 8\nshare_threshold = 0\n"
        "[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.share_threshold: 0 is too small, must be at least 0.1",
    ),
    (
        "[player.slow]\nsimulations = 9\nmachines = 8\nstop_early = true\n"
        "[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.stop_early: not allowed next to machines",
    ),
    # What a tree search allows.
    (
        "[player.slow]\nsimulations = 9.5\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.simulations: 9.5 must be a whole number",
    ),
    (
        "[player.slow]\nsimulations = 1_000_000_001\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.simulations: 1000000001 is too large, must be at most 10^9",
    ),
    (
        "[player.slow]\nseconds = 0\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.seconds: 0 is too small, must be at least 0.001",
    ),
    (
        "[player.slow]\nseconds = '1'\n[player.fast]\nplayouts = 4\n" + MATCH,
        'player.slow.seconds: "1" must be a number',
    ),
    (
        "[player.slow]\nsimulations = 9\nthreads = 0\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.threads: 0 is too small, must be at least 1",
    ),
    (
        "[player.slow]\nsimulations = 9\nthreads = 1.0\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.threads: 1.0 must be a whole number",
    ),
    (
        "[player.slow]\nsimulations = 9\nbandit = 'ucb'\n[player.fast]\nplayouts = 4\n" + MATCH,
        'player.slow.bandit: "ucb" is unknown; did you mean "uct"?',
    ),
    (
        "[player.slow]\nsimulations = 9\nbandit = 3\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.bandit: 3 must be a string",
    ),
    (
        "[player.slow]\nsimulations = 9\npolicy = 'wise'\n[player.fast]\nplayouts = 4\n" + MATCH,
        'player.slow.policy: "wise" is unknown; known are informed, uniform',
    ),
    (
        "[player.slow]\nsimulations = 9\nexploration = -0.5\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.exploration: -0.5 is too small, must be at least 0",
    ),
    (
        "[player.slow]\nsimulations = 9\nrave = nan\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.rave: nan must be at least 0",
    ),
    (
        "[player.slow]\nsimulations = 9\nfirst_play_urgency = -1\n[player.fast]\nplayouts = 4\n"
        + MATCH,
        "player.slow.first_play_urgency: -1 is too small, must be at least 0",
    ),
    (
        "[player.slow]\nsimulations = 9\nbias = true\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.bias: true must be a number",
    ),
    (
        "[player.slow]\nsimulations = 9\nexpand_at = 0\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.expand_at: 0 is too small, must be at least 1",
    ),
    (
        "[player.slow]\nsimulations = 9\nvirtual_loss = 1001\n[player.fast]\nplayouts = 4\n"
        + MATCH,
        "player.slow.virtual_loss: 1001 is too large, must be at most 1000",
    ),
    (
        "[player.slow]\nsimulations = 9\nreuse_tree = 1\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.reuse_tree: 1 must be true or false",
    ),
    (
        "[player.slow]\nsimulations = 9\nstop_early = 'no'\n[player.fast]\nplayouts = 4\n" + MATCH,
        'player.slow.stop_early: "no" must be true or false',
    ),
    (
        "[player.slow]\nsimulations = 9\nmegabytes = 60_001\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.megabytes: 60001 is too large, must be at most 60000",
    ),
    (
        "[player.slow]\nsimulations = 9\nplayout_save = 1001\n[player.fast]\nplayouts = 4\n"
        + MATCH,
        "player.slow.playout_save: 1001 is too large, must be at most 1000",
    ),
    (
        "[player.slow]\nsimulations = 9\nprior_even = 0.5\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.prior_even: 0.5 must be a whole number",
    ),
    (
        "[player.slow]\nsimulations = 9\nprior_evn = 3\n[player.fast]\nplayouts = 4\n" + MATCH,
        'player.slow.prior_evn: unknown key; did you mean "prior_even"?',
    ),
    (
        "[player.slow]\nsimulations = 9\npolicy = 'uniform'\nplayout_save = 3\n"
        "[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.playout_save: not allowed with the uniform policy",
    ),
    (
        "[player.slow]\nsimulations = 9\nbandit = 'uct'\nprior_even = 3\n"
        "[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.prior_even: not allowed with the uniform policy",
    ),
    (
        "[player.slow]\nsimulations = 9\nmove_model = 'none.txt'\n[player.fast]\nplayouts = 4\n"
        + MATCH,
        "player.slow.move_model: none.txt: No such file or directory",
    ),
    (
        "game.name = 'havannah'\n[player.slow]\nsimulations = 9\nmove_model = 'experts'\n"
        "[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.move_model: the policy of Havannah has no such setting",
    ),
    (
        "game.name = 'havannah'\n[player.slow]\nsimulations = 9\nplayout_save = 3\n"
        "[player.fast]\nplayouts = 4\n" + MATCH,
        'player.slow.playout_save: unknown key; did you mean "playout_rings"?',
    ),
    # Commands that are none.
    (
        "[player.slow]\ncommand = ' '\n[player.fast]\nplayouts = 4\n" + MATCH,
        'player.slow.command: " " must be the name of a program',
    ),
    (
        "[player.slow]\ncommand = 'gnugo \"'\n[player.fast]\nplayouts = 4\n" + MATCH,
        'player.slow.command: "gnugo \\"": No closing quotation',
    ),
    # Values out of their range.
    (
        "[player.slow]\ncommand = 'x'\nseconds_to_answer = 0\n[player.fast]\nplayouts = 4\n"
        + MATCH,
        "player.slow.seconds_to_answer: 0 is too small, must be at least 0.1",
    ),
    (
        "[player.slow]\nsimulations = 1\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.simulations: 1 is too small, must be at least 2",
    ),
    (
        "[player.slow]\nsimulations = 9\nwidening = -1\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.widening: -1 is too small, must be at least 0",
    ),
    ("seed = -1\n" + COMPLETE, "seed: -1 is too small, must be at least 0"),
    (
        "[player.slow]\nplayouts = 0\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.playouts: 0 is too small, must be at least 1",
    ),
    (PLAYERS + MATCH.replace("2", "0"), "match.0.games: 0 is too small, must be at least 1"),
    (
        PLAYERS + MATCH.replace("2", "1_000_001"),
        "match.0.games: 1000001 is too large, must be at most 10^6",
    ),
    (
        PLAYERS + "[[match]]\nplayers = ['slow']\ngames = 2",
        "match.0.players: must be two names of players",
    ),
    (
        PLAYERS + "[[match]]\nplayers = ['slow', 'fast', 'slow']\ngames = 2",
        "match.0.players: must be two names of players",
    ),
    (COMPLETE + MATCH, 'match.1.players: "slow against fast" is there already, must be unique'),
    # What is missing.
    (PLAYERS, "match: missing, must be [[match]], [campaign] or [positions]"),
    ("match = []\n" + PLAYERS, "match: missing, must be [[match]], [campaign] or [positions]"),
    (PLAYERS + "[[match]]\ngames = 2", "match.0.players: missing, must be a list"),
    (
        PLAYERS + "[[match]]\nplayers = ['slow', 'fast']",
        "match.0.games: missing, must be a whole number",
    ),
    (
        "[player.slow]\n[player.fast]\nplayouts = 4\n" + MATCH,
        "player.slow.simulations: missing, needs simulations, seconds, playouts or command",
    ),
    # What means something beside it is not called unknown.
    (
        "[player.slow]\nrave = 0\nmachines = 2\nplayout_save = 0\n[player.fast]\nplayouts = 4\n"
        + MATCH,
        "player.slow.simulations: missing, needs simulations, seconds, playouts or command",
    ),
    (
        PLAYERS + "[[match]]\nplayers = ['slow', 'fsat']\ngames = 2",
        'match.0.players.1: "fsat" is not a player; did you mean "fast"?',
    ),
    (COMPLETE + "opening = -1", "match.0.opening: -1 is too small, must be at least 0"),
    (
        COMPLETE + "resign_below = 0.6",
        "match.0.resign_below: 0.6 is too large, must be at most 0.5",
    ),
    (COMPLETE + "opening = 101", "match.0.opening: 101 is too large, must be at most 100"),
    # The game knows what it allows.
    (
        "game.name = 'chess'\n" + PLAYERS + MATCH,
        'game.name: "chess" is unknown; known are go, havannah',
    ),
    (
        "game.name = 'havana'\n" + PLAYERS + MATCH,
        'game.name: "havana" is unknown; did you mean "havannah"?',
    ),
    (COMPLETE.replace("5", "26"), "game.size: 26 is too large, must be at most 25"),
    (COMPLETE.replace("5", "true"), "game.size: true must be a whole number"),
    (COMPLETE.replace("5", "'5'"), 'game.size: "5" must be a whole number'),
    (COMPLETE.replace("size", "sise"), 'game.sise: unknown key; did you mean "size"?'),
    (
        "game.name = 'havannah'\ngame.komi = 7\n" + PLAYERS + MATCH,
        "game.komi: unknown key; known are name, size, swap",
    ),
    (
        "game.komi = 7.25\n" + PLAYERS + MATCH,
        "game.komi: 7.25 must be a multiple of 0.5",
    ),
    # What is allowed depends on the size.
    (
        COMPLETE.replace("[game]", "[game]\nhandicap = 4"),
        "game.handicap: 4: size 5 allows none",
    ),
]


@pytest.mark.parametrize(("text", "line"), MISTAKES, ids=[line for _, line in MISTAKES])
def test_a_mistake_is_one_line_with_the_path_of_its_key(text, line, tmp_path):
    assert mistakes(tmp_path, text) == [line]


def test_all_mistakes_are_reported_together_in_one_go(tmp_path):
    text = """
        seed = "one"
        tilte = "x"
        [game]
        komy = 7
        superko = "none"
        size = 30
        [player.slow]
        playouts = 0
        [player.fast]
        plaiouts = 4
        rave = "300"
        period = 0
        [[match]]
        players = ["slow", "quick"]
        games = true
        [[match]]
        players = ["slow", "fast"]
        games = 2
        """

    assert mistakes(tmp_path, text) == [
        'seed: "one" must be a whole number',
        'tilte: unknown key; did you mean "title"?',
        'game.komy: unknown key; did you mean "komi"?',
        'game.superko: "none" is unknown; known are simple, positional, situational',
        "game.size: 30 is too large, must be at most 25",
        "player.slow.playouts: 0 is too small, must be at least 1",
        "player.fast.simulations: missing, needs simulations, seconds, playouts or command",
        'player.fast.plaiouts: unknown key; did you mean "playouts"?',
        'player.fast.rave: "300" must be a number',
        "player.fast.period: 0 is too small, must be at least 1",
        'match.0.players.1: "quick" is not a player; known are slow, fast',
        "match.0.games: true must be a whole number",
    ]


def test_names_are_checked_even_where_there_are_too_many(tmp_path):
    text = PLAYERS + "[[match]]\nplayers = ['slow', 'quick', 'fast']\ngames = 2"

    assert mistakes(tmp_path, text) == [
        'match.0.players.1: "quick" is not a player; known are slow, fast',
        "match.0.players: must be two names of players",
    ]


def test_an_empty_file_lacks_matches_only(tmp_path):
    assert mistakes(tmp_path, "") == [
        "match: missing, must be [[match]], [campaign] or [positions]"
    ]


# A mistake hides no other


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "[player.slow]\nsimulation = 300\nrave = '300'\n[player.fast]\nplayouts = 4\n" + MATCH,
            [
                "player.slow.simulations: missing, needs simulations, seconds, playouts or command",
                'player.slow.simulation: unknown key; did you mean "simulations"?',
                'player.slow.rave: "300" must be a number',
            ],
        ),
        (
            "[game]\nname = 'Go'\nsize = 99\nkomy = 3\n" + PLAYERS + MATCH,
            [
                'game.name: "Go" is unknown; did you mean "go"?',
                "game.size: 99 is too large, must be at most 25",
                'game.komy: unknown key; did you mean "komi"?',
            ],
        ),
        (
            "[game]\nname = 'chess'\nsize = 'big'\nkomi = 6.5\ncastling = true\n" + PLAYERS + MATCH,
            [
                'game.name: "chess" is unknown; known are go, havannah',
                'game.size: "big" must be a whole number',
                "game.castling: unknown key; known are name, size, komi, superko, handicap, swap",
            ],
        ),
        (
            "[player.slow]\nplayouts = 4\n[match]\n[campaign]\nplayer = 'slow'\nrisk = 2\n",
            [
                "match: not allowed next to campaign: a job has one kind of experiment",
                "campaign.iterations: missing, must be a whole number",
                'campaign.player: "slow" is not a tree search of this job; known are none',
                "campaign.risk: 2 is too large, must be at most 0.5",
            ],
        ),
    ],
)
def test_a_mistake_hides_no_other(text, lines, tmp_path):
    assert mistakes(tmp_path, text) == lines


# Input of every kind

ODD = [
    "players = 5\nvary.a.simulations = [2]",
    "players = ['a', {x = 1}]\nvary.a.simulations = [2]",
    "players = [['a'], 'b']\nvary.a.simulations = [2]",
    "players = ['a', 'b']\nvary.a.simulations = [[2]]",
    "players = ['a', 'b']\nvary.a = [2]",
    "players = ['a', 'b']\nvary.a.simulations = [{x = 1}]",
    "players = ['a', 'b']\nvary.players = [5]",
    "players = ['a', 'b']\nvary.players = [['a', 'b'], 'b']",
    f"players = ['a', 'b']\ngames = 1{'0' * 400}",
    f"players = ['a', 'b']\nresign_below = 1{'0' * 400}",
    "players = ['a', 'b']\nresign_below = inf",
    "players = ['a', 'b']\ngames = 2020-01-01",
    "players = ['a', 'b']\npublished = {x = 1}",
    'players = ["a", "b"]\npublished = "a\\u0000b"',
    f"players = {'[' * 200}{']' * 200}",
    "players = 1979-05-27T07:32:00Z",
]


@pytest.mark.parametrize("match", ODD, ids=range(len(ODD)))
def test_an_odd_value_in_a_match_is_a_line_with_its_path(match, tmp_path):
    text = "[player.a]\nsimulations = 9\n[player.b]\nplayouts = 4\n[[match]]\n" + match

    lines = mistakes(tmp_path, text)

    assert lines
    assert all(line.startswith(("match.0.", 'player."a(')) for line in lines)
    assert all(len(line) < 2000 for line in lines)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("seed = " + "1" * 5000, "Exceeds the limit (4300 digits)"),
        (f"seed = 1{'0' * 400}", "seed: 1000"),
        ("seed = " + "[" * 5000, "tables or lists are nested too deeply"),
        ("title = 'a\0b'", "Found invalid character"),
        ('title = "a\\u0000b"', r'title: "a\u0000b" must be text without NUL characters'),
        ("player = []", "player: [] must be a table"),
        ("player = {a = []}", "player.a: [] must be a table"),
        ('player.a.command = "a\\u0000b"', "player.a.command: "),
        ('player.a = {simulations = 9, patterns = "a\\u0000b"}', "player.a.patterns: "),
        ("player.a = {simulations = 9, move_model = 'x/y/z'}", "player.a.move_model: x/y/z: "),
        ("game = [[1]]", "game: [[1]] must be a table"),
        ("game = {size = 1e400}", "game.size: inf must be a whole number"),
        ("game = {komi = -inf}", "game.komi: -inf is too small, must be at least -1000"),
        ("campaign = 3", "campaign: 3 must be a table"),
        ("campaign = [{}]", "campaign: [{}] must be a table"),
        (
            "campaign = {candidates = [], shadow_rules = 'sprt', lower = [1]}",
            "campaign.candidates: the list is empty",
        ),
    ],
)
def test_odd_input_is_a_line_with_its_path(text, line, tmp_path):
    assert any(said.startswith(line) for said in mistakes(tmp_path, text))


EVERYTHING = """
title = "t"
[game]
name = "go"
size = 5
[player.a]
simulations = 9
bandit = "mogo"
patterns = ""
move_model = ""
policy = "informed"
playout_save = 3
[player.b]
like = "a"
machines = 2
sharing = "slow-tree"
[player.c]
command = "x"
{experiment}
"""
MATCHES = """
[[match]]
players = ["a", "b"]
games = 2
published = "table1.go9.1000"
vary.a.simulations = [2, 3]
vary.games = [2, 3]
"""
CAMPAIGN = """
[campaign]
player = "a"
iterations = 3
candidates = [2, 1]
proposer = "random"
sign = "either"
extent = 2
stopping_rule = "sprt"
lower = 0.4
shadow_rules = ["paper-1"]
published = "good_shapes_9x9"
"""
VALUES = ["true", "5", "-1", "nan", "'a'", "'go'", "'listed'", "[]", "[[1]]", "['a', 'b']"]
VALUES += ["[['a', 'b'], 3]", "[{x = 1}]", "{}", "{a = [1]}", "{a = {simulations = [{x = 1}]}}"]
VALUES += ["1979-05-27", f"1{'0' * 400}"]


@pytest.mark.parametrize("experiment", [MATCHES, CAMPAIGN], ids=["matches", "campaign"])
def test_any_value_anywhere_is_read_or_refused(experiment):
    lines = EVERYTHING.replace("{experiment}", experiment).splitlines()
    refused = 0
    for index, line in enumerate(lines):
        key, sign, _ = line.partition("=")
        for value in VALUES if sign else ():
            try:
                jobfile.read_text(
                    "\n".join([*lines[:index], f"{key}= {value}", *lines[index + 1 :]])
                )
            except jobfile.InvalidJob as error:
                assert error.lines and all(error.lines)
                refused += 1

    assert jobfile.read_text("\n".join(lines)).players.keys() >= {"a", "b", "c"}
    assert refused > 200


def test_keys_are_quoted_as_in_toml(tmp_path):
    text = "[player.'a.b c']\nplayouts = 0\n[player.'say \"é\"']\nplayouts = 0\n" + PLAYERS + MATCH

    assert mistakes(tmp_path, text) == [
        'player."a.b c".playouts: 0 is too small, must be at least 1',
        r'player."say \"é\"".playouts: 0 is too small, must be at least 1',
    ]


# No job file at all


def test_a_missing_file_is_one_line(tmp_path):
    path = tmp_path / "none.toml"

    with pytest.raises(UserError) as refused:
        jobfile.read(path)

    assert str(refused.value) == f"{path}: No such file or directory"


def test_a_directory_is_no_job(tmp_path):
    with pytest.raises(UserError) as refused:
        jobfile.read(tmp_path)

    assert str(refused.value) == f"{tmp_path}: Is a directory"


@pytest.mark.parametrize(
    ("text", "line"),
    [("seed = 1\n\nplayers\n", 3), ("seed = 1\nseed = 2\n", 2), ("[game\n", 1)],
)
def test_what_is_no_toml_is_refused_with_its_line(text, line, tmp_path):
    [said] = mistakes(tmp_path, text)

    assert f"(at line {line}, column" in said


def test_a_file_in_another_encoding_is_refused_with_its_line(tmp_path):
    path = tmp_path / "job.toml"
    path.write_bytes("seed = 1\ntitle = 'é'\n".encode("latin-1"))

    with pytest.raises(UserError) as refused:
        jobfile.read(path)

    assert str(refused.value) == f"{path}: not in UTF-8 (at line 2)"


@pytest.mark.parametrize(
    ("lines", "player"),
    [
        ("simulations = 9", Mcts(9)),
        ("simulations = 9\nbandit = 'mogo'", Mcts(9)),
        ("seconds = 2", Mcts(seconds=2.0)),
        ("seconds = 0.5\nsimulations = 9", Mcts(9, 0.5)),
        ("simulations = 9\nbandit = 'uct'", Mcts(9, **BANDITS["uct"])),
        (
            "simulations = 9\nbandit = 'uct'\nrave = 50\nexpand_at = 7",
            Mcts(9, **BANDITS["uct"] | {"rave": 50.0, "expand_at": 7}),
        ),
        ("simulations = 9\nthreads = 2\nvirtual_loss = 3", Mcts(9, threads=2, virtual_loss=3)),
        ("simulations = 9\nwidening = 2.5\nbias = 0.5", Mcts(9, widening=2.5, bias=0.5)),
        ("simulations = 9\nfirst_play_urgency = 2", Mcts(9, first_play_urgency=2.0)),
        (
            "simulations = 9\nreuse_tree = false\nstop_early = true\nmegabytes = 20",
            Mcts(9, reuse_tree=False, stop_early=True, megabytes=20),
        ),
        ("simulations = 9\nmachines = 1", TeamPlayer(Mcts(9), Sharing())),
        (
            "seconds = 9\nthreads = 2\nmachines = 8\nsharing = 'slow-root'\nperiod_seconds = 0.35\n"
            "share_rave = false",
            TeamPlayer(
                Mcts(seconds=9.0, threads=2),
                Sharing("slow-root", 8, period_seconds=0.35, rave=False),
            ),
        ),
        (
            "simulations = 9\nmachines = 8\nperiod = 3\nshare_depth = 1\nshare_threshold = 2.5\n"
            "average = 'mean'",
            TeamPlayer(
                Mcts(9), Sharing(machines=8, period=3, depth=1, threshold=2.5, average="mean")
            ),
        ),
        ("simulations = 9\npolicy = 'uniform'", Mcts(9, policy="uniform")),
        (
            "simulations = 9\nprior_even = 3\nplayout_save = 50",
            Mcts(9, policy_settings=(("playout_save", 50), ("prior_even", 3))),
        ),
        ("playouts = 9", FlatMonteCarlo(9)),
        ("command = 'gnugo --seed {seed}'", Program("gnugo --seed {seed}", 600)),
        ("command = 'gnugo'\nseconds_to_answer = 2", Program("gnugo", 2.0)),
    ],
)
def test_a_player_is_what_its_keys_say(lines, player, tmp_path):
    path = tmp_path / "job.toml"
    path.write_text(f"[player.slow]\n{lines}\n[player.fast]\nplayouts = 4\n" + MATCH)

    assert jobfile.read(path).players["slow"] == player
