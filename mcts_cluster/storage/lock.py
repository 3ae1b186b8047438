"""The lock on a file: only one run can write it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import IO

from mcts_cluster.errors import UserError


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other runs from writing a file; raises UserError where one does already.

    The lock is a file next to it, as HDF5 has locks of its own, and ends with its process.
    """
    lock_file = path.with_name(f".{path.name}.lock")
    while True:
        with opened_lock(lock_file) as file:
            try:
                flock(file, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                who = file.read().strip()
                raise UserError(f"{path}: is being written by another run ({who})") from None
            except OSError:
                pass  # a file system without locks
            # The run that held it may have removed it since we opened it.
            if not is_at(file.fileno(), lock_file):
                continue
            file.truncate(0)
            file.write(f"process {os.getpid()} on {os.uname().nodename}")
            file.flush()
            try:
                yield
            finally:
                lock_file.unlink(missing_ok=True)
            return


def opened_lock(lock_file: Path) -> IO[str]:
    try:
        return lock_file.open("a+")
    except OSError as error:
        raise UserError(f"{lock_file.parent}: cannot be written: {error.strerror}") from None


def is_locked(path: Path) -> bool:
    """Return whether a run is writing a file, as far as this machine can see."""
    lock_file = path.with_name(f".{path.name}.lock")
    try:
        with lock_file.open() as file:
            flock(file, LOCK_EX | LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
