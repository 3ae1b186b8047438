"""A file as it stands now, also one that is marked as open, as HDF5 reads it without waiting.

HDF5 opens a file with such a mark for SWMR only, where it takes damage for something that the
writer is about to write and tries again and again, inside one call that no signal ends. So it gets
the bytes of the file with a superblock in which the file is closed.
"""

from __future__ import annotations

import os
import shutil
import struct
from abc import ABC, abstractmethod
from pathlib import Path
from typing import IO, Any

SIGNATURE = b"\x89HDF\r\n\x1a\n"
# Signature, version, sizes of offsets and lengths, flags; base, extension, end, root; checksum.
SUPERBLOCK = struct.Struct("<8sBBBBQQQQI")
HEAD = SIGNATURE + bytes([3, 8, 8])  # of the superblocks that can have marks
MARKS = 0b101  # a writer has it open, or writes it for SWMR
ROOM = 2**30  # that a file may gain while it is read


class BytesForHdf5(ABC):
    """What h5py takes for a file to read: bytes, and a place among them."""

    place = 0
    length = 0

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self.place = offset + (0, self.place, self.length)[whence]
        return self.place

    def tell(self) -> int:
        return self.place

    def read(self, count: int) -> bytes:
        buffer = bytearray(count)
        self.readinto(buffer)
        return bytes(buffer)

    @abstractmethod
    def readinto(self, buffer: Any) -> int:
        """Fill all of a buffer from the place on, and go there."""


class Snapshot(BytesForHdf5):
    """A file for HDF5 to read, which is closed for it, whatever its marks say.

    One that is marked seems to be longer, as its writer may make it so in the meantime.

    Public attributes (treat as read-only): is_closed, whether it says so itself.
    """

    def __init__(self, file: IO[bytes], room: int = ROOM) -> None:
        """Raise OSError for a superblock that HDF5 would refuse, or for less than it tells of."""
        self.file = file
        self.room = room
        self.is_closed = True
        self.length = os.fstat(file.fileno()).st_size
        self.head = file.read(SUPERBLOCK.size)
        if not self.head.startswith(SIGNATURE):
            raise OSError("(file signature not found)")
        if self.head.startswith(HEAD):
            self.head = self.closed(self.head)

    def closed(self, head: bytes) -> bytes:
        """Return the superblock of a file that is closed and has this length."""
        if len(head) < SUPERBLOCK.size:
            raise OSError("(truncated file)")
        *fields, checksum = SUPERBLOCK.unpack(head)
        if checksum != lookup3(head[:-4]):
            raise OSError("(damaged superblock)")
        self.is_closed = not fields[4] & MARKS
        if self.length < fields[7]:
            raise OSError("(truncated file)")
        if not self.is_closed:
            self.length += self.room
        fields[4] &= ~MARKS
        fields[7] = self.length
        changed = SUPERBLOCK.pack(*fields, 0)[:-4]
        return changed + struct.pack("<I", lookup3(changed))

    def readinto(self, buffer: Any) -> int:
        """Fill all of a buffer; raises OSError where the file has ended."""
        view = memoryview(buffer).cast("B")
        done = 0
        while done < len(view):
            count = os.preadv(self.file.fileno(), [view[done:]], self.place + done)
            if not count:
                raise OSError("(truncated file)")
            done += count
        if self.place < len(self.head):
            shown = self.head[self.place : self.place + len(view)]
            view[: len(shown)] = shown
        self.place += done
        return done


def copy_closed(descriptor: int, path: Path) -> None:
    """Write what an open file has to another one, which is closed."""
    with open(descriptor, "rb", buffering=0, closefd=False) as source, path.open("wb") as copy:
        source.seek(0)
        snapshot = Snapshot(source, room=0)
        source.seek(0)
        shutil.copyfileobj(source, copy)
        copy.seek(0)
        copy.write(snapshot.head)
        copy.flush()
        os.fsync(copy.fileno())


def lookup3(text: bytes) -> int:
    """Return the hash lookup3 of some words, the checksum of a superblock."""
    words = struct.unpack(f"<{len(text) // 4}I", text)
    a = b = c = 0xDEADBEEF + len(text)
    while len(words) > 3:
        a, b, c = mixed(a + words[0], b + words[1], c + words[2])
        words = words[3:]
    first, second, third = (*words, 0, 0, 0)[:3]
    return last_mixed(a + first, b + second, c + third)


def mixed(a: int, b: int, c: int) -> tuple[int, int, int]:
    for turns in (4, 6, 8, 16, 19, 4):
        a = (a - c) ^ turned(c, turns)
        a, b, c = b, c + b, a
    return a, b, c


def last_mixed(a: int, b: int, c: int) -> int:
    for turns in (14, 11, 25, 16, 4, 14, 24):
        c = (c ^ b) - turned(b, turns)
        a, b, c = b, c, a
    return b & 0xFFFFFFFF


def turned(word: int, turns: int) -> int:
    """Return the 32 low bits of a word, turned to the left."""
    word &= 0xFFFFFFFF
    return word << turns | word >> 32 - turns
