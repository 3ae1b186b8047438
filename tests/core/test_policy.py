"""What every policy offers: whose the points are when its playouts end, and what it refuses."""

import pytest

from cext.go import Go
from cext.go_policy import GoPolicy
from cext.havannah import Havannah
from cext.havannah_policy import HavannahPolicy
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


@pytest.mark.parametrize(
    ("policy", "game"),
    [(GoPolicy(), Havannah(4)), (HavannahPolicy(), Go(9))],
    ids=["go", "havannah"],
)
@pytest.mark.parametrize(
    "ask",
    [
        lambda policy, game: policy.advice(game),
        lambda policy, game: policy.playouts(game, 1, 1),
        lambda policy, game: policy.owners(game, 1, 1),
        lambda policy, game: policy.playout_moves(game, 1),
    ],
    ids=["advice", "playouts", "owners", "playout_moves"],
)
def test_a_policy_is_for_its_own_game(policy, game, ask):
    mistake = f"{type(policy).__name__} is not for {type(game).__name__}"
    with pytest.raises(ValueError, match=mistake):
        ask(policy, game)


def test_owners_need_a_playout():
    with pytest.raises(ValueError, match="0 playouts: must be 1 or more"):
        Policy().owners(Go(5), 0, 1)


@pytest.mark.parametrize("kind", [Go, Havannah])
def test_a_game_that_nobody_has_set_up_is_one_of_the_smallest_size(kind):
    game = kind.__new__(kind)

    assert game.draw() == kind(2).draw()
    assert game.name(0) == kind(2).name(0)
    assert game.legal_moves() == kind(2).legal_moves()
    assert game.playouts(10, 1).total == 10
