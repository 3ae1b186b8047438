"""Setting: what a key may be set to, and what that means; setting() declares one as a field."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from typing import Any

from mcts_cluster.settings.words import Path, nearest, number, shown

# The default of what has none.
REQUIRED: Any = object()

# What may become of a setting when a file is continued.
SAME, GROWS, FREE = "stays the same", "may grow", "may change"

KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "a table",
}


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a key may be set to, and what that means."""

    key: str
    kind: type  # bool, int, float or str
    name: str = ""  # of the field that holds it
    default: Any = REQUIRED  # as a job file would have it; without one it must be there
    meaning: str = ""
    least: float | None = None
    most: float | None = None
    step: float = 0  # a number is a multiple of it
    zero: str = ""  # what 0 means, if it is allowed although it is out of range
    choices: Iterable[str] | Callable[[], Iterable[str]] = ()
    listed: str = ""  # "list" for a list of such values, "or list" for one or a list
    load: Callable[[Any], Any] | None = None  # makes the field's value; raises UserError
    usual: str = ""  # the default in words, where it depends on other things
    continued: str = SAME

    @property
    def allowed(self) -> tuple[str, ...]:
        """The values that a string may have; none if any will do."""
        return tuple(self.choices() if callable(self.choices) else self.choices)

    @property
    def has_default(self) -> bool:
        """Whether there is one that a job file may have as well."""
        if self.default is REQUIRED or self.usual:
            return False
        return not any(self.mistakes(self.default))

    def mistakes(self, value: Any) -> Iterator[tuple[Path, str]]:
        """Yield what is wrong with a value, with the path of the part that is meant."""
        if not self.listed:
            found = self.mistake(value)
            if found:
                yield (), found
        elif isinstance(value, (list, tuple)):
            if not value and self.listed == "or list":
                yield (), "the list is empty"
            for index, one in enumerate(value):
                if found := self.mistake(one):
                    yield (index,), found
        elif self.listed == "list":
            yield (), f"{shown(value)} must be a list"
        elif found := self.mistake(value):
            yield (), f"{found}, or a list"

    def mistake(self, value: Any) -> str:
        """Return what is wrong with one value, or nothing."""
        if not is_a(self.kind, value):
            return f"{shown(value)} must be {KINDS[self.kind]}"
        if self.kind is str:
            return self.mistake_of_text(value)
        if self.kind is bool or (self.zero and value == 0):
            return ""
        least, most = self.least, self.most
        if least is not None and value < least:
            return f"{shown(value)} is too small, must be at least {number(least)}"
        if most is not None and value > most:
            return f"{shown(value)} is too large, must be at most {number(most)}"
        if value != value:
            return f"{shown(value)} must be at least {number(least or 0)}"
        if self.step == 2 and value % 2:
            return f"{shown(value)} must be even"
        if self.step and value % self.step:
            return f"{shown(value)} must be a multiple of {number(self.step)}"
        return ""

    def mistake_of_text(self, value: str) -> str:
        if self.choices and value not in self.allowed and (value or self.default):
            return f"{shown(value)} is unknown{nearest(value, self.allowed)}"
        if "\0" in value or not is_utf8(value):
            return f"{shown(value)} must be text without NUL characters"
        return ""

    def converted(self, value: Any) -> Any:
        """Return what the field holds for a value without mistakes; raises UserError."""
        if self.listed:
            parts = value if isinstance(value, (list, tuple)) else (value,)
            value = tuple(map(self.kind, parts))
        else:
            value = self.kind(value)
        return self.load(value) if self.load else value


def setting(default: Any = REQUIRED, **options: Any) -> Any:
    """Declare a setting: a dataclass field with what a Setting has.

    Its kind is that of the default, or what the field is annotated with.
    """
    if default is REQUIRED:
        return field(metadata={"setting": options})
    options = {"default": default, "kind": type(default), **options}
    value = Setting(**{"key": "", **options}).converted(default)
    return field(default=value, metadata={"setting": options})


def declared(cls: type[Any]) -> tuple[Setting, ...]:
    """Return the settings that a class declares, its own before those of the classes it extends."""
    found = [one for one in fields(cls) if "setting" in one.metadata]
    found.sort(key=lambda one: one.name not in cls.__annotations__)
    return tuple(
        Setting(**{"key": one.name, "name": one.name, "kind": one.type, **one.metadata["setting"]})
        for one in found
    )


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
