"""Proposers of mutations: the contract of them all, and what each is for."""

from collections import Counter
from dataclasses import replace

import pytest

from mcts_cluster.bgp.mutations import PROPOSERS, SIGNS, Draws, Proposing, fits, position
from mcts_cluster.players.bias_patterns import KINDS, Pattern, compiled
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.seeds import seed

LISTED = tuple(Pattern(((1, 0, "X"), (n, 1, "O")), 0.5) for n in range(-20, 20))


def proposing(name="random", size=5, **settings):
    player = Mcts(simulations=2, megabytes=1)
    settings = {"extent": size - 1, "simulations": 2, "listed": LISTED, **settings}
    return Proposing(name, board={"size": size}, player=player, **settings)


def proposed(how, count=40):
    return [how.propose(seed(1, "campaign", number, 1), number) for number in range(count)]


# The contract


@pytest.mark.parametrize("name", PROPOSERS)
def test_the_same_place_gets_the_same_mutation(name):
    assert proposed(proposing(name)) == proposed(proposing(name))


@pytest.mark.parametrize("name", [name for name in PROPOSERS if name != "empty"])
def test_other_places_get_other_mutations(name):
    assert len(set(proposed(proposing(name)))) > 30


@pytest.mark.parametrize("name", PROPOSERS)
@pytest.mark.parametrize("size", [2, 5, 19])
def test_a_mutation_can_be_played_with(name, size):
    for mutation in proposed(proposing(name, size), 2 if size == 19 else 20):
        compiled(mutation)


@pytest.mark.parametrize("name", ["random", "seen"])
@pytest.mark.parametrize("sign", SIGNS)
def test_the_bias_is_of_the_strength_and_the_sign_that_are_said(name, sign):
    mutations = proposed(proposing(name, sign=sign, strength=0.25))

    signs = Counter(pattern.strength for [pattern] in mutations)
    wanted = {"positive": {0.25}, "negative": {-0.25}, "either": {0.25, -0.25}}
    assert set(signs) == wanted[sign]


@pytest.mark.parametrize("name", ["random", "seen"])
def test_patterns_are_as_wide_and_have_as_many_cells_as_may_be(name):
    mutations = proposed(proposing(name, 9, extent=3, cells=4), 200)

    reaches = [max(max(abs(dx), abs(dy)) for dx, dy, _ in p.cells) for [p] in mutations]
    assert set(reaches) == {1, 2, 3}
    assert {len(pattern.cells) for [pattern] in mutations} == {1, 2, 3, 4}


@pytest.mark.parametrize("name", ["random", "seen"])
def test_cells_are_of_every_kind_and_fit_on_the_board(name):
    mutations = proposed(proposing(name), 150)

    assert {kind for [pattern] in mutations for _, _, kind in pattern.cells} == set(KINDS)
    assert all(fits(pattern.cells, 5) for [pattern] in mutations)


# Each of them


@pytest.mark.parametrize(
    ("cells", "answer"),
    [
        ([(1, 0, "#")], True),
        ([(1, 0, "#"), (2, 0, "X")], False),
        ([(-1, 0, "#"), (4, 0, "X")], True),
        ([(-1, 0, "#"), (5, 0, "X")], False),
        ([(-2, 0, "."), (3, 0, ".")], False),
        ([(0, 2, "S"), (0, 3, "#")], True),
    ],
)
def test_what_fits_matches_at_some_point_of_the_board(cells, answer):
    assert fits(tuple(cells), 5) is answer


def test_patterns_of_positions_occur_in_the_game_that_the_player_plays():
    how = proposing("seen", 7)
    matched = 0
    for number in range(30):
        path = seed(1, number)
        draws = Draws(path)
        core, move = position(how, path, draws.below(49))
        [pattern] = how.propose(path, number)
        if move < core.points:
            matched += compiled([pattern]).at(core, [move]) == [pytest.approx(0.1)]

    assert matched >= 28


def test_a_negative_bias_is_for_a_move_that_was_not_played():
    how = replace(proposing("seen", 7), sign="negative", extent=3, cells=100)
    found = 0
    for number in range(30):
        path = seed(1, number)
        core, _ = position(how, path, Draws(path).below(49))
        [pattern] = how.propose(path, number)
        moves = [move for move in core.sensible_moves() if move < core.points]
        found += any(compiled([pattern]).at(core, moves))

    assert found >= 28


def test_the_players_own_patterns_are_played_with():
    corner = Pattern(((1, 0, "#"), (0, 1, "#")), 1000.0)
    how = proposing("seen", 5)
    how = replace(how, player=replace(how.player, patterns=(corner,)), simulations=20)

    core, _ = position(how, 1, 4)

    assert [core.name(point) for point in range(25) if core.color(point)] == [
        "A1",
        "E1",
        "A5",
        "E5",
    ]


def test_listed_patterns_come_in_their_order():
    assert proposed(proposing("listed"), 3) == [(LISTED[0],), (LISTED[1],), (LISTED[2],)]


def test_nothing_is_proposed_by_empty():
    assert proposed(proposing("empty"), 2) == [(), ()]


def test_the_proposals_of_a_seed_do_not_change():
    [pattern] = proposing("random", 9).propose(seed(1, "campaign", 1, 1), 0)

    assert pattern.rows() == ["?X?", ".??", "??*"]
