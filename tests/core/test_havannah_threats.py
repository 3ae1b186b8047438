"""Threats in Havannah, against the rules: pairs of cells that win together, lines of threats."""

import random

import pytest
from core_inside import inside

from cext.havannah import Havannah
from cext.havannah_policy import HavannahPolicy
from cext.search import Search


def with_stones(size, **stones):
    """Return a game with stones of both, white="d4 e5", White to move."""
    game = Havannah(size)
    for player, name in ((1, "white"), (2, "black")):
        for cell in stones.get(name, "").split():
            game = inside.with_stone(game, player, game.number(cell))
    return game


def started(size, plies, seed, clumsy=False):
    """Return a game after some random moves; `clumsy` ones stay together."""
    game = Havannah(size)
    chance = random.Random(seed)
    center = (size - 1, size - 1)
    for _ in range(plies):
        if not game.is_over:
            moves = game.legal_moves()
            if clumsy:
                moves = sorted(moves, key=lambda m: distance(game.place(m), center))[:8]
            game.play(chance.choice(moves))
    return game


def distance(place, other):
    x, y = place[0] - other[0], place[1] - other[1]
    return max(abs(x), abs(y), abs(x - y))


def positions(size, count):
    cells = 3 * size * (size - 1) + 1
    for seed in range(count):
        for clumsy in (False, True):
            game = started(size, seed * cells // count, seed, clumsy)
            if not game.is_over:
                yield game


def quiet(size, games):
    """Return positions of games of a weak player in which neither side wins at once."""
    found = []
    for seed in range(games):
        game = Havannah(size)
        while not game.is_over:
            if not wins(game, 1) and not wins(game, 2):
                found.append(game.copy())
            search = Search(game, HavannahPolicy(prior_decisive=1), rave=1000, exploration=0)
            search.run(30, seed)
            game.play(search.best_move())
    return found


def wins(game, player):
    return [m for m in game.legal_moves() if inside.ending_if_played(game, player, m)[1]]


def threats(game, player):
    """Return, for each cell after which a player wins at once, the cells on which it does."""
    found = {}
    for move in game.legal_moves():
        if after := wins(inside.with_stone(game, player, move), player):
            found[move] = set(after)
    return found


@pytest.mark.parametrize(("size", "count"), [(3, 40), (4, 50), (5, 50), (6, 12)])
def test_pairs_are_all_cells_that_win_together(size, count):
    seen = 0
    for game in positions(size, count):
        for player in (1, 2):
            first, number, pairs = inside.pairs_of_threats(game, player)
            expected = wins(game, player)
            assert (first, number) == (expected[:2], len(expected))
            if not expected:
                rules = threats(game, player)
                assert {cell: count for cell, (_, count) in pairs.items()} == {
                    cell: min(3, len(replies)) for cell, replies in rules.items()
                }
                assert all(some <= rules[cell] for cell, (some, _) in pairs.items())
                seen += len(rules)
    assert size < 4 or seen > 30


@pytest.mark.parametrize("missing", [("d3", "e5"), ("c3", "d3"), ("c3", "e5")])
def test_the_last_two_cells_of_a_filled_ring_are_a_pair(missing):
    around = {"c3", "d3", "e4", "e5", "d5", "c4"}
    game = with_stones(4, white=" ".join({"d4", *around} - set(missing)))
    one, other = map(game.number, missing)

    assert other in threats(game, 1)[one]
    assert inside.pairs_of_threats(game, 1)[2][one][0] & threats(game, 1)[one]
    assert set(inside.pairs_of_threats(game, 1)[2]) == set(threats(game, 1))


def wins_by_threats(game, depth):
    """Tell by the rules whether the player to move wins by threats."""
    player = game.to_play
    for move, replies in threats(game, player).items():
        if len(replies) > 1:
            return True
        if depth and answered_and_won(game, player, move, *replies, depth):
            return True
    return False


def answered_and_won(game, player, move, reply, depth):
    after = inside.with_stone(game, player, move)
    after = inside.with_stone(after, 3 - player, reply)
    return not wins(after, 3 - player) and wins_by_threats(after, depth - 1)


@pytest.mark.parametrize(("size", "count", "depth"), [(4, 40, 1), (5, 40, 1), (4, 12, 2)])
def test_a_line_of_threats_is_found_where_the_rules_have_one(size, count, depth):
    found = []
    for game in positions(size, count):
        if not wins(game, 1) and not wins(game, 2):
            move = inside.threat_that_wins(game, depth, 10**6)
            assert (move is not None) == wins_by_threats(game, depth)
            assert move is None or move in threats(game, game.to_play)
            found.append(move is not None)
    assert any(found) and not all(found)


def test_a_line_of_threats_is_not_looked_for_beyond_its_budget():
    seen = set()
    for game in positions(5, 60):
        if not wins(game, 1) and not wins(game, 2):
            deep = inside.threat_that_wins(game, 1, 1000)
            if inside.threat_that_wins(game, 0, 0) is None and deep is not None:
                assert inside.threat_that_wins(game, 1, 0) is None
                seen.add(deep)
    assert seen


def loses_whatever(game, moves):
    """Tell which moves lose to a win in two moves by the rules."""
    lost = set()
    for move in moves:
        after = game.copy()
        after.play(move)
        player = after.to_play
        if not wins(after, 3 - player) and any(len(r) > 1 for r in threats(after, player).values()):
            lost.add(move)
    return lost


@pytest.mark.parametrize(("size", "count"), [(4, 30), (5, 6)])
def test_against_double_threats_only_moves_that_lose_at_once_are_left_out(size, count):
    policy = HavannahPolicy(prior_decisive=2)
    seen = set()
    for game in quiet(size, count):
        enemy = threats(game, 3 - game.to_play)
        if wins_by_threats(game, 0):
            continue
        advice = policy.advice(game)
        if not any(len(replies) > 1 for replies in enemy.values()):
            assert advice["move"].tolist() == game.legal_moves()
            continue
        lost = loses_whatever(game, game.legal_moves())
        if advice["proven"][0]:
            assert len(advice) == 1 and advice["proven"][0] == -1
            assert lost == set(game.legal_moves())
            seen.add("lost")
        else:
            left_out = set(game.legal_moves()) - set(advice["move"].tolist())
            assert left_out <= lost
            seen.add("defended")
    assert "defended" in seen


def test_two_double_threats_far_apart_lose():
    frames = "g7 h5 i7 i8 h8 i6", "c3 d1 e3 e4 d4 e2"
    one, two = (with_stones(8, black=" ".join(some)) for some in (frames[:1], frames))
    policy = HavannahPolicy(prior_decisive=2)

    assert not policy.advice(one)["proven"].any()
    assert policy.advice(two)["proven"].tolist() == [-1]
    assert loses_whatever(two, two.legal_moves()) == set(two.legal_moves())


@pytest.mark.parametrize(("size", "depth"), [(4, 2), (5, 3)])
def test_what_the_policy_proves_to_win_wins_by_threats(size, depth):
    policy = HavannahPolicy(prior_decisive=depth, prior_positions=1000)
    proven = 0
    for game in quiet(size, 10):
        if wins_by_threats(game, depth - 2):
            assert policy.advice(game)["proven"].tolist() == [1]
            proven += 1
    assert proven > 3


def test_a_move_that_leaves_a_line_of_threats_begins_with_losses():
    policy, none = (HavannahPolicy(prior_decisive=3, prior_line=line) for line in (50, 0))
    seen = 0
    for game in quiet(5, 20):
        advice, plain = policy.advice(game), none.advice(game)
        more = {a["move"]: a["visits"] - b["visits"] for a, b in zip(advice, plain, strict=True)}
        assert set(more.values()) <= {0, 50}
        assert (advice["wins"] == plain["wins"]).all()
        if any(more.values()):
            # Whoever is to move makes threats, or takes a cell of the line.
            kept = {move for move, visits in more.items() if not visits}
            assert kept >= set(threats(game, game.to_play))
            assert kept & set(threats(game, 3 - game.to_play))
            seen += 1
    assert seen > 3


# Positions in which White closes a ring by threats, by how many own moves that takes: a frame with
# Black's stones far away, and two of games. By what simulations a search must know it.
FRAME = with_stones(8, white="g7 h5 i7 i8 h8 i6", black="a1 b1 c1 n15 m15 l15")
THREE = (
    "o14 g1 i15 c10 o9 h1 o15 d10 d11 i2 n15 i3 m14 j3 m13 n13 o13 i4 m12 n12 m11 h3 g2 j4 h2 f1 "
    "o12 n11 o11 j5"
)
FOUR = (
    "o8 k4 a4 a8 o9 b8 n9 n7 e1 b7 o13 c9 h1 d9 n10 b9 m8 c7 d8 a7 c8 e9 n8 c6 m10 c5 m9 o10 l8 l9 "
    "m7 l7 m11 e8 d7 c4 k7 c3 k6 l6 b1 e7 d6 e10 l11 b5 n12 a6 a5 d4 o11 o12"
)


def after(names):
    game = Havannah(8)
    for name in names.split():
        game.play(game.number(name))
    return game


PLANTED = [(FRAME, 2, 3), (after(THREE), 3, 30), (after(FOUR), 4, 60)]


def proves(game, simulations, **settings):
    search = Search(game, HavannahPolicy(**settings), solve=True, rave=1000, exploration=0)
    search.run(simulations, 1)
    return search.tree.array()[0]["proven"] == game.to_play


@pytest.mark.parametrize(("game", "moves", "simulations"), PLANTED, ids=["2", "3", "4"])
def test_a_search_proves_a_ring_that_closes_in_some_moves(game, moves, simulations):
    assert not wins(game, 1) and not wins(game, 2)
    assert wins_by_threats(game, moves - 2) and not (moves > 2 and wins_by_threats(game, moves - 3))

    assert proves(game, simulations)
    assert not proves(game, simulations, prior_decisive=1)
