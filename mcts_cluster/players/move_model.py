"""Models of expert moves (cext/go_database.pxd), and their files; move_model_training makes them.

A file is text: lines of numbers that begin with the name of their table, such as `zones`, and a
line `shape DRAWING NUMBER` for each shape; all numbers are logarithms in tenths. A table may be
missing, and says nothing then. What follows a # at the beginning of a line is a remark.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import prod
from pathlib import Path

from cext.go_database import CELLS, TABLES, Database
from mcts_cluster.errors import UserError, one_line

# A model counts only on boards larger than this: it is learnt on 19x19.
SMALL_BOARD = 13
SMALL = 20  # cells of the smaller shapes


@dataclass(frozen=True)
class MoveModelSource:
    """Where a model comes from: the package by a name alone, or the text of a file."""

    name: str
    text: str = field(default="", repr=False)


EXPERTS = MoveModelSource("experts")
NONE = MoveModelSource("")


def source(name: str) -> MoveModelSource:
    """Return the source that a name or a path stands for, once it has been read; raises UserError.

    With its text, so that all processes have the same.
    """
    if name in (EXPERTS.name, NONE.name):
        return MoveModelSource(name)
    try:
        found = MoveModelSource(name, Path(name).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{name}: {one_line(error)}") from None
    loaded(found)
    return found


@cache
def loaded(source: MoveModelSource) -> Database:
    """Return a model; raises UserError."""
    text = source.text or (files("mcts_cluster") / "people.txt").read_text(encoding="utf-8")
    tables: dict[str, list[int]] = {}
    shapes: list[tuple[str, int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        match line.split():
            case [] | ["#", *_]:
                pass
            case ["shape", drawing, value] if is_drawing(drawing) and is_tenths(value):
                shapes.append((drawing, int(value)))
            case [word, *values] if word in TABLES and all(map(is_tenths, values)):
                tables.setdefault(word, []).extend(map(int, values))
            case _:
                known = f"{', '.join(TABLES)} or a shape"
                raise UserError(f"{source.name}, line {number}: must be {known}")
    for name, factors in tables.items():
        if len(factors) != prod(TABLES[name]):
            right = prod(TABLES[name])
            raise UserError(f"{source.name}: {len(factors)} {name}, must be {right}")
    return Database(tables, shapes)


def is_drawing(word: str) -> bool:
    return len(word) in (SMALL, len(CELLS)) and not set(word) - set(".XO#")


def is_tenths(word: str) -> bool:
    return word.removeprefix("-").isdecimal() and -128 <= int(word) <= 127


def write(
    tables: Mapping[str, Sequence[int]], shapes: Iterable[tuple[str, int]], remark: str
) -> str:
    """Return the text of a file."""
    lines = [f"# {line}" for line in remark.splitlines()]
    for name, values in tables.items():
        row = TABLES[name][-1]
        lines += [
            " ".join([name, *map(str, values[first : first + row])])
            for first in range(0, len(values), row)
        ]
    lines += [f"shape {drawing} {value}" for drawing, value in shapes]
    return "\n".join(lines) + "\n"
