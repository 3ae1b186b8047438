"""Changes to a closed file that are made as a whole or not at all, without a copy of it.

HDF5 changes a file in many places. So it changes an `Overlay`, which keeps what is written to it in
memory; these pages go to a journal beside the file, and from there into the file. A kill before the
journal has its name changes nothing; after one that comes later `finish` does the rest.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from mcts_cluster.storage.hdf5 import VERSIONS, hdf5
from mcts_cluster.storage.integrity.snapshot import BytesForHdf5

PAGE = 4096
# Of the journal: length of the changed file, number of pages, CRC-32 of the rest; of a page: where,
# and the CRC-32 of the page before.
HEAD = struct.Struct("<QQI")
PAGE_HEAD = struct.Struct("<QI")


class Change(NamedTuple):
    """A page that is changed."""

    start: int  # in the file
    before: int  # CRC-32 of what was there
    content: bytes


class Overlay(BytesForHdf5):
    """A file for HDF5 to change, of which the changed pages stay in memory."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.length = os.fstat(descriptor).st_size
        self.pages: dict[int, bytearray] = {}

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        for start, end, page, first in self.parts(len(view)):
            found = self.pages.get(page)
            size = end - start
            view[start:end] = (
                found[first : first + size] if found else self.stored(page * PAGE + first, size)
            )
        self.place += len(view)
        return len(view)

    def write(self, content: Any) -> int:
        view = memoryview(content).cast("B")
        for start, end, page, first in self.parts(len(view)):
            if page not in self.pages:
                self.pages[page] = bytearray(self.stored(page * PAGE, PAGE))
            self.pages[page][first : first + end - start] = view[start:end]
        self.place += len(view)
        self.length = max(self.length, self.place)
        return len(view)

    def truncate(self, size: int) -> int:
        self.length = size
        return size

    def flush(self) -> None:
        pass

    def parts(self, count: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield what of so many bytes from here is in which page: from, to, page, place in it."""
        start = 0
        while start < count:
            page, first = divmod(self.place + start, PAGE)
            end = min(count, start + PAGE - first)
            yield start, end, page, first
            start = end

    def stored(self, start: int, count: int) -> bytes:
        """Return bytes of the file itself, zeros behind its end."""
        return os.pread(self.descriptor, count, start).ljust(count, b"\0")

    def changes(self) -> list[Change]:
        return [
            Change(page * PAGE, crc32(self.stored(page * PAGE, PAGE)), bytes(content))
            for page, content in sorted(self.pages.items())
            if page * PAGE < self.length
        ]


def change(path: Path, edit: Callable[[Any], None]) -> None:
    """Have a function change a closed HDF5 file, all of it or nothing; raises OSError."""
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        overlay = Overlay(descriptor)
        with hdf5().File(overlay, "r+", libver=VERSIONS) as file:
            edit(file)
        length = overlay.length
        fresh = journal_of(path).with_suffix(".journal-new")
        try:
            write_journal(fresh, length, overlay.changes())
            # Where there is no room, that is known before anything is changed.
            make_room(descriptor, length)
            fresh.replace(journal_of(path))
        finally:
            fresh.unlink(missing_ok=True)
    finally:
        os.close(descriptor)
    finish(path)


def journal_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.journal")


def finish(path: Path) -> bool:
    """Make the changes of a journal, if there is one; return whether there was; raises OSError."""
    journal = journal_of(path)
    try:
        content = journal.read_bytes()
    except FileNotFoundError:
        return False
    if found := changes_in(content):
        length, changes = found
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            if is_of(descriptor, changes):
                for start, _, page in changes:
                    write_all(descriptor, page, start)
                os.ftruncate(descriptor, length)
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
    journal.unlink()
    return True


def is_of(descriptor: int, changes: list[Change]) -> bool:
    """Return whether a file has the pages of before, or after, but for one that a kill has torn."""
    found = (os.pread(descriptor, PAGE, one.start).ljust(PAGE, b"\0") for one in changes)
    pairs = zip(found, changes, strict=True)
    others = sum(page != one.content and crc32(page) != one.before for page, one in pairs)
    return others <= 1


def write_journal(path: Path, length: int, changes: list[Change]) -> None:
    body = b"".join(PAGE_HEAD.pack(*change[:2]) + change.content for change in changes)
    with path.open("wb") as file:
        file.write(HEAD.pack(length, len(changes), crc32(body)) + body)
        file.flush()
        os.fsync(file.fileno())


def changes_in(content: bytes) -> tuple[int, list[Change]] | None:
    """Return the length of the changed file and the changes; nothing of a broken journal."""
    if len(content) < HEAD.size:
        return None
    length, count, found = HEAD.unpack_from(content)
    body = content[HEAD.size :]
    size = PAGE_HEAD.size + PAGE
    if len(body) != count * size or crc32(body) != found:
        return None
    changes = []
    for end in range(size, len(body) + 1, size):
        start, before = PAGE_HEAD.unpack_from(body, end - size)
        changes.append(Change(start, before, body[end - PAGE : end]))
    return length, changes


def make_room(descriptor: int, length: int) -> None:
    """Have a file take the room of a longer one; one that has not enough stays as it was."""
    before = os.fstat(descriptor).st_size
    try:
        for start in range(before, length, PAGE):
            write_all(descriptor, bytes(min(PAGE, length - start)), start)
        os.fsync(descriptor)
    except OSError:
        with suppress(OSError):
            os.ftruncate(descriptor, before)
        raise


def write_all(descriptor: int, content: bytes, start: int) -> None:
    view = memoryview(content)
    while view:
        count = os.pwrite(descriptor, view, start)
        view, start = view[count:], start + count
