"""The clock policy against a referee with a clock of its own."""

import random

import pytest

from mcts_cluster.gtp.clock import Clock, Left, Limits


class Referee:
    """Counts one player's time as a server does; says when it is out."""

    def __init__(self, limits):
        self.limits = limits
        self.main = limits.main
        self.period, self.moves, self.periods = 0.0, 0, limits.periods
        self.has_flagged = False

    def move(self, seconds):
        used = min(self.main, seconds)
        self.main -= used
        seconds -= used
        if self.main > 0 or (seconds == 0 and self.limits.period):
            return
        if not self.limits.period:
            self.has_flagged = True
        elif self.limits.periods:
            self.periods -= int(seconds / self.limits.period)
            self.has_flagged = self.periods < 1
        else:
            if not self.moves:
                self.period, self.moves = self.limits.period, self.limits.moves
            self.period -= seconds
            self.moves -= 1
            self.has_flagged = self.period < 0

    def told(self):
        if self.main > 0:
            return self.main, 0
        if self.limits.periods:
            return self.limits.period, self.periods
        return (self.period, self.moves) if self.moves else (self.limits.period, self.limits.moves)


LIMITS = [
    Limits(600),
    Limits(10),
    Limits(0.5),
    Limits(60, 30, 25),
    Limits(0, 10, 1),
    Limits(0, 300, 25),
    Limits(3, 5, 10),
    Limits(60, 10, periods=5),
    Limits(0, 2, periods=1),
    Limits(1, 30, periods=3),
]


@pytest.mark.parametrize("tells", [True, False], ids=["told", "on its own"])
@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_no_game_is_lost_on_time(limits, tells):
    chance = random.Random(1)
    clock, referee = Clock(lag=0.1), Referee(limits)
    clock.set(limits)
    used = 0.0

    for number in range(200):
        if tells:
            clock.set_left(1, *referee.told())
        seconds = clock.budget(1, max(10, 100 - number))
        # Nobody can help it where there is no more time than lag.
        overhead = chance.uniform(0, 0.09) if referee.main > 20 * 0.1 or limits.period else 0
        clock.spend(1, seconds)
        referee.move(seconds + overhead)
        used += seconds + overhead
        assert not referee.has_flagged, number

    # And what there is gets used: most of the main time, or of each period.
    given = 200 * limits.a_move if limits.period else limits.main - 0.3
    assert used > 0.5 * given


def test_without_limits_there_is_no_budget():
    clock = Clock()

    assert clock.budget(1, 30) is None


def test_limits_are_for_both_players_and_each_has_a_clock():
    clock = Clock(lag=0)
    clock.set(Limits(100))

    clock.spend(2, 40)

    assert clock.budget(1, 10) == 10
    assert clock.budget(2, 10) == 6


def test_a_new_game_has_all_of_its_time():
    clock = Clock(lag=0)
    clock.set(Limits(100))
    clock.spend(1, 90)

    clock.restart()

    assert clock.budget(1, 10) == 10


@pytest.mark.parametrize(
    ("limits", "left", "budget"),
    [
        (Limits(600), (300, 0), 30 - 0.1),
        (Limits(600, 300, 10), (20, 0), 30 - 0.1),  # main time is short: on into a period
        (Limits(600, 300, 10), (90, 3), 30 - 0.1),
        (Limits(600, 30, periods=5), (30, 5), 30 - 0.1),
        (Limits(600, 30, periods=5), (12, 1), 12 - 0.1),
        (Limits(600), (1, 0), 0.01),  # a tenth of a share that the lag would eat up
        (Limits(600), (0, 0), 0.001),
    ],
)
def test_a_budget_is_an_equal_share_less_the_lag(limits, left, budget):
    clock = Clock(lag=0.1)
    clock.set(limits)

    clock.set_left(1, *left)

    assert clock.budget(1, 10) == pytest.approx(budget)


def test_moves_are_counted_in_canadian_periods():
    clock = Clock(lag=0)
    clock.set(Limits(10, 30, 3))

    seen = []
    for seconds in (12, 5, 5):
        clock.spend(1, seconds)
        seen.append((clock.left[1].seconds, clock.left[1].count))

    assert seen == [(28, 2), (23, 1), (30, 3)]


def test_periods_are_lost_one_by_one():
    clock = Clock(lag=1)
    clock.set(Limits(0, 10, periods=3))

    clock.spend(1, 8.5)
    none_lost = clock.left[1].count
    clock.spend(1, 15)

    assert none_lost == 3
    assert clock.left[1] == Left(10, 2)


def test_nothing_left_is_no_news_in_a_game_without_limits():
    clock = Clock()

    clock.set_left(1, 0, 0)
    clock.set_left(2, 5, 0)

    assert clock.budget(1, 10) is None
    assert clock.budget(2, 10) == pytest.approx(0.4)
