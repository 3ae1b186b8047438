"""Which stones are dead: positions whose fate is plain to any player."""

from mcts_cluster.games import from_text
from mcts_cluster.games.dead_stones import Status, attacks, owners_by_playouts

# White's two stones in the corner cannot live; komi is 0.
DEAD_WHITE = """
. . X . O .
. O X . O .
O . X O O .
X X X O . O
. X X O O .
X . X O . O
"""

# Whoever plays on the first line loses what he has there.
SEKI = """
. . . . . .
. . . . . .
O . O . O .
O O O O O O
X X X X X X
X . O O . X
"""


def status(diagram, owners=None, **settings):
    game = from_text(diagram, komi=0, **settings)
    return game.core, Status(game.core, owners or owners_by_playouts(game.core, 400, 1))


def names(core, chains):
    return sorted(" ".join(sorted(map(core.name, chain))) for chain in chains)


def test_stones_that_cannot_live_are_dead_and_others_alive():
    core, found = status(DEAD_WHITE)

    assert names(core, found.dead) == ["A4", "B5"]
    assert found.seki == []
    assert len(found.alive) == 5
    assert all(found.owners[core.number(name)] > 0 for name in ("A4", "B5", "A6"))


def test_the_lead_is_area_without_the_dead():
    _, found = status(DEAD_WHITE)

    # Three columns each, but for the two points between the walls, which are near both.
    assert found.lead(is_settled=True) == 18 - 16


def test_komi_counts():
    core = from_text(DEAD_WHITE, komi=6.5).core

    assert Status(core, owners_by_playouts(core, 100, 1)).lead(is_settled=True) == 2 - 6.5


def test_points_between_go_to_a_likely_owner_until_the_position_is_settled():
    _, settled = status(DEAD_WHITE)
    before = settled.lead(is_settled=True)
    for move in range(36):
        settled.owners[move] = 1.0

    assert settled.lead(is_settled=False) == before + 2
    assert settled.lead(is_settled=True) == before


def test_an_empty_board_is_nobodys():
    _, found = status("...\n...\n...")

    assert found.dead == found.alive == found.seki == []
    assert found.lead(is_settled=False) == found.lead(is_settled=True) == 0


def test_chains_that_share_their_last_points_are_in_seki():
    core = from_text(SEKI).core

    _, found = status(SEKI, owners=[(0.0, 1.0, -1.0)[core.color(m)] for m in range(core.points)])

    assert names(core, found.seki) == ["A1 A2 B2 C2 D2 E2 F1 F2", "C1 D1"]
    assert len(found.alive) == 1
    assert found.dead == []
    assert found.lead(is_settled=True) == 8 - 26


def test_an_opening_is_no_seki():
    core = from_text("....\n.X..\n..O.\n....").core

    found = Status(core, [0.1] * 5 + [0.0] * 5 + [-0.1] * 6)

    assert found.seki == []


def test_playouts_tell_the_same_for_the_same_seed():
    core = from_text(DEAD_WHITE).core

    assert owners_by_playouts(core, 10, 1) == owners_by_playouts(core, 10, 1)
    assert owners_by_playouts(core, 10, 1) != owners_by_playouts(core, 10, 2)


def test_attacks_are_liberties_of_the_weakest_chain_first():
    core, found = status(DEAD_WHITE, to_play="black")

    moves = attacks(core, found.dead)

    # A5 comes last: it could be captured at once.
    assert [core.name(move) for move in moves] == ["B4", "B6", "A5"]
