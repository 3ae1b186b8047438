"""Boards as drawings in a page: positions of Go and Havannah, patterns of Go."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from math import cos, pi, sin, sqrt

import cext.game
from cext.go import Go
from cext.havannah import Havannah
from mcts_cluster.players.bias_patterns import JOKER, MOVE, Pattern

Place = tuple[float, float]

STONE = 0.46  # its radius; neighbours on a board of Go are 1 apart
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
# Of the symbols of patterns, beside those of places without a stone.
OWN, ENEMY, ANY, OFF = "X", "O", "S", "#"
MEANINGS = {
    OWN: "stone of the player to move",
    ENEMY: "stone of the other player",
    ANY: "stone of either",
    ".": "empty",
    OFF: "beyond the edge",
    JOKER: "anything",
    MOVE: "the move",
}


@dataclass(frozen=True)
class Drawing:
    """Something to show as boards: its heading, the boards, what is to be said of them."""

    heading: str
    boards: Sequence[str]  # SVG
    notes: Sequence[str] = ()
    text: str = ""  # the same, for a file
    choices: Sequence[str] = ()  # what players did there


@dataclass(frozen=True)
class Board:
    """An empty board: where its points are, by their numbers, and what is drawn below stones."""

    places: Mapping[int, Place]
    corners: tuple[float, float, float, float]  # left, top, width, height
    empty: str = field(repr=False)


def board_of(core: cext.game.Game) -> Board:
    """Return the empty board of a game."""
    return hexagonal(core.size) if isinstance(core, Havannah) else square(core.size)


@cache
def square(size: int) -> Board:
    """Return a board of Go."""
    places = {n: (float(n % size), float(size - 1 - n // size)) for n in range(size * size)}
    last = size - 1
    lines = "".join(f"M{i} 0V{last}M0 {i}H{last}" for i in range(size))
    parts = [f'<path class="lines" d="{lines}"/>']
    parts += [f'<circle class="star" cx="{x}" cy="{y}" r=".1"/>' for x, y in stars(size)]
    parts += [label(COLUMNS[i], i, size + 0.02) for i in range(size)]
    parts += [label(str(size - i), -1.02, i) for i in range(size)]
    return Board(places, (-1.5, -0.7, size + 1.2, size + 1.2), "".join(parts))


def stars(size: int) -> list[tuple[int, int]]:
    """Return the points that are marked on a board of Go of this size."""
    if size < 7:
        return []
    edge = 3 if size > 11 else 2
    lines = sorted({edge, size - 1 - edge} | ({size // 2} if size % 2 else set()))
    return [(x, y) for x in lines for y in lines]


@cache
def hexagonal(size: int) -> Board:
    """Return a board of Havannah."""
    core = Havannah(size)
    places = {cell: hexagon_place(*core.place(cell), size) for cell in core.cells()}
    cells = "".join(f"M{hexagon(x, y)}Z" for x, y in places.values())
    parts = [f'<path class="cells" d="{cells}"/>']
    for number in range(2 * size - 1):
        first = max(0, number - size + 1)
        x, y = hexagon_place(number, first, size)
        parts.append(label(chr(ord("a") + number), x + 0.5, y - sqrt(0.75)))
        x, y = hexagon_place(first, number, size)
        parts.append(label(str(number + 1), x - 1, y))
    width, height = 2 * size - 1, (2 * size - 2) * sqrt(0.75)
    return Board(places, (-1.5, -1.6, width + 2, height + 2.4), "".join(parts))


def hexagon_place(x: int, y: int, size: int) -> Place:
    return round(x - y / 2 + (size - 1) / 2, 3), round(y * sqrt(0.75), 3)


def hexagon(x: float, y: float) -> str:
    """Return the corners of a cell."""
    angles = [pi / 6 + pi / 3 * i for i in range(6)]
    corners = ((x + cos(a) / sqrt(3), y + sin(a) / sqrt(3)) for a in angles)
    return "L".join(f"{a:.3f} {b:.3f}" for a, b in corners)


def label(text: str, x: float, y: float) -> str:
    return f'<text class="label" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def drawn(board: Board, stones: Iterable[str], words: str, kind: str = "board") -> str:
    """Return a board with stones and marks as SVG, and in words for those who do not see it."""
    corners = " ".join(f"{corner:g}" for corner in board.corners)
    return (
        f'<svg class="{kind}" viewBox="{corners}" role="img" aria-label="{escape(words)}">'
        f'{board.empty}<g class="stones">{"".join(stones)}</g></svg>'
    )


def position(core: cext.game.Game, words: str, good: Iterable[int] = ()) -> str:
    """Return a position as SVG, with rings around good moves."""
    board = board_of(core)
    stones = (stone(board.places[n], color) for n, color in colors(core).items())
    marks = (mark(board.places[move], "good") for move in good if move in board.places)
    return drawn(board, [*stones, *marks], words)


def colors(core: cext.game.Game) -> dict[int, str]:
    """Return the color of each stone on the board, by its point."""
    assert isinstance(core, (Go, Havannah))
    points = core.cells() if isinstance(core, Havannah) else range(core.points)
    found = {point: core.color(point) for point in points}
    return {point: core.players[number - 1] for point, number in found.items() if number}


def stone(place: Place, color: str) -> str:
    return f'<circle class="{color}" cx="{place[0]:g}" cy="{place[1]:g}" r="{STONE}"/>'


def mark(place: Place, kind: str) -> str:
    return f'<circle class="{kind}" cx="{place[0]:g}" cy="{place[1]:g}" r=".3"/>'


# Patterns


def pattern(one: Pattern) -> str:
    """Return a pattern as SVG, as a part of a board, with Black to move."""
    rows = one.rows()
    parts = [
        cell(symbol, column, row)
        for row, symbols in enumerate(rows)
        for column, symbol in enumerate(symbols)
    ]
    width, height = len(rows[0]), len(rows)
    empty = Board({}, (-0.55, -0.55, width + 0.1, height + 0.1), "".join(parts))
    words = f"pattern {one.name}, strength {one.strength:+.6g}: {' / '.join(rows)}"
    svg = drawn(empty, (), words, "pattern")
    return svg.replace("<svg ", f'<svg style="width:{1.7 * width + 0.2:g}rem" ', 1)


def cell(symbol: str, x: int, y: int) -> str:
    """Return one place of a pattern."""
    kind = {OFF: "off", JOKER: "joker"}.get(symbol, "wood")
    parts = [f'<rect class="{kind}" x="{x - 0.5}" y="{y - 0.5}" width="1" height="1"/>']
    if kind == "wood":
        parts.append(f'<path class="lines" d="M{x} {y - 0.5}v1M{x - 0.5} {y}h1"/>')
    if symbol in (OWN, ENEMY, ANY):
        parts.append(stone((x, y), "white" if symbol == ENEMY else "black"))
    if symbol == ANY:
        parts.append(f'<path class="white" d="M{x} {y - 0.46}a.46 .46 0 0 1 0 .92z"/>')
    if symbol == MOVE:
        parts.append(mark((x, y), "good"))
    return "".join(parts)


def legend(patterns: Iterable[Pattern]) -> str:
    """Return what the places of some patterns mean, as words with drawings."""
    there = {symbol for one in patterns for row in one.rows() for symbol in row}
    items = []
    for symbol in (symbol for symbol in MEANINGS if symbol in there):
        empty = Board({}, (-0.5, -0.5, 1, 1), cell(symbol, 0, 0))
        items.append(f"<span>{drawn(empty, (), symbol, 'symbol')} {MEANINGS[symbol]}</span>")
    return f'<p class="legend">{" ".join(items)}</p>'
