"""What rates are worth in simulations: curves whose answers can be worked out by hand."""

import json
from math import exp

import pytest

from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports.speedup import Doublings, doublings, simulations_a_move, strength
from mcts_cluster.storage.results import MatchRecord, Results

# Every doubling wins three games of four: four times the simulations win nine of ten, as
# 3 * 3 / (3 * 3 + 1).
STEADY = Doublings({1000: 0.75})


@pytest.mark.parametrize(
    ("rate", "times"),
    [(0.5, 1), (0.75, 2), (0.9, 4), (27 / 28, 8), (0.25, 0.5), (0.1, 0.25)],
)
@pytest.mark.parametrize("simulations", [10, 1000, 10**6])
def test_a_steady_gain_gives_powers_of_two(rate, times, simulations):
    assert STEADY.times(simulations, rate) == pytest.approx(times)


def test_between_two_that_were_measured_the_gain_goes_along_a_line():
    gains = {1024: 1.0, 4096: 0.2}
    curve = Doublings({n: 1 / (1 + exp(-gain)) for n, gain in gains.items()})

    # The middles of the doublings are at 2 ** 10.5 and 2 ** 12.5. Between them the gain is 0.6 on
    # the average, of two doublings together 1.2.
    assert [curve.gain(place) for place in (9, 10.5, 11.5, 12.5, 14)] == pytest.approx(
        [1.0, 1.0, 0.6, 0.2, 0.2]
    )
    assert curve.times(2**10.5, 1 / (1 + exp(-1.2))) == pytest.approx(4)
    assert curve.times(2**12.5, 1 / (1 + exp(1.2))) == pytest.approx(1 / 4)
    assert curve.times(2**12.5, 1 / (1 + exp(-0.4))) == pytest.approx(4)


def test_where_doublings_gain_nothing_no_number_is_enough():
    curve = Doublings({100: 0.75, 200: 0.5})

    assert curve.times(400, 0.75) is None
    assert curve.times(400, 0.5) == 1


def test_a_rate_and_its_complement_cancel_each_other():
    assert strength(0.8) == pytest.approx(-strength(0.2))


def results(*matches, points=(1.0, 1.0, 0.0, None)):
    players = {str(n): {"simulations": n} for n in (100, 150, 200)} | {"flat": {"playouts": 9}}
    rows = [
        GameRecord(match.key, n, p, "area", tuple(range(22)), simulations=(2000, 1000))
        for match in matches
        for n, p in enumerate(points)
    ]
    settings = json.dumps({"player": players})
    return Results("", "go", "", "", settings, matches, tuple(rows))


def test_a_curve_is_made_of_matches_of_twice_the_simulations():
    one, other = MatchRecord(MatchKey("200", "100"), 3), MatchRecord(MatchKey("200", "150"), 3)

    curve = doublings(results(one, other, MatchRecord(MatchKey("flat", "100"), 3)))

    # Two of three, with one more win and one more loss.
    assert curve.gain(7) == pytest.approx(strength(3 / 5))
    assert len(curve.places) == 1
    assert doublings(results(other)) is None
    assert doublings(results(one, points=[None])) is None


def test_what_a_move_took_leaves_the_opening_out():
    found = results(
        MatchRecord(MatchKey("200", "100"), 3), MatchRecord(MatchKey("200", "150"), 3, opening=2)
    )

    # Eleven moves of each player, or ten; a void game says nothing.
    assert simulations_a_move(found, [match.key for match in found.matches]) == {
        MatchKey("200", "100"): (pytest.approx(2000 / 11), pytest.approx(1000 / 11)),
        MatchKey("200", "150"): (200, 100),
    }
