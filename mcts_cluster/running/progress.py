"""How a run tells of itself while it plays: bars on a terminal, a line a minute in a batch log."""

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Self, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.text import Text

from mcts_cluster.bgp.campaign_state import CampaignState
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.schedule import Schedule
from mcts_cluster.reports.durations import duration
from mcts_cluster.success_rates import success

SECONDS_BETWEEN_LINES = 60.0


# The rate is that of the last games, since the first ones of a run may be of another kind.
LAST_GAMES = 200


Thing = TypeVar("Thing")


class View(ABC):
    """What a run has come to, shown as the console allows; a context manager."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.ended = deque([time.monotonic()], LAST_GAMES)
        self.next_line = time.monotonic() + SECONDS_BETWEEN_LINES
        self.bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[said]}", markup=False),
            console=console,
            disable=not console.is_terminal,
        )

    def __enter__(self) -> Self:
        self.bars.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.bars.stop()

    @abstractmethod
    def fixed(self, row: GameRecord) -> None:
        """Take in a row that has been counted."""

    @abstractmethod
    def standing(self) -> Iterable[str]:
        """Return what there is to say in a line; parts may be empty."""

    def per_second(self) -> float:
        """Return how fast games end, 0 where nobody knows yet."""
        spent = self.ended[-1] - self.ended[0]
        return (len(self.ended) - 1) / spent if spent > 0 else 0.0

    def tick(self) -> None:
        """Say where the run stands, where there is no terminal and a minute has passed."""
        if self.console.is_terminal or time.monotonic() < self.next_line:
            return
        self.next_line = time.monotonic() + SECONDS_BETWEEN_LINES
        parts = [time.strftime("%H:%M:%S"), *self.standing()]
        self.say(", ".join(part for part in parts if part))

    def say(self, text: str) -> None:
        """Print a line, above the bars if there are some."""
        self.console.print(Text(text), soft_wrap=True)


class MatchView(View):
    """A bar for each match. Points of earlier runs count in the rates, and not in the pace."""

    def __init__(self, schedule: Schedule, rows: tuple[GameRecord, ...], console: Console) -> None:
        super().__init__(console)
        self.schedule = schedule
        self.points = dict.fromkeys(schedule.cells, 0.0)
        self.tasks: dict[str, TaskID] = {}
        for row in rows:
            self.count(row)
        # First, because a terminal shows no more bars than it has lines.
        self.all = self.bars.add_task(
            "all games", total=schedule.games, completed=schedule.played, said=""
        )
        for name, cell in schedule.cells.items():
            self.tasks[name] = self.bars.add_task(
                name, total=cell.games, completed=cell.played, said=self.rate(name)
            )

    def count(self, row: GameRecord) -> None:
        if row.points is not None:
            self.points[row.match] += row.points

    def fixed(self, row: GameRecord) -> None:
        self.count(row)
        self.ended.append(time.monotonic())
        name = row.match
        played = self.schedule.cells[name].played
        self.bars.update(self.tasks[name], completed=played, said=self.rate(name))
        self.bars.update(self.all, completed=self.schedule.played, said=self.pace())

    def rate(self, name: str) -> str:
        played = self.schedule.cells[name].played
        if not played:
            return ""
        rate, error = success(self.points[name], played)
        return f"{rate:.1f} ± {error:.1f} %"

    def pace(self) -> str:
        """Return how fast games end, and what is left of the time."""
        per_second = self.per_second()
        if not per_second:
            return ""
        left = (self.schedule.games - self.schedule.played) / per_second
        return f"{3600 * per_second:,.0f} games/hour, {duration(left)} left"

    def standing(self) -> Iterable[str]:
        rates = "; ".join(
            f"{name} {rate} of {self.schedule.cells[name].played}"
            for name in self.schedule.cells
            if (rate := self.rate(name))
        )
        played = f"{self.schedule.played:,} of {self.schedule.games:,} games"
        return played, self.pace(), rates


class CampaignView(View):
    """A bar of the races."""

    def __init__(self, bgp: CampaignState, console: Console) -> None:
        super().__init__(console)
        self.bgp = bgp
        self.races = len(bgp.ended)
        self.task = self.bars.add_task(
            "races", total=bgp.campaign.iterations, completed=self.races, said=self.said()
        )

    def fixed(self, row: GameRecord) -> None:
        self.ended.append(time.monotonic())
        for race in self.bgp.ended[self.races :]:
            if race.accepted is not None:
                tag = self.bgp.campaign.tag(race.accepted)
                self.say(f"race {race.iteration}: {tag} is accepted after {race.games:,} games")
        self.races = len(self.bgp.ended)
        self.bars.update(self.task, completed=self.races, said=self.said())

    def said(self) -> str:
        """Return what is raced for now, what was accepted, and how fast games end."""
        bgp = self.bgp
        parts = [f"{len(bgp.front.accepted)} accepted"]
        if bgp.front.batch:
            counted = bgp.counted[bgp.front.match]
            tag = bgp.campaign.tag(bgp.front.place)
            parts.append(f"{tag} after {counted:,} games")
        if per_second := self.per_second():
            parts.append(f"{3600 * per_second:,.0f} games/hour")
        return ", ".join(parts)

    def standing(self) -> Iterable[str]:
        return f"{self.races:,} of {self.bgp.campaign.iterations:,} races", self.said()


def one_by_one(things: Mapping[str, Thing], verb: str, console: Console) -> Iterator[Thing]:
    """Yield things; tell meanwhile which one it is, by a bar on a terminal or a line a minute."""
    next_line = time.monotonic() + SECONDS_BETWEEN_LINES
    bars = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bars:
        task = bars.add_task(verb, total=len(things))
        for done, (name, thing) in enumerate(things.items()):
            bars.update(task, completed=done, description=f"{verb} {name}")
            if not console.is_terminal and time.monotonic() >= next_line:
                next_line += SECONDS_BETWEEN_LINES
                console.print(Text(f"{verb} {name}, {done} of {len(things)} over"), soft_wrap=True)
            yield thing
