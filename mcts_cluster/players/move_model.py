"""Models of expert moves (cext/go_move_model.pxd) and their files; move_model_training makes them.

A file is text: lines of numbers that begin with the name of their table, such as `board_zone`, and
a line `shape DRAWING NUMBER` for each shape; all numbers are logarithms in tenths. A table may be
missing, and counts as ones then. A line that begins with a # is a remark.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import prod

from cext.go_move_model import CELLS, TABLES, MoveModel
from mcts_cluster.errors import UserError
from mcts_cluster.players.mcts import EXPERTS, NONE, MoveModelSource

SMALL = 20  # cells of the smaller shapes


def source(name: str) -> MoveModelSource:
    """Return the source of a model by its name or path, once it has been read; raises UserError.

    It has the text of the file, so that all processes have the same model.
    """
    if name in (EXPERTS.name, NONE.name):
        return MoveModelSource(name)
    # Ranks that play read no file.
    from mcts_cluster import text_files

    try:
        found = MoveModelSource(name, text_files.read(name))
    except OSError as error:
        raise UserError(f"{name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{name}: not a text file in UTF-8") from None
    loaded(found)
    return found


@cache
def loaded(source: MoveModelSource) -> MoveModel:
    """Return the model of a source; raises UserError."""
    text = source.text or shipped()
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
                allowed = f"must be {', '.join(TABLES)} or a shape"
                raise UserError(f"{source.name}, line {number}: {allowed}")
    for name, factors in tables.items():
        if len(factors) != prod(TABLES[name]):
            count = prod(TABLES[name])
            raise UserError(f"{source.name}: {name} has {len(factors)} numbers, must be {count}")
    return MoveModel(tables, shapes)


def shipped() -> str:
    """Return the text of the model of this package."""
    from importlib.resources import files

    return (files("mcts_cluster") / "expert_moves.txt").read_text(encoding="utf-8")


def is_drawing(word: str) -> bool:
    return len(word) in (SMALL, len(CELLS)) and not set(word) - set(".XO#")


def is_tenths(word: str) -> bool:
    return len(word) <= 4 and word.removeprefix("-").isdecimal() and -128 <= int(word) <= 127


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
