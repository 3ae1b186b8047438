"""Settings in words: KEY=VALUE, as --set and the words of GTP have them."""

import re
import tomllib
from typing import Any

from mcts_cluster.settings.words import Path

KEY = re.compile(r"""\s*(?:("(?:[^"\\]|\\.)*"|'[^']*')|([^."'=\[\]\n\r]+))\s*(?=[.=\[]|$)""")
INDEX = re.compile(r"\[(\d+)\]")


def assignment(text: str) -> tuple[Path, Any]:
    """Read KEY=VALUE, a line; raises ValueError.

    Keys are quoted as in TOML, and may be left without quotes where that is clear: player.x.rave,
    player."gnugo-3.8".command, match.0.games or match[0].games. A value that TOML cannot read is a
    string.
    """
    path: list[str | int] = []
    position, separator = 0, "."
    if len(text.splitlines()) != 1:
        raise ValueError("several lines")
    while separator == ".":
        key = KEY.match(text, position)
        if not key:
            raise ValueError("no key")
        path.append(tomllib.loads(f"key = {key[1]}")["key"] if key[1] else key[2].strip())
        position = key.end()
        while index := INDEX.match(text, position):
            path.append(index[1])
            position = index.end()
        separator, position = text[position : position + 1], position + 1
    if separator != "=":
        raise ValueError("no value")
    return tuple(path), value_of(text[position:].strip())


def value_of(text: str) -> Any:
    """Return a value as TOML would read it, or else the text."""
    try:
        found = tomllib.loads(f"value = {text}")
    # Not only TOMLDecodeError: there may be numbers and nesting beyond all measure.
    except (ValueError, RecursionError):
        return text
    return found["value"] if found.keys() == {"value"} else text
