"""What a writer leaves on the disk when a kill comes, whenever it comes."""

import os
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
from conftest import python_path

HERE = Path(__file__).parent


def logged(folder, words):
    """Return all that a writer did to job.h5 on the disk, in order: (letter, number, bytes)."""
    source, library = HERE / "writes.c", folder / "writes.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    environment = {
        "LD_PRELOAD": str(library),
        "PYTHONPATH": python_path(),
        "WATCH_FILE": "job.h5",
        "WATCH_NOTES": "notes",
        "WATCH_LOG": str(folder / "log"),
    }
    subprocess.run(words, env=os.environ | environment, check=True, timeout=60)
    return list(records((folder / "log").read_bytes()))


def records(log):
    place = 0
    while place < len(log):
        letter, (a, b) = chr(log[place]), np.frombuffer(log, np.int64, 2, place + 1).tolist()
        place += 17
        content = log[place : place + b] if letter == "W" else b""
        place += len(content)
        yield letter, a, content


def crash_points(log, before=b""):
    """Yield the file as it stands whenever a kill may come, and how many rows were reported.

    That is between two writes, and in the middle of one, between two pages. None were reported as
    long as the file does not have its name, or, where it was there before, is not open for
    more.
    """
    image, reported = bytearray(before), None
    for letter, number, content in log:
        if letter == "N":
            reported = number
        elif letter == "T":
            del image[number:]
            image.extend(bytes(number - len(image)))
        else:
            image.extend(bytes(max(0, number + len(content) - len(image))))
            ends = range(4096 - number % 4096, len(content), 4096)
            for start, end in pairwise([0, *ends, len(content)]):
                image[number + start : number + end] = content[start:end]
                yield bytes(image), reported
        yield bytes(image), reported
