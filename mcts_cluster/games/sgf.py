"""Go records in SGF: bytes in, a Record out, and back. Only the main line of a record is read.

sgfmill knows the grammar and the properties; this module adds what files in the wild need: any
encoding, collections, and one clear line for each mistake. No rule of the game is applied here:
records.py plays a GoRecord.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from sgfmill import sgf, sgf_grammar

from mcts_cluster.errors import UserError, one_line

Point = tuple[int, int]  # row and column, from 0 at A1
Color = Literal["black", "white"]
COLORS: dict[str, Color] = {"b": "black", "w": "white"}
MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


@dataclass
class GoRecord:
    """One game: a start position and the moves of the main line."""

    size: int = 19
    komi: float | None = None  # None where the record has none
    black: list[Point] = field(default_factory=list)  # set up before the first move
    white: list[Point] = field(default_factory=list)
    to_play: Color = "black"
    moves: list[tuple[Color, Point | None]] = field(default_factory=list)  # None for a pass
    result: str = ""  # as written: "B+3.5", "W+R", "0"


def read(data: bytes | str) -> GoRecord:
    """Read one game, the first of a collection; raises UserError."""
    return next(read_all(data))


def read_all(data: bytes | str) -> Iterator[GoRecord]:
    """Read the games of a collection one by one; raises UserError when it comes to a bad one."""
    for number, tree in enumerate(parse(data, "SGF"), 1):
        try:
            yield read_tree(sgf.Sgf_game.from_coarse_game_tree(tree, override_encoding="UTF-8"))
        except ValueError as error:
            raise UserError(f"SGF, game {number}: {one_line(error)}") from None


def parse(data: bytes | str, what: str) -> list[Any]:
    """Return the game trees of a file that has SGF's grammar, in UTF-8; raises UserError."""
    text = data.encode(errors="replace") if isinstance(data, str) else to_utf8(data)
    try:
        trees: list[Any] = sgf_grammar.parse_sgf_collection(text)
    except ValueError as error:
        raise UserError(f"{what}: {one_line(error)}") from None
    return trees


def to_utf8(data: bytes) -> bytes:
    """Translate a file into UTF-8: from its byte-order mark, its CA property, UTF-8 or Latin-1.

    Translated before it is parsed, because in some encodings half of a character may look like a
    bracket. Characters that do not fit are replaced: they can only be in names and comments.
    """
    for mark, encoding in MARKS.items():
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace").encode()
    named = re.search(rb"\bCA\s*\[\s*([\w.:-]+)\s*\]", data)
    try:
        if named:
            return data.decode(named[1].decode(), "replace").encode()
        return data.decode().encode()
    # No such encoding, or one that is not for texts; or not UTF-8.
    except (LookupError, UnicodeError):
        return data.decode("latin-1").encode()


def read_tree(game: Any) -> GoRecord:
    """Turn a parsed game into a Record; raises ValueError with the number of the node."""
    root = game.get_root()
    if root.has_property("GM") and root.get_raw("GM").strip() != b"1":
        raise ValueError(f"GM[{root.get_raw('GM').decode()}] is not Go, which is GM[1]")
    record = GoRecord(size=game.get_size())
    if root.has_property("KM"):
        record.komi = number(root, "KM")
    if root.has_property("RE"):
        record.result = root.get("RE").strip()
    stones: dict[Point, Color] = {}
    to_play: Color | None = None
    for index, node in enumerate(game.get_main_sequence()):
        try:
            if node.has_setup_stones() and record.moves:
                raise ValueError("stones are set up after the first move")
            set_up(node, stones)
            # Later the moves have their colours.
            if node.has_property("PL") and not record.moves:
                to_play = COLORS[value(node, "PL")]
            record.moves += moves_of(node)
        except ValueError as error:
            raise ValueError(f"node {index}: {error}") from None
    record.black = sorted(point for point, color in stones.items() if color == "black")
    record.white = sorted(point for point, color in stones.items() if color == "white")
    record.to_play = to_play or first_player(record)
    return record


def value(node: Any, name: str) -> Any:
    """Return a property's value; raises ValueError with the property as it is written."""
    try:
        return node.get(name)
    except ValueError:
        raw = "".join(f"[{text.decode()}]" for text in node.get_raw_list(name))
        allowed = "B or W" if name == "PL" else f"a point of size {node.get_size()}"
        raise ValueError(f"{name}{raw}: must be {allowed}") from None


def number(node: Any, name: str) -> float:
    raw = node.get_raw(name).decode(errors="replace").strip()
    try:
        return float(raw.replace(",", "."))
    except ValueError:
        raise ValueError(f"{name}[{raw}] is not a number") from None


def set_up(node: Any, stones: dict[Point, Color]) -> None:
    """Apply the set-up properties of one node."""
    black, white, empty = (
        value(node, name) if node.has_property(name) else () for name in ("AB", "AW", "AE")
    )
    for point in empty:
        stones.pop(point, None)
    stones.update(dict.fromkeys(black, "black") | dict.fromkeys(white, "white"))


def moves_of(node: Any) -> list[tuple[Color, Point | None]]:
    moves = [(COLORS[name.lower()], value(node, name)) for name in "BW" if node.has_property(name)]
    # Their order cannot be known.
    if len(moves) > 1:
        raise ValueError("a move of Black and one of White in one node")
    return moves


def first_player(record: GoRecord) -> Color:
    """Return the first player where PL is missing: that of the first move, White after handicap."""
    if record.moves:
        return record.moves[0][0]
    return "white" if record.black and not record.white else "black"


def write(record: GoRecord) -> str:
    """Return the record as SGF."""
    game = sgf.Sgf_game(record.size)
    root = game.get_root()
    if record.komi is not None:
        root.set("KM", record.komi)
    if record.black or record.white:
        root.set_setup_stones(record.black, record.white)
    if record.black or "white" in (record.to_play, first_player(record)):
        root.set("PL", record.to_play[0])
    if record.result:
        root.set("RE", record.result)
    for color, point in record.moves:
        game.extend_main_sequence().set_move(color[0], point)
    text: str = game.serialise().decode()
    return text
