"""Signs of life of who holds a lock, for file systems without locks, or with those of one host.

Who holds it touches the file of the lock again and again; who wants it looks whether that goes on.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

SECONDS_BETWEEN_BEATS = 5.0
# What a busy file system may delay one by.
SECONDS_TO_WATCH = 20.0
SECONDS_BETWEEN_LOOKS = 0.5
# Nobody waits so long between two; clocks of hosts may differ.
SECONDS_TO_BE_FORGOTTEN = 3600.0


@contextmanager
def beating(descriptor: int) -> Iterator[None]:
    """Touch a file again and again until the end of the block."""
    is_over = Event()

    def beat() -> None:
        # Signals are for the main thread, which they wake.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while not is_over.wait(SECONDS_BETWEEN_BEATS):
            with suppress(OSError):
                os.utime(descriptor)

    thread = Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def is_beating(path: Path) -> bool:
    """Return whether somebody touches a file; this takes a while."""
    first = touched(path)
    if first is None or abs(time.time() - first) > SECONDS_TO_BE_FORGOTTEN:
        return False
    deadline = time.monotonic() + SECONDS_TO_WATCH
    while time.monotonic() < deadline:
        time.sleep(SECONDS_BETWEEN_LOOKS)
        if touched(path) != first:
            return touched(path) is not None
    return False


def was_beating(path: Path) -> bool:
    """Return whether somebody has touched a file lately, as far as clocks agree."""
    last = touched(path)
    return last is not None and abs(time.time() - last) < SECONDS_TO_WATCH


def touched(path: Path) -> float | None:
    """Return when a file was touched, or nothing if it is gone."""
    try:
        # Opened, since a file system of a network may otherwise tell what it was some time ago.
        with path.open("rb") as file:
            return os.fstat(file.fileno()).st_mtime
    except OSError:
        return None
