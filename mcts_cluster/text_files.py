"""Files of the user: read whole, and written whole or not at all."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from errno import EINVAL, ENOENT
from pathlib import Path

from mcts_cluster.errors import UserError

KEPT: ContextVar[Mapping[str, str]] = ContextVar("KEPT")


@contextmanager
def in_place_of_files(texts: Mapping[str, str]) -> Iterator[None]:
    """Have these texts read in place of the files with these paths, and no other file."""
    token = KEPT.set(texts)
    try:
        yield
    finally:
        KEPT.reset(token)


def read_bytes(path: str | Path) -> bytes:
    """Return the content of a file; raises OSError, too, for what might never end, as a pipe."""
    kept = KEPT.get(None)
    if kept is not None:
        if str(path) not in kept:
            raise OSError(ENOENT, "not kept in the file of results, and nothing else is opened")
        return kept[str(path)].encode()
    path = Path(path)
    if "\0" in str(path):
        raise OSError(EINVAL, "not a path")
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(EINVAL, "not a regular file")
    return path.read_bytes()


def read(path: str | Path) -> str:
    """Return the text of a file; raises OSError, UnicodeDecodeError."""
    # With the line ends of any system.
    return read_bytes(path).decode().replace("\r\n", "\n").replace("\r", "\n")


def write(path: Path, text: str) -> None:
    """Write a file, all of it or nothing, and its folder if need be; raises UserError."""
    make_folder(path.parent)
    fresh = path.with_name(f".{path.name}.new")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise UserError(f"{path}: {error.strerror}") from None


def make_folder(path: Path) -> None:
    """Make a folder and those above it, and say so, if it is not there; raises UserError."""
    if path.is_dir():
        return
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    print(f"mcts-cluster: made the folder {path}", file=sys.stderr)
