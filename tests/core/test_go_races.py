"""What a player makes of capturing races: where they are, what they need, and playouts by them."""

import random

import pytest

from cext.go_policy import DEFAULTS, GoPolicy
from cext.go_races import RaceReader
from cext.go_semeai import Semeai
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


def test_other_moves_in_a_race_are_no_use():
    def useless(diagram, color, *cells):
        lost = dict.fromkeys(cells, (0, 20))
        assert advice(diagram, color, prior_settled=20) == lost

    useless(AHEAD, "black", "A1", "C1", "A4", "B4", "C4")
    # What is lost may be a sacrifice.
    useless(AHEAD, "white")
    useless(EVEN, "black", "A4", "B4", "C4")
    useless(EVEN, "white", "A1", "B1", "C1")


# Who fills a shared liberty is captured.
SEKI = """
    . . . . . . . . .
    . O . . . O X . .
    . . . O . O X . X
    O O O O O O X . .
    X X X X X O X X .
    . O . O O X . X .
    O O O O O X . . .
    X X X X X X . X .
    . X . . . . X . .
"""


def test_in_a_seki_only_moves_that_spoil_it_are_no_use():
    assert races(SEKI) == [("A5", "A3", "seki", "seki", "")]
    assert advice(SEKI, "black", prior_settled=20) == dict.fromkeys(("A4", "C4"), (0, 20))


# Black's four stones are captured, but what they leave is one eye.
IN_AN_EYE = """
    . . . . . . . . .
    . O . O . . X . .
    . . . . O . . X .
    . O . O O X . . .
    . . O O X X X X X
    . O . O X O O O O
    . . O O X O X X O
    . O . O X O X . .
    . . O X X O O O O
"""


def test_a_race_that_does_not_save_the_winner_is_left_alone():
    game = position(IN_AN_EYE)
    solver = Semeai()

    assert solver.read(game, game.number("G3"), game.number("F1"))[0] == "lost"
    assert races(IN_AN_EYE) == races(IN_AN_EYE, "white") == []


# Below the root


def test_a_race_is_what_it_was_until_somebody_plays_there():
    game, reader = position(EVEN), RaceReader()

    def after(*names):
        return reader.races(game, moves=[game.number(name) for name in names])

    assert after("A9")[0][2:4] == ("won", "lost")
    assert [game.name(move) for move in after("A9")[0][4]] == ["A4", "B4", "C4"]
    # Once it is touched it is read when the search has met it often.
    assert after("A1") == []
    met = [after("A1") for _ in range(10)]
    assert met[0] == []
    assert met[-1] == [(game.number("A2"), game.number("A3"), "lost", "lost", [])]
    assert after("A9", "J9")[0][2:4] == ("won", "lost")


@pytest.mark.parametrize("seed", range(6))
def test_what_a_search_knows_below_is_what_a_reader_finds_there(seed):
    rng = random.Random(seed)
    reader, compared = RaceReader(), 0
    for _ in range(60):
        root = position(rng.choice((EVEN, AHEAD, SEKI)), rng.choice(("black", "white")))
        game, moves = root.copy(), []
        for _ in range(rng.randint(1, 5)):
            moves.append(rng.choice(game.sensible_moves() or [game.points]))
            game.play(moves[-1])
        for _ in range(9):
            known = reader.races(root, moves=moves)
        fresh = {race[:2]: race[2:] for race in RaceReader().races(game)}
        for own, enemy, *rest in known:
            pair = chain_name(game, own), chain_name(game, enemy)
            for other, found in fresh.items():
                if (chain_name(game, other[0]), chain_name(game, other[1])) == pair:
                    assert tuple(rest) == found
                    compared += 1
    assert compared > 20


def chain_name(game, stone):
    """Return one of the stones of a chain, the same for all of them."""
    size = game.size
    chain, border = {stone}, [stone]
    while border:
        here = border.pop()
        near = [here - size, here + size]
        near += [here - 1] * (here % size > 0) + [here + 1] * (here % size < size - 1)
        for there in near:
            if 0 <= there < game.points and there not in chain and joined(game, stone, there):
                chain.add(there)
                border.append(there)
    return min(chain)


def joined(game, stone, other):
    return game.color(stone) == game.color(other)


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


SETTLING = {"playout_settle": 100, "prior_semeai": 60, "prior_settled": 60}


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
