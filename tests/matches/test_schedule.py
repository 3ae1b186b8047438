"""What is played next: even growth, colours in turn, what is lost or void, and runs continued."""

from collections import Counter

import pytest

from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.schedule import MAX_ATTEMPTS, MAX_TRIES, Schedule
from mcts_cluster.matches.setup import Task


def row(task, points=1.0):
    return GameRecord(task.match, task.number, points, "area", attempt=task.attempt)


def issue_all(schedule):
    return list(iter(schedule.issue, None))


def test_every_game_is_issued_once_and_in_the_order_of_its_number():
    schedule = Schedule({"a": 5, "b": 3})

    tasks = issue_all(schedule)

    assert [t.number for t in tasks if t.match == "a"] == [0, 1, 2, 3, 4]
    assert [t.number for t in tasks if t.match == "b"] == [0, 1, 2]
    assert len(tasks) == 8


@pytest.mark.parametrize("games", [{"a": 100, "b": 10, "c": 50}, {"a": 7, "b": 7}])
def test_matches_grow_evenly_by_their_shares(games):
    schedule = Schedule(games)
    issued = Counter()

    for _ in range(sum(games.values())):
        issued[schedule.issue().match] += 1
        shares = [issued[name] / number for name, number in games.items()]
        # Never further apart than one game of the smallest match.
        assert max(shares) - min(shares) <= 1 / min(games.values()) + 1e-9


def test_equal_matches_take_turns_in_the_order_of_the_job():
    schedule = Schedule({"b": 2, "a": 2})

    assert [t.match for t in issue_all(schedule)] == ["b", "a", "b", "a"]


def test_a_void_game_is_issued_again_next():
    schedule = Schedule({"a": 4})
    void = schedule.issue()
    schedule.issue()

    schedule.fix(row(void, None))

    # For another worker: with the same seed.
    assert issue_all(schedule) == [void, Task("a", 2), Task("a", 3)]


def test_a_game_that_is_void_twice_is_another_attempt_and_later_left_to_the_next_run():
    schedule = Schedule({"a": 2})
    task, other = schedule.issue(), schedule.issue()
    schedule.fix(row(other))

    attempts = []
    while task:
        attempts.append((task.number, task.attempt))
        schedule.fix(row(task, None))
        task = schedule.issue()

    assert attempts == [(0, 0), (0, 0), (0, 1), (0, 1), (0, 2), (0, 2)]
    assert (schedule.played, schedule.left) == (1, 1)


def test_a_match_of_void_games_only_is_left_and_the_others_go_on():
    schedule = Schedule({"bad": 100, "good": 100})
    void = 0

    while task := schedule.issue():
        void += task.match == "bad"
        schedule.fix(row(task, None if task.match == "bad" else 1.0))

    assert void == MAX_ATTEMPTS * MAX_TRIES
    assert schedule.matches["good"].played == 100
    assert schedule.left == 100


def test_a_match_that_has_a_game_is_never_left_as_a_whole():
    schedule = Schedule({"a": 40})
    played = 0

    while task := schedule.issue():
        is_void = task.number % 2 and task.number < 20
        played += not is_void
        schedule.fix(row(task, None if is_void else 0.5))

    assert (played, schedule.played, schedule.left) == (30, 30, 10)


# Continued


@pytest.mark.parametrize("before", [[], [0], [1, 3], [4, 2, 0], [0, 1, 2, 3, 4]])
def test_a_run_that_continues_plays_what_is_missing(before):
    schedule = Schedule({"a": 5}, [row(Task("a", number)) for number in before])

    assert schedule.played == len(before)
    assert [t.number for t in issue_all(schedule)] == sorted({0, 1, 2, 3, 4} - set(before))


def test_the_order_of_rows_does_not_matter():
    void, tried = row(Task("a", 1), None), row(Task("a", 0), None)
    rows = [void, row(Task("a", 1)), tried, tried, row(Task("a", 2), None)]

    for order in (rows, rows[::-1]):
        schedule = Schedule({"a": 4}, order)
        assert schedule.played == 1
        assert issue_all(schedule) == [Task("a", 0, 1), Task("a", 2), Task("a", 3)]


def test_games_that_were_left_are_tried_again_by_the_next_run_with_other_seeds():
    void = [row(Task("a", 0, attempt), None) for attempt in range(MAX_ATTEMPTS)] * MAX_TRIES
    schedule = Schedule({"a": 1}, void)

    assert schedule.played == 0
    assert schedule.issue() == Task("a", 0, MAX_ATTEMPTS)


def test_games_may_be_added_to_a_job():
    rows = [row(task) for task in issue_all(Schedule({"a": 3}))]

    added = issue_all(Schedule({"a": 4, "b": 2}, rows))

    assert set(added) == {Task("a", 3), Task("b", 0), Task("b", 1)}


def test_interruptions_at_any_point_play_every_game_once():
    games = {"a": 9, "b": 4}
    for kept in range(13):
        rows = []
        first = Schedule(games)
        while len(rows) < kept and (task := first.issue()):
            # Another game is under way, and lost.
            first.issue()
            rows.append(row(task))
            first.fix(rows[-1])

        rest = issue_all(Schedule(games, rows))

        played = Counter((r.match, r.number) for r in rows)
        played.update((task.match, task.number) for task in rest)
        assert len(played) == 13
        assert set(played.values()) == {1}
