"""What every policy offers: whose the points are when its playouts end."""

import pytest

from cext.go import Go
from cext.havannah import Havannah
from cext.policy import Policy
from mcts_cluster.games.dead_stones import SIGNS, colors_of, owned


@pytest.mark.parametrize("size", [2, 5, 9])
def test_owners_of_one_playout_are_those_of_its_last_position(size):
    policy = Policy()
    start = Go(size, superko="simple")
    for seed in range(50):
        end = start.copy()
        for move in policy.playout_moves(start, seed):
            end.play(move)

        assert policy.owners(start, 1, seed) == owned(size, colors_of(end))


def test_owners_of_many_playouts_are_their_mean():
    start = Go(5)

    owners = Policy().owners(start, 4000, 1)

    # Where both are alike but for who begins; the middle is Black's a little more often.
    assert all(-0.2 < owner < 0.6 for owner in owners)
    assert sum(owners) == pytest.approx(
        sum(sum(Policy().owners(start, 1000, seed)) for seed in range(2, 6)) / 4, abs=1.5
    )


def test_cells_of_havannah_belong_to_the_stones_on_them():
    start = Havannah(4)
    end = start.copy()
    for move in Policy().playout_moves(start, 7):
        end.play(move)

    owners = Policy().owners(start, 1, 7)
    assert [owners[cell] for cell in start.legal_moves()] == [
        SIGNS[end.color(cell)] for cell in start.legal_moves()
    ]
    assert sum(map(abs, owners)) == end.ply
