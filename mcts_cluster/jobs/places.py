"""Where the keys of a job stand in its file, so that mistakes are told with their lines.

The parser of TOML keeps no lines. A text that it has accepted is looked through once more, and only
where there are mistakes.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain

from mcts_cluster.settings.assignment import assignment
from mcts_cluster.settings.words import Path, beginning, dotted

TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}"  # several lines
    r"""|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'"""
    r"|\#[^\n]*|[ \t\r]+"  # no part of anything
    r"""|[][{}=.,\n]|[^][{}=.,\n\#"' \t\r]+""",
    re.DOTALL,
)
LINE_OF_PARSER = re.compile(r"\(at line (\d+)")
QUOTED = 100  # characters of a line


def told(
    name: str, found: Mapping[Path, str], text: str = "", overrides: Sequence[str] = ()
) -> str:
    """Return mistakes in a file: each with its place, and behind it the line that is there."""
    lines = text.splitlines()
    places = lines_of(text) if any(found) else {}
    parts = []
    for path, words in found.items():
        # What is wrong in another file has its line behind it already; a number tells it apart.
        words, _, own = words.partition("\n")
        said = f"{dotted(path[:-1] if own else path)}: {words}" if path else words
        option = overriding(path, overrides)
        number = 0 if option else line_of(path, places) or line_of_parser(words)
        if 0 < number <= len(lines):
            quotation = own or f"    {quoted(lines[number - 1])}"
            parts.append((number, f"{name}:{number}: {said}\n{quotation}"))
        else:
            # What is not in the file at all, such as its matches, has no line in it.
            behind = f"\n    --set {quoted(option)}" if option else f"\n{own}" * bool(own)
            parts.append((len(lines) + 1, f"{name}: {said}{behind}"))
    return "\n".join(part for _, part in sorted(parts, key=lambda part: part[0]))


def quoted(line: str) -> str:
    """Return a line as a message shows it."""
    line = "".join(c if c.isprintable() else "?" for c in line.expandtabs(4).strip())
    return line if len(line) <= QUOTED else f"{line[:QUOTED]}..."


def overriding(path: Path, overrides: Sequence[str]) -> str:
    """Return the assignment that has set what this path leads to; nothing if none has."""
    for text in reversed(overrides):
        if reaches(list(map(str, assignment(text)[0])), list(path)):
            return beginning(text)
    return ""


def reaches(pattern: list[str], path: list[str | int]) -> bool:
    """Tell whether a path leads to a pattern's place, or into it; match.games is of all matches."""
    if not pattern or not path:
        return not pattern
    if str(path[0]) == pattern[0]:
        return reaches(pattern[1:], path[1:])
    return isinstance(path[0], int) and reaches(pattern, path[1:])


def line_of(path: Path, places: Mapping[Path, int]) -> int:
    """Return the line of a path, or of the table that lacks it; 0 if there is neither."""
    return next((places[path[:n]] for n in range(len(path), 0, -1) if path[:n] in places), 0)


def line_of_parser(words: str) -> int:
    """Return the line that the parser of TOML names, 0 if it names none."""
    found = LINE_OF_PARSER.search(words)
    return int(found[1]) if found else 0


def lines_of(text: str) -> dict[Path, int]:
    """Return the line of each key, table and entry of a list in a text, by their paths."""
    places: dict[Path, int] = {}
    # Of a text that the parser has refused, or that is nested deeply: what was found until there.
    with suppress(StopIteration, RecursionError, ValueError):
        Scan(text, places).document()
    return places


class Scan:
    """Goes through a text, token by token, and notes where the paths are."""

    def __init__(self, text: str, places: dict[Path, int]) -> None:
        self.places = places
        self.line = 1
        self.entries: dict[Path, int] = {}  # of lists of tables, so far
        self.tokens = chain(self.tokens_of(text.replace("\r\n", "\n")), ["\n"])
        self.token = next(self.tokens)

    def tokens_of(self, text: str) -> Iterator[str]:
        for match in TOKEN.finditer(text):
            if match[0][0] not in "# \t\r":
                yield match[0]
            self.line += match[0].count("\n")

    def next(self) -> None:
        self.token = next(self.tokens)

    def note(self, path: Path, line: int) -> None:
        """Note where a path is, and those that lead to it, if they are new."""
        while path and path not in self.places:
            self.places[path] = line
            path = path[:-1]

    def document(self) -> None:
        table: Path = ()
        while True:
            if self.token == "[":
                table = self.head()
            elif self.token != "\n":
                self.pair(table)
            self.next()

    def head(self) -> Path:
        """Read [a.b] or [[a.b]]; return the path of the table that begins."""
        self.next()
        is_entry = self.token == "["
        if is_entry:
            self.next()
        *before, last = self.key()
        path: Path = ()
        for part in before:
            path = self.latest((*path, part))
        path = (*path, last)
        if is_entry:
            self.next()
            self.note(path, self.line)
            self.entries[path] = self.entries.get(path, -1) + 1
        path = self.latest(path)
        self.note(path, self.line)
        return path

    def latest(self, path: Path) -> Path:
        """Return the path of the last entry so far, if this is the one of a list of tables."""
        return (*path, self.entries[path]) if path in self.entries else path

    def key(self) -> list[str]:
        """Read a.b up to what follows."""
        parts: list[str] = []
        while self.token not in ("=", "]"):
            if self.token != ".":
                is_quoted = self.token[0] in "\"'"
                parts += tomllib.loads(f"{self.token} = 0") if is_quoted else [self.token]
            self.next()
        return parts

    def pair(self, table: Path) -> None:
        line = self.line
        path = (*table, *self.key())
        self.note(path, line)
        self.next()
        self.value(path)

    def value(self, path: Path) -> None:
        """Read a value up to what follows."""
        if self.token == "[":
            self.next()
            index = 0
            while self.token != "]":
                if self.token in (",", "\n"):
                    self.next()
                    continue
                self.note((*path, index), self.line)
                self.value((*path, index))
                index += 1
            self.next()
        elif self.token == "{":
            self.next()
            while self.token != "}":
                if self.token in (",", "\n"):
                    self.next()
                else:
                    self.pair(path)
            self.next()
        else:
            while self.token not in (",", "\n", "]", "}"):
                self.next()
