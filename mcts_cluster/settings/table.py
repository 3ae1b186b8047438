"""The one reader of settings: a table, its values by keys, and all mistakes by their paths."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from mcts_cluster.errors import UserError
from mcts_cluster.settings.checks import mistakes
from mcts_cluster.settings.declaration import KINDS, REQUIRED, Setting
from mcts_cluster.settings.words import Path, dotted, nearest, shown

# As many as anybody reads.
MAX_MISTAKES = 100


class TooManyMistakes(UserError):
    """As many mistakes as are looked for, by the paths of keys."""

    def __init__(self, found: Mapping[Path, str]) -> None:
        super().__init__("\n".join(lines_of(found)))
        self.found = found


class Mistakes:
    """What is wrong, by the paths of keys, in the order in which it was found.

    Where there are too many, the search for others ends with TooManyMistakes.
    """

    def __init__(self) -> None:
        self.found: dict[Path, str] = {}

    def add(self, path: Path, text: str) -> None:
        # What follows from a mistake is not another one.
        if not any(path[:length] in self.found for length in range(len(path) + 1)):
            self.found[path] = text
        if len(self.found) > MAX_MISTAKES:
            self.found.popitem()
            raise TooManyMistakes({**self.found, (): "and more mistakes"})

    @property
    def lines(self) -> list[str]:
        return lines_of(self.found)

    def refuse(self) -> None:
        """Raise UserError with all of them, if there are any."""
        if self.found:
            raise UserError("\n".join(self.lines))


def lines_of(found: Mapping[Path, str]) -> list[str]:
    return [f"{dotted(path)}: {text}" if path else text for path, text in found.items()]


class Table:
    """A table while it is read: hands out its values and collects mistakes.

    Public attributes (treat as read-only): values, those that nobody has asked for yet; path.
    """

    def __init__(self, values: Mapping[str, Any], path: Path, mistakes: Mistakes) -> None:
        self.values = dict(values)
        self.path = path
        self.mistakes = mistakes
        self.known: list[str] = []
        self.parts: list[Table] = []

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def complain(self, text: str, *path: str | int) -> None:
        self.mistakes.add((*self.path, *path), text)

    def read(self, settings: Iterable[Setting], **defaults: Any) -> dict[str, Any]:
        """Return what fields hold: what is set, else these defaults, else those declared."""
        return {one.name or one.key: self.take(one, defaults) for one in settings}

    def take(self, one: Setting, defaults: Mapping[str, Any] = MappingProxyType({})) -> Any:
        """Return a value; after a mistake the default, so that others can be looked for."""
        self.known.append(one.key)
        name = one.name or one.key
        default = defaults[name] if name in defaults else default_of(one)
        if one.key not in self.values:
            if default is REQUIRED:
                self.complain(
                    f"missing, must be {KINDS[list if one.listed else one.kind]}", one.key
                )
                return blank(one)
            return default
        value = self.values.pop(one.key)
        wrong = list(mistakes(one, value))
        for path, text in wrong:
            self.complain(text, one.key, *path)
        if not wrong:
            try:
                return one.converted(value)
            except UserError as error:
                self.complain(str(error), one.key)
        return blank(one) if default is REQUIRED else default

    def is_mistaken(self, key: str) -> bool:
        """Tell whether something is wrong with a value, or in it."""
        path = (*self.path, key)
        return any(other[: len(path)] == path for other in self.mistakes.found)

    def drop(self, key: str, text: str) -> None:
        """Complain of a key if it is there, and read it no more."""
        if key in self.values:
            del self.values[key]
            self.complain(text, key)

    def table(self, key: str) -> "Table":
        """Return a table in this one, an empty one if it is not there."""
        self.known.append(key)
        return self.part(self.values.pop(key, {}), key)

    def tables(self, key: str) -> list[tuple[str, "Table"]]:
        """Return the tables in a table in this one, by their names."""
        named = self.table(key)
        return [(name, named.table(name)) for name in list(named.values)]

    def listed(self, key: str) -> list["Table"]:
        """Return the tables of a list of tables."""
        self.known.append(key)
        values = self.values.pop(key, [])
        if not isinstance(values, list):
            self.complain(f"{shown(values)} must be a list of tables, [[{key}]]", key)
            return []
        return [self.part(value, key, index) for index, value in enumerate(values)]

    def part(self, values: Any, *path: str | int) -> "Table":
        if not isinstance(values, dict):
            self.complain(f"{shown(values)} must be a table", *path)
            values = {}
        self.parts.append(Table(values, (*self.path, *path), self.mistakes))
        return self.parts[-1]

    def finish(self) -> None:
        """Complain of every key that nobody asked for, here and below."""
        for key in self.values:
            self.complain(f"unknown key{nearest(key, self.known)}", key)
        for part in self.parts:
            part.finish()


def default_of(one: Setting) -> Any:
    return REQUIRED if one.default is REQUIRED else one.converted(one.default)


def blank(one: Setting) -> Any:
    """Return a value to go on with, where one is missing."""
    return () if one.listed else one.kind(one.least or 0) if one.kind is not str else ""
