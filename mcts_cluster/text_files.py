"""Text files that are written whole, or not at all."""

from pathlib import Path

from mcts_cluster.errors import UserError


def write(path: Path, text: str) -> None:
    """Write a file, all of it or nothing; raises UserError."""
    fresh = path.with_name(f".{path.name}.new")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise UserError(f"{path}: {error.strerror}") from None
