"""The words of a GTP command, and of the command line that starts an engine: read and checked."""

from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from mcts_cluster.errors import UserError
from mcts_cluster.games import GAMES
from mcts_cluster.jobs.players import read_player
from mcts_cluster.players.player import Player
from mcts_cluster.settings.assignment import assignment
from mcts_cluster.settings.table import Mistakes, Table
from mcts_cluster.settings.words import dotted


class Failure(UserError):
    """A command that cannot be carried out; the message is the answer."""


def one_player(values: Mapping[str, Any], game: str) -> Player:
    """Return the player that these settings describe; raises UserError with all mistakes."""
    mistakes = Mistakes()
    table = Table(values, (), mistakes)
    player = read_player(table, GAMES[game])
    table.finish()
    mistakes.refuse()
    return player


def settings_of(words: Iterable[str]) -> dict[str, Any]:
    """Read words such as simulations=1000 and game.size=9 as tables of a job."""
    values: dict[str, Any] = {}
    for word in words:
        try:
            path, value = assignment(word)
        except ValueError:
            raise UserError(f"{word!r}: must be KEY=VALUE") from None
        *tables, key = map(str, path)
        table = values
        for name in tables:
            table = table.setdefault(name, {})
            if not isinstance(table, dict):
                raise UserError(f"{word!r}: {name} has a value already")
        if key in table:
            raise UserError(f"{word!r}: {dotted(path)} has a value already")
        table[key] = value
    return values


def file_and_number(words: list[str]) -> tuple[Path, int | None]:
    """Read FILE [MOVE], where the file's name may have spaces in it."""
    if not words:
        raise Failure("syntax error: must be FILE [MOVE]")
    whole_name = Path(" ".join(words))
    try:
        if len(words) == 1 or whole_name.exists():
            return whole_name, None
    except OSError as error:
        raise Failure(f"cannot load file: {error.strerror}") from None
    return Path(" ".join(words[:-1])), whole(words[-1], "move")


def whole(word: str, what: str) -> int:
    # int would take 1_000 and digits of any script.
    if not (word.isascii() and word.removeprefix("-").isdigit() and len(word) < 10):
        raise Failure(f"syntax error: {what} {shown(word)} must be a whole number")
    return int(word)


def number(word: str, what: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = float("nan")
    if not isfinite(value) or "_" in word:
        raise Failure(f"syntax error: {what} {shown(word)} must be a number")
    return value


def shown(word: str) -> str:
    """Return a word as it may be quoted in an answer."""
    return ascii(word if len(word) <= 40 else f"{word[:40]}...")
