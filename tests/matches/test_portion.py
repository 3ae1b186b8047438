"""Portions of a job: which games they have, as words and as files have them."""

from collections import Counter

import pytest

from mcts_cluster.errors import UserError
from mcts_cluster.matches import portion
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.portion import ALL, Portion
from mcts_cluster.matches.schedule import Schedule
from mcts_cluster.matches.setup import Task


def test_all_games_are_a_portion_too():
    assert list(ALL.numbers(5)) == [0, 1, 2, 3, 4]
    assert (bool(ALL), str(ALL)) == (False, "")


def test_a_range_ends_where_the_match_ends():
    assert list(portion.some("3:500").numbers(6)) == [3, 4, 5]
    assert list(portion.some("3:5").numbers(100)) == [3, 4]
    assert list(portion.some("6:9").numbers(6)) == []


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
@pytest.mark.parametrize("games", [1, 2, 20, 33])
def test_parts_have_every_game_once_and_pairs_together(games, parts):
    numbers = [Portion(part=k + 1, parts=parts).numbers(games) for k in range(parts)]

    assert Counter(n for own in numbers for n in own) == Counter(range(games))
    assert max(map(len, numbers)) - min(map(len, numbers)) <= 2
    for own in numbers:
        assert all(n ^ 1 in own for n in own if n ^ 1 < games)


def test_a_part_keeps_its_games_when_the_job_grows():
    part = Portion(part=2, parts=3)

    assert list(part.numbers(100))[: len(part.numbers(40))] == list(part.numbers(40))


PORTIONS = [
    ALL,
    Portion(0, 500),
    Portion(500, 1000),
    Portion(part=3, parts=8),
    Portion(51, 101, of=portion.RACES),
]


@pytest.mark.parametrize("one", PORTIONS, ids=str)
def test_a_portion_is_read_as_it_is_written(one):
    assert portion.read(str(one)) == one
    assert [n for n in range(1200) if one.has(n)] == list(one.numbers(1200))


@pytest.mark.parametrize("text", ["5", ":", "5:", "a:b", "-1:4", "0:5:2", ""])
def test_what_is_no_range_is_refused(text):
    with pytest.raises(UserError) as refused:
        portion.some(text)

    assert str(refused.value) == (
        f"--games {text}: must be FIRST:END, such as 0:500 for games 0 to 499"
    )


def test_an_empty_range_is_refused():
    with pytest.raises(UserError, match=r"^--games 5:5: END must be larger than FIRST$"):
        portion.some("5:5")


@pytest.mark.parametrize("text", ["3", "0/3", "4/3", "1/0", "1/2/3", "a/b"])
def test_what_is_no_part_is_refused(text):
    with pytest.raises(UserError) as refused:
        portion.part(text)

    assert str(refused.value) == f"--part {text}: must be K/N, such as 3/8, from 1/N to N/N"


# A schedule of one


def row(task, points=1.0):
    return GameRecord(task.match, task.number, points, "area", attempt=task.attempt)


def test_a_schedule_issues_the_games_of_its_portion_only():
    schedule = Schedule({"a": 9, "b": 3}, portion=Portion(part=2, parts=2))

    tasks = list(iter(schedule.issue, None))

    assert [t.number for t in tasks if t.match == "a"] == [2, 3, 6, 7]
    assert [t.number for t in tasks if t.match == "b"] == [2]
    assert (schedule.games, schedule.left) == (5, 5)


def test_a_schedule_leaves_out_a_match_that_has_no_game_in_its_portion():
    schedule = Schedule({"a": 9, "b": 3}, portion=Portion(4, 6))

    assert list(schedule.matches) == ["a"]
    assert [bar.name for bar in schedule.bars()] == ["games", "a"]


def test_rows_outside_its_portion_are_nothing_to_a_schedule():
    rows = [row(Task("a", 1)), row(Task("a", 5)), row(Task("a", 6), None)]

    schedule = Schedule({"a": 9}, rows, Portion(4, 7))

    assert (schedule.played, schedule.left) == (1, 2)
    assert list(iter(schedule.issue, None)) == [Task("a", 6), Task("a", 4)]


# The races of a campaign


def test_all_races_are_those_from_one():
    assert list(ALL.races(3)) == [1, 2, 3]
    assert list(portion.some("2:9", portion.RACES).races(4)) == [2, 3, 4]


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_parts_have_every_race_once_and_in_a_row(parts):
    found = [Portion(part=k + 1, parts=parts).races(20) for k in range(parts)]

    assert [race for own in found for race in own] == list(range(1, 21))
    assert max(map(len, found)) - min(map(len, found)) <= 1
