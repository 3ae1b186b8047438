"""Which worker plays which game, without workers: who is late, lost, void or not to be trusted."""

from collections import deque
from dataclasses import replace
from itertools import count as count_up

import pytest

from mcts_cluster.errors import UserError
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.game_record import GameRecord, WorkerInfo
from mcts_cluster.matches.matches import Matches
from mcts_cluster.matches.schedule import Schedule
from mcts_cluster.matches.setup import Match, MatchKey, Task
from mcts_cluster.players.flat import FlatMonteCarlo
from mcts_cluster.players.gtp_program import Program
from mcts_cluster.running import trust, worker
from mcts_cluster.running.dispatcher import MAX_DEATHS, MAX_VOID, Dispatcher
from mcts_cluster.running.workers import LOST, REPLACED, NoWorkers, WorkerFailed, WrongRow

KEY = MatchKey("a", "a")
JOB = Job(1, "go", {"size": 5}, {"a": FlatMonteCarlo(1)}, Matches((Match(KEY, 1000),)))


class Room:
    """Workers 1 to `count`, two a host, who do nothing by themselves, and a clock."""

    ranks = 5
    placement = ""
    missing = ()
    hosts = ""

    def __init__(self, count, job=JOB, rows=(), there=None):
        self.slots = count
        self.now = 0.0
        self.there = {n: f"h{(n + 1) // 2}" for n in there or range(1, count + 1)}
        self.tasks = {n: deque() for n in range(1, count + 1)}
        self.numbers = count_up()
        self.told = []
        self.inbox = []
        self.dispatcher = Dispatcher(self, job, rows, clock=lambda: self.now)

    def name(self, number):
        return f"rank {number} on h{(number + 1) // 2}"

    def send(self, number, message):
        word, content = message
        self.told.append((number, word))
        if word == worker.TASK:
            self.tasks[number].append(content)

    def heard(self, seconds):
        heard, self.inbox = self.inbox, []
        return heard

    def abandon(self):
        self.tasks.clear()

    # What workers do

    def give(self, count):
        """Hand out so many new games."""
        for _ in range(count):
            self.dispatcher.submit(Task(KEY, next(self.numbers)))

    def play(self, number, points=1.0, seconds=1.0, **other):
        """Have a worker end its game; return the rows that the master gets."""
        task = self.tasks[number].popleft()
        place = WorkerInfo(f"h{(number + 1) // 2}", number)
        row = GameRecord(task.match, task.number, points, "area", attempt=task.attempt)
        row = replace(row, seed=task.seed(1), began=0.0, ended=seconds, worker=place, **other)
        return self.says(worker.ROW, number, row)

    def says(self, word, number, content):
        self.inbox.append((word, number, content))
        return self.dispatcher.rows(0)

    def pass_time(self, seconds):
        """Let time pass, in which the master looks now and then."""
        until = self.now + seconds
        while self.now < until:
            self.now += 1.0
            self.dispatcher.rows(0)

    def all_recalled(self):
        return [number for number, word in self.told if word == worker.RECALL]


def numbers(tasks):
    return [task.number for task in tasks]


# How much each has to do


def test_as_long_as_games_are_long_nobody_has_two():
    room = Room(4)

    room.give(4)

    assert not room.dispatcher.has_room()
    assert [numbers(tasks) for tasks in room.tasks.values()] == [[0], [1], [2], [3]]
    assert room.dispatcher.under_way() == 4


def test_where_games_are_short_all_have_the_same_number_in_advance():
    room = Room(4)
    for _ in range(300):
        room.give(1)
        number = next(number for number, tasks in room.tasks.items() if tasks)
        room.play(number, seconds=0.01)

    while room.dispatcher.has_room():
        room.give(1)

    assert {len(tasks) for tasks in room.tasks.values()} == {6}


def test_what_is_dropped_is_not_waited_for():
    room = Room(4)
    room.dispatcher.paces.depth = 2
    room.give(8)

    room.dispatcher.recall()
    assert room.all_recalled() == [1, 2, 3, 4]
    for number in range(1, 5):
        room.says(worker.DROPPED, number, 1)

    assert room.dispatcher.under_way() == 4
    assert [numbers(s.tasks) for s in room.dispatcher.states.values()] == [[0], [1], [2], [3]]


def test_a_worker_that_comes_late_is_given_games_too():
    room = Room(3, there=[1, 2])
    room.give(2)
    assert not room.dispatcher.has_room()

    room.says(worker.READY, 3, ["h2"])
    room.give(1)

    assert numbers(room.tasks[3]) == [2]


def test_a_mistake_found_by_a_worker_is_the_users_and_says_where():
    room = Room(2)
    room.give(1)

    with pytest.raises(UserError, match=r"^what is wrong \(rank 1 on h1\)$"):
        room.says(worker.MISTAKE, 1, "what is wrong")


def test_what_was_played_before_a_defect_is_not_lost():
    room = Room(2)
    room.give(2)
    room.inbox.append((worker.FAILED, 2, "rank 2 on h1: a traceback"))
    first = room.inbox.pop()
    row = room_row(room, 1)
    room.inbox += [(worker.ROW, 1, row), first]

    assert room.dispatcher.rows(0) == [row]
    with pytest.raises(WorkerFailed, match="rank 2 on h1"):
        room.dispatcher.rows(0)


def room_row(room, number):
    task = room.tasks[number].popleft()
    return GameRecord(task.match, task.number, 1.0, "area", seed=task.seed(1), ended=1.0)


# Void games


def test_a_void_game_is_tried_on_another_host_with_the_same_seed():
    room = Room(4)
    room.give(4)
    schedule = Schedule({KEY: 4})
    for _ in range(4):
        schedule.issue()

    [row] = room.play(1, points=None)
    schedule.fix(row)
    again = schedule.issue()
    room.dispatcher.submit(again)
    # The other one of this host is free, too.
    room.play(2)
    assert again == Task(KEY, 0)
    assert not room.tasks[1]
    assert not room.tasks[2]
    room.play(3)

    assert list(room.tasks[3]) == [again]
    [row] = room.play(3)
    assert (row.number, row.attempt, row.points) == (0, 0, 1.0)
    assert room.dispatcher.under_way() == 1


def test_where_there_is_one_host_another_worker_tries():
    room = Room(2)
    room.give(2)
    room.play(1, points=None)

    room.dispatcher.submit(Task(KEY, 0))
    assert not room.tasks[1]
    room.play(2)

    assert numbers(room.tasks[2]) == [0]


def test_a_single_worker_tries_again_itself():
    room = Room(1)
    room.give(1)
    room.play(1, points=None)

    room.dispatcher.submit(Task(KEY, 0))

    assert numbers(room.tasks[1]) == [0]


def test_a_run_that_continues_knows_on_which_host_a_game_was_void():
    void = GameRecord(KEY, 0, None, "died", worker=WorkerInfo("h1", 7))
    room = Room(4, rows=[void])

    room.dispatcher.submit(Task(KEY, 0))

    assert numbers(room.tasks[3]) == [0]


def test_a_worker_with_many_void_games_in_a_row_gets_no_more():
    room = Room(4)
    for _ in range(MAX_VOID):
        room.give(1 if any(room.tasks.values()) else 4)
        room.play(1, points=None)
    assert not room.tasks[1]

    assert list(room.dispatcher.news()) == [
        f"rank 1 on h1: {MAX_VOID} void games in a row; it gets no more"
    ]
    assert not room.dispatcher.has_room()
    room.play(2)
    room.give(1)

    assert not room.tasks[1]
    assert not room.dispatcher.has_room()


def test_where_all_have_void_games_none_is_set_aside():
    room = Room(2)
    for _ in range(MAX_VOID):
        room.give(2)
        room.play(1, points=None)
        room.play(2, points=None)

    assert len(list(room.dispatcher.news())) == 1
    assert not any(state.is_set_aside for state in room.dispatcher.states.values())


def test_who_was_set_aside_is_taken_back_when_all_others_are_lost():
    room = Room(2)
    for _ in range(MAX_VOID):
        room.give(2 if not room.tasks[2] else 1)
        room.play(1, points=None)
    assert room.dispatcher.states[1].is_set_aside

    room.says(LOST, 2, "rank 2 on h1 is lost")
    room.pass_time(1)
    room.dispatcher.rows(0)

    assert numbers(room.tasks[1]) == [1]


# Late


def test_who_is_late_is_said_once_and_then_rarely():
    room = Room(3)
    room.give(3)
    for _ in range(6):
        room.play(1, seconds=3.0)
        room.give(1)
    room.play(2, seconds=3.0)
    room.give(1)

    room.pass_time(14)
    assert list(room.dispatcher.news()) == []
    room.pass_time(100)

    said = list(room.dispatcher.news())
    assert [line.split(",")[0] for line in said] == [
        "rank 1 on h1: game 8 of a against a for 16 s",
        "rank 2 on h1: game 9 of a against a for 16 s",
        "rank 3 on h2: game 2 of a against a for 16 s",
    ]
    assert all(line.endswith(", usually 3") for line in said)
    room.pass_time(100)
    assert len(list(room.dispatcher.news())) == 3


def test_the_game_of_a_late_worker_is_given_to_another_and_whichever_is_first_counts():
    room = Room(3)
    room.give(3)
    for _ in range(6):
        room.play(1)
        room.give(1)
    # Both 2 and 3 are late, and 1 is not.
    room.pass_time(6)
    room.play(1)
    room.give(1)
    room.pass_time(6)

    [row] = room.play(1)
    assert numbers(room.tasks[1]) == [1]
    [row] = room.play(1)
    assert (row.number, row.worker.rank) == (1, 1)
    # Late, but not lost.
    assert room.play(2) == []
    [row] = room.play(3)
    assert (row.number, row.worker.rank) == (2, 3)
    assert room.dispatcher.trust.replayed == 0


def test_where_nothing_is_left_to_play_a_game_is_given_away_earlier():
    room = Room(2)
    room.give(2)
    room.play(1, seconds=2.0)

    room.pass_time(4)
    assert not room.tasks[1]
    room.pass_time(1)

    assert numbers(room.tasks[1]) == [1]
    assert list(room.dispatcher.news()) == []
    assert not room.dispatcher.is_stuck
    room.play(1)
    assert room.dispatcher.under_way() == 0


def test_a_run_is_stuck_when_only_late_workers_have_something():
    room = Room(2)
    room.give(2)
    room.play(1)
    room.dispatcher.recall()

    room.pass_time(9)
    assert not room.dispatcher.is_stuck
    room.pass_time(30)

    assert room.dispatcher.is_stuck
    # All is played: nobody need play it again.
    assert not room.tasks[1]


def test_a_game_of_a_match_of_which_none_has_ended_is_late_after_those_of_others():
    room = Room(2)
    room.give(1)
    other = Task(MatchKey("b", "a"), 0)
    room.dispatcher.submit(other)
    room.play(1)
    room.dispatcher.recall()

    room.pass_time(12)

    assert room.dispatcher.is_stuck
    [said] = room.dispatcher.news()
    assert said.startswith(f"rank 2 on h1: {other} for 11 s, usually 1")


def test_who_is_still_at_a_game_at_the_end_is_named():
    room = Room(2)
    room.give(2)
    room.play(1)
    room.pass_time(6)
    room.play(1)

    said = "rank 2 on h1 is at game 1 of a against a for 6 s; ended without it"
    assert list(room.dispatcher.left_behind()) == [said]


def test_nobody_is_late_after_a_pause_of_the_master():
    room = Room(2)
    room.give(2)
    for _ in range(6):
        room.play(1)
        room.give(1)
    room.pass_time(2)

    room.now += 1000
    room.dispatcher.rows(0)

    assert list(room.dispatcher.news()) == []


# Lost


def test_what_a_lost_worker_had_is_played_by_others():
    room = Room(3)
    room.dispatcher.paces.depth = 2
    room.give(5)

    room.says(LOST, 1, "rank 1 on h1 is lost")

    said = "rank 1 on h1 is lost in game 0 of a against a, which is played again"
    assert list(room.dispatcher.news()) == [said]
    assert numbers(room.tasks[3]) == [2, 0]
    room.play(2)
    room.play(2)
    assert numbers(room.tasks[2]) == [3]
    # Whatever it has sent before.
    assert room.play(1) == []


def test_a_process_that_is_replaced_is_given_games_again():
    room = Room(1)
    room.give(1)
    room.tasks[1].clear()

    room.says(REPLACED, 1, "process 1 on h1 was killed by signal 9")

    assert numbers(room.tasks[1]) == [0]


def test_a_game_that_its_workers_do_not_survive_ends_the_run():
    room = Room(2)
    room.give(2)

    with pytest.raises(UserError, match="a process that played games was killed"):
        for _ in range(MAX_DEATHS):
            number = next(n for n in (1, 2) if 0 in numbers(room.tasks[n]))
            room.tasks[number].clear()
            room.says(REPLACED, number, "it died")


def test_deaths_are_forgotten_when_games_end():
    room = Room(2)
    room.give(2)

    for _ in range(2 * MAX_DEATHS):
        number = next(n for n in (1, 2) if 0 in numbers(room.tasks[n]))
        room.tasks[number].clear()
        room.says(REPLACED, number, "it died")
        other = next(n for n in (1, 2) if room.tasks[n] and 0 not in numbers(room.tasks[n]))
        room.play(other)
        room.give(1)

    assert room.dispatcher.under_way() == 2


def test_a_run_without_workers_ends():
    room = Room(1)
    room.give(1)

    with pytest.raises(NoWorkers, match="all workers are lost"):
        room.says(LOST, 1, "rank 1 on h1 is lost")


# Trust


@pytest.mark.parametrize(
    "other", [{"seed": 5}, {"number": 7}, {"match": MatchKey("b", "a")}, {"attempt": 1}]
)
def test_a_row_that_is_not_of_the_task_ends_the_run_with_its_worker(other):
    room = Room(2)
    room.give(1)
    row = replace(room_row(room, 1), **other)

    with pytest.raises(WrongRow, match=r"^rank 1 on h1 has sent game \d of . against a, .*given"):
        room.says(worker.ROW, 1, row)


def test_a_row_that_nobody_has_asked_for_ends_the_run():
    room = Room(2)
    room.give(1)
    row = room_row(room, 1)
    room.says(worker.ROW, 1, row)

    with pytest.raises(WrongRow, match=r"it was given none$"):
        room.says(worker.ROW, 1, row)


@pytest.fixture
def doubtful(monkeypatch):
    """Have every game played twice."""
    monkeypatch.setattr(trust, "SHARE", 1)


def test_a_game_that_was_chosen_is_played_on_another_host_too(doubtful):
    room = Room(4)
    room.give(1)

    [row] = room.play(1)
    assert room.dispatcher.under_way() == 1
    assert list(room.tasks[3]) == [Task(KEY, 0)]
    assert room.play(3, seconds=7.0) == []

    assert (row.number, room.dispatcher.under_way()) == (0, 0)
    assert (room.dispatcher.trust.replayed, room.dispatcher.trust.disagreements) == (1, [])


def test_a_disagreement_names_the_game_and_both_workers(doubtful):
    room = Room(4)
    room.give(1)
    room.play(1, moves=(1, 2, 3))

    room.play(3, moves=(1, 2, 4, 5))

    [said] = room.dispatcher.news()
    assert said == (
        "game 0 of a against a is another one by rank 3 on h2 than by rank 1 on h1, from move 3 on"
    )
    assert list(map(str, room.dispatcher.trust.disagreements)) == [said]


def test_one_of_many_games_is_chosen_whoever_plays_it():
    chosen = [
        number
        for number in range(20 * trust.SHARE)
        if trust.Trust(JOB).is_chosen(Task(KEY, number), GameRecord(KEY, number, 1.0, "area"))
    ]

    assert 5 <= len(chosen) <= 45


def test_nothing_is_chosen_that_may_be_another_game_by_right(doubtful):
    program = replace(JOB, players={"a": Program("a program")})
    row, task = GameRecord(KEY, 0, 1.0, "area"), Task(KEY, 0)

    assert trust.Trust(JOB).is_chosen(task, row)
    assert not trust.Trust(JOB).is_chosen(task, replace(row, points=None))
    assert not trust.Trust(program).is_chosen(task, row)


def test_a_single_worker_replays_nothing(doubtful):
    room = Room(1)
    room.give(1)

    room.play(1)

    assert room.dispatcher.under_way() == 0


def test_a_run_that_is_stopped_replays_nothing(doubtful):
    room = Room(2)
    room.give(2)

    room.dispatcher.recall(is_over=True)
    room.play(1)

    assert room.dispatcher.under_way() == 1


def test_nobody_waits_for_a_late_worker_to_play_a_game_again(doubtful):
    room = Room(2)
    room.give(2)
    room.play(1)
    room.pass_time(40)

    # That of the late one.
    room.play(1)

    assert room.dispatcher.under_way() == 0
