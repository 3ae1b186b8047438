"""Bias patterns of Go: where they match, a search looks more often, or less, at a move.

A pattern is a set of cells around a move and a strength. Files of patterns are text, drawn the way
a board is printed, north up, from the side of the player to move:

    pattern hane at the edge        ; the name is optional
    strength = 0.5

        X O ?                       X own stone     O enemy stone   S any stone
        . * .                       . empty         # off the board
        # # #                       ? joker         * the move

In memory a joker is no cell. `compiled` is the form that matches (cext/go_bias_patterns.pxd).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from cext import go_bias_patterns as core
from mcts_cluster.errors import UserError

KINDS = core.KINDS_OF_CELLS
MOVE = "*"
JOKER = "?"
SYMBOLS = KINDS + JOKER + MOVE
MAX_REACH = 24
MAX_STRENGTH = 1000
STRENGTH = f"must be a number from -{MAX_STRENGTH} to {MAX_STRENGTH} other than 0"

Cell = tuple[int, int, str]


@dataclass(frozen=True)
class Pattern:
    """Cells (dx, dy, kind) around a move: dx to the right, dy up, one of the KINDS. All or none.

    A positive strength encourages the move, a negative one discourages it. Cells are kept in the
    order in which a picture is read, so that equal patterns compare equal; raises UserError.
    """

    cells: tuple[Cell, ...]
    strength: float
    name: str = ""

    def __post_init__(self) -> None:
        places = {(dx, dy): kind for dx, dy, kind in self.cells}
        check_strength(self.strength)
        check_name(self.name)
        if not places:
            raise UserError("a pattern without cells would match everywhere: it must have a cell")
        if len(places) < len(self.cells):
            raise UserError("two cells in one place")
        for (dx, dy), kind in places.items():
            if max(abs(dx), abs(dy)) > MAX_REACH:
                raise UserError(
                    f"cell ({dx}, {dy}): must be at most {MAX_REACH} rows and columns from the move"
                )
            if (dx, dy) == (0, 0):
                raise UserError("cell (0, 0) is the move itself, which is always empty")
            if len(kind) != 1 or kind not in KINDS:
                raise UserError(f"cell ({dx}, {dy}): {kind!r} is not one of {' '.join(KINDS)}")
        ordered = sorted(places, key=lambda place: (-place[1], place[0]))
        object.__setattr__(self, "cells", tuple((*place, places[place]) for place in ordered))
        object.__setattr__(self, "strength", float(self.strength))

    def rows(self) -> list[str]:
        """Return the picture, a character a place: the smallest that holds the move and cells."""
        kinds = {(dx, dy): kind for dx, dy, kind in self.cells} | {(0, 0): MOVE}
        columns, lines = zip(*kinds, strict=True)
        return [
            "".join(kinds.get((dx, dy), JOKER) for dx in range(min(columns), max(columns) + 1))
            for dy in range(max(lines), min(lines) - 1, -1)
        ]


def check_strength(strength: float) -> None:
    if not (isfinite(strength) and 0 < abs(strength) <= MAX_STRENGTH):
        raise UserError(f"strength {strength}: {STRENGTH}")


def check_name(name: str) -> None:
    if name != name.strip() or not name.isprintable() or ";" in name:
        raise UserError(f"name {name!r}: must be one line of text without ;, or nothing")


def compiled(patterns: Iterable[Pattern]) -> core.Patterns:
    """Return the patterns in the form that matches all of them at once.

    Each adds its strength once to a point at which it matches.
    """
    return core.Patterns([(pattern.strength, pattern.cells) for pattern in patterns])


# Files


def read(path: str | Path) -> list[Pattern]:
    """Read a file of patterns; raises UserError with the file and the line."""
    # Ranks that play read no file.
    from mcts_cluster import text_files

    try:
        text = text_files.read(path)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: not a text file in UTF-8") from None
    return parse(text, str(path))


def write(patterns: Iterable[Pattern]) -> str:
    """Return the text of a file of patterns; parse() gives the same patterns back, to the bit."""
    parts = []
    for pattern in patterns:
        picture = "".join(f"    {' '.join(row)}\n" for row in pattern.rows())
        head = f"pattern {pattern.name}".rstrip()
        parts.append(f"{head}\nstrength = {pattern.strength!r}\n\n{picture}")
    return "\n".join(parts)


class PatternDraft:
    """A pattern that is being read: its name, its strength and the rows of its picture."""

    def __init__(self, line: int, name: str) -> None:
        check_name(name)
        self.line = line
        self.name = name
        self.strength: float | None = None
        self.rows: list[str] = []
        self.is_drawn = False

    def set_strength(self, text: str) -> None:
        if self.strength is not None:
            raise UserError("the pattern has a strength already")
        try:
            self.strength = float(text)
        except ValueError:
            raise UserError(f"strength {text[:40]!r}: {STRENGTH}") from None
        check_strength(self.strength)
        self.end_picture()

    def add_row(self, row: str) -> None:
        for symbol in row:
            if symbol not in SYMBOLS:
                raise UserError(f"{symbol!r} is not one of {' '.join(SYMBOLS)}")
        if self.is_drawn:
            raise UserError("the pattern has a picture already: a picture has no gaps")
        if self.rows and len(row) != len(self.rows[0]):
            raise UserError(
                f"{len(row)} places in this row, {len(self.rows[0])} in the one above; "
                f"{JOKER} is a joker"
            )
        self.rows.append(row)

    def end_picture(self) -> None:
        self.is_drawn = bool(self.rows)

    def finish(self) -> Pattern:
        if self.strength is None:
            raise UserError("missing: a line such as strength = 0.5")
        moves = [(x, y) for y, row in enumerate(self.rows) for x, c in enumerate(row) if c == MOVE]
        if len(moves) != 1:
            raise UserError(f"{len(moves)} places marked {MOVE}: must be one, the move")
        move_x, move_y = moves[0]
        cells = [
            (x - move_x, move_y - y, symbol)
            for y, row in enumerate(self.rows)
            for x, symbol in enumerate(row)
            if symbol in KINDS
        ]
        return Pattern(tuple(cells), self.strength, self.name)


def parse(text: str, source: str = "patterns") -> list[Pattern]:
    """Read patterns from a text; raises UserError "source:line: what is wrong"."""
    drafts: list[PatternDraft] = []
    number = 0
    try:
        for number, line in enumerate(text.splitlines(), 1):
            read_line(drafts, number, line)
        patterns = []
        for draft in drafts:
            number = draft.line
            patterns.append(draft.finish())
    except UserError as error:
        raise UserError(f"{source}:{number}: {error}") from None
    return patterns


def read_line(drafts: list[PatternDraft], number: int, whole: str) -> None:
    """Add a line to the last draft, or begin another one."""
    line = whole.partition(";")[0].strip()
    if line.split()[:1] == ["pattern"]:
        drafts.append(PatternDraft(number, line.removeprefix("pattern").strip()))
    elif line and not drafts:
        raise UserError("a pattern must begin with a line: pattern, or pattern NAME")
    elif line.partition("=")[0].strip() == "strength":
        drafts[-1].set_strength(line.partition("=")[2].strip())
    elif line:
        drafts[-1].add_row("".join(line.split()))
    elif drafts and not whole.strip():
        drafts[-1].end_picture()
