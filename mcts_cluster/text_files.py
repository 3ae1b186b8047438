"""Files of the user: read whole, and written whole or not at all."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from errno import EFBIG, EINVAL, ENOENT
from pathlib import Path

from mcts_cluster.errors import UserError

# Of a file that is read, unless its kind allows more or less.
MAX_BYTES = 10**7
# What a file of results begins with.
HDF5 = b"\x89HDF\r\n\x1a\n"

KEPT: ContextVar[Mapping[str, str]] = ContextVar("KEPT")


@contextmanager
def in_place_of_files(texts: Mapping[str, str]) -> Iterator[None]:
    """Have these texts read in place of the files with these paths, and no other file."""
    token = KEPT.set(texts)
    try:
        yield
    finally:
        KEPT.reset(token)


def read_bytes(path: str | Path, most: int = MAX_BYTES) -> bytes:
    """Return the content of a file; raises OSError, too, for what is too large or might never end.

    Pipes and devices might.
    """
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
    with path.open("rb") as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise OSError(EFBIG, f"too large, must be at most {most // 10**6} MB")
    return found


def is_hdf5(path: str | Path) -> bool:
    """Tell whether a file is one of results, by its first bytes."""
    with suppress(OSError, ValueError):
        if Path(path).is_file():
            with Path(path).open("rb") as file:
                return file.read(len(HDF5)) == HDF5
    return False


def read(path: str | Path) -> str:
    """Return the text of a file; raises OSError, UnicodeDecodeError."""
    # With the line ends of any system.
    return read_bytes(path).decode().replace("\r\n", "\n").replace("\r", "\n")


def write(path: Path, text: str) -> None:
    """Write a file, all of it or nothing, and its folder if need be; raises UserError."""
    write_parts(path, [text])


def write_parts(path: Path, texts: Iterable[str]) -> None:
    """Write a file of texts, one after another, as `write` does."""
    with replacing(path) as fresh, fresh.open("w", encoding="utf-8") as file:
        file.writelines(texts)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a path to write to, and have it replace a file if all goes well; raises UserError."""
    target = target_of(path)
    make_folder(target.parent)
    fresh = target.with_name(f".{target.name}.new")
    try:
        yield fresh
        fresh.replace(target)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            fresh.unlink()


def output_file(text: str) -> Path:
    """Return the path of a file that an option names; raises UserError for that of a folder."""
    # Path drops the slash that says so.
    if text.endswith("/") and text.strip("/"):
        raise UserError(f"{text}: a folder, must be a file or a new name")
    return Path(text)


def target_of(path: Path) -> Path:
    """Return the file that is written by this name, that of a link; raises UserError without."""
    if not path.name or "\0" in str(path):
        raise UserError(f"{str(path)!r}: must be the name of a file")
    try:
        target = path.resolve() if path.is_symlink() else path
        is_other = target.exists() and not target.is_file()
    # A RuntimeError for links that lead to each other.
    except (OSError, RuntimeError) as error:
        raise UserError(f"{path}: {getattr(error, 'strerror', 'a link to itself')}") from None
    if is_other:
        what = "a folder" if target.is_dir() else "no regular file, but a device or a pipe"
        raise UserError(f"{path}: {what}, must be a file or a new name")
    return target


def make_folder(path: Path) -> None:
    """Make a folder and those above it, and say so, if it is not there; raises UserError."""
    if path.is_dir():
        return
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    print(f"mcts-cluster: made the folder {path}", file=sys.stderr)
