"""MoGo's playouts and priors: their rules on every board, their opinions on diagrams."""

import random
from collections import Counter

import pytest
from conftest import rest_in_proof
from core_inside import inside

from cext.go import Go
from cext.go_bias_patterns import Patterns
from cext.go_policy import DEFAULTS, GoPolicy
from cext.havannah import Havannah
from cext.policy import Policy
from cext.search import Search
from mcts_cluster.games import from_text

# Those of races are in test_go_races.
RACES = ("playout_settle", "playout_replay", "playout_semeai")
STEPS = [name for name in DEFAULTS if name.startswith("playout_") and name not in RACES]
PRIORS = [name for name in DEFAULTS if name.startswith("prior_")]
NO_STEPS = dict.fromkeys([*STEPS, *RACES], 0)
NO_PRIORS = dict.fromkeys(PRIORS, 0)
NO_EYES = dict.fromkeys(["playout_nakade", "playout_seki", "prior_nakade"], 0)

# As it is, all at once, and each step alone.
POLICIES = [
    {},
    dict.fromkeys(STEPS, 100),
    dict.fromkeys(STEPS, 50),
    NO_STEPS,
    *(NO_STEPS | {name: 100} for name in STEPS),
]
each_policy = pytest.mark.parametrize(
    "settings",
    POLICIES,
    ids=["default", "all", "half", "none", *(name[8:] for name in STEPS)],
)


def check_playout(policy, game, seed):
    """Play a playout with check() after each move, and again as a real game under simple ko."""
    moves = inside.walk(policy, game, seed, lambda after: after.check())
    assert policy.playout_moves(game, seed) == moves
    real = game.copy()
    for move in moves:
        assert real.is_legal(move), f"{real.draw()} {real.name(move)}"
        real.play(move)
    assert real.is_over or len(moves) == 10 * game.points + 200
    return moves, real


def started(size, plies, seed):
    """Return a game of Go after some random moves."""
    game = Go(size, superko="simple")
    chance = random.Random(seed)
    for _ in range(plies):
        if not game.is_over:
            game.play(chance.choice(game.legal_moves()[:-1] or [game.points]))
    return game


@each_policy
@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 9, 13])
def test_every_playout_is_a_legal_game(settings, size):
    policy = GoPolicy(**settings)
    chance = random.Random(size)
    for seed in range(30 // size):
        game = started(size, chance.choice([0, 0, size, size * size]), seed)
        if not game.is_over:
            check_playout(policy, game, seed)


@pytest.mark.parametrize("settings", POLICIES[:3], ids=["default", "all", "half"])
@pytest.mark.parametrize("size", rest_in_proof([19, 25], [19]))
def test_a_playout_of_the_big_board_is_a_legal_game(size, settings):
    check_playout(GoPolicy(**settings), Go(size, superko="simple"), 1)


@each_policy
@pytest.mark.parametrize("size", [3, 4, 5])
def test_small_boards_full_of_kos_keep_the_rules_too(settings, size):
    policy = GoPolicy(**settings)
    for seed in range(300):
        game = started(size, seed % 20, seed)
        if game.is_over:
            continue
        real = game.copy()
        for move in policy.playout_moves(game, seed):
            assert real.is_legal(move), f"seed {seed} {real.draw()} {real.name(move)}"
            real.play(move)


@each_policy
def test_seeds_decide_and_bulk_is_one_by_one(settings):
    game = started(7, 10, 1)

    def playouts(count, seed):
        # By a policy that has learnt nothing.
        return GoPolicy(**settings).playouts(game, count, seed)

    for seed in range(10):
        moves, real = check_playout(GoPolicy(**settings), game, seed)
        bulk = playouts(1, seed)
        assert bulk.moves == len(moves)
        assert (bulk.first_wins, bulk.second_wins) == (real.winner() == 1, real.winner() == 2)

    assert playouts(100, 5)[:4] == playouts(100, 5)[:4]
    assert playouts(100, 5)[:4] != playouts(100, 6)[:4]
    game.check()


def test_without_any_step_playouts_are_uniform_ones():
    policy = GoPolicy(**NO_STEPS)
    game = started(9, 30, 2)

    # The same numbers are drawn for the same moves.
    for seed in range(20):
        assert policy.playout_moves(game, seed) == game.playout_moves(seed)


@pytest.mark.parametrize("careful", [0, 100])
def test_random_moves_fill_no_real_eye_of_their_own(careful):
    policy = GoPolicy(**NO_STEPS | {"playout_careful": careful})
    for seed in range(100):
        game = started(6, seed % 40, seed)
        if game.is_over:
            continue
        for move in policy.playout_moves(game, seed):
            sensible = [m for m in game.sensible_moves() if m < game.points]
            if move < game.points:
                assert move in sensible
            elif careful:
                # Nothing is left but to give away more than five stones.
                assert all(inside.atari_left_by(game, m) > 5 for m in sensible)
            else:
                assert not sensible
            game.play(move)


@pytest.mark.parametrize("passes", [0, 1, 2])
def test_passes_before_a_playout_count(passes):
    game = from_text(". X O O O\nX X O . O\nX X O O O\nX X O . O\n. X O O O").core
    for _ in range(passes):
        game.play(game.points)

    moves = GoPolicy().playout_moves(game, 1)

    assert moves == [game.points] * (2 - passes)


def test_no_policy_of_go_is_for_havannah():
    assert GoPolicy().suits(Go(5))
    assert not GoPolicy().suits(Havannah(5))
    assert Policy().suits(Havannah(5))


# Settings


@pytest.mark.parametrize("name", DEFAULTS)
def test_each_setting_has_its_limits(name):
    assert GoPolicy(**{name: 0})
    assert GoPolicy(**{name: 1000})
    for wrong in (-1, 1001):
        with pytest.raises(ValueError, match=f"^{name} {wrong}: 0 to 1000 is allowed$"):
            GoPolicy(**{name: wrong})


@pytest.mark.parametrize("name", ["playout_luck", "prior_luck", "save", "", "playout_"])
def test_unknown_settings_are_refused_with_the_known_ones(name):
    with pytest.raises(ValueError, match=f"^unknown setting '{name}': allowed are {STEPS[0]}, "):
        GoPolicy(**{name: 1})


BESIDE_AN_ENEMY = Patterns([(1.0, [(1, 0, "O")])])
NEEDS = {
    "playout_biased": {"patterns": BESIDE_AN_ENEMY},
    "playout_ladder": {"playout_save": 100},
    "playout_seki": {"playout_careful": 100},
    "playout_semeai": {"playout_settle": 100},
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_each_setting_is_of_some_use(name):
    """No setting is a word without a meaning: it changes playouts or priors somewhere."""
    # Some settings say more of another one, or of patterns.
    base = NO_STEPS | NO_PRIORS | NEEDS.get(name, {})
    none, only = GoPolicy(**base), GoPolicy(**base | {name: 100})

    def differs(seed):
        game = started(9, 1 + seed % 100, seed)
        if game.is_over:
            return False
        return (
            none.playout_moves(game, seed) != only.playout_moves(game, seed)
            or none.advice(game).tolist() != only.advice(game).tolist()
        )

    assert any(differs(seed) for seed in range(300))


# The steps of a playout: Black has just moved, and White answers


def answers(diagram, last, settings, count=200, to_play="black"):
    """Return how often which first moves follow on a move in a diagram."""
    core = from_text(diagram, to_play=to_play, superko="simple").core
    core.play(core.number(last))
    policy = GoPolicy(**NO_STEPS | settings)
    return Counter(core.name(policy.playout_moves(core, seed)[0]) for seed in range(count))


# White's two stones on the left have two liberties, A3 and B4 apart.
RUN = """
    . . . . . . .
    . . . . . . .
    . . X . . . .
    . X O . . . .
    . . X . . . .
    . . . . . . .
    . . . . . . ."""


def test_save_runs_out_of_an_atari():
    # D4 was open; now Black's G7 is far away, and nothing is in atari: C4 has a single liberty.
    assert set(answers(RUN.replace("X O .", ". O ."), "B4", {"playout_save": 100})) == {"D4"}


def test_save_runs_or_captures_what_attacks():
    diagram = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        O X O . . . .
        . O X . . . .
        . . . . . . ."""

    found = answers(diagram, "C4", {"playout_save": 100}, count=1000)

    # B4 takes B3, which is itself in atari; both are equally likely.
    assert set(found) == {"B4", "D3"}
    assert abs(found["B4"] - 500) < 80


def test_save_counts_a_run_that_captures_once():
    diagram = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        O X O . . . .
        . O X X O . .
        . . O O . . ."""

    found = answers(diagram, "C4", {"playout_save": 100}, count=1000)

    assert set(found) == {"B4", "D3"}
    assert abs(found["B4"] - 500) < 80


def test_save_captures_stones_that_put_themselves_in_atari():
    diagram = """
        . . . . .
        . . . . .
        . . . . .
        O O . . .
        . . O . ."""

    assert set(answers(diagram, "A1", {"playout_save": 100})) == {"B1"}


def test_save_does_not_run_where_it_stays_in_atari():
    diagram = """
        . . . . .
        . . . . .
        X X X X .
        O O O . X
        X X X X ."""
    # At D2 White would have no liberty but none: the chain is caught, so the move is any other.
    found = answers(diagram, "E4", {"playout_save": 100})
    assert len(found) > 3


def test_nothing_is_saved_without_the_step():
    found = answers(RUN.replace("X O .", ". O ."), "B4", {})

    assert len(found) > 20


def test_saving_may_leave_out_ladders():
    diagram = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X . . . . .
        X O . . . . .
        . . X . . . ."""

    run = answers(diagram, "B1", {"playout_save": 100})
    read = answers(diagram, "B1", {"playout_save": 100, "playout_ladder": 100})

    assert set(run) == {"C2"}
    assert len(read) > 20


SHAPE = """
    . . . . .
    . . . . .
    . X O . .
    . . . . .
    . . . . ."""


def test_shape_answers_beside_the_last_move():
    core = from_text(SHAPE, superko="simple").core
    core.play(core.number("D3"))

    found = answers(SHAPE, "D3", {"playout_shape": 100})

    around = {f"{column}{row}" for column in "CDE" for row in (2, 3, 4)}
    expected = {
        name
        for name in around - {"C3", "D3"}
        if inside.is_shape(core, core.number(name))
        and not inside.atari_left_by(core, core.number(name))
    }
    assert set(found) == expected
    assert expected


# White's chain at the bottom is in atari from the start, and the last move is far away.
HANGING = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    O O . . . . .
    X X . . . . ."""


def test_capture_takes_what_was_left_in_atari():
    assert set(answers(HANGING, "G7", {"playout_capture": 100})) == {"C1"}
    assert len(answers(HANGING, "G7", {})) > 20


def test_capture_takes_what_came_into_atari_during_the_playout():
    policy = GoPolicy(**NO_STEPS | {"playout_capture": 100})
    reference = 0
    for seed in range(30):
        game = started(7, 20, seed)
        if game.is_over:
            continue
        for move in policy.playout_moves(game, seed):
            reference += len(inside.captures_at(game, move)) > 0 if move < game.points else 0
            game.play(move)
    assert reference > 30


@pytest.mark.parametrize(
    ("size", "seeds"),
    [(5, 20), (9, 8), (19, 1), pytest.param(19, 3, marks=pytest.mark.proof)],
)
def test_nothing_in_atari_is_ever_forgotten(size, seeds):
    policy = GoPolicy(**NO_STEPS | {"playout_capture": 100})
    captures = 0
    for seed in range(seeds):
        game = started(size, size * size // 3, seed)
        moves = [] if game.is_over else policy.playout_moves(game, seed)
        for move in moves:
            known = {name for name, said in advice_of(game, capture=1).items() if said != NOTHING}
            captures += len(known) > 0
            assert not known or game.name(move) in known, f"{game.draw()} {game.name(move)}"
            game.play(move)
    assert captures > 50


def test_a_capture_that_would_retake_a_ko_is_not_made():
    diagram = """
        . X O . .
        X . X O .
        . X O . .
        . . . . .
        . . . . ."""
    # White takes at B4; Black may not take back at C4 at once.
    for settings in ({"playout_capture": 100}, {"playout_save": 100}, {"playout_careful": 100}):
        assert "C4" not in answers(diagram, "B4", settings, to_play="white")


# White takes three stones at D1.
TAKEN = """
    . . . . .
    . . . . .
    . . . . .
    O O O O .
    X X X . O"""


def test_nakade_plays_the_vital_point_of_what_was_taken():
    assert set(answers(TAKEN, "D1", {"playout_nakade": 100}, to_play="white")) == {"B1"}
    assert len(answers(TAKEN, "D1", {}, to_play="white")) > 5


def test_nakade_leaves_larger_spaces_and_those_of_two_colours_alone():
    for diagram, last in ((TAKEN.replace("O O O O", ". O O O"), "D1"), (TAKEN, "E5")):
        found = answers(diagram, last, {"playout_nakade": 100}, to_play="white")
        assert len(found) > 5


# A rectangle of six in the corner. Only at J2, on the edge, does White kill, and by that it wins.
RECTANGLE = """
    X X X X O O . O O
    . X X X O O O O O
    X X . X O . O . O
    X X X X O O O O O
    X X X X O O X O O
    X X X X O O X X X
    X . X X O . X . .
    X X X X O O X . .
    X X . X O O X . ."""


@pytest.mark.parametrize("settings", [{}, NO_EYES], ids=["default", "without"])
def test_a_search_kills_in_the_corner_by_its_vital_points(settings):
    core = from_text(RECTANGLE, to_play="white", komi=4.5, superko="simple").core
    for seed in range(3):
        search = Search(
            core,
            GoPolicy(**settings),
            rave=1000,
            exploration=0,
            first_play_urgency=1,
            explore_every=8,
        )
        search.run(1000, seed)
        best = max(search.children(), key=lambda child: int(child["visits"]))
        kills = core.name(int(best["move"])) == "J2"
        assert kills == (settings == {})
        # Results are those of Black.
        assert (best["results"] < best["visits"]) == kills


# All but the middle is settled. At the top Black's stones in White's eye space have two liberties.
FILLED = """
    X O X X X X O X .
    X O O . . O O X X
    X X O O O O X X .
    X X X X X X X X X
    O O O O O O O O O
    O . O O O O O . O
    O O O O O O O O O
    O . O O O O O . O
    O O O O O O O O O"""


def given_away(diagram, **settings):
    """Return how often which first moves are played where nothing else is left."""
    core = from_text(diagram, superko="simple").core
    policy = GoPolicy(**NO_STEPS | {"playout_careful": 100} | settings)
    return Counter(core.name(policy.playout_moves(core, seed)[0]) for seed in range(100))


def test_seki_gives_no_stones_away_that_leave_two_eyes():
    # Five in that shape leave room for two eyes: the position is a seki.
    assert set(given_away(FILLED)) == {"D8", "E8"}
    assert set(given_away(FILLED, playout_seki=100)) == {"pass"}
    assert set(given_away(FILLED.replace("X X X X O X .", "X X X O O X ."), playout_seki=100)) == {
        "D8"
    }


def test_careful_moves_put_nothing_of_their_own_in_atari():
    policy = GoPolicy(**NO_STEPS | {"playout_careful": 100})
    left = Counter()
    for seed in range(60):
        game = started(7, 20, seed)
        if game.is_over:
            continue
        for move in policy.playout_moves(game, seed):
            if move < game.points:
                size = inside.atari_left_by(game, move)
                quiet = [
                    m
                    for m in game.sensible_moves()
                    if m < game.points and not inside.atari_left_by(game, m)
                ]
                if size and not is_surrounded(game, move):
                    assert not quiet
                    assert size <= 5
                left[size] += 1
            game.play(move)
    assert left[0] > 1000
    assert left[1] > 0


def is_surrounded(game, move):
    """Tell whether all neighbours are stones of one colour: careful play does not ask there."""
    row, column = divmod(move, game.size)
    around = {
        game.color(r * game.size + c)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        if 0 <= r < game.size and 0 <= c < game.size
    }
    return len(around) == 1 and 0 not in around


@pytest.mark.parametrize(
    ("setting", "diagram", "last", "answer"),
    [
        ("playout_save", RUN.replace("X O .", ". O ."), "B4", "D4"),
        ("playout_capture", HANGING, "G7", "C1"),
    ],
)
@pytest.mark.parametrize("percent", [10, 50, 90])
def test_chances_are_in_percent(setting, diagram, last, answer, percent):
    found = answers(diagram, last, {setting: percent}, count=4000)

    # Otherwise one of more than 40 moves follows at random. Five standard deviations of the share.
    random_hits = (1 - percent / 100) / 43
    assert found[answer] / 4000 == pytest.approx(percent / 100 + random_hits, abs=0.04)


def test_biased_plays_what_the_patterns_like_best_near_the_last_move():
    # A point beside Black's stone is good, one beside two of them is better.
    patterns = Patterns([(1.0, [(1, 0, "O")]), (1.5, [(1, 0, "O"), (0, 1, "O")])])
    diagram = ". . . . . . .\n" * 3 + ". . . X . . .\n" + ". . . . . . .\n" * 3
    settings = {"playout_biased": 100, "patterns": patterns}

    assert set(answers(diagram, "C3", settings)) <= {"C4", "D3"}
    assert len(answers(diagram, "C3", {"patterns": patterns})) > 20


@pytest.mark.parametrize("last", ["A4", "G4", "D1", "D7", "A1", "G1", "A7", "G7", "B2", "F3"])
def test_biased_looks_no_further_than_two_rows_and_columns(last):
    # All points on the edge are good, so any that is looked at by mistake shows.
    policy = GoPolicy(
        **NO_STEPS | {"playout_biased": 100, "patterns": Patterns([(1.0, [(1, 0, "#")])])}
    )
    core = Go(7)
    core.play(core.number(last))
    row, column = divmod(core.number(last), 7)

    for seed in range(20):
        answer = divmod(policy.playout_moves(core, seed)[0], 7)
        assert abs(answer[0] - row) <= 2
        assert abs(answer[1] - column) <= 2


def test_patterns_bias_the_candidates():
    core = started(7, 20, 4)
    moves = [move for move in core.sensible_moves() if move < core.points]
    patterns = Patterns(
        [(0.25, [(1, 0, "O")]), (-1.5, [(1, 0, "X"), (0, 1, ".")]), (1e3, [(1, 1, "#")])]
    )

    table = GoPolicy(patterns).advice(core)

    expected = [max(-32000, min(32000, round(1000 * bias))) for bias in patterns.at(core, moves)]
    assert dict(zip(table["move"].tolist(), table["bias"].tolist(), strict=True)) == {
        **dict(zip(moves, expected, strict=True)),
        core.points: 0,
    }
    assert {32000, 0} < set(expected)


def test_threads_get_the_advice_of_their_own_positions():
    policy = GoPolicy(BESIDE_AN_ENEMY)
    game = Go(7)
    search = Search(game, policy, bias=1, rave=100, exploration=0, first_play_urgency=1)
    search.run(4000, 1, threads=8)
    nodes = search.tree.array()

    def walk(index, position):
        node = nodes[index]
        if node["children"] <= 0:
            return 0
        children = nodes[node["first_child"] : node["first_child"] + node["children"]]
        table = policy.advice(position)
        wins = table["wins"] if position.to_play == 1 else 2 * table["visits"] - table["wins"]
        assert children["move"].tolist() == table["move"].tolist()
        assert children["bias"].tolist() == table["bias"].tolist()
        assert children["prior_visits"].tolist() == table["visits"].tolist()
        assert children["prior_results"].tolist() == wins.tolist()
        assert set(children["player"].tolist()) == {position.to_play}
        count = 1
        for i in range(node["first_child"], node["first_child"] + node["children"]):
            if nodes[i]["children"] > 0:
                after = position.copy()
                after.play(int(nodes[i]["move"]))
                count += walk(i, after)
        return count

    assert walk(0, game) > 100


# Priors


def advice(diagram, last=None, before=(), **weights):
    """Return (visits, wins, heuristic) of the moves, as the default but for these weights."""
    game = from_text(diagram, superko="simple")
    for name in [*before, *([last] if last else [])]:
        game.play(name)
    return advice_of(game.core, **weights)


def advice_of(core, **weights):
    settings = NO_PRIORS | {f"prior_{name}": weight for name, weight in weights.items()}
    table = GoPolicy(**settings).advice(core)
    return {
        core.name(int(row["move"])): (int(row["visits"]), int(row["wins"]), int(row["heuristic"]))
        for row in table
    }


NOTHING = (0, 0, 0)


def other_than_nothing(found):
    return {name: said for name, said in found.items() if said != NOTHING}


def test_priors_are_for_all_sensible_moves_and_the_pass():
    for seed in range(40):
        game = started(6, seed, seed)
        if game.is_over:
            continue
        expected = set(game.sensible_moves()) | {game.points}

        table = GoPolicy().advice(game)

        assert set(table["move"].tolist()) == expected
        assert table["move"].tolist() == sorted(expected)
        assert (table["wins"] <= 2 * table["visits"]).all()
        assert not table["bias"].any()
        board = table[table["move"] < game.points]
        won = (board["wins"] - DEFAULTS["prior_even"]) / 2
        lost = board["visits"] - DEFAULTS["prior_even"] - won
        assert (board["heuristic"] == won - lost).all()


def test_nakade_prior_is_for_the_vital_points_of_both_sides():
    diagram = """
        . . O . X . .
        . O O . X X .
        O O . . . X X
        . . . . . . .
        . . . . . . .
        O O O . . . .
        . . O . . . ."""
    # A1 and B1 are a space of two.
    found = other_than_nothing(advice(diagram, nakade=7))
    assert found == {"A7": (7, 14, 7), "G7": (7, 14, 7)}


def test_an_even_prior_is_for_every_move():
    found = advice(". . .\n" * 3, even=12)

    assert found.pop("pass") == (12, 0, 0)
    assert set(found.values()) == {(12, 12, 0)}


def test_a_pass_after_a_pass_may_be_good():
    game = from_text(". . .\n" * 3)
    game.pass_()

    assert advice_of(game.core, even=12)["pass"] == (12, 12, 0)


CAPTURES = """
    O X . . . . .
    . . . . . . .
    . . . X X . .
    . . X O O X .
    . . . X . . .
    . . . . . . .
    . . . . . . ."""


def test_captures_are_good_and_those_of_more_stones_better():
    found = other_than_nothing(advice(CAPTURES, capture=7))

    assert found == {"A6": (7, 14, 7), "E3": (14, 28, 14)}


ESCAPES = """
    . . . . . . .
    . X . . . . .
    X O . . . . .
    . X . . . . .
    . . X X . . .
    . X O O . . .
    . . X X . . ."""


def test_escapes_are_good_and_those_of_more_stones_better():
    found = other_than_nothing(advice_white(ESCAPES, escape=6))

    assert found == {"C5": (6, 12, 6), "E2": (12, 24, 12)}


def advice_white(diagram, **weights):
    core = from_text(diagram, to_play="white", superko="simple").core
    return advice_of(core, **weights)


IN_A_LADDER = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . X . . . . .
    X O . . . . .
    . X X . . . ."""


def test_running_into_a_ladder_is_bad():
    assert other_than_nothing(advice_white(IN_A_LADDER, escape=6, ladder=4)) == {"C2": (4, 0, -4)}


def test_running_is_good_where_the_ladder_breaks():
    broken = IN_A_LADDER.replace(". . . . . . .", ". . . . O . .", 3)

    assert other_than_nothing(advice_white(broken, escape=6, ladder=4)) == {"C2": (6, 12, 6)}


def test_staying_in_atari_is_bad():
    diagram = """
        . . . . .
        . . . . .
        . . . . .
        X X . . .
        . . X . ."""

    # A1 and B1 stay in atari; a capture would not.
    assert other_than_nothing(advice_white(diagram, atari=5)) == {
        "A1": (5, 0, -5),
        "B1": (5, 0, -5),
    }


def test_a_capture_is_never_bad_for_staying_in_atari():
    ko = """
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . ."""

    assert advice(ko, atari=5)["C4"] == NOTHING
    # What is taken had B4 in atari.
    assert advice(ko, atari=5, capture=3)["C4"] == (6, 12, 6)


def test_priors_add_up():
    found = advice_white(ESCAPES, even=10, escape=6, atari=5)
    liked = advice_white(ESCAPES, expert=100)

    assert found["C5"] == (16, 22, 6)
    assert found["G7"] == (10, 10, 0)
    both = advice_white(ESCAPES, even=10, escape=6, atari=5, expert=100)
    for name, said in both.items():
        assert said == tuple(x + y for x, y in zip(found[name], liked[name], strict=True))


def test_where_a_pass_is_the_only_move_the_move_model_is_silent():
    game = Go(3)
    for name in ("A2", "A3", "B1", "B2", "C1", "C2", "C3"):
        game.play(game.number(name))
        game.play(game.points)  # white passes

    without = GoPolicy(prior_expert=0).advice(game)

    assert without["move"].tolist() == [game.points]
    assert GoPolicy(prior_expert=500).advice(game).tolist() == without.tolist()


def test_a_finished_game_has_no_candidates():
    game = Go(5)
    game.play(25)
    game.play(25)

    assert len(GoPolicy().advice(game)) == 0
    assert len(Policy().advice(game)) == 0


def test_the_policy_without_opinions_has_none():
    for game in (Go(5), Havannah(4), started(5, 12, 3)):
        table = Policy().advice(game)
        moves = table["move"].tolist()
        assert moves == sorted({*game.sensible_moves()} | ({25} if isinstance(game, Go) else set()))
        for name in ("heuristic", "visits", "wins", "bias"):
            assert not table[name].any()
        assert Policy().playout_moves(game, 3) == game.playout_moves(3)
        assert Policy().playouts(game, 50, 3)[:4] == game.playouts(50, 3)[:4]
