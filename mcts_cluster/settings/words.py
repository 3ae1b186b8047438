"""Paths of keys, values and counts as messages show them."""

import json
import re
from collections.abc import Iterable
from typing import Any

# The way to a value: keys of tables, and indices of lists.
Path = tuple[str | int, ...]

# Names that one may have meant.
MAX_KNOWN = 100
# Of a key in a message.
MAX_KEY = 200


def dotted(path: Path) -> str:
    """Return a path as TOML has it: player."gnugo-3.8".command, match.0.games."""
    return ".".join(key_text(str(part)) for part in path)


def key_text(key: str) -> str:
    if len(key) > MAX_KEY:
        key = f"{key[:MAX_KEY]}..."
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else printable(key)


def printable(text: str) -> str:
    """Return a text in quotes, on one line and without control characters."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in quoted)


def shown(value: Any) -> str:
    """Return a value as TOML would have it, the beginning of a long one."""
    if isinstance(value, str):
        value = value[:61]
    try:
        if isinstance(value, (str, list, tuple, dict, bool)):
            text = json.dumps(value, ensure_ascii=False, default=str)
            text = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
        else:
            text = str(value)
    except (ValueError, RecursionError):
        text = "a value beyond all measure"
    return text if len(text) <= 60 else f"{text[:57]}..."


def beginning(text: str) -> str:
    """Return a text as far as a message has room for it."""
    return text if len(text) <= 200 else f"{text[:200]}..."


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

    # Nor does looking through thousands help anybody.
    folded = {name.casefold(): name for name in list(known)[:MAX_KNOWN]}
    found = get_close_matches(str(word).casefold()[:100], folded, 1)
    return folded[found[0]] if found else ""


def counted(count: int, noun: str) -> str:
    """Return how many there are of something: "1 game", "2,000 games"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def with_void(count: int, void: int, noun: str) -> str:
    """Return how many there are, and of these void: "6 games, 2 of them void"."""
    of_them = f"{void:,} of them void" if void < count else "all void" if count > 1 else "void"
    return f"{counted(count, noun)}, {of_them}" if void else counted(count, noun)
