"""Files of positions: text, several in a file, drawn the way a board is printed, north up.

position escape                 ; a name; what follows a semicolon is a remark
to play = black
komi = 6.5                      ; of its own; else that of the job
good moves = E4                 ; all that are good, by name, in one line or several
proof = by the rules: ...       ; who or what has proved it

    . . . . .
    . . O . .                   X black         O white         . empty
    . O X O .
    . . . . .
    . . . . .
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mcts_cluster import text_files
from mcts_cluster.errors import UserError
from mcts_cluster.games import game_settings
from mcts_cluster.positions.position import Position
from mcts_cluster.settings import checks
from mcts_cluster.settings.assignment import value_of

KEYS = ("to play", "komi", "good moves", "proof")
COLORS = ("black", "white")
KOMI = next(one for one in game_settings.SETTINGS["go"] if one.key == "komi")


@dataclass
class PositionDraft:
    """A position while its lines are read."""

    name: str
    line: int
    values: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    mistakes: list[tuple[int, str]] = field(default_factory=list)  # with their lines
    lines: dict[str, int] = field(default_factory=dict)  # of the keys

    def take(self, number: int, text: str) -> None:
        key, sign, value = (part.strip() for part in text.partition("="))
        if not sign:
            self.rows.append(text)
            return
        self.lines[key] = number
        if key not in KEYS:
            self.complain(key, f"{key!r} is unknown; known are {', '.join(KEYS)}")
        elif key == "good moves":
            self.moves += value.split()
        else:
            self.values[key] = value

    def complain(self, key: str, text: str) -> None:
        """Note a mistake in the line of a key, or, where it has none, of the position."""
        self.mistakes.append((self.lines.get(key, self.line), f"{self.name}: {text}"))

    def position(self) -> Position:
        to_play = self.values.get("to play", "")
        if to_play not in COLORS:
            found = repr(to_play) if to_play else "missing"
            self.complain("to play", f"to play: {found}, must be black or white")
            to_play = "black"
        proof = self.values.get("proof", "")
        diagram = "\n".join(self.rows)
        return Position(self.name, diagram, to_play, tuple(self.moves), proof, self.komi())

    def komi(self) -> float | None:
        if "komi" not in self.values:
            return None
        value = value_of(self.values["komi"])
        if mistake := checks.mistake(KOMI, value):
            self.complain("komi", f"komi: {mistake}")
            return None
        return float(value)


class PositionFile(NamedTuple):
    """What is in a file: its positions, all mistakes with their lines, and its lines."""

    positions: list[Position]
    mistakes: list[tuple[int, str]]
    lines: list[str]


def read(path: str, settings: Mapping[str, Any] | None = None) -> PositionFile:
    """Return what is in a file, with the mistakes on the board of some settings; raises UserError.

    Without settings these are not looked for.
    """
    try:
        text = text_files.read(path)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: not in UTF-8") from None
    if "\0" in text:
        raise UserError(f"{path}: has a NUL character, must be text")
    drafts, mistakes = parse(text)
    if not drafts:
        raise UserError(f"{path}: no position, must be at least one")
    names: set[str] = set()
    for draft in drafts:
        if draft.name in names:
            draft.complain("", "there is a position of this name already")
        names.add(draft.name)
    positions = [draft.position() for draft in drafts]
    for draft, position in zip(drafts, positions, strict=True):
        for key, wrong in () if settings is None else position.mistakes(settings):
            draft.complain(key, wrong)
        mistakes += draft.mistakes
    return PositionFile(positions, sorted(mistakes), text.splitlines())


def write(positions: Iterable[Position]) -> str:
    """Return the text of a file of positions; read() gives the same positions back."""
    parts = []
    for one in positions:
        komi = "" if one.komi is None else f"{one.komi:g}"
        values = zip(KEYS, (one.to_play, komi, " ".join(one.good_moves), one.proof), strict=True)
        lines = [f"{key} = {value}" for key, value in values if value]
        parts.append("\n".join([f"position {one.name}", *lines, "", one.diagram, ""]))
    return "\n".join(parts)


def parse(text: str) -> tuple[list[PositionDraft], list[tuple[int, str]]]:
    """Return the drafts in a text, and mistakes in the lines before the first one."""
    drafts: list[PositionDraft] = []
    mistakes: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition(";")[0].strip()
        word, _, name = content.partition(" ")
        if not content:
            continue
        if word == "position":
            drafts.append(PositionDraft(name.strip() or f"line {number}", number))
        elif drafts:
            drafts[-1].take(number, content)
        else:
            mistakes.append((number, f"{content!r} stands before the first position"))
    return drafts, mistakes
