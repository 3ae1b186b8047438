"""The longer proofs, minutes each: make proof. What they prove in little, the other files do."""

import random
from collections import Counter

import pytest

from cext.go import Go
from cext.havannah import Havannah
from cext.solver import Solver

pytestmark = pytest.mark.proof


@pytest.mark.parametrize("size", range(2, 26))
def test_go_playouts_obey_the_rules_of_a_real_game(size):
    for seed in range(max(3, 150_000 // size**3)):
        game = Go(size, superko="simple")

        for move in game.playout_moves(seed):
            assert move in game.sensible_moves()
            game.play(move)

        assert game.is_over or game.ply == 10 * game.points + 200


@pytest.mark.parametrize("size", range(2, 26))
def test_the_go_board_is_consistent_throughout_playouts_from_anywhere(size):
    chance = random.Random(size)
    for seed in range(max(2, 10_000 // size**2)):
        game = Go(size)
        for _ in range(chance.randrange(2 * game.points)):
            if not game.is_over:
                game.play(chance.choice(game.legal_moves()[:-1] or [game.points]))

        game.playout_moves(seed, check=True)


@pytest.mark.parametrize("plies", [0, 15, 30, 45, 60, 75, 90])
def test_go_draws_are_uniform_at_any_stage(plies):
    core = Go(9, superko="simple")
    for move in Go(9).playout_moves(plies)[:plies]:
        core.play(move)
    sensible = core.sensible_moves()
    n = 20_000 * len(sensible)

    counts = Counter(core.playout_moves(seed)[0] for seed in range(n))

    # Three and a half standard deviations above the mean of chi-square, which a right program
    # exceeds about once in two thousand tries; the seeds are fixed.
    degrees = len(sensible) - 1
    square = sum((counts[move] - 20_000) ** 2 / 20_000 for move in sensible)
    assert set(counts) == set(sensible)
    assert square < degrees + 3.5 * (2 * degrees) ** 0.5 + 4


@pytest.mark.parametrize("size", range(2, 17))
def test_the_havannah_board_is_consistent_throughout_playouts(size):
    for seed in range(15_000 // size**2):
        Havannah(size).playout_moves(seed, check=True)


def test_the_swap_rule_makes_size_3_a_win_for_black():
    # White can win from the corners only, and Black takes over what he plays there.
    assert Solver().value(Havannah(3, swap=True)) == -1
