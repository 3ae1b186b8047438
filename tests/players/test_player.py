"""What every player offers; and flat Monte-Carlo: how it shares its budget among the moves."""

from collections import Counter

import pytest

from cext.game import Playouts
from cext.go import Go
from mcts_cluster.games import from_text, new
from mcts_cluster.parallel.leader import TeamPlayer
from mcts_cluster.parallel.sharing.exchange import Sharing
from mcts_cluster.players.flat import FlatMonteCarlo
from mcts_cluster.players.gtp_program import Program
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.players.player import Session, resigns


class Script:
    """A game with three moves, whose playouts come out as they are told to."""

    def __init__(self, outcomes, to_play=1):
        self.outcomes = outcomes
        self.to_play = to_play
        self.ply = 0
        self.asked = []

    def sensible_moves(self):
        return list(self.outcomes)

    def copy(self):
        after = Script(self.outcomes, self.to_play)
        after.asked = self.asked
        return after

    def play(self, move):
        self.move = move
        self.to_play = 3 - self.to_play
        self.ply += 1

    def playouts(self, count, seed):
        self.asked.append((self.move, count, seed))
        return Playouts(*self.outcomes[self.move], moves=0, seconds=0.0)


# Wins of the first player, of the second one, and draws, after each move.
OUTCOMES = {4: (3, 7, 0), 5: (6, 4, 0), 6: (5, 2, 3), 7: (6, 4, 0)}


@pytest.mark.parametrize(("playouts", "each"), [(40, 10), (43, 10), (4, 1), (3, 1), (1, 1)])
def test_the_budget_is_shared_equally_and_no_move_goes_without(playouts, each):
    game = Script(OUTCOMES)

    FlatMonteCarlo(playouts).choose(game, 1)

    assert [(move, count) for move, count, _ in game.asked] == [(move, each) for move in OUTCOMES]


@pytest.mark.parametrize(
    ("to_play", "outcomes", "move"),
    [
        (1, {4: (3, 7, 0), 5: (6, 4, 0), 6: (5, 5, 0)}, 5),
        (2, {4: (3, 7, 0), 5: (6, 4, 0), 6: (5, 5, 0)}, 4),
        # Three draws are worth more than one win, two as much.
        (1, {4: (6, 4, 0), 5: (5, 2, 3)}, 5),
        (2, {4: (4, 6, 0), 5: (2, 5, 3)}, 5),
        (1, {4: (7, 3, 0), 5: (5, 2, 3)}, 4),
    ],
)
def test_the_move_with_the_most_wins_is_chosen_and_draws_are_half_a_win(to_play, outcomes, move):
    assert FlatMonteCarlo(10).choose(Script(outcomes, to_play), 1) == move


def test_equals_have_equal_chances():
    outcomes = {4: (6, 4, 0), 5: (1, 9, 0), 6: (5, 3, 2), 7: (6, 4, 0)}

    chosen = Counter(FlatMonteCarlo(40).choose(Script(outcomes), seed) for seed in range(3000))

    # Four standard deviations of a third of 3,000 are 103.
    assert set(chosen) == {4, 6, 7}
    assert all(abs(count - 1000) < 103 for count in chosen.values())


def test_every_move_has_a_seed_of_its_own_which_depends_on_the_game():
    first, again, other = Script(OUTCOMES), Script(OUTCOMES), Script(OUTCOMES)

    for game, game_seed in ((first, 1), (again, 1), (other, 2)):
        FlatMonteCarlo(40).choose(game, game_seed)

    assert first.asked == again.asked
    assert len({seed for _, _, seed in first.asked + other.asked}) == 2 * len(OUTCOMES)


def test_the_same_game_and_seed_give_the_same_move_and_leave_the_game_as_it_is():
    core = Go(9)
    player = FlatMonteCarlo(400)

    moves = {player.choose(core, 7) for _ in range(3)}

    assert len(moves) == 1
    assert core.ply == 0
    core.check()


# Whoever plays E2 takes the other one's stones below.
DECIDED_AT_E2 = """
    . . . . .
    X X X X X
    O O O O O
    O O O O .
    X X X X X"""


@pytest.mark.parametrize("to_play", ["black", "white"])
@pytest.mark.parametrize("game_seed", range(5))
def test_the_move_that_decides_a_game_is_found(to_play, game_seed):
    game = from_text(DECIDED_AT_E2, to_play=to_play, komi=0.5)

    move = FlatMonteCarlo(600).choose(game.core, game_seed)

    assert game.core.name(move) == "E2"


def test_a_player_with_nothing_but_eyes_passes():
    game = from_text(". X . X\nX X X X\n. X . X\nX X X X")

    move = FlatMonteCarlo(100).choose(game.core, 1)

    assert game.core.name(move) == "pass"


# What every player offers.

TEAM = Sharing(machines=3)


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        (FlatMonteCarlo(9), ""),
        (Mcts(9), ""),
        (Mcts(9, seconds=1), "has a clock"),
        (Mcts(9, threads=2), "has several threads"),
        (Program("gnugo"), "is another program"),
        (TeamPlayer(Mcts(9), TEAM), ""),
        (TeamPlayer(Mcts(seconds=1), TEAM), "has a clock"),
        (TeamPlayer(Mcts(9, threads=2), TEAM), "has several threads"),
        (TeamPlayer(Mcts(9), Sharing(period_seconds=0.1)), "exchanges by the clock"),
    ],
)
def test_a_player_has_a_reason_why_its_games_may_differ(player, reason):
    assert player.why_not_repeatable == reason


@pytest.mark.parametrize(
    ("player", "offers"),
    [
        (FlatMonteCarlo(9), (0, 0, 1, 0, False)),
        (Mcts(9, seconds=2, threads=4), (9, 2, 4, 0, True)),
        (Program("gnugo"), (0, 0, 1, 0, True)),
        (TeamPlayer(Mcts(9, threads=2), TEAM), (9, 0, 2, 3, False)),
    ],
)
def test_every_player_has_a_budget_threads_and_machines(player, offers):
    found = (player.simulations, player.seconds, player.threads, player.machines)

    assert (*found, player.goes_by_clock) == offers


# The rule of resigning.


class Expecting(Session):
    """A session that expects one result of all moves."""

    def __init__(self, result):
        self.game = new("go", size=5)
        self.result = result

    def expected_result(self, move):
        return self.result


@pytest.mark.parametrize(
    ("result", "below", "answer"),
    [
        (0.09, 0.1, True),
        (0.1, 0.1, False),
        (0.0, None, False),
        (0.0, 0, False),
        (0.0, 0.1, True),
        (None, 0.9, False),
    ],
)
def test_a_player_resigns_that_expects_less_of_its_move(result, below, answer):
    assert resigns(Expecting(result), 3, below) == answer


def test_a_pass_is_played_and_not_resigned():
    assert not resigns(Expecting(0.0), 25, 0.9)
