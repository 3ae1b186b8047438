"""Moves that RAVE and the prior dislike are found nevertheless, given simulations enough.

The positions were found in games of the program against itself on 7x7. One move is better than all
others, by searches of 60,000 simulations without RAVE: it wins, or is the only chance.
"""

import pytest

from mcts_cluster import games
from mcts_cluster.players.mcts import Mcts

SIMULATIONS = 10_000
# The moves that lead to the position, and the best move.
POSITIONS = [
    pytest.param(
        "D3 C3 D2 D4 E4 E5 F4 D5 F5 F6 G6 E6 F7 E7 D7 G7 G5 C4 B2 C2 C1 B1 A1 B3 B1 F7 C6 D6 C7 C5"
        " A3 A4 B5 A2 D1 E3 F3",
        "B6",
        id="throw-in",
    ),
    pytest.param(
        "D5 C6 C5 B5 B4 B6 D6 D7 E7 C7 E6 E4 D4 D3 C3 C2 B2 D2 E3 F3 F4 E2 G3 F5 E5 G4 F6 G6 F7 G5"
        " F2 E3 A5 A6 A4 A3 B3 B1 A2 F1 E1 G2 C4 C1",
        "A7",
        id="first-line",
    ),
    pytest.param(
        "D5 C5 D4 C4 C3 D3 E3 D2 C2 E2 E4 F2 C6 B6 B5 B4 A4 A5 B3 A3 A2 A4 D6 F6",
        "B1",
        id="last-eye",
    ),
]


def best_move(moves, seed, **settings):
    """Return the move that a search from the position after some moves visits most."""
    game = games.new("go", size=7, komi=0.5)
    for name in moves.split():
        game.play(name)
    search = Mcts(simulations=SIMULATIONS, **settings).search(game.core)
    search.run(SIMULATIONS, seed)
    return game.core.name(search.best_move())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("moves", "move"), POSITIONS)
def test_the_default_player_finds_the_move(moves, move, seed):
    assert best_move(moves, seed) == move


@pytest.mark.parametrize(("moves", "move"), POSITIONS)
def test_without_exploring_it_does_not(moves, move):
    assert best_move(moves, 0, explore_every=0) != move
