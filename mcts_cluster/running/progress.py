"""How a run tells of itself while it plays: bars on a terminal, a line a minute in a batch log."""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from mcts_cluster.errors import harmless
from mcts_cluster.matches.experiment import Bar, Plan
from mcts_cluster.reports.formats import duration
from mcts_cluster.terminal import undisturbed

SECONDS_BETWEEN_LINES = 60.0
SECONDS_BETWEEN_DRAWINGS = 0.1
MAX_IN_A_LINE = 12  # matches, or players at positions

# The rate is that of the last games, since the first ones of a run may be of another kind.
LAST_GAMES = 200


class View:
    """What a run has come to, shown as the console allows; a context manager.

    Games of earlier runs count in the bars, and not in the pace.
    """

    def __init__(self, plan: Plan, console: Console) -> None:
        self.plan = plan
        self.console = console
        self.ended = deque([time.monotonic()], LAST_GAMES)
        self.next_line = time.monotonic() + SECONDS_BETWEEN_LINES
        self.next_drawing = 0.0
        self.closing = ExitStack()
        self.progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[text]}", markup=False),
            console=console,
            disable=not console.is_terminal,
        )
        self.tasks = [
            self.progress.add_task(
                harmless(bar.name), total=bar.total, completed=bar.done, text=bar.text
            )
            for bar in plan.bars()
        ]

    def __enter__(self) -> Self:
        self.closing.enter_context(undisturbed(self.console))
        self.progress.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        with self.closing:
            self.draw()
            self.progress.stop()

    def fixed(self) -> None:
        """Take in that a game has been counted."""
        self.ended.append(time.monotonic())
        for line in self.plan.news():
            self.say(line)

    def pace(self) -> str:
        """Return how fast games end, and what is left of the time; nothing if nobody knows yet."""
        spent = self.ended[-1] - self.ended[0]
        if spent <= 0:
            return ""
        per_second = (len(self.ended) - 1) / spent
        games = f"{3600 * per_second:,.0f} {self.plan.noun}s/hour"
        left = self.plan.left
        return games if left is None else f"{games}, {duration(left / per_second)} left"

    def tick(self) -> None:
        """Draw the bars; or say where the run stands, where a minute has passed."""
        now = time.monotonic()
        if self.console.is_terminal:
            if now >= self.next_drawing:
                self.next_drawing = now + SECONDS_BETWEEN_DRAWINGS
                self.draw()
        elif now >= self.next_line:
            self.next_line = now + SECONDS_BETWEEN_LINES
            parts = [time.strftime("%H:%M:%S"), *self.standing()]
            self.say(", ".join(part for part in parts if part))

    def draw(self) -> None:
        for task, bar in zip(self.tasks, self.bars(), strict=True):
            self.progress.update(task, completed=bar.done, text=bar.text)

    def bars(self) -> Iterator[Bar]:
        """Yield the bars, the first one with the pace."""
        first, *others = self.plan.bars()
        yield first._replace(text=", ".join(filter(None, (first.text, self.pace()))))
        yield from others

    def standing(self) -> Iterator[str]:
        """Yield what there is to say in a line; parts may be empty."""
        first, *others = self.bars()
        yield f"{first.done:,} of {first.total:,} {first.name}"
        yield first.text
        told = [f"{bar.name} {bar.text} of {bar.done}" for bar in others if bar.text]
        if len(told) > MAX_IN_A_LINE:
            told[MAX_IN_A_LINE:] = [f"and {len(told) - MAX_IN_A_LINE:,} more"]
        yield "; ".join(told)

    def say(self, text: str) -> None:
        """Print a line, above the bars if there are some."""
        self.console.print(Text(text), soft_wrap=True)
