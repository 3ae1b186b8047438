"""How long a job will take, by a quick game of each of its matches.

In these games budgets are cut to a few simulations, and the time that a player took is scaled up
again. A larger tree is slower, and a better player plays longer or shorter games: so the
estimate may be half or twice the truth. Where no player goes by the clock, the time is that of the
processor, so that other load on the machine hardly matters.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from time import monotonic, process_time
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.match import play
from mcts_cluster.matches.setup import Match, Setup
from mcts_cluster.reports.formats import duration

SECONDS_BETWEEN_LINES = 60.0

Thing = TypeVar("Thing")

# The budgets of a move in a quick game.
QUICK = {"simulations": 100, "playouts": 200, "seconds": 0.01}


@dataclass(frozen=True)
class MatchEstimate:
    """The estimate for a match from a quick game."""

    match: Match
    plies: int
    seconds: float  # a game will take

    @property
    def total(self) -> float:
        return self.seconds * self.match.games


def estimate(
    job: Setup, match: Match, first: Callable[[Setup], GameRecord] | None = None
) -> MatchEstimate:
    """Play a quick game of a match, the first one or another; raises EngineError."""
    names = [name for name in match.players if name in job.players]
    players = {name: job.players[name].quicker(QUICK) for name in names}
    clock, processor = monotonic(), process_time()
    smaller = replace(job, players={n: p for n, (p, _) in players.items()})
    row = first(smaller) if first else play(smaller, match, 0)
    busy = (process_time() - processor) / (monotonic() - clock)
    scales = [players[name][1] if name in players else 1.0 for name in match.players]
    seconds = sum(s * scale for s, scale in zip(row.seconds, scales, strict=True))
    if not any(job.players[name].goes_by_clock for name in names):
        # The time that other processes took does not count.
        seconds *= min(1.0, busy)
    return MatchEstimate(match, row.plies, seconds)


def game_time(seconds: float) -> str:
    return f"{seconds:.2g} s" if seconds < 10 else duration(seconds)


def estimates_table(estimates: Iterable[MatchEstimate]) -> Table:
    table = Table("match")
    for heading in ("games", "plies", "a game", "all games"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in estimates:
        game = game_time(one.seconds)
        cells = [f"{one.match.games:,}", str(one.plies), game, duration(one.total)]
        table.add_row(*map(Text, (str(one.match.key), *cells)))
    return table


def total(estimates: Iterable[MatchEstimate]) -> str:
    estimates = list(estimates)
    games, total = sum(e.match.games for e in estimates), sum(e.total for e in estimates)
    hours = total / 3600
    core_hours = f"{hours:.2g}" if hours < 10 else f"{hours:,.0f}"
    return f"{games:,} games, about {core_hours} core-hours: {duration(total)} on one core"


def one_by_one(
    things: Mapping[str, Thing], verb: str, console: Console | None = None
) -> Iterator[Thing]:
    """Yield things, and show the current one: a bar on a terminal, else a line a minute."""
    console = console or Console(stderr=True, highlight=False)
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
