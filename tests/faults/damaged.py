"""Damaged copies of a file, and what becomes of who reads them."""

import random
import signal
from contextlib import contextmanager

from mcts_cluster.errors import UserError
from mcts_cluster.storage import reader

# That none may take; nothing in Python could end a call of HDF5 that waits.
SECONDS = 30
PAGE = 4096


def cut(content, copies):
    """Yield a file cut off at many lengths."""
    for number in range(copies):
        yield content[: len(content) * number // copies]


def flipped(content, copies, seed):
    """Yield a file with another bit in each copy, where there is something."""
    chance = random.Random(seed)
    places = [place for place, byte in enumerate(content) if byte]
    for _ in range(copies):
        damaged = bytearray(content)
        damaged[chance.choice(places)] ^= 1 << chance.randrange(8)
        yield bytes(damaged)


def torn(content, copies, seed):
    """Yield a file of which in each copy another page is lost."""
    chance = random.Random(seed)
    pages = [start for start in range(0, len(content), PAGE) if any(content[start : start + PAGE])]
    for _ in range(copies):
        damaged = bytearray(content)
        start = chance.choice(pages)
        damaged[start : start + PAGE] = chance.choice([bytes(PAGE), chance.randbytes(PAGE)])
        yield bytes(damaged[: len(content)])


def told(path):
    """Return what is read of a file, or the line with which it is refused."""
    with ending_late_ones():
        try:
            return reader.read(path)
        except UserError as error:
            return str(error)


@contextmanager
def ending_late_ones():
    """Let the process die of whoever waits for ever."""
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
