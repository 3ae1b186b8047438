"""The terminal, or what stands in for it: consoles for tables and for the log of a run.

Names and titles come from files, and those may say what a terminal takes for orders: what is
printed has no control characters but our own. Nor has a log, or a reader who has set NO_COLOR,
any colours.
"""

import os
import signal
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment

from mcts_cluster.errors import harmless
from mcts_cluster.parallel import mpi

WIDTH = 120


def wide_console() -> Console:
    """Return a console for tables, wider than 80 columns where there is no terminal."""
    console = guarded(Console(force_terminal=told_by_launcher()))
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = WIDTH
    return console


def log_console() -> Console:
    """Return a console for what a run tells of itself: standard error."""
    return guarded(Console(stderr=True, highlight=False, force_terminal=told_by_launcher()))


def told_by_launcher() -> bool | None:
    """Return False where what seems a terminal is a launcher that writes a log; else None."""
    return False if mpi.by_open_mpi() else None


def guarded(console: Console) -> Console:
    """Have a console print no control characters of what it is given."""
    console.push_render_hook(Guard())
    # Of COLUMNS=0, on which nothing could be printed.
    if not console.width:
        console.width = WIDTH
    return console


class Guard(RenderHook):
    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [Harmless(one) for one in renderables]


class Harmless:
    """What it is given, with control characters written out."""

    def __init__(self, content: ConsoleRenderable) -> None:
        self.content = content

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for part in console.render(self.content, options):
            yield part if part.control else Segment(harmless(part.text), part.style)


@contextmanager
def undisturbed(console: Console) -> Iterator[None]:
    """Keep Ctrl-C from spoiling bars on a terminal, which would leave some of them behind.

    A terminal writes ^C, and drops what it has not shown yet.
    """
    terminal = own_terminal(console)
    before = local_modes(terminal)
    set_modes(terminal, before & ~termios.ECHOCTL | termios.NOFLSH)
    try:
        yield
    finally:
        set_modes(terminal, before)


def own_terminal(console: Console) -> int | None:
    """Return the terminal behind a console, if this process is in its foreground."""
    with suppress(OSError, ValueError):
        terminal = console.file.fileno()
        if console.is_terminal and os.tcgetpgrp(terminal) == os.getpgrp():
            return terminal
    return None


def local_modes(terminal: int | None) -> int:
    """Return how a terminal takes what is typed; 0 where there is none."""
    with suppress(termios.error):
        return int(termios.tcgetattr(terminal)[3]) if terminal is not None else 0
    return 0


def set_modes(terminal: int | None, local: int) -> None:
    if terminal is None or not local:
        return
    # Who is in the background by now would be stopped for this.
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    with suppress(termios.error):
        modes = termios.tcgetattr(terminal)
        modes[3] = local
        termios.tcsetattr(terminal, termios.TCSADRAIN, modes)
    signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
