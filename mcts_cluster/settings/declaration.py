"""Setting: what a key may be set to, and what that means; setting() declares one as a field.

Whether a value keeps to it is for checks.py, which a process that plays does without.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import Any

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
