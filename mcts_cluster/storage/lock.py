"""The lock on a file: only one run can write it.

It is a file next to it, as HDF5 has locks of its own. Where the system locks files, the lock ends
with its process. Elsewhere it is there as long as its file is touched; since a system may lock on
one host only, a lock of another host is looked at in that way, too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EAGAIN
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path

from mcts_cluster.errors import RunFailure, UserError, one_line, warn
from mcts_cluster.storage import heartbeat, journal
from mcts_cluster.storage.heartbeat import SECONDS_BETWEEN_BEATS, SECONDS_TO_WATCH

MAX_OWNER = 400


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other runs from writing a file; raises UserError where one does already."""
    lock_file = path.with_name(f".{path.name}.lock")
    descriptor = taken(path, lock_file)
    try:
        with heartbeat.beating(descriptor):
            finish_changes(path)
            yield
    finally:
        if is_at(descriptor, lock_file):
            lock_file.unlink(missing_ok=True)
        os.close(descriptor)


def finish_changes(path: Path) -> None:
    """Do what is left of changes in which a run was killed; raises RunFailure."""
    try:
        journal.finish(path)
    except OSError as error:
        raise RunFailure(f"{path}: cannot be written: {error.strerror}") from None


def taken(path: Path, lock_file: Path) -> int:
    """Return the open file of the lock, which is ours now; raises UserError."""
    while True:
        descriptor, is_new = opened_lock(lock_file)
        with closed_unless_returned(descriptor) as keep:
            has_locks = lock(descriptor, path)
            if not is_new:
                refuse_if_alive(path, lock_file, descriptor, has_locks)
            # The run that held it may have removed it since we opened it.
            if not is_at(descriptor, lock_file):
                continue
            if not has_locks and not is_new:
                # Who makes it anew has it.
                lock_file.unlink(missing_ok=True)
                continue
            if not has_locks:
                warn(
                    f"{path.parent}: this file system has no locks; {lock_file.name} is touched "
                    f"every {SECONDS_BETWEEN_BEATS:g} s instead"
                )
            os.ftruncate(descriptor, 0)
            with suppress(OSError):
                os.pwrite(descriptor, own_name().encode(), 0)
            keep()
            return descriptor


def opened_lock(lock_file: Path) -> tuple[int, bool]:
    """Return the file of a lock, and whether it was not there before; raises UserError."""
    while True:
        try:
            return os.open(lock_file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666), True
        except FileExistsError:
            pass
        except OSError as error:
            raise UserError(f"{lock_file.parent}: cannot be written: {error.strerror}") from None
        try:
            return os.open(lock_file, os.O_RDWR), False
        except FileNotFoundError:
            continue
        except OSError as error:
            raise UserError(f"{lock_file}: cannot be opened: {error.strerror}") from None


@contextmanager
def closed_unless_returned(descriptor: int) -> Iterator[Callable[[], None]]:
    kept: list[bool] = []
    try:
        yield lambda: kept.append(True)
    finally:
        if not kept:
            os.close(descriptor)


def lock(descriptor: int, path: Path) -> bool:
    """Lock a file, and return whether files can be locked there; raises UserError."""
    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
    except OSError as error:
        if error.errno in (EAGAIN, EACCES):
            raise being_written(path, descriptor) from None
        return False
    return True


def refuse_if_alive(path: Path, lock_file: Path, descriptor: int, has_locks: bool) -> None:
    """Refuse a lock that somebody left who is there yet, where the system does not tell."""
    name = owner(descriptor)
    if has_locks and (not name or name.endswith(f" on {os.uname().nodename}")):
        return
    warn(f"{path}: may be written by {name or 'another run'}; watching for {SECONDS_TO_WATCH:g} s")
    if heartbeat.is_beating(lock_file):
        raise being_written(path, descriptor)
    warn(f"{path}: {name or 'the other run'} is gone; its lock is taken over")


def being_written(path: Path, descriptor: int) -> UserError:
    return UserError(f"{path}: is being written by another run ({owner(descriptor)})")


def own_name() -> str:
    return f"process {os.getpid()} on {os.uname().nodename}"


def owner(descriptor: int) -> str:
    return one_line(os.pread(descriptor, MAX_OWNER, 0).decode(errors="replace"))


def is_locked(path: Path) -> bool:
    """Return whether a run is writing a file, as far as this machine can see."""
    lock_file = path.with_name(f".{path.name}.lock")
    with suppress(FileNotFoundError), lock_file.open("rb") as file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except OSError as error:
            if error.errno in (EAGAIN, EACCES):
                return True
            return heartbeat.was_beating(lock_file)
        is_ours = owner(file.fileno()).endswith(f" on {os.uname().nodename}")
        return not is_ours and heartbeat.was_beating(lock_file)
    return False


def seems_locked(path: Path) -> bool:
    """Return whether a run is writing a file, by its signs of life alone.

    Unlike is_locked, this never holds the lock, so that it may be asked again and again: a run that
    begins in that moment would be refused.
    """
    return heartbeat.was_beating(path.with_name(f".{path.name}.lock"))


def is_at(descriptor: int, path: Path) -> bool:
    """Return whether an open file is the one of this name."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
