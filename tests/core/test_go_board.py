"""The incremental board and its playouts: check() recomputes everything, counts show uniformity."""

import random
import time
from collections import Counter

import pytest
from conftest import rest_in_proof
from core_inside import inside
from hypothesis import given, settings
from hypothesis import strategies as st

from cext.go import Go
from cext.go_policy import GoPolicy
from cext.rng import Generator
from mcts_cluster.games import from_text, new

SIZES = rest_in_proof(range(2, 26), [2, 3, 4, 5, 6, 7, 8, 9, 13, 19, 25])


@pytest.mark.parametrize("size", SIZES)
def test_the_board_is_consistent_after_every_move_of_a_random_game(size):
    game = Go(size)
    moves = random.Random(size)

    while not game.is_over and game.ply < 2 * game.points:
        legal = game.legal_moves()
        # Any legal move, own eyes too; a pass now and then, two only where nothing else is left.
        passes = game.passes == 0 and moves.random() < 0.02
        game.play(legal[-1] if passes else moves.choice(legal[:-1] or legal))
        game.check()

    assert game.ply > game.points


@pytest.mark.parametrize("size", SIZES)
def test_the_board_is_consistent_after_every_move_of_a_playout(size):
    game = Go(size)

    for seed in range(60 // size + 1):
        moves = game.playout_moves(seed, check=True)

    assert moves[-2:] == [game.points] * 2 or len(moves) == 10 * game.points + 200


@settings(max_examples=60)
@given(st.integers(2, 13), st.integers(0, 300), st.integers(0, 2**64 - 1))
def test_playouts_from_any_position_are_consistent(size, plies, seed):
    game = Go(size)
    moves = random.Random(seed)
    while game.ply < plies and not game.is_over:
        game.play(moves.choice(game.legal_moves()[:-1] or [game.points]))

    for move in game.playout_moves(seed, check=True):
        assert 0 <= move <= game.points
    game.check()


@pytest.mark.parametrize(
    ("size", "playouts"), [(2, 1000), (3, 2000), (4, 1000), (5, 1000), (7, 300), (9, 200), (19, 8)]
)
def test_playouts_obey_the_rules_of_a_real_game(size, playouts):
    for seed in range(playouts):
        game = Go(size, superko="simple")

        # The pass only where no sensible move is left; no eyes filled; the same captures.
        for move in game.playout_moves(seed):
            assert move in game.sensible_moves()
            game.play(move)

        assert game.is_over or game.ply == 10 * game.points + 200


@pytest.mark.parametrize("size", [3, 5, 9])
def test_playouts_in_bulk_are_the_playouts_move_by_move(size):
    game = Go(size)

    result = game.playouts(1, 99)
    moves = game.playout_moves(99)

    replay = Go(size, superko="simple")
    for move in moves:
        replay.play(move)
    assert result.moves == len(moves)
    assert (result.first_wins, result.second_wins) == (replay.winner() == 1, replay.winner() == 2)


def test_playouts_leave_the_position_as_it_is():
    game = new("go", size=9)
    for move in ("E5", "D4", "C3"):
        game.play(move)
    before = str(game)

    game.playouts(100, 1)

    assert str(game) == before
    game.core.check()


def test_playouts_depend_on_the_seed_alone():
    game = Go(9)

    counts = [game.playouts(500, seed)[:4] for seed in (1, 1, 2)]

    assert counts[0] == counts[1] != counts[2]


def test_playouts_count_draws():
    result = Go(3, komi=9).playouts(1000, 1)

    assert result.draws > 100
    assert result.total == 1000


def test_a_playout_after_two_passes_has_no_moves():
    game = Go(5, komi=0.5)
    game.play(game.points)
    game.play(game.points)

    result = game.playouts(10, 1)

    assert (result.moves, result.second_wins) == (0, 10)


def test_a_playout_after_one_pass_ends_with_the_next():
    # Black has nothing but two eyes, in which White may not play.
    game = from_text(
        """
        . X O O O
        X X O . O
        X X O O O
        X X O . O
        . X O O O""",
        to_play="white",
        komi=0.5,
    )
    game.pass_()

    result = game.playouts(10, 1)

    assert result.moves == 10
    assert result.second_wins == 10


def test_no_playout_fills_an_own_eye():
    game = from_text("""
        . X . X .
        X X X X X
        . X . X .
        X X X X X
        . X . X .""")

    assert game.core.sensible_moves() == [game.core.points]
    assert game.core.playout_moves(1) == [game.core.points] * 2


def chi_square(counts, expected):
    return sum((counts[key] - n) ** 2 / n for key, n in expected.items())


# The 99.9th percentile of chi-square: mean + 3.09 standard deviations and a little is ample for a
# seed that is fixed; a move drawn 10 % too often at these counts would exceed it many times over.
def limit(degrees):
    return degrees + 3.5 * (2 * degrees) ** 0.5 + 8


UNIFORM = [
    ("an empty board", ["....."] * 5),
    ("eyes and false eyes", ["X.X.O", "XXXOO", ".X.X.", "XXXOO", ".XO.O"]),
    ("a ko", [".XO..", "X.XO.", ".XO..", ".....", "....."]),
    ("captures and suicides", ["O.XX.", "OOX.X", "XX.XX", ".OOO.", "O.O.O"]),
]


@pytest.mark.parametrize(("name", "diagram"), UNIFORM, ids=[row[0] for row in UNIFORM])
@pytest.mark.parametrize("to_play", ["black", "white"])
def test_each_sensible_move_is_equally_likely(name, diagram, to_play):
    core = from_text("\n".join(diagram), to_play=to_play, superko="simple").core
    sensible = core.sensible_moves()
    n = 1000 * len(sensible)

    counts = Counter(core.playout_moves(seed)[0] for seed in range(n))

    assert set(counts) == set(sensible)
    assert chi_square(counts, dict.fromkeys(sensible, 1000)) < limit(len(sensible) - 1)


def late_position(number):
    """Return a position near the end of a playout, as a real game: few moves left, own eyes."""
    for seed in range(100 * number, 100 * number + 100):
        game = Go(6, superko="simple")
        for move in game.playout_moves(seed)[:-14]:
            game.play(move)
        eyes = len(game.legal_moves()) - 1 - len(game.sensible_moves())
        if eyes > 1 and 2 < len(game.sensible_moves()) < 8:
            return game
    raise AssertionError("none of a hundred playouts came to such a position")


@pytest.mark.parametrize("number", range(8))
def test_later_moves_are_equally_likely_too(number):
    # The first draws seal eyes, and that must not bias the draws that follow.
    core = late_position(number)
    n = 60_000
    expected = {}
    for first in core.sensible_moves():
        after = core.copy()
        after.play(first)
        for second in after.sensible_moves():
            share = n / len(core.sensible_moves()) / len(after.sensible_moves())
            expected[first, second] = share

    counts = Counter(tuple(core.playout_moves(seed)[:2]) for seed in range(n))

    assert set(counts) == set(expected)
    assert chi_square(counts, expected) < limit(len(expected) - 1)


def uniform_by_definition(core, moves):
    """Play one uniform playout with the public rules alone and return its length and winner."""
    core = core.copy()
    while not core.is_over:
        core.play(moves.choice(core.sensible_moves()))
    return core.ply, core.winner()


def test_playouts_are_those_of_the_definition_on_average():
    core = Go(7, komi=7.5, superko="simple")
    moves = random.Random(1)
    n = 2000

    games = [uniform_by_definition(core, moves) for _ in range(n)]
    length = sum(ply for ply, _ in games) / n
    wins = sum(winner == 1 for _, winner in games) / n
    result = core.playouts(200_000, 1)

    # Five standard errors of the smaller sample: 0.3 moves and 1.1 percent each.
    assert result.moves / result.total == pytest.approx(length, abs=1.5)
    assert result.first_wins / result.total == pytest.approx(wins, abs=0.055)


# Three kos, and no sensible move but to take one of them: nobody ever passes.
ENDLESS = """
    X O .
    . X O
    X O ."""


def test_an_endless_ko_fight_is_cut_off_at_the_cap():
    core = from_text(ENDLESS, superko="simple").core

    lengths = {len(core.playout_moves(seed)) for seed in range(20)}

    assert lengths == {10 * 9 + 200}
    assert core.playouts(20, 1).moves == 20 * (10 * 9 + 200)


def test_moves_before_a_playout_do_not_count_for_its_cap():
    core = from_text(ENDLESS, superko="simple").core
    for move in core.playout_moves(1)[:50]:
        core.play(move)

    assert len(core.playout_moves(2)) == 10 * 9 + 200
    assert core.playouts(1, 2).moves == 10 * 9 + 200


@pytest.mark.parametrize("before", ["", "E5", "E5 pass", "E5 D4"])
def test_playouts_in_bulk_start_like_those_move_by_move(before):
    game = new("go", size=9)
    for move in before.split():
        game.play(move)

    lengths = [game.playouts(1, seed).moves for seed in range(20)]

    assert lengths == [len(game.core.playout_moves(seed)) for seed in range(20)]


def test_playouts_tell_their_processor_time():
    began = time.thread_time()

    result = Go(9).playouts(2000, 1)

    assert 0 < result.seconds <= time.thread_time() - began


@pytest.mark.parametrize("size", [4, 5, 9, 13])
def test_the_cap_never_bites_on_real_boards(size):
    game = Go(size)

    longest = max(len(game.playout_moves(seed)) for seed in range(2000))

    assert longest < 7 * game.points


# Atari, by definition: sets of moves, with nothing of the program's in them


class Flooded:
    """The chains of a position and their liberties."""

    def __init__(self, size, to_play, colors):
        self.size = size
        self.to_play = to_play
        self.colors = colors
        self.chain, self.liberties = {}, {}  # of each stone: sets that its chain shares
        for stone, color in enumerate(self.colors):
            if color and stone not in self.chain:
                self.flood(stone, color)

    def beside(self, move):
        row, column = divmod(move, self.size)
        if row:
            yield move - self.size
        if column:
            yield move - 1
        if column < self.size - 1:
            yield move + 1
        if row < self.size - 1:
            yield move + self.size

    def flood(self, stone, color):
        chain, liberties, border = {stone}, set(), [stone]
        while border:
            for neighbour in self.beside(border.pop()):
                if self.colors[neighbour] == 0:
                    liberties.add(neighbour)
                elif self.colors[neighbour] == color and neighbour not in chain:
                    chain.add(neighbour)
                    border.append(neighbour)
        for one in chain:
            self.chain[one], self.liberties[one] = chain, liberties

    def captures(self, move):
        """Return the neighbours that a stone of the player to move captures."""
        return {
            n
            for n in self.beside(move)
            if self.colors[n] == 3 - self.to_play and self.liberties[n] == {move}
        }

    def after(self, move):
        """Return the position after a stone, suicide and ko not asked for."""
        colors = list(self.colors)
        colors[move] = self.to_play
        for neighbour in self.captures(move):
            for stone in self.chain[neighbour]:
                colors[stone] = 0
        return Flooded(self.size, self.to_play, colors)


def flooded(game):
    colors = [game.color(move) for move in range(game.points)]
    return Flooded(game.size, game.to_play, colors)


def check_only_liberties(game):
    position = flooded(game)
    for stone, liberties in position.liberties.items():
        expected = next(iter(liberties)) if len(liberties) == 1 else None
        assert inside.atari_liberty(game, stone) == expected
    return position


def check_moves(game, position, moves):
    """Compare what the board says of moves with what they do."""
    for move in moves:
        if position.colors[move]:
            assert not inside.is_allowed(game, move)
            continue
        captured = position.captures(move)
        after = position.after(move)
        liberties = after.liberties[move]
        assert inside.captures_at(game, move) == captured
        allowed = bool(liberties) and move != game.ko
        assert inside.is_allowed(game, move) == allowed
        check_atari_size(game, position, move, after)


def check_atari_size(game, position, move, after):
    """What atari_size() promises.

    It is 0 exactly where the new chain has two liberties or more, but also wherever a chain of two
    stones or more is captured. Else it is the size of the new chain, in which an old chain counts
    as often as it is a neighbour. A suicide leaves no liberty and counts in the same way.
    """
    size = inside.atari_left_by(game, move)
    if (
        any(len(position.chain[stone]) > 1 for stone in position.captures(move))
        or len(after.liberties[move]) > 1
    ):
        assert size == 0
    else:
        own = [n for n in position.beside(move) if position.colors[n] == game.to_play]
        assert size == 1 + sum(len(position.chain[n]) for n in own)
        assert size >= len(after.chain[move])


@pytest.mark.parametrize("size", rest_in_proof([2, 3, 4, 5, 7, 9, 13, 19], [2, 3, 4, 5, 7, 9]))
def test_atari_is_seen_after_every_move_of_a_random_game(size):
    chance = random.Random(size)
    for _ in range(1 + 30 // size):
        game = Go(size)
        while not game.is_over and game.ply < 2 * game.points:
            legal = game.legal_moves()
            game.play(chance.choice(legal[:-1] or legal))
            position = check_only_liberties(game)
            check_moves(game, position, chance.sample(range(game.points), min(size * size, 12)))


@pytest.mark.parametrize("informed", [False, True], ids=["uniform", "informed"])
@pytest.mark.parametrize("size", rest_in_proof([2, 3, 4, 5, 7, 9, 13, 19], [2, 3, 4, 5, 7, 9]))
def test_atari_is_seen_after_every_move_of_a_playout(size, informed):
    # Sealed eyes count as liberties like any other.
    chance = random.Random(size)
    sealed = 0

    def watch(game):
        nonlocal sealed
        sealed += any(inside.is_sealed(game, move) for move in range(game.points))
        position = check_only_liberties(game)
        check_moves(game, position, chance.sample(range(game.points), min(size * size, 12)))

    for seed in range(1 + 30 // size):
        inside.walk(GoPolicy() if informed else None, Go(size, komi=0.5), seed, watch)

    assert sealed or size < 4


ATARI = [
    # The move is marked by its name; Black is to play.
    ("alone in a corner of White's", [".OO", "O..", "..."], "A3", 1),
    ("room to the east", ["...", "OX.", ".O."], "B3", 0),
    ("two stones with one liberty", [".XO", "OO.", "..."], "A3", 2),
    ("a ko", [".O..", "O.O.", "XOX.", ".X.."], "B3", 1),
    ("a capture of two gives room", [".OOX", "XXX.", "....", "...."], "A4", 0),
    ("a chain of three met twice", [".XO.", "XXO.", "OOO.", "...."], "A4", 7),
]


@pytest.mark.parametrize(("name", "diagram", "move", "size"), ATARI, ids=[row[0] for row in ATARI])
def test_what_a_move_leaves_in_atari(name, diagram, move, size):
    core = from_text("\n".join(diagram)).core

    assert inside.atari_left_by(core, core.number(move)) == size


def careful_moves(game, most):
    """Return the moves that play_carefully() may make, by definition.

    A point whose neighbours are all of one colour is tried whatever it leaves in atari.
    """
    position = flooded(game)
    moves = set()
    for move in game.sensible_moves():
        if move < game.points:
            around = {position.colors[n] for n in position.beside(move)}
            if (len(around) == 1 and 0 not in around) or inside.atari_left_by(game, move) <= most:
                moves.add(move)
    return moves


@settings(max_examples=40)
@given(st.integers(3, 7), st.integers(0, 2**32), st.sampled_from([0, 1, 5]))
def test_careful_moves_are_those_that_leave_little_in_atari(size, seed, most):
    game = Go(size, superko="simple")
    chance = random.Random(seed)
    for _ in range(chance.randrange(3 * game.points)):
        if not game.is_over:
            game.play(chance.choice(game.legal_moves()[:-1] or [game.points]))
    if game.is_over:
        return
    expected = careful_moves(game, most)

    generator = Generator(seed)
    seen = {inside.play_careful_move(game, generator, most) for _ in range(400)}

    # Each of fifty moves is missed in four hundred draws once in three thousand times.
    assert seen <= (expected or {None})
    assert len(seen) >= 0.9 * len(expected or {None})


@pytest.mark.parametrize("seed", [3, 5, 7])
def test_careful_moves_are_equally_likely(seed):
    game = Go(6, superko="simple")
    for move in game.playout_moves(seed)[:25]:
        game.play(move)
    expected = careful_moves(game, 0)
    generator = Generator(1)

    counts = Counter(inside.play_careful_move(game, generator, 0) for _ in range(30_000))

    share = 30_000 / len(expected)
    assert set(counts) == expected
    assert chi_square(counts, dict.fromkeys(expected, share)) < limit(len(expected) - 1)
