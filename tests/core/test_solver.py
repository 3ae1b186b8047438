"""The solver on positions whose value is plain, and where it refuses."""

import pytest

from cext.go import Go
from cext.havannah import Havannah
from cext.solver import Solver, TooManyNodes


def names(game, moves):
    return sorted(game.name(move) for move in moves)


def test_size_2_is_won_by_any_move_but_the_centre():
    game = Havannah(2)

    assert Solver().value(game) == 1
    assert names(game, Solver().best_moves(game)) == ["a1", "a2", "b1", "b3", "c2", "c3"]


def test_size_3_is_won_by_the_six_corners_only():
    game = Havannah(3)

    assert names(game, Solver().best_moves(game)) == ["a1", "a3", "c1", "c5", "e3", "e5"]


def test_the_swap_rule_turns_a_first_player_win_into_a_loss_or_worse():
    # Whatever White plays, Black may have it.
    assert Solver().value(Havannah(2, swap=True)) <= 0


def test_a_win_in_one_is_found():
    game = Havannah(4)
    for name in ["a1", "a2", "b1", "b4", "c1", "d6"]:
        game.play(game.number(name))

    solver = Solver()

    assert solver.value(game) == 1
    assert solver.nodes == 1


def test_a_position_that_is_too_big_is_given_up():
    solver = Solver(most_nodes=1000)

    with pytest.raises(TooManyNodes, match=r"^not solved within 1,000 nodes$"):
        solver.value(Havannah(4))
    assert solver.nodes == 1000


def test_a_finished_game_has_its_result():
    game = Havannah(2)
    for name in ["a1", "a2", "b1"]:
        game.play(game.number(name))

    assert game.is_over
    assert Solver().value(game) == -1
    assert Solver().best_moves(game) == []


def test_a_game_without_keys_is_refused():
    with pytest.raises(ValueError, match="Go is not solved: its positions have no key"):
        Solver().value(Go(2))


# Draws are rare, and only they need bounds that are no values. By a search without any bounds.
DRAWN = [
    ("b3 c4 e3 e5 d5 a3 b4 d2 c1 c5 d4", ["a1"]),
    ("b2 c4 c5 d4 a2 c1 d3 a3 c2 e4", ["b1", "e3"]),
    ("d4 a2 c2 a3 d5 d2 c4 e5 a1 b2", ["c1"]),
]


@pytest.mark.parametrize(("moves", "best"), DRAWN)
def test_bounds_are_not_taken_for_values(moves, best):
    game = Havannah(3)
    for name in moves.split():
        game.play(game.number(name))

    assert Solver().value(game) == 0
    assert names(game, Solver().best_moves(game)) == best


def test_one_solver_serves_both_rules():
    solver = Solver()

    assert [solver.value(Havannah(2, swap)) for swap in (False, True)] == [1, -1]
