"""Drawings of bias patterns of Go, on the terminal or in a PNG file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mcts_cluster.errors import UserError
from mcts_cluster.players.bias_patterns import Pattern
from mcts_cluster.reports.pictures.figures import lettering, words
from mcts_cluster.text_files import replacing

LEGEND = (
    ("X", "own stone", "bold"),
    ("O", "enemy stone", "bold cyan"),
    ("S", "any stone", "magenta"),
    (".", "empty", ""),
    ("#", "off board", "yellow"),
    ("?", "joker", "dim"),
    ("*", "move", "bold red"),
)
STYLES = {symbol: style for symbol, _, style in LEGEND}
NO_MATPLOTLIB = '--png needs matplotlib: pip install "mcts_cluster[plot]"'


def show(loaded: Sequence[Pattern], console: Console) -> None:
    """Print the patterns side by side, as many in a row as the console is wide."""
    console.print(legend())
    row: list[Pattern] = []
    for number, pattern in enumerate(loaded):
        if row and sum(map(width, [*row, pattern])) > console.width:
            print_row(row, number, console)
            row = []
        row.append(pattern)
    if row:
        print_row(row, len(loaded), console)
    console.print(f"\n{len(loaded)} pattern{'' if len(loaded) == 1 else 's'}")


def print_row(row: Sequence[Pattern], after: int, console: Console) -> None:
    """Print a row of patterns, the last of which is number `after`, counted from 1."""
    table = Table.grid()
    for pattern in row:
        table.add_column(width=width(pattern), overflow="fold")
    first = after - len(row) + 1
    table.add_row(*(tile(pattern, first + i) for i, pattern in enumerate(row)))
    console.print()
    console.print(table)


def legend() -> Text:
    return Text("  ").join(
        Text.assemble((symbol, style), f" {words}") for symbol, words, style in LEGEND
    )


def width(pattern: Pattern) -> int:
    """Return the columns of a tile, with room for a short name and a gap."""
    return max(2 * len(pattern.rows()[0]) - 1, 14) + 4


def tile(pattern: Pattern, number: int) -> Padding:
    color = "green" if pattern.strength > 0 else "red"
    picture = [
        Text(" ").join(Text(symbol, STYLES[symbol]) for symbol in row) for row in pattern.rows()
    ]
    head = [
        Text(f"{number} {pattern.name}".rstrip(), "bold"),
        Text(strength_text(pattern), color),
    ]
    return Padding(Group(*head, *picture), (0, 4, 0, 0))


def strength_text(pattern: Pattern) -> str:
    return f"{pattern.strength:+.6g}"


# The file. A unit is the side of a place.

INCHES = 0.28  # of a unit
GAP = 1.4  # between two tiles, units
HEAD = 1.7  # above a picture, for its name and strength, units
MIN_WIDTH = 6.0  # of a tile, units
MAX_PIXELS = 20_000  # a side


def save_png(loaded: Sequence[Pattern], path: Path) -> None:
    """Draw all patterns into a PNG file."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UserError(NO_MATPLOTLIB) from None
    with lettering(), replacing(path) as fresh:
        figure = drawn(loaded)
        dpi = min(120, MAX_PIXELS / max(figure.get_size_inches()))
        figure.savefig(fresh, format="png", dpi=dpi)


def drawn(loaded: Sequence[Pattern]) -> Any:
    from matplotlib.figure import Figure

    places, total_width, total_height = laid_out([pattern.rows() for pattern in loaded])
    figure = Figure(figsize=(total_width * INCHES, total_height * INCHES), facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, total_width), ylim=(total_height, 0), aspect="equal")
    axes.axis("off")
    draw_legend(axes)
    for number, (pattern, (x, y)) in enumerate(zip(loaded, places, strict=True), 1):
        draw_tile(axes, pattern, number, x, y)
    return figure


def tile_width(rows: Sequence[str]) -> float:
    return max(float(len(rows[0])), MIN_WIDTH)


def laid_out(pictures: Sequence[Sequence[str]]) -> tuple[list[tuple[float, float]], float, float]:
    """Put tiles in rows, about as wide as high; returns where each is, and the extent of all."""
    area = sum((tile_width(rows) + GAP) * (len(rows) + HEAD + GAP) for rows in pictures)
    widest = max([28.0, area**0.5, *(tile_width(rows) + 2 * GAP for rows in pictures)])
    places = []
    x, y, height = GAP, 2 * GAP, 0.0
    for rows in pictures:
        if x > GAP and x + tile_width(rows) + GAP > widest:
            x, y, height = GAP, y + height, 0.0
        places.append((x, y))
        x += tile_width(rows) + GAP
        height = max(height, len(rows) + HEAD + GAP)
    return places, widest, y + height


def draw_legend(axes: Any) -> None:
    for i, (symbol, meaning, _) in enumerate(LEGEND):
        x = GAP + 3.75 * i
        draw_place(axes, symbol, x, GAP - 0.5)
        axes.text(x + 1.2, GAP, meaning, va="center", fontsize=7)


def draw_tile(axes: Any, pattern: Pattern, number: int, x: float, y: float) -> None:
    color = "#18702c" if pattern.strength > 0 else "#b01818"
    name = f"{number} {pattern.name}".rstrip()
    room = int(3.8 * tile_width(pattern.rows()))
    name = name if len(name) <= room else f"{name[: room - 1]}…"
    axes.text(x, y + 0.4, words(name), va="center", fontsize=7.5, weight="bold")
    axes.text(x, y + 1.15, strength_text(pattern), va="center", fontsize=7.5, color=color)
    for row, symbols in enumerate(pattern.rows()):
        for column, symbol in enumerate(symbols):
            draw_place(axes, symbol, x + column, y + HEAD + row)


def draw_place(axes: Any, symbol: str, x: float, y: float) -> None:
    """Draw one place, its corner at (x, y)."""
    from matplotlib.patches import Circle, Rectangle, Wedge

    background = {"#": "#6b6b6b", "?": "#f4f1ea"}.get(symbol, "#e3b567")
    edge = "#c9c4b8" if symbol == "?" else "#8a6a2f"
    axes.add_patch(Rectangle((x, y), 1, 1, facecolor=background, edgecolor=edge, linewidth=0.5))
    center = (x + 0.5, y + 0.5)
    if symbol in ("X", "O"):
        fill = "black" if symbol == "X" else "white"
        axes.add_patch(Circle(center, 0.4, facecolor=fill, edgecolor="black", linewidth=0.7))
    elif symbol == "S":
        axes.add_patch(Wedge(center, 0.4, 90, 270, facecolor="black"))
        axes.add_patch(Wedge(center, 0.4, -90, 90, facecolor="white"))
        axes.add_patch(Circle(center, 0.4, fill=False, edgecolor="black", linewidth=0.7))
    elif symbol == ".":
        axes.plot([x, x + 1], [center[1]] * 2, color=edge, linewidth=0.6)
        axes.plot([center[0]] * 2, [y, y + 1], color=edge, linewidth=0.6)
    elif symbol == "*":
        axes.add_patch(Circle(center, 0.4, facecolor="none", edgecolor="#b01818", linewidth=1.2))
        axes.plot(*center, marker="x", color="#b01818", markersize=5, markeredgewidth=1.4)
