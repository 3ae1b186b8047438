"""The last lines of a log, as text: without what moves a cursor or sets a color."""

import os
import re
from pathlib import Path

LINES = 15
# Of the end of a log, in which the lines are looked for.
MAX_BYTES = 64_000
MAX_WIDTH = 1000
ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


def log_of(path: Path) -> Path | None:
    """Return the log beside a file of results, FILE.log or NAME.log, if there is one."""
    for log in (path.with_suffix(".log"), path.with_name(f"{path.name}.log")):
        if log.is_file():
            return log
    return None


def last_lines(log: Path) -> list[str]:
    """Return the last lines of a log; raises OSError."""
    if not log.is_file():
        raise OSError("not a file" if log.exists() else "no such file")
    with log.open("rb") as file:
        length = file.seek(0, os.SEEK_END)
        file.seek(max(0, length - MAX_BYTES))
        text = file.read(MAX_BYTES).decode(errors="replace")
    # Of a line that was written over and over, the last.
    lines = [line.rstrip("\r").rpartition("\r")[2] for line in ESCAPES.sub("", text).split("\n")]
    if length > MAX_BYTES:
        del lines[0]
    return [printable(line) for line in lines if line.strip()][-LINES:]


def printable(line: str) -> str:
    return "".join(c for c in line if c.isprintable() or c == "\t")[:MAX_WIDTH]
