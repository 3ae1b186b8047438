"""Which worker plays which game: tasks that are issued, the workers that play them, their rows.

A worker has one task at a time as long as games take longer than the way there and back, and the
more the shorter they are. It plays them in their order. A task is given to another worker, too, if

    its worker is lost         another process takes the place of one that has died; ranks are few
    its worker is overdue      where nothing else is left to play, or far more; of the same game
                               whichever row comes first counts
    it was void                on another host, if there is one
    it is chosen               by its number, to be played twice (trust)

A worker that has many void games in a row gets no more, as long as another one has not.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from mcts_cluster.errors import UserError
from mcts_cluster.running.trust import Trust
from mcts_cluster.running.worker import DROPPED, FAILED, MISTAKE, READY, RECALL, ROW, TASK
from mcts_cluster.running.workers import (
    LOST,
    REPLACED,
    Message,
    NoWorkers,
    Paces,
    Roster,
    Tries,
    WorkerFailed,
    Workers,
    WorkerState,
)

if TYPE_CHECKING:
    from mcts_cluster.jobs.job import Job
    from mcts_cluster.matches.game_record import GameRecord
    from mcts_cluster.matches.setup import Task

# Of a worker in a row, and of the workers of a game, before any game ends.
MAX_VOID = 3
MAX_DEATHS = 3
# How many times as late as it was when that was said.
SAID_AGAIN = 10.0
SECONDS_BETWEEN_LOOKS = 0.5
# Since the last look: then all of us were asleep, and nobody is late.
MAX_GAP = 5.0


class Dispatcher:
    """The workers of a run, as its master uses them.

    Public attributes (treat as read-only): slots; trust.
    """

    def __init__(
        self,
        workers: Workers,
        job: Job,
        void: Iterable[GameRecord] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take workers for the games of a job, of which some were void in earlier runs."""
        self.workers = workers
        self.slots = workers.slots
        self.trust = Trust(job)
        self.clock = clock
        self.roster = Roster()
        self.states = self.roster.states
        self.paces = Paces()
        # Tasks without a row, and who has them; and those for whoever suits them.
        self.wanted: dict[Task, set[int]] = {}
        self.waiting: deque[Task] = deque()
        self.tries = Tries()
        for row in void:
            self.tries.add(row)
        self.deaths: Counter[Task] = Counter()
        self.said = [*workers.missing]
        self.is_recalled = self.is_over = False
        self.failure: Exception | None = None
        self.looked = clock()
        for number, host in workers.there.items():
            self.join(number, host)

    # What a master does

    def has_room(self) -> bool:
        """Tell whether another task would be taken at once, or soon."""
        return self.roster.has_room(self.paces.depth)

    def submit(self, task: Task) -> None:
        """Have a game played."""
        if self.tries.has(task):
            holders = {state.number for state in self.states.values() if task in state.tasks}
            self.wanted[task] = holders
            if not holders:
                self.waiting.append(task)
                self.place()
            return
        self.wanted[task] = set()
        self.give(self.roster.least_busy(), task)

    def under_way(self) -> int:
        """Return how many tasks are waited for."""
        return len(self.wanted) + len(self.trust.awaited)

    @property
    def is_stuck(self) -> bool:
        """Whether only workers that are late have what is waited for."""
        holders = (self.states[number] for held in self.wanted.values() for number in held)
        return not self.trust.awaited and all(one.is_late for one in holders)

    def rows(self, seconds: float) -> list[GameRecord]:
        """Return what has been played since, after some time at most; raises what a game raises."""
        if self.failure:
            raise self.failure
        self.look()
        rows = []
        for message in self.workers.heard(seconds):
            try:
                row = self.taken(message)
            except Exception as error:
                # First what was played.
                self.failure = error
                break
            if row:
                rows.append(row)
        if self.failure and not rows:
            raise self.failure
        self.place()
        return rows

    def news(self) -> Iterator[str]:
        """Yield what there is to say of workers since the last call, a line each."""
        said, self.said = self.said, []
        yield from said

    def recall(self, is_over: bool = False) -> None:
        """Take back what has not been begun; if all is over, what is played again, too."""
        self.is_recalled, self.is_over = True, is_over
        if is_over:
            self.trust.awaited.clear()
        self.waiting = deque(task for task in self.waiting if task in self.trust.awaited)
        self.wanted = {task: held for task, held in self.wanted.items() if held}
        for state in self.states.values():
            if len(state.tasks) > 1:
                self.workers.send(state.number, (RECALL, None))

    def left_behind(self) -> Iterator[str]:
        """Yield who is still at a game at the end of the run, a line each."""
        for state in self.states.values():
            if state.is_overdue:
                spent = self.clock() - state.since
                name = self.workers.name(state.number)
                yield f"{name} is at {state.tasks[0]} for {spent:.0f} s; ended without it"

    def abandon(self) -> None:
        """Stop all games under way."""
        self.workers.abandon()

    # What workers say

    def taken(self, message: Message) -> GameRecord | None:
        """Take a message of a worker; return the row that it brings, if that is waited for."""
        word, number, content = message
        if word == READY:
            self.join(number, content[0])
        elif number not in self.states:
            # It was lost meanwhile.
            return None
        elif word == MISTAKE:
            name = f" ({self.workers.name(number)})" if self.workers.ranks > 1 else ""
            raise UserError(f"{content}{name}")
        elif word == FAILED:
            raise WorkerFailed(content)
        elif word in (LOST, REPLACED):
            self.lose(self.states[number], content, word == REPLACED)
        elif word == DROPPED:
            self.take_back(self.states[number], content)
        else:
            assert word == ROW
            return self.fixed(self.states[number], content)
        return None

    def join(self, number: int, host: str) -> None:
        if number not in self.states:
            self.roster.add(WorkerState(number, host))

    def fixed(self, state: WorkerState, row: GameRecord) -> GameRecord | None:
        task = state.tasks[0] if state.tasks else None
        self.trust.check(task, row, self.workers.name(state.number))
        assert task
        self.paces.add(row.match, row.ended - row.began)
        with self.roster.moved(state):
            state.tasks.popleft()
            state.since, state.told = self.clock(), 0.0
            if state.is_overdue and state.tasks:
                # Others have these.
                self.workers.send(state.number, (RECALL, None))
            state.is_overdue = state.is_late = False
        held = self.wanted.pop(task, None)
        if held is None:
            if found := self.trust.compare(task, row):
                self.said.append(str(found))
            return None
        self.deaths.clear()
        self.note_void(state, row)
        is_alone = held == {state.number}
        if is_alone and not self.is_over and self.trust.is_chosen(task, row):
            self.trust.awaited[task] = row
            self.tries.add(row, state.number)
            self.waiting.append(task)
        return row

    def take_back(self, state: WorkerState, count: int) -> None:
        """Take back the last tasks of a worker, which it has dropped."""
        with self.roster.moved(state):
            dropped = [state.tasks.pop() for _ in range(count)]
        self.release(state, reversed(dropped))

    def lose(self, state: WorkerState, what: str, is_replaced: bool) -> None:
        """Have what a worker had to play played by others."""
        tasks = list(state.tasks)
        again = tasks and tasks[0] in self.wanted
        self.said.append(f"{what}{f' in {tasks[0]}, which is played again' if again else ''}")
        with self.roster.moved(state):
            state.tasks.clear()
            state.void = 0
            state.is_overdue = state.is_late = state.is_set_aside = False
        if not is_replaced:
            self.roster.remove(state)
        if tasks:
            self.deaths[tasks[0]] += 1
            if self.deaths[tasks[0]] >= MAX_DEATHS:
                raise killed()
        self.release(state, tasks)
        if not self.states:
            raise NoWorkers("all workers are lost; run again to play what is missing")

    def release(self, state: WorkerState, tasks: Iterable[Task]) -> None:
        """Have tasks wait for another worker that were given to this one, where nobody has them."""
        for task in tasks:
            if (held := self.wanted.get(task)) is not None:
                held.discard(state.number)
                if not held and self.is_recalled:
                    del self.wanted[task]
            if not held and (task in self.wanted or task in self.trust.awaited):
                self.waiting.append(task)

    def note_void(self, state: WorkerState, row: GameRecord) -> None:
        """Set a worker aside that has many void games in a row, and others have not."""
        if row.points is not None:
            state.void = 0
            return
        self.tries.add(row, state.number)
        state.void += 1
        if state.void < MAX_VOID or state.is_set_aside:
            return
        with self.roster.moved(state):
            state.is_set_aside = True
        if self.roster.readmit():
            return
        if state.tasks:
            self.workers.send(state.number, (RECALL, None))
        name = self.workers.name(state.number)
        self.said.append(f"{name}: {state.void} void games in a row; it gets no more")

    # Who gets what

    def give(self, state: WorkerState, task: Task) -> None:
        if not state.tasks:
            state.since = self.clock()
        with self.roster.moved(state):
            state.tasks.append(task)
        if task in self.wanted:
            self.wanted[task].add(state.number)
        self.workers.send(state.number, (TASK, task))

    def place(self) -> None:
        """Give away what waits for those that suit it, as far as they have room."""
        for _ in range(len(self.waiting)):
            task = self.waiting.popleft()
            if task not in self.trust.awaited and not self.is_overdue(task):
                continue
            if self.has_room() and (state := self.suited(task)):
                self.give(state, task)
            elif task in self.wanted or self.others(task):
                self.waiting.append(task)
            else:
                # There is nobody to play it again.
                del self.trust.awaited[task]

    def suited(self, task: Task) -> WorkerState | None:
        """Return who is to play a task: where it was not tried, if there is such a place.

        Nobody, if those have no room now.
        """
        others = [(self.tries.count(task, one), one) for one in self.others(task)]
        least = min((tries for tries, _ in others), default=None)
        best = [one for tries, one in others if tries == least]
        free = [one for one in best if len(one.tasks) < self.paces.depth]
        return min(free, key=lambda one: len(one.tasks), default=None)

    def others(self, task: Task) -> list[WorkerState]:
        """Return who could play a task; if it is to be played again, those that have not yet."""
        others = [one for one in self.states.values() if one.is_open and task not in one.tasks]
        if task not in self.trust.awaited:
            return others
        return [one for one in others if not self.tries.count(task, one)[1]]

    # Who is late

    def look(self) -> None:
        """Look now and then for workers that are overdue, and have others play their games."""
        now = self.clock()
        if now - self.looked < SECONDS_BETWEEN_LOOKS:
            return
        gap, self.looked = now - self.looked, now
        self.roster.readmit()
        # The master has handed out what there is.
        is_idle = self.roster.has_idle
        for state in (one for one in self.states.values() if one.tasks):
            if gap > MAX_GAP:
                state.since += gap
            pace = self.paces.of(state.tasks[0].match)
            if not state.is_overdue_after(now - state.since, pace, is_idle):
                continue
            if state.is_late and now - state.since > SAID_AGAIN * state.told:
                state.told = now - state.since
                name, usual = self.workers.name(state.number), f"usually {pace.usual:.3g}"
                self.said.append(f"{name}: {state.tasks[0]} for {state.told:.0f} s, {usual}")
            if not state.is_overdue:
                with self.roster.moved(state):
                    state.is_overdue = True
                self.rescue(state)

    def rescue(self, state: WorkerState) -> None:
        """Have the games of a worker that is overdue played by others, too."""
        for task in state.tasks:
            self.trust.awaited.pop(task, None)
            if not self.is_recalled and self.is_overdue(task):
                self.waiting.append(task)
        self.place()

    def is_overdue(self, task: Task) -> bool:
        """Return whether a task is waited for, and whoever has it is overdue."""
        held = self.wanted.get(task)
        return held is not None and all(self.states[number].is_overdue for number in held)


def killed() -> UserError:
    """Return what to say of a worker process that is gone; it cannot say why."""
    return UserError(
        "a process that played games was killed, perhaps for want of memory; "
        "run again to play what is missing"
    )
