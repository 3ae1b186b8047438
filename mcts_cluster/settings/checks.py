"""What is wrong with a value that a key is set to, in words for whoever set it."""

from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any

from mcts_cluster.settings.declaration import KINDS, REQUIRED, Setting
from mcts_cluster.settings.words import Path, nearest, number, shown

# Of any text: of a title, a path, a command.
MAX_CHARACTERS = 4000


def has_default(one: Setting) -> bool:
    """Return whether a setting has a default that a job file may have as well."""
    if one.default is REQUIRED or one.usual:
        return False
    return not any(mistakes(one, one.default))


def mistakes(one: Setting, value: Any) -> Iterator[tuple[Path, str]]:
    """Yield what is wrong with a value, with the path of the part that is meant."""
    if not one.listed:
        found = mistake(one, value)
        if found:
            yield (), found
    elif isinstance(value, (list, tuple)):
        if not value and one.listed == "or list":
            yield (), "the list is empty"
        for index, part in enumerate(value):
            if found := mistake(one, part):
                yield (index,), found
    elif one.listed == "list":
        yield (), f"{shown(value)} must be a list"
    elif found := mistake(one, value):
        yield (), f"{found}, or a list"


def mistake(one: Setting, value: Any) -> str:
    """Return what is wrong with one value, or nothing."""
    if not is_a(one.kind, value):
        return f"{shown(value)} must be {KINDS[one.kind]}"
    if one.kind is str:
        return mistake_of_text(one, value)
    if one.kind is bool or (one.zero and value == 0):
        return ""
    least, most = one.least, one.most
    if least is not None and value < least:
        return f"{shown(value)} is too small, must be at least {number(least)}"
    if most is not None and value > most:
        return f"{shown(value)} is too large, must be at most {number(most)}"
    if value != value:
        return f"{shown(value)} must be at least {number(least or 0)}"
    if one.step == 2 and value % 2:
        return f"{shown(value)} must be even"
    if one.step and value % one.step:
        return f"{shown(value)} must be a multiple of {number(one.step)}"
    return ""


def mistake_of_text(one: Setting, value: str) -> str:
    if len(value) > MAX_CHARACTERS:
        return f"{shown(value)} is too long, must be at most {MAX_CHARACTERS:,} characters"
    if one.choices and value not in one.allowed and (value or one.default):
        return f"{shown(value)} is unknown{nearest(value, one.allowed)}"
    if "\0" in value or not is_utf8(value):
        return f"{shown(value)} must be text without NUL characters"
    return ""


def is_a(kind: type, value: Any) -> bool:
    """Tell whether a value is of a kind; a whole number is a number, and true is none."""
    numbers = {int: Integral, float: Real}
    if kind in numbers:
        return isinstance(value, numbers[kind]) and not isinstance(value, bool)
    return isinstance(value, kind)


def is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
