"""Paths of keys and values in words: as messages show them, and as KEY=VALUE has them."""

import json
import re
import tomllib
from collections.abc import Iterable
from typing import Any

# The way to a value: keys of tables, and indices of lists.
Path = tuple[str | int, ...]


def dotted(path: Path) -> str:
    """Return a path as TOML has it: player."gnugo-3.8".command, match.0.games."""
    return ".".join(key_text(str(part)) for part in path)


def key_text(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else printable(key)


def printable(text: str) -> str:
    """Return a text in quotes, on one line and without control characters."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in quoted)


def shown(value: Any) -> str:
    """Return a value as TOML would have it, the beginning of a long one."""
    try:
        if isinstance(value, (str, list, tuple, dict, bool)):
            text = json.dumps(value, ensure_ascii=False, default=str)
            text = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
        else:
            text = str(value)
    except (ValueError, RecursionError):
        text = "a value beyond all measure"
    return text if len(text) <= 60 else f"{text[:57]}..."


def number(value: float) -> str:
    """Return a limit: powers of ten from 10^5 on as such."""
    mantissa, _, exponent = f"{value:e}".partition("e")
    if float(mantissa) == 1 and not -5 < int(exponent) < 5:
        return f"10^{int(exponent)}"
    return str(value) if isinstance(value, int) else f"{value:g}"


def nearest(word: object, known: Iterable[str]) -> str:
    """Return a hint at what was probably meant, or at what there is."""
    known = list(dict.fromkeys(known))
    if close := closest(word, known):
        return f"; did you mean {printable(close)}?"
    some = [name if re.fullmatch(r"[\w.+=-]+", name) else printable(name) for name in known[:50]]
    more = f" and {len(known) - 50} more" if len(known) > 50 else ""
    return f"; known are {', '.join(some) or 'none'}{more}"


def closest(word: object, known: Iterable[str]) -> str:
    """Return what was probably meant, or nothing."""
    # Only after a mistake: ranks that play need not pay for it.
    from difflib import get_close_matches

    folded = {name.casefold(): name for name in known}
    found = get_close_matches(str(word).casefold()[:100], folded, 1)
    return folded[found[0]] if found else ""


# Settings in words: KEY=VALUE

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
