"""Havannah's informed playouts and priors, against the rules and against plain Python."""

import random
from functools import cache

import pytest
from core_inside import inside

from cext.go import Go
from cext.havannah import Havannah
from cext.havannah_policy import DEFAULTS, HavannahPolicy
from cext.rng import Generator
from cext.search import Search

NO_STEPS = {name: 0 for name in DEFAULTS if name.startswith("playout_")} | {"playout_rings": 100}
NO_PRIORS = {name: 0 for name in DEFAULTS if name.startswith("prior_")}
STEPS = ["win", "bridge"]
POLICIES = [{}, NO_STEPS, *(NO_STEPS | {f"playout_{step}": 100} for step in STEPS)]
POLICIES += [dict.fromkeys(NO_STEPS, 100), dict.fromkeys(NO_STEPS, 50)]
each_policy = pytest.mark.parametrize(
    "settings", POLICIES, ids=["default", "none", *STEPS, "all", "half"]
)
RING, BRIDGE, FORK = 1, 2, 4


def started(size, plies, seed, swap=False):
    """Return a game after some random moves, which may have ended before."""
    game = Havannah(size, swap=swap)
    chance = random.Random(seed)
    for _ in range(plies):
        if not game.is_over:
            game.play(chance.choice(game.legal_moves()))
    return game


def positions(size, count):
    """Return games under way, of many lengths."""
    cells = 3 * size * (size - 1) + 1
    games = [started(size, seed * cells // count, seed) for seed in range(count)]
    return [game for game in games if not game.is_over]


@cache
def borders(size):
    """Return the edges and corners that each cell is part of, as sets of names."""
    game = Havannah(size)
    found = {}
    for cell in game.cells():
        x, y = game.place(cell)
        last, middle = 2 * size - 2, size - 1
        edges = {
            name
            for name, there in (
                ("top", y == 0),
                ("bottom", y == last),
                ("left", x == 0),
                ("right", x == last),
                ("upper", x - y == middle),
                ("lower", y - x == middle),
            )
            if there
        }
        # A corner is where two edges meet, and is part of neither.
        found[cell] = {("corner", cell)} if len(edges) == 2 else edges
    return found


def chain_reach(game, stones, start):
    """Return what the chain of a stone reaches; `stones` are all of its colour."""
    seen, border = {start}, [start]
    while border:
        for other in game.neighbours(border.pop()):
            if other in stones and other not in seen:
                seen.add(other)
                border.append(other)
    return set().union(*(borders(game.size)[cell] for cell in seen))


def wins_without_ring(reach):
    corners = sum(isinstance(name, tuple) for name in reach)
    return corners >= 2 or len(reach) - corners >= 3


def stones_of(game, player):
    return {cell for cell in game.cells() if game.color(cell) == player}


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8])
def test_what_a_stone_would_do_is_what_it_does(size):
    endings = set()
    for game in positions(size, 60):
        for move in game.legal_moves():
            for player in (1, 2):
                foretold, seen = inside.ending_if_played(game, player, move)
                reach = chain_reach(game, stones_of(game, player) | {move}, move)

                assert foretold == seen
                assert bool(foretold & (BRIDGE | FORK)) == wins_without_ring(reach)
                assert inside.reach_if_played(game, player, move).bit_count() == len(reach)
                endings.add(foretold)
    assert size not in (4, 5) or endings >= {0, RING, BRIDGE, FORK}


def test_a_stone_that_completes_a_filled_ring_is_foretold():
    game = Havannah(4)
    centre = game.number("d4")
    *around, last = game.neighbours(centre)
    # Far from each other, so that they win nothing.
    others = [c for c in game.legal_moves() if c not in (centre, last, *around)][::4]
    mine = iter([centre, *around])
    while (move := next(mine, None)) is not None:
        game.play(move)
        game.play(others.pop(0))

    assert inside.ending_if_played(game, 1, last) == (RING, RING)


def replayed(policy, game, seed):
    """Play a playout; yield each move with the game as it was before."""
    real = game.copy()
    for move in policy.playout_moves(game, seed):
        assert real.is_legal(move)
        yield real, move
        real.play(move)


@each_policy
@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 10])
def test_every_playout_in_which_rings_win_is_a_whole_game(settings, size):
    policy = HavannahPolicy(**settings | {"playout_rings": 100})
    for game in positions(size, 12):
        for seed in range(5):
            real = game.copy()
            winner, moves = inside.play_out(policy, game, Generator(seed))
            for move in moves:
                assert real.is_legal(move)
                real.play(move)
            assert real.is_over
            assert real.winner() == winner


@pytest.mark.parametrize("size", [3, 4, 5])
def test_without_rings_a_playout_goes_on_to_a_bridge_or_fork(size):
    policy = HavannahPolicy(playout_rings=0, playout_win=50)
    went_on = 0
    for game in positions(size, 30):
        colors = {1: stones_of(game, 1), 2: stones_of(game, 2)}
        real = game.copy()
        winner, moves = inside.play_out(policy, game, Generator(size))
        player = game.to_play
        for i, move in enumerate(moves):
            assert move not in colors[1] | colors[2]
            colors[player].add(move)
            won = wins_without_ring(chain_reach(game, colors[player], move))
            assert won == (i == len(moves) - 1 and winner != 0)
            assert not won or winner == player
            if real.is_over:
                went_on += 1
            else:
                real.play(move)
            player = 3 - player
        assert winner or len(colors[1] | colors[2]) == len(game.cells())
    assert went_on or size == 3


def test_without_any_step_playouts_are_uniform_ones():
    policy = HavannahPolicy(**NO_STEPS)
    for game in positions(5, 20):
        for seed in range(5):
            assert policy.playout_moves(game, seed) == game.playout_moves(seed)


def winning_beside(game, player, stone):
    """Return the empty cells beside a stone on which a player wins."""
    return {
        cell
        for cell in game.neighbours(stone)
        if cell is not None
        and not game.color(cell)
        and inside.ending_if_played(game, player, cell)[1]
    }


def saving_cells(game, player, last):
    """Return the empty neighbours of a stone with a wall of the player's on both sides."""
    around = game.neighbours(last)
    walls = [cell is None or game.color(cell) == player for cell in around]
    return {
        cell
        for i, cell in enumerate(around)
        if cell is not None and not game.color(cell) and walls[i - 1] and walls[(i + 1) % 6]
    }


def wanted_by(step, game, last, before):
    """Return the moves of which a playout must make one, if there are any."""
    player = game.to_play
    if step == "win":
        own = winning_beside(game, player, before) if before is not None else set()
        return own or winning_beside(game, 3 - player, last)
    return saving_cells(game, player, last)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("size", [4, 6])
def test_a_step_is_taken_wherever_it_can_be(step, size):
    policy = HavannahPolicy(**NO_STEPS | {f"playout_{step}": 100})
    taken = other = 0
    for seed in range(40):
        last = before = None
        for game, move in replayed(policy, Havannah(size), seed):
            wanted = wanted_by(step, game, last, before) if last is not None else set()
            taken += bool(wanted)
            other += not wanted
            assert not wanted or move in wanted
            before, last = last, move
    assert taken > 20 and other > 20


def two_broken_bridges():
    """Return a game in which the last stone stands in two bridges, and the cells that save them."""
    game = Havannah(5)
    for name in ("d4", "i9", "e6", "a1", "f5", "e5"):
        game.play(game.number(name))
    return game, saving_cells(game, game.to_play, game.number("e5"))


def test_of_several_cells_of_a_step_each_is_chosen():
    game, saving = two_broken_bridges()
    policy = HavannahPolicy(**NO_STEPS | {"playout_bridge": 100})

    first = {policy.playout_moves(game, seed)[0] for seed in range(200)}

    assert first == saving and len(saving) > 1


def test_chances_are_chances():
    game, saving = two_broken_bridges()
    policy = HavannahPolicy(**NO_STEPS | {"playout_bridge": 30})

    saved = sum(policy.playout_moves(game, seed)[0] in saving for seed in range(1000))

    # Otherwise one of the 55 empty cells is played; and five errors.
    expected = 300 + 700 * len(saving) / 55
    assert abs(saved - expected) < 5 * 15


def winning_moves(game, player):
    return {m for m in game.legal_moves() if inside.ending_if_played(game, player, m)[1]}


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8])
def test_a_win_or_a_threat_leaves_one_move_to_look_at(size):
    # What is more than a move away: tests/core/test_havannah_threats.py.
    policy = HavannahPolicy(prior_decisive=1)
    seen = set()
    for game in positions(size, 200):
        advice = policy.advice(game)
        own, threats = (winning_moves(game, player) for player in (game.to_play, 3 - game.to_play))
        if own:
            assert len(advice) == 1 and advice["move"][0] in own and advice["proven"][0] == 1
        elif threats:
            assert len(advice) == 1 and advice["move"][0] in threats
            assert advice["proven"][0] == (-1 if len(threats) > 1 else 0)
        else:
            assert advice["move"].tolist() == game.legal_moves()
            assert not advice["proven"].any()
        seen.add("win" if own else "lost" if len(threats) > 1 else "forced" if threats else "free")
    assert size < 4 or seen == {"win", "lost", "forced", "free"}


def test_the_first_two_moves_of_a_game_with_swap_are_free():
    policy = HavannahPolicy()
    # On the smallest board the third stone may win.
    for game in (Havannah(2, swap=True), started(2, 1, 1, swap=True)):
        assert policy.advice(game)["move"].tolist() == game.legal_moves()


@pytest.mark.parametrize("size", [3, 5, 8])
def test_priors_are_won_visits_for_what_a_move_does(size):
    weights = {"prior_even": 4, "prior_reach": 3, "prior_bridge": 50}
    policy = HavannahPolicy(**NO_PRIORS | weights)
    chance = random.Random(size)
    for plies in range(1, 2 * size):
        game = started(size, plies - 1, plies)
        game.play(last := chance.choice(game.legal_moves()))
        assert not game.is_over
        for move, heuristic, visits, wins, bias, proven in policy.advice(game).tolist():
            reach = chain_reach(game, stones_of(game, game.to_play) | {move}, move)
            won = 3 * len(reach)
            won += 50 * (move in saving_cells(game, game.to_play, last))
            assert (heuristic, visits, wins, bias, proven) == (won, 4 + won, 4 + 2 * won, 0, 0)


def test_a_search_finds_the_win_that_policy_and_proofs_show():
    for game in positions(4, 60):
        if winning_moves(game, game.to_play):
            search = Search(game, HavannahPolicy(), solve=True, rave=100, exploration=0)
            search.run(10, 1)
            assert search.best_move() in winning_moves(game, game.to_play)
            assert search.tree.array()[0]["proven"] == game.to_play


def test_settings_are_checked():
    with pytest.raises(ValueError, match="unknown setting 'playout_wins': allowed are playout_win"):
        HavannahPolicy(playout_wins=1)
    with pytest.raises(ValueError, match="prior_reach 1001: 0 to 1000 is allowed"):
        HavannahPolicy(prior_reach=1001)
    with pytest.raises(ValueError, match="HavannahPolicy is not for Go"):
        Search(Go(5), HavannahPolicy())
