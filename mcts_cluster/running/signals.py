"""How a run is asked to stop before its end, and the statuses with which it ends.

    SIGINT                      Ctrl-C
    SIGTERM                     a batch system, or whoever wants the machine back
    SIGUSR1, SIGUSR2            the walltime is near (Slurm's --signal, OAR's --checkpoint)

The first one lets the games under way end, within a grace period; a second one leaves them. What
was played is written in either case, and `run` again goes on from there.
"""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from mcts_cluster.exit_statuses import INTERRUPTED
from mcts_cluster.parallel import mpi
from mcts_cluster.running.worker import SIGNALS


class Stop:
    """Whether a run has been asked to stop.

    Public attributes (treat as read-only): signal, the first that came, or None; times, how many.
    """

    def __init__(self, grace: float) -> None:
        self.grace = grace
        self.signal: signal.Signals | None = None
        self.times = 0
        self.deadline = 0.0

    def hear(self, number: int, frame: FrameType | None = None) -> None:
        self.times += 1
        if self.signal is None:
            self.signal = signal.Signals(number)
            if self.signal in (signal.SIGINT, signal.SIGTERM) and mpi.by_open_mpi():
                # All ranks are about to be killed.
                self.grace = 0.0
            self.deadline = time.monotonic() + self.grace

    @property
    def is_asked(self) -> bool:
        return self.times > 0

    @property
    def is_due(self) -> bool:
        """Whether games under way are to be left now."""
        return self.times > 1 or (self.is_asked and time.monotonic() >= self.deadline)

    def status(self, stopped: int) -> int:
        """Return the exit status of a run that was stopped."""
        return INTERRUPTED if self.signal is signal.SIGINT else stopped


@contextmanager
def listening(grace: float) -> Iterator[Stop]:
    """Take signals as requests to stop, until the end of the block."""
    stop = Stop(grace)
    before = {number: signal.signal(number, stop.hear) for number in SIGNALS}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
