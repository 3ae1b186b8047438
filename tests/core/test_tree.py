"""The arena: what is kept when a game goes on, and what a search makes of it."""

import random

import numpy
import pytest
from core_inside import inside
from hypothesis import given, settings
from hypothesis import strategies as st

from cext.go import Go
from cext.havannah import Havannah
from cext.policy import Policy
from cext.search import Search
from cext.tree import Tree

EXPANDING, NO_ROOM = -1, -2


def subtree(search, start=0):
    """Return every field of the nodes from one on, by the moves that lead from it to them."""
    rows = search.tree.array().tolist()
    names = search.tree.array().dtype.names
    found = {}

    def walk(index, path):
        node = dict(zip(names, rows[index], strict=True))
        first = node.pop("first_child")
        assert (first > 0) == (node["children"] > 0)
        for child in range(first, first + node["children"]):
            walk(child, (*path, rows[child][names.index("move")]))
        # A node that found no room is one that may try again.
        node["children"] = max(0, node["children"])
        found[path] = node

    walk(start, ())
    return found


def node_of(search, move):
    """Return the index of a child of the root, or None."""
    root = search.tree.array()[0]
    for index in range(root["first_child"], root["first_child"] + root["children"]):
        if search.tree.array()[index]["move"] == move:
            return int(index)
    return None


def str_of(game):
    return f"{type(game).__name__}-{game.size}"


def opinion(move, ply, player):
    return move % 5, move % 3, ply % 2, 100 * player - 10 * move


def grown(game, nodes=100_000, simulations=2000, **settings):
    search = Search(game, inside.Advised(opinion), rave=100, bias=1, nodes=nodes, **settings)
    search.run(simulations, 1)
    return search


def check_arena(search):
    """Children come after their parents, side by side, and fill the arena; the rest is zero."""
    tree = search.tree
    rows = tree.array()
    covered = [0]
    for i, node in enumerate(rows):
        assert node["children"] != EXPANDING
        if node["children"] > 0:
            assert node["first_child"] > i
            covered += range(node["first_child"], node["first_child"] + node["children"])
    assert sorted(covered) == list(range(tree.used))
    everything = numpy.asarray(tree)
    assert len(everything) == tree.capacity
    assert not everything[tree.used :].tobytes().strip(b"\0")


@pytest.mark.parametrize("nodes", [600, 100_000], ids=["full", "roomy"])
@pytest.mark.parametrize("game", [Go(5), Havannah(3), Havannah(4, swap=True)], ids=str_of)
def test_every_move_keeps_exactly_its_subtree(game, nodes):
    for move in game.legal_moves():
        search = grown(game, nodes)
        node = node_of(search, move)
        kept = subtree(search, node)
        after = game.copy()
        after.play(move)

        search.advance(move)

        assert subtree(search) == kept
        assert search.tree.used == len(kept)
        check_arena(search)
        search.run(50, 2)
        assert search.tree.array()[0]["visits"] == kept[()]["visits"] + 50
        assert set(search.children()["move"].tolist()) <= set(after.legal_moves())


def test_a_search_kept_goes_on_as_one_from_that_position():
    # One that begins there with the same statistics would do the same: here they are none.
    game = Go(5)
    search = Search(game)
    search.run(2, 1)
    unvisited = int(search.children()["move"][-1])
    search.advance(unvisited)
    game.play(unvisited)
    fresh = Search(game)

    for one in (search, fresh):
        one.run(1000, 3)

    first, second = subtree(search), subtree(fresh)
    for one in (first, second):
        del one[()]["move"], one[()]["player"]
    assert first == second


def test_an_unknown_move_begins_anew():
    search = Search(Go(5))
    search.run(1, 1)

    search.advance(7)

    assert search.tree.used == 1
    assert not any(search.tree.array()[0].tolist())
    check_arena(search)
    search.run(100, 2)
    assert 7 not in search.children()["move"]
    # An own eye is a legal move that no tree has.
    eye = Go(3, komi=0.5)
    eye.set_up([1, 3, 4], [8])
    search = grown(eye)
    assert node_of(search, 0) is None
    search.advance(0)
    assert search.tree.used == 1
    assert search.tree.array()[0]["visits"] == 0


def test_an_illegal_move_changes_nothing():
    search = grown(Go(5))
    search.advance(12)
    before = subtree(search)

    for move in (12, -1, 26):
        with pytest.raises(ValueError, match="is not legal here"):
            search.advance(move)

    assert subtree(search) == before
    search.run(100, 2)
    assert 12 not in search.children()["move"]


def test_the_game_that_a_search_began_from_goes_its_own_way():
    game = Go(5)
    search = Search(game)
    search.run(100, 1)

    search.advance(3)
    game.play(4)

    search.run(100, 1)
    assert {3, 4} & set(search.children()["move"].tolist()) == {4}


def test_room_is_free_again_and_nodes_that_found_none_expand():
    search = grown(Go(5), nodes=200)
    assert (search.tree.array()["children"] == NO_ROOM).any()
    assert search.tree.used > 160
    move = search.best_move()

    search.advance(move)

    assert search.tree.used < 160
    assert not (search.tree.array()["children"] == NO_ROOM).any()
    before = search.tree.used
    search.run(2000, 2)
    assert search.tree.used > before
    check_arena(search)


def test_a_root_that_found_no_room_expands_after_a_move():
    # 26 children and the root; none of the children has room for its own.
    search = grown(Go(5), nodes=27)
    assert search.tree.used == 27
    move = search.best_move()
    assert search.tree.array()[node_of(search, move)]["children"] == NO_ROOM

    search.advance(move)
    search.run(100, 2)

    assert search.children()["visits"].sum() == 100
    assert search.best_move() is not None


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("nodes", [150, 3000, 100_000])
@pytest.mark.parametrize("game", [Go(4, komi=0.5), Havannah(3, swap=True)], ids=str_of)
def test_whole_games_with_one_tree(game, nodes, threads):
    game = game.copy()
    search = Search(game, rave=50, exploration=0.2, nodes=nodes)
    seed = 0
    while not game.is_over and game.ply < 60:
        seed += 1
        before = int(search.tree.array()[0]["visits"])
        assert search.run(300, seed, threads=threads) == 300
        assert search.tree.array()[0]["visits"] == before + 300
        check_arena(search)
        move = search.best_move()
        kept = subtree(search, node_of(search, move))
        search.advance(move)
        game.play(move)
        assert subtree(search) == kept

    search.run(10, 1)
    assert len(search.children()) == 0
    with pytest.raises(ValueError, match="is not legal here"):
        search.advance(0)


@settings(max_examples=60)
@given(st.integers(1, 400), st.integers(0, 2**32), st.booleans())
def test_any_sequence_of_runs_and_moves_keeps_the_arena_in_order(nodes, seed, go):
    chance = random.Random(seed)
    game = Go(3, komi=0.5) if go else Havannah(3)
    search = Search(game, Policy(), rave=10, expand_at=chance.randint(1, 4), nodes=nodes)
    played = game.copy()
    for _ in range(12):
        search.run(chance.randint(0, 120), chance.getrandbits(30), threads=chance.choice([1, 1, 2]))
        check_arena(search)
        if played.is_over:
            break
        if chance.random() < 0.6:
            move = chance.choice(played.legal_moves())
            node = node_of(search, move)
            kept = None if node is None else subtree(search, node)
            search.advance(move)
            played.play(move)
            assert node is None or subtree(search) == kept
            assert node is not None or search.tree.used == 1
            check_arena(search)


def test_keeping_the_root_keeps_everything():
    search = grown(Go(4))
    before = subtree(search)

    search.tree.keep(0)

    assert subtree(search) == before
    check_arena(search)


@pytest.mark.parametrize("node", [-1, 26, 10**6])
def test_a_node_that_is_not_there_cannot_be_kept(node):
    search = Search(Go(5), nodes=100)
    search.run(1, 1)
    search.tree.clear()

    with pytest.raises(ValueError, match=f"^there is no node {node}$"):
        search.tree.keep(node)

    assert search.tree.used == 1


def test_clearing_forgets_everything():
    search = grown(Go(4))

    search.tree.clear()

    assert search.tree.used == 1
    check_arena(search)
    assert not any(search.tree.array()[0].tolist())
    search.run(500, 9)
    fresh = Search(Go(4), inside.Advised(opinion), rave=100, bias=1)
    fresh.run(500, 9)
    assert subtree(search) == subtree(fresh)


@pytest.mark.parametrize("capacity", [0, -1])
def test_a_tree_has_a_root_at_least(capacity):
    with pytest.raises(ValueError, match=f"^a tree of {capacity} nodes: must have 1 or more$"):
        Tree(capacity)
