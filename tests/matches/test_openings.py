"""Openings at random."""

import pytest

from mcts_cluster import games
from mcts_cluster.matches import openings


def opened(plies, pair_seed, game="go", **settings):
    one = games.new(game, **settings)
    openings.play(one, plies, pair_seed)
    return one


@pytest.mark.parametrize("game", games.GAMES)
def test_an_opening_depends_on_its_seed_only(game):
    found = [opened(6, pair_seed, game, size=5).numbers for pair_seed in (1, 1, 2)]

    assert found[0] == found[1] != found[2]
    assert [len(numbers) for numbers in found] == [6, 6, 6]


def test_a_longer_opening_begins_as_a_shorter_one():
    assert opened(8, 1, size=9).numbers[:3] == opened(3, 1, size=9).numbers


def test_no_ply_at_all_leaves_the_board_as_it_is():
    assert opened(0, 1, size=9).numbers == []


def test_openings_do_not_begin_alike():
    first = {opened(1, pair_seed, size=5).numbers[0] for pair_seed in range(200)}

    assert first == set(range(25))


@pytest.mark.parametrize(("game", "size"), [("go", 2), ("go", 4), ("havannah", 2), ("havannah", 3)])
def test_an_opening_ends_no_game(game, size):
    for pair_seed in range(50):
        one = opened(100, pair_seed, game, size=size)

        assert not one.is_over
        assert one.core.points not in one.numbers
