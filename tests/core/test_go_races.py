"""What a player makes of capturing races: where they are, what they need, and playouts by them."""

import pytest

from cext.go_policy import DEFAULTS, GoPolicy
from cext.go_races import RaceReader
from cext.search import Search
from mcts_cluster.games import from_text

# Three liberties each: who moves first wins.
EVEN = """
    . . . . . . . . .
    . . . . O . . X .
    . . O . O X . X .
    . . . . O X . . .
    O O O O O X . . .
    . . . O X X . . .
    X X X O X . . . .
    O O O X X . . X .
    . . . X . . . . .
"""
# A black stone on B1 has taken one of White's.
AHEAD = EVEN[:-34] + EVEN[-34:].replace(". . . X", ". X . X")
NO_STEPS = {name: 0 for name in DEFAULTS if name.startswith("playout_")}
NO_PRIORS = {name: 0 for name in DEFAULTS if name.startswith("prior_")}


def position(diagram, color="black"):
    return from_text(diagram, color, komi=7.5).core


def races(diagram, color="black", smallest=2):
    game = position(diagram, color)
    return [
        (game.name(own), game.name(enemy), outcome, after_pass, " ".join(map(game.name, moves)))
        for own, enemy, outcome, after_pass, moves in RaceReader().races(game, smallest)
    ]


def test_a_race_that_must_be_played():
    assert races(EVEN) == [("A3", "A2", "won", "lost", "A1 B1 C1")]
    assert races(EVEN, "white") == [("A2", "A3", "won", "lost", "A4 B4 C4")]


def test_a_race_that_is_won_anyway():
    assert races(AHEAD) == [("A3", "A2", "won", "won", "")]
    assert races(AHEAD, "white") == [("A2", "A3", "lost", "lost", "")]


def test_small_chains_do_not_race():
    assert len(races(EVEN, smallest=3)) == 1
    assert races(EVEN, smallest=4) == []


def advice(diagram, color, **settings):
    """Return the visits won and lost that moves have, by name."""
    game = position(diagram, color)
    policy = GoPolicy(**{**NO_STEPS, **NO_PRIORS, "playout_semeai": 3, **settings})
    rows = policy.advice(game)
    return {
        game.name(row["move"]): (row["wins"] // 2, row["visits"] - row["wins"] // 2)
        for row in rows
        if row["visits"]
    }


def test_expertise_is_for_moves_that_a_race_needs():
    won = (50, 0)
    assert advice(EVEN, "black", prior_semeai=50) == {"A1": won, "B1": won, "C1": won}
    assert advice(EVEN, "white", prior_semeai=50) == {"A4": won, "B4": won, "C4": won}
    assert advice(AHEAD, "black", prior_semeai=50) == {}


def test_moves_in_a_settled_race_are_no_use():
    lost = (0, 20)
    cells = ("A1", "C1", "A4", "B4", "C4")
    assert advice(AHEAD, "black", prior_settled=20) == dict.fromkeys(cells, lost)
    assert advice(EVEN, "black", prior_settled=20) == {}


def owners(diagram, color, **settings):
    """Return how often, after playouts, Black owns the two chains: 1 always, -1 never."""
    game = position(diagram, color)
    policy = GoPolicy(**settings)
    found = policy.owners(game, 200, 1)
    return found[game.number("A3")], found[game.number("A2")], policy.replays


@pytest.mark.parametrize(
    ("diagram", "color", "winner"),
    [(EVEN, "black", 1), (EVEN, "white", -1), (AHEAD, "black", 1), (AHEAD, "white", 1)],
)
def test_playouts_that_contradict_the_solver_are_replayed(diagram, color, winner):
    own, enemy, replays = owners(diagram, color, playout_replay=1000)
    assert (own, enemy) == (winner, winner)
    assert replays > 0
    # Without, they end otherwise; and a limit is a limit.
    assert owners(diagram, color)[0] * winner < 1
    assert owners(diagram, color, playout_replay=1)[2] <= 200


@pytest.mark.parametrize(
    ("diagram", "color", "winner"),
    [(EVEN, "black", 1), (EVEN, "white", -1), (AHEAD, "black", 1), (AHEAD, "white", 1)],
)
def test_settled_races_stay_as_they_are(diagram, color, winner):
    own, enemy, replays = owners(diagram, color, playout_settle=100)
    assert own * winner > 0.9
    assert enemy * winner > 0.9
    assert replays == 0


@pytest.mark.parametrize("diagram", [EVEN, AHEAD], ids=["even", "ahead"])
def test_without_races_nothing_changes(diagram):
    game = position(diagram)
    plain, other = GoPolicy(), GoPolicy(playout_settle=100, playout_replay=9, playout_semeai=20)
    for seed in range(5):
        assert plain.playout_moves(game, seed) == other.playout_moves(game, seed)


SETTLING = {"playout_settle": 100, "prior_semeai": 30, "prior_settled": 30}


def best_moves(diagram, threads=1, **settings):
    game = position(diagram)
    found = set()
    for seed in range(5):
        search = Search(
            game,
            GoPolicy(threads=threads, **settings),
            exploration=0,
            rave=1000,
            bias=1,
            first_play_urgency=1,
            explore_every=8,
        )
        search.run(1000, seed, threads=threads)
        found.add(game.name(search.best_move()))
    return found


@pytest.mark.parametrize("threads", [1, 3])
def test_a_player_who_knows_plays_a_race_when_it_is_needed(threads):
    assert best_moves(EVEN, threads, **SETTLING) <= {"A1", "B1", "C1"}
    useless = {"A1", "C1", "A4", "B4", "C4"}
    assert not best_moves(AHEAD, threads, **SETTLING) & useless
    assert best_moves(AHEAD) & useless
