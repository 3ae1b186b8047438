"""The words of a GTP command, and of the command line that starts an engine: read and checked."""

import tomllib
from collections.abc import Iterable, Mapping
from json import dumps
from math import isfinite
from pathlib import Path
from typing import Any

from mcts_cluster.errors import UserError
from mcts_cluster.games import GAMES
from mcts_cluster.jobs.jobfile import Section, read_player
from mcts_cluster.players.player import Player


class Failure(UserError):
    """A command that cannot be carried out; the message is the answer."""


def one_player(values: Mapping[str, Any], game: str) -> Player:
    """Return the player that these settings describe; raises UserError with all mistakes."""
    section = Section(values, "", {})
    player = read_player(section, GAMES[game])
    section.finish()
    if section.mistakes:
        lines = [f"{path}: {text}" for path, text in section.mistakes.items()]
        raise UserError("\n".join(lines))
    return player


def settings_of(words: Iterable[str]) -> dict[str, Any]:
    """Read words such as simulations=1000 as lines of TOML; what is no value there is a string."""
    text, values = "", {}
    seen = set()
    for word in words:
        key, sign, value = word.partition("=")
        if key in seen:
            raise UserError(f"{word!r}: {key} is said twice")
        seen.add(key)
        for written in (value, dumps(value, ensure_ascii=False)):
            try:
                values = tomllib.loads(f"{text}{key} = {written}\n")
            # Not only TOMLDecodeError: there may be numbers and nesting beyond all measure.
            except (ValueError, RecursionError):
                continue
            if sign and len(word.splitlines()) == 1:
                text += f"{key} = {written}\n"
                break
        else:
            raise UserError(f"{word!r}: KEY=VALUE is wanted")
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
