"""The expert move model: plain transcriptions, what it must prefer, files, learning."""

import gzip
import random
from collections import Counter
from functools import cache
from itertools import product
from math import exp, prod, sqrt

import pytest
from core_inside import inside

from cext import go_move_model
from cext.go import Go
from cext.go_move_model import CELLS, TABLES, MoveModel, codes_at, codes_of, drawn, observed
from cext.go_policy import DEFAULTS, GoPolicy
from mcts_cluster import games
from mcts_cluster.__main__ import main
from mcts_cluster.errors import UserError
from mcts_cluster.games import from_text, sgf
from mcts_cluster.players import move_model, move_model_training
from mcts_cluster.players.mcts import EXPERTS, NONE, Mcts

# Nothing else has an opinion.
EXPERT_ONLY = {name: 0 for name in DEFAULTS if name.startswith("prior_")} | {"prior_expert": 1000}


# The base model, word for word


def position(size, plies, seed):
    """Return a game after some random moves, passes among them, and its last two moves."""
    game, chance, last = Go(size, superko="simple"), random.Random(seed), [None, None]
    for _ in range(plies):
        move = game.points if chance.random() < 0.02 else chance.choice(game.sensible_moves())
        if game.passes == 1 and move == game.points:
            break
        game.play(move)
        last = [move if move < game.points else None, last[0]]
    return game, *last


def neighbours(game, move):
    row, column = divmod(move, game.size)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * game.size + c for r, c in around if 0 <= r < game.size and 0 <= c < game.size]


def chain(game, move):
    found = [move]
    for stone in found:
        same = [n for n in neighbours(game, stone) if game.color(n) == game.color(move)]
        found += [n for n in same if n not in found]
    return found


def liberties(game, move):
    return {n for s in chain(game, move) for n in neighbours(game, s) if not game.color(n)}


def tactics(game, move):
    me, enemy = game.to_play, 3 - game.to_play
    after = game.copy()
    after.play(move)
    around = neighbours(game, move)
    mine = [n for n in around if game.color(n) == me]
    theirs = [n for n in around if game.color(n) == enemy]
    taken = [n for n in theirs if not after.color(n)]

    def captured(stone):
        beside = {n for s in chain(game, stone) for n in neighbours(game, s)}
        if any(game.color(n) == me and len(liberties(game, n)) == 1 for n in beside):
            return 3
        return min(2, len(chain(game, stone)))

    # Stones that are met from several sides are counted as often, but one is one.
    in_peril = len(liberties(after, move)) == 1 and not any(
        len(chain(game, stone)) > 1 for stone in taken
    )

    def escaped(stone):
        if in_peril or inside.in_ladder(game, stone):
            return 1
        return 2 if len(chain(game, stone)) == 1 else 3

    return {
        "capture": max(map(captured, taken), default=0),
        "escape": max((escaped(n) for n in mine if len(liberties(game, n)) == 1), default=0),
        "peril": (1 + (len(chain(after, move)) > 1)) if in_peril else 0,
        "attack": int(any(len(liberties(game, n)) == 2 for n in theirs)),
    }


@cache
def letters():
    """Return the letter of each surrounding, a 3x3 drawing of X to move, by symmetry."""
    codes = {}
    # The order is that of the numbers made of the colours at these places, the last one first.
    places = (7, 3, 5, 1, 6, 8, 0, 2)

    def number(drawing):
        return sum(".XO#".index(drawing[p]) << 2 * i for i, p in enumerate(places))

    def turns(drawing):
        for _ in range(4):
            drawing = "".join(drawing[i] for i in (6, 3, 0, 7, 4, 1, 8, 5, 2))
            yield drawing
            yield "".join(drawing[i] for i in (2, 1, 0, 5, 4, 3, 8, 7, 6))

    for off in ("", "678", "03678"):
        free = [i for i in range(9) if i != 4 and str(i) not in off]
        for choice in range(3 ** len(free)):
            drawing = ["#" if str(i) in off else "*" for i in range(9)]
            for i in free:
                choice, color = divmod(choice, 3)
                drawing[i] = ".XO"[color]
            same = list(turns("".join(drawing)))
            codes[min(map(number, same))] = same
    return {
        drawing: letter
        for (_, same), letter in zip(sorted(codes.items()), go_move_model.BASE_SHAPES, strict=True)
        for drawing in same
    }


def shape(game, move):
    row, column = divmod(move, game.size)
    colors = ".XO" if game.to_play == 1 else ".OX"
    drawing = ""
    for r in (row + 1, row, row - 1):
        for c in (column - 1, column, column + 1):
            on_board = 0 <= r < game.size and 0 <= c < game.size
            color = colors[game.color(r * game.size + c)] if on_board else "#"
            drawing += "*" if (r, c) == (row, column) else color
    letter = letters()[drawing]
    return ord(letter) - ord("#") - 45 - (letter > "\\")


def far(game, move, other):
    if other is None:
        return 0
    (row, column), (r, c) = divmod(move, game.size), divmod(other, game.size)
    along, across = abs(row - r), abs(column - c)
    return min(12, along + across + max(along, across))


def line(game, move):
    row, column = divmod(move, game.size)
    most = 4 if game.size > 13 else 3
    from_edge = min(row, column, game.size - 1 - row, game.size - 1 - column, most)
    stones = [divmod(m, game.size) for m in range(game.points) if game.color(m)]
    nearest = min((max(abs(r - row), abs(c - column)) for r, c in stones), default=9)
    return go_move_model.FROM_EDGE[0 if nearest <= 2 else 1 if nearest == 3 else 2][from_edge]


def transcribed(game, last, before):
    """Return how likely each move is."""
    found = {}
    for move in game.sensible_moves():
        if move < game.points:
            tenths = shape(game, move) + line(game, move)
            tenths += sum(
                go_move_model.TACTICS[name][kind] for name, kind in tactics(game, move).items()
            )
            tenths += (
                go_move_model.FROM_LAST_MOVE[far(game, move, last)]
                + go_move_model.FROM_MOVE_BEFORE[far(game, move, before)]
            )
            found[move] = exp(tenths / 10)
    total = sum(found.values())
    return {move: product / total for move, product in found.items()}


def expert_visits(game, **weights):
    """Return the won visits of each move, as the policy has them."""
    table = GoPolicy(**EXPERT_ONLY | weights).advice(game)
    assert (table["wins"] == 2 * table["visits"]).all()
    assert (table["heuristic"] == table["visits"]).all()
    found = dict(zip(table["move"].tolist(), table["visits"].tolist(), strict=True))
    assert found.pop(game.points) == 0
    return found


@pytest.mark.parametrize("size", [3, 5, 9, 13, 15, 19, 25])
def test_moves_are_as_likely_as_the_model_says(size):
    for seed in range(12):
        game, last, before = position(size, random.Random(seed).randrange(2 * size * size), seed)
        if game.is_over:
            continue
        expected = {
            move: 1000 * sqrt(likely) for move, likely in transcribed(game, last, before).items()
        }

        found = expert_visits(game)

        assert found.keys() == expected.keys()
        for move, visits in found.items():
            assert visits == pytest.approx(expected[move] - 0.5, abs=0.51), game.name(move)


def test_half_the_weight_is_half_the_visits():
    game, *_ = position(9, 30, 1)

    whole, half = expert_visits(game), expert_visits(game, prior_expert=500)

    assert all(abs(half[move] - visits / 2) <= 1 for move, visits in whole.items())
    assert max(half.values()) > 50


# The factors written by hand, word for word


BY_HAND = EXPERT_ONLY | {"prior_expert": 0, "prior_heuristic": 1000}


def near(game, move, other):
    """Return 6 next to another move, then less; 0 from a distance of 8, and for no other move."""
    return 0 if other is None else max(0, 8 - far(game, move, other))


def away_from_stones(game, move):
    """Return 1 on the third and fourth line and -1 on others, 0 with a stone within two lines."""
    row, column = divmod(move, game.size)
    stones = [divmod(m, game.size) for m in range(game.points) if game.color(m)]
    if any(max(abs(r - row), abs(c - column)) <= 2 for r, c in stones):
        return 0
    from_edge = min(row, column, game.size - 1 - row, game.size - 1 - column)
    return 1 if from_edge in (2, 3) else -1


def by_hand(game, last, before):
    """Return the tenths of the logarithm of each move's factor, and what they are for."""
    found, kinds = {}, set()
    for move in game.sensible_moves():
        if move == game.points:
            continue
        does = tactics(game, move)
        quiet = not does["peril"]
        place = away_from_stones(game, move)
        found[move] = (
            {0: 0, 1: 15, 2: 20, 3: 20}[does["capture"]]
            + {0: 0, 1: -15, 2: 15, 3: 20}[does["escape"]]
            + ({0: 0, 1: -10, 2: -25}[does["peril"]] if not does["capture"] else 0)
            + 5 * does["attack"]
            + (14 if quiet and inside.is_shape(game, move) else 0)
            + 3 * near(game, move, last)
            + near(game, move, before)
            + 18 * place
        )
        kinds |= set(does.items()) | {("place", place), ("shape", inside.is_shape(game, move))}
    return found, kinds


def test_moves_are_as_likely_as_the_factors_written_by_hand_say():
    seen = set()
    for size in (2, 3, 5, 9, 13, 15, 19, 25):
        for seed in range(12):
            # In some of them there is much empty space.
            plies = seed if seed < 3 else random.Random(seed).randrange(2 * size * size)
            game, last, before = position(size, plies, seed)
            if game.is_over:
                continue
            tenths, kinds = by_hand(game, last, before)
            total = sum(exp(tenth / 10) for tenth in tenths.values())

            found = expert_visits(game, **BY_HAND)

            assert found.keys() == tenths.keys()
            for move, visits in found.items():
                expected = 1000 * sqrt(exp(tenths[move] / 10) / total)
                assert visits == pytest.approx(expected - 0.5, abs=0.51), game.name(move)
            seen |= kinds
    every = {"capture": 4, "escape": 4, "peril": 3, "attack": 2, "place": (-1, 0, 1), "shape": 2}
    for name, values in every.items():
        values = range(values) if isinstance(values, int) else values
        assert {value for known, value in seen if known == name} == set(values)


def test_both_probabilities_add_up():
    game, *_ = position(9, 30, 1)

    of_experts = expert_visits(game)
    heuristic = expert_visits(game, **BY_HAND)
    both = expert_visits(game, **BY_HAND | {"prior_expert": 1000})

    assert of_experts != heuristic
    assert both == {move: visits + heuristic[move] for move, visits in of_experts.items()}


def test_away_from_stones_the_third_and_fourth_line_are_likely():
    game = Go(19)
    game.play(game.number("K10"))

    found = expert_visits(game, **BY_HAND)
    visits = {name: found[game.number(name)] for name in ("D3", "E4", "C1", "D2", "E5", "K11")}

    # Next to the last move, and on the third and fourth line, a factor is e to 1.8.
    assert visits["D3"] == visits["E4"] == visits["K11"]
    assert visits["C1"] == visits["D2"] == visits["E5"]
    assert visits["D3"] / visits["D2"] == pytest.approx(exp(1.8), rel=0.1)


def test_moves_next_to_the_last_one_are_likelier_and_next_to_the_one_before_a_little():
    game = Go(19)
    for name in ("D10", "Q10"):
        game.play(game.number(name))

    found = expert_visits(game, **BY_HAND)
    visits = [found[game.number(name)] for name in ("Q11", "R11", "R12", "D11", "E11", "E12")]

    assert visits == sorted(visits, reverse=True)
    assert len(set(visits)) > 4


# What experts play


def beside(game, last):
    """Return how likely a playout's step `near` plays each move, and that it plays none."""
    row, column = divmod(last, game.size)
    around = [
        (r * game.size + c, 0.3 if r == row or c == column else 0.0)
        for r in (row - 1, row, row + 1)
        for c in (column - 1, column, column + 1)
        if 0 <= r < game.size and 0 <= c < game.size and not game.color(r * game.size + c)
    ]
    # What is no move, or a bad one, is drawn in vain; but nobody looks at the ko.
    shares = {m: int(20 * exp(shape(game, m) / 10 + more)) for m, more in around}
    shares.pop(game.ko, None)
    total = 20 + sum(shares.values())
    sensible = set(game.sensible_moves())
    found = {
        m: share / total
        for m, share in shares.items()
        if m in sensible and not inside.atari_left_by(game, m)
    }
    return found, 1 - sum(found.values())


@pytest.mark.parametrize("seed", range(12))
def test_playouts_answer_beside_the_last_move_as_experts_do(seed):
    game, last, _ = position(7, 8 + seed, seed)
    steps = {name: 0 for name in DEFAULTS if name.startswith("playout_")}
    policy = GoPolicy(**steps | {"playout_near": 100})
    count = 3000

    found = Counter(policy.playout_moves(game, n)[0] for n in range(count))

    shares, other = beside(game, last)
    sensible = game.sensible_moves()
    assert shares
    for move in sensible:
        expected = shares.get(move, 0) + other / len(sensible)
        error = sqrt(count * expected * (1 - expected))
        assert abs(found[move] - count * expected) < 4.5 * error + 1
    assert set(found) <= set(sensible)


def likely(diagram, *moves):
    """Return the won visits of all moves after some, by name."""
    game = from_text(diagram, superko="simple")
    for name in moves:
        game.play(name)
    return {game.core.name(move): visits for move, visits in expert_visits(game.core).items()}


EMPTY = ". . . . . . . . .\n" * 9


def test_experts_begin_on_the_third_line_rather_than_below():
    found = likely(EMPTY)

    assert found["C3"] == found["G7"] == max(found.values())
    assert all(found[low] < found["C3"] / 5 for low in ("A1", "A5", "B2", "B5", "J9"))


def test_experts_answer_near_the_last_move():
    found = likely(EMPTY, "C3", "G7")

    assert found["G6"] > 1.4 * found["C6"]


def test_experts_capture_what_attacks_their_stones():
    found = likely("""
        . . . . . . .
        . . . . . . .
        . . . X . . .
        . O X O X . .
        . . O . . . .
        . . . . . . .
        . . . . . . .""")

    # D3 takes D4, which has C4 in atari.
    assert found["D3"] == max(found.values()) > 2 * found["E3"]


def test_both_colors_and_all_symmetries_are_alike():
    black = likely(EMPTY, "C4", "D5", "G3")
    turned = likely(EMPTY, "pass", "D7", "E6", "C3")

    # A quarter turn: A1 goes to A9, B1 to A8.
    columns = "ABCDEFGHJ"
    assert turned == {
        name if name == "pass" else f"{columns[int(name[1]) - 1]}{9 - columns.index(name[0])}": won
        for name, won in black.items()
    }


# The model of a file

TURNS = [
    lambda r, c, swap=swap, up=up, right=right: (
        up * (c if swap else r),
        right * (r if swap else c),
    )
    for swap, up, right in product((False, True), (1, -1), (1, -1))
]


# The model of a file, word for word


def steps(game, move, color):
    """Return how far the nearest stone of a colour is."""
    row, column = divmod(move, game.size)
    stones = [divmod(m, game.size) for m in range(game.points) if game.color(m) == color]
    return min([9, *(abs(r - row) + abs(c - column) for r, c in stones)])


def zone(game, move):
    lines = sorted(min(i, game.size - 1 - i) for i in divmod(move, game.size))
    nearest = min(steps(game, move, 1), steps(game, move, 2))
    kind = 0 if nearest <= 2 else 1 if nearest <= 4 else 2 if nearest <= 6 else 3
    return (kind * 6 + min(lines[0], 5)) * 8 + min(lines[1], 7)


def distances(game, move):
    line = min(min(i, game.size - 1 - i) for i in divmod(move, game.size))
    own, enemy = steps(game, move, game.to_play), steps(game, move, 3 - game.to_play)
    return (own * 10 + enemy) * 5 + min(line, 4)


def seen_from(game, move, other):
    """Return where a point lies from another one: points 1, 2, 3 ... are that one, the one beside,
    the diagonal one, and so on row by row of an eighth of the board; 22 are all farther ones."""
    if other is None:
        return 0
    (row, column), (its_row, its_column) = divmod(move, game.size), divmod(other, game.size)
    apart = abs(row - its_row), abs(column - its_column)
    eighth = [(more, less) for more in range(6) for less in range(more + 1)]
    place = (max(apart), min(apart))
    return eighth.index(place) + 1 if place in eighth else 22


def answer(game, move, last, before):
    return seen_from(game, move, last) * 23 + seen_from(game, move, before)


def fight(game, move, last):
    around = neighbours(game, move)
    chains = {min(chain(game, n)): liberties(game, n) for n in around if game.color(n)}
    own = [len(chains[c]) for c in chains if game.color(c) == game.to_play]
    enemy = [len(chains[c]) for c in chains if game.color(c) == 3 - game.to_play]
    theirs = [n for n in around if game.color(n) == 3 - game.to_play]
    captured = [n for n in theirs if len(liberties(game, n)) == 1]
    free = [n for n in around if not game.color(n)]
    after = len(free) + sum(count - 1 for count in own) + len(captured)
    weakest = [min(5, min(counts, default=0)) for counts in (enemy, own)]
    near = min(seen_from(game, move, last), 11)
    return ((near * 7 + min(after, 6)) * 6 + weakest[0]) * 6 + weakest[1]


def drawing(game, move, turn=TURNS[0], count=36):
    row, column = divmod(move, game.size)
    colors = ".XO" if game.to_play == 1 else ".OX"
    found = ""
    for along, across in CELLS[:count]:
        up, right = turn(along, across)
        r, c = row + up, column + right
        on_board = 0 <= r < game.size and 0 <= c < game.size
        found += colors[game.color(r * game.size + c)] if on_board else "#"
    return found


def empty_points(game):
    return [move for move in range(game.points) if not game.color(move)]


def some_positions(size, count):
    for game, *_ in positions_and_last_moves(size, count):
        yield game


def positions_and_last_moves(size, count):
    for seed in range(count):
        game, last, before = position(size, random.Random(seed).randrange(size * size), seed)
        if not game.is_over:
            yield game, last, before


def test_the_cells_are_the_nearest_36():
    near = [(r, c) for r, c in product(range(-3, 4), repeat=2) if 0 < r * r + c * c < 13]

    assert sorted(CELLS) == sorted(cell for cell in near if cell not in [(3, 3)])
    lengths = [r * r + c * c for r, c in CELLS]
    assert lengths == sorted(lengths)
    assert (lengths[:20].count(5), lengths[20]) == (8, 8)


@pytest.mark.parametrize("size", [5, 14, 19, 25])
def test_points_have_the_factors_that_the_model_says(size):
    chance = random.Random(size)
    tables = {
        name: [chance.randrange(-60, 60) for _ in range(prod(table))]
        for name, table in TABLES.items()
    }
    for game, last, before in positions_and_last_moves(size, 6):
        numbers = {
            move: {
                "board_zone": zone(game, move),
                "stone_distance": distances(game, move),
                "last_moves": answer(game, move, last, before),
                "contact_liberties": fight(game, move, last),
            }
            for move in empty_points(game)
        }

        assert MoveModel(tables, []).factors(game) == {
            move: sum(tables[name][number] for name, number in numbers[move].items())
            for move in numbers
        }
        for name in TABLES:
            assert MoveModel({name: tables[name]}, []).factors(game) == {
                move: tables[name][numbers[move][name]] for move in numbers
            }


@pytest.mark.parametrize("size", [5, 19])
def test_shapes_count_wherever_they_are_however_they_are_turned(size):
    for game in some_positions(size, 5):
        moves = empty_points(game)
        chosen = random.Random(size).choice(moves)
        turn = random.Random(size + 1).choice(TURNS)
        small, large = drawing(game, chosen, turn, 20), drawing(game, chosen, turn)

        known = MoveModel({}, [(small, 7), (large, 30)])
        alone = MoveModel({}, [(large, 30)])

        def turned(move, count, game=game):
            return {drawing(game, move, turn, count) for turn in TURNS}

        assert known.factors(game) == {
            move: 7 * (small in turned(move, 20)) + 30 * (large in turned(move, 36))
            for move in moves
        }
        assert set(alone.factors(game).values()) == {0}
        assert known.shapes == 2


def test_what_is_observed_is_what_the_model_says():
    for game, last, before in positions_and_last_moves(19, 4):
        seen = observed(game)

        assert seen["move"].tolist() == [m for m in game.sensible_moves() if m < game.points]
        for row in random.Random(1).sample(seen.tolist(), 20):
            move, _, its_zone, its_distances, its_answer, its_fight, small, large = row
            assert (its_zone, its_distances) == (zone(game, move), distances(game, move))
            assert its_answer == answer(game, move, last, before)
            assert its_fight == fight(game, move, last)
            assert drawn(game, move) == drawing(game, move)
            assert (small, large) == codes_at(game, move)
            assert small == min(codes_of(drawing(game, move, count=20).encode()))
            assert large == min(codes_of(drawing(game, move).encode()))


@pytest.mark.parametrize("ask", [codes_at, drawn])
@pytest.mark.parametrize("move", [-1, 81, 10**6, 40])
def test_shapes_are_those_of_empty_points(ask, move):
    game = Go(9)
    game.play(40)

    with pytest.raises(ValueError, match=r"off the board|point 40 is not empty"):
        ask(game, move)


def test_a_model_of_nothing_has_no_factors():
    assert set(MoveModel.__new__(MoveModel).factors(Go(9)).values()) == {0}


def test_many_shapes_are_all_found():
    shapes, expected = {}, {}
    games_seen = list(some_positions(19, 8))
    for game in games_seen:
        for move in empty_points(game):
            shapes.setdefault(codes_at(game, move)[0], drawing(game, move, count=20))
    values = {code: number % 255 - 127 for number, code in enumerate(shapes)}
    known = MoveModel({}, [(drawing, values[code]) for code, drawing in shapes.items()])

    assert known.shapes > 1000
    for game in games_seen:
        expected = {move: values[codes_at(game, move)[0]] for move in empty_points(game)}
        assert known.factors(game) == expected


@pytest.mark.parametrize(
    ("tables", "shapes"),
    [
        ({"board_zone": [0] * 191}, []),
        ({"stone_distance": [0] * 501}, []),
        ({"other": [0]}, []),
        ({}, [("." * 21, 1)]),
        ({}, [("?" * 20, 1)]),
    ],
)
def test_what_is_no_model_is_refused(tables, shapes):
    with pytest.raises(ValueError, match=r"must|shorter|longer|not found"):
        MoveModel(tables, shapes)


def test_moves_are_as_likely_as_both_models_together_say():
    known = move_model.loaded(EXPERTS)
    for game, last, before in (position(19, 40, 1), position(19, 200, 2), position(15, 3, 3)):
        more = known.factors(game)
        likely = transcribed(game, last, before)
        products = {move: p * exp(more[move] / 10) for move, p in likely.items()}
        total = sum(products.values())

        table = GoPolicy(move_model=known, **EXPERT_ONLY).advice(game)

        visits = dict(zip(table["move"].tolist(), table["visits"].tolist(), strict=True))
        assert visits.pop(game.points) == 0
        assert visits.keys() == products.keys()
        for move, count in visits.items():
            assert count == pytest.approx(1000 * sqrt(products[move] / total) - 0.5, abs=0.52)


# The one of the package


def test_experts_begin_in_the_corners():
    game = Go(19)
    table = GoPolicy(move_model=move_model.loaded(EXPERTS), **EXPERT_ONLY).advice(game)

    best = table[table["visits"].argsort()[::-1]]["move"][:8].tolist()

    assert all(
        sorted(min(i, 18 - i) for i in divmod(move, 19)) in ([2, 3], [3, 3]) for move in best
    )


@pytest.mark.parametrize(("size", "has_one"), [(9, False), (13, False), (14, True), (19, True)])
def test_it_counts_on_large_boards(size, has_one):
    policy = Mcts().policy_for(Go(size))
    without = Mcts(move_model=NONE).policy_for(Go(size))

    assert (policy.move_model is move_model.loaded(EXPERTS)) == has_one
    assert without.move_model is None


# Files

TABLE_OF_ONES = {name: [1] * prod(table) for name, table in TABLES.items()}
TEXT = move_model.write(TABLE_OF_ONES, [("." * 20, 3)], "a remark\nin lines")


ALLOWED = "must be board_zone, stone_distance, last_moves, contact_liberties or a shape"


def test_a_table_that_a_file_has_not_says_nothing(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text(
        "\n".join(line for line in TEXT.splitlines() if "contact_liberties" not in line)
    )

    assert move_model.loaded(move_model.source(str(path))).factors(Go(19))[180] == 6


def test_a_file_is_written_and_read(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text(TEXT)

    found = move_model.source(str(path))

    assert (found.name, found.text) == (str(path), TEXT)
    assert TEXT.startswith("# a remark\n# in lines\nboard_zone 1 1 1 1 1 1 1 1\n")
    assert move_model.loaded(found).factors(Go(19))[180] == 7
    assert Mcts(move_model=found).policy_for(Go(19)).move_model is move_model.loaded(found)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("shape", "shade", f"line 654: {ALLOWED}"),
        ("." * 20 + " 3", "." * 20 + " 128", f"line 654: {ALLOWED}"),
        ("." * 20 + " 3", "." * 19 + "? 3", f"line 654: {ALLOWED}"),
        ("board_zone 1", "board_zone one", f"line 3: {ALLOWED}"),
        ("board_zone 1 1", "board_zone 1", "board_zone has 191 numbers, must be 192"),
        ("stone_distance 1", "", f"line 27: {ALLOWED}"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(old, new, says, tmp_path):
    path = tmp_path / "own.txt"
    path.write_text(TEXT.replace(old, new, 1))

    with pytest.raises(UserError) as found:
        move_model.source(str(path))
    assert str(found.value) == f"{path}, {says}" or str(found.value) == f"{path}: {says}"


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"none\.txt: .*No such file"):
        move_model.source(str(tmp_path / "none.txt"))


# Learning

# Some openings, again and again: all there is to learn.
OPENINGS = ["pd dp pp dd fq cn", "qd dd pq dq co ep", "pd dd pq dp fc cf", "qp cd dq pc qf ec"]


def collection(count):
    chance, texts = random.Random(3), []
    for _ in range(count):
        moves = chance.choice(OPENINGS).split()
        nodes = "".join(f";{'BW'[i % 2]}[{at}]" for i, at in enumerate(moves))
        texts.append(f"(;GM[1]SZ[19]KM[6.5]{nodes})")
    return "".join(texts)


def test_what_is_always_played_is_learnt():
    records = list(sgf.read_all(collection(60)))

    learnt = move_model_training.learn(records, 1, 3, lambda line: None)

    assert learnt.positions == 360
    assert learnt.tables.keys() == TABLES.keys() and all(map(any, learnt.tables.values()))
    assert learnt.after[0] > learnt.before[0] + 2
    again = move_model_training.learn(records, 1, 3, lambda line: None)
    assert again == learnt
    assert {len(drawing) for drawing, _ in learnt.shapes} == {20, 36}


def test_nothing_is_learnt_from_games_left_out():
    given = list(sgf.read_all(collection(move_model_training.TESTED - 1)))
    found = []
    for moves in ("aa bb cc dd ee ff", "sa rb qc pd oe nf"):
        nodes = "".join(f";{'BW'[i % 2]}[{at}]" for i, at in enumerate(moves.split()))
        left_out = list(sgf.read_all(f"(;SZ[19]{nodes})"))
        found.append(move_model_training.learn([*left_out, *given], 1, 1, lambda line: None))
    nodes = "".join(f";{'BW'[i % 2]}[{at}]" for i, at in enumerate(OPENINGS[0].split()))
    familiar = move_model_training.learn(
        [*sgf.read_all(f"(;SZ[19]{nodes})"), *given], 1, 1, lambda line: None
    )

    assert found[0].tables == found[1].tables == familiar.tables
    assert found[0].shapes == found[1].shapes == familiar.shapes
    assert familiar.after[0] > found[0].after[0] + 1


def test_what_is_no_known_shape_has_no_factor():
    shapes = move_model_training.Shapes(9)
    records = list(sgf.read_all(collection(20)))
    for game, move in move_model_training.moves_of(records):
        shapes.see(game, move)
    lessons = move_model_training.Lessons(shapes)
    for game, move in move_model_training.moves_of(records):
        lessons.see(game, move)
    model = move_model_training.Model(lessons)

    model.learn(model.first.argsort(), lambda line: None)

    assert model.weights[-1] == 0
    assert abs(model.weights).max() > 0.5


def test_shapes_count_that_were_made_often_enough():
    records = list(sgf.read_all(collection(40)))
    shapes = [
        move_model_training.learn(records, 9, least, lambda line: None).shapes
        for least in (4, 20, 999)
    ]

    assert len(shapes[0]) > len(shapes[1]) > len(shapes[2]) == 0


def test_a_game_is_learnt_from_up_to_what_is_no_move():
    [record] = sgf.read_all("(;SZ[19];B[dd];W[pp];B[dp];B[pd];W[qq])")
    [passed] = sgf.read_all("(;SZ[19];B[dd];W[];B[dp])")
    [again] = sgf.read_all("(;SZ[19];B[dd];W[dd];B[dp])")

    counts = [
        len([move for _, move in move_model_training.positions(r)]) for r in (record, passed, again)
    ]

    assert counts == [3, 1, 1]


def test_the_verb_learns_from_files_and_folders(tmp_path, capsys):
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "some.sgf").write_text(collection(20))
    (folder / "more.sgf.gz").write_bytes(gzip.compress(collection(20).encode()))
    (folder / "notes.txt").write_text("no game")
    out = tmp_path / "own.txt"

    assert main(["patterns", "learn", str(folder), "-o", str(out), "--every", "2"]) == 0

    said = capsys.readouterr().out
    assert said.startswith("40 games, ")
    assert said.strip() in out.read_text()
    assert move_model.loaded(move_model.source(str(out))).shapes > 4
    player = games.new("go", size=19).core
    assert Mcts(move_model=move_model.source(str(out))).policy_for(player).move_model


@pytest.mark.parametrize(
    ("text", "words", "says"),
    [
        ("(;SZ[9];B[dd])", (), "1 games, at least one must have more than 13 rows"),
        ("(;SZ[19];B[dd];W[pp])", (), "1 position of Go in 1 game: too few to learn from"),
        ("(;SZ[19", (), "some.sgf: SGF"),
        ("(;SZ[19];B[dd])", ("--every", "0"), "--every: 0 is too small, must be at least 1"),
    ],
)
def test_what_nothing_can_be_learnt_from_is_told(text, words, says, tmp_path, capsys):
    path, out = tmp_path / "some.sgf", tmp_path / "own.txt"
    path.write_text(text)

    assert main(["patterns", "learn", str(path), "-o", str(out), *words]) == 2

    assert says in capsys.readouterr().err
    assert not out.exists()
