"""Figures by matplotlib: how one begins, the words in it, and how it is saved."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mcts_cluster.errors import UserError, harmless
from mcts_cluster.text_files import replacing

SUFFIXES = (".png", ".svg", ".pdf")
NO_MATPLOTLIB = 'a picture needs matplotlib: pip install "mcts_cluster[plot]"'
# Fonts with the scripts that matplotlib's own lacks; those that a machine has are used.
MORE_FONTS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Noto Sans JP",
    "Source Han Sans",
    "IPAexGothic",
    "IPAGothic",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Droid Sans Fallback",
    "Hiragino Sans",
    "Yu Gothic",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Arial Unicode MS",
    "Noto Sans",
    "FreeSans",
    "Unifont",
)


# Of files in one figure. The published figures are orange squares.
COLORS = (
    "#1f5fa8",
    "#2e8b57",
    "#7b4fa3",
    "#444444",
    "#b8860b",
    "#1797a6",
    "#8c564b",
    "#d0579e",
)
MARKERS = "o^Dv*"
MAX_SLANTED = 8


def new_figure(size: tuple[float, float] = (7, 4.5)) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UserError(NO_MATPLOTLIB) from None
    return Figure(figsize=size, layout="constrained")


def words(text: str) -> str:
    """Return a title or a name as matplotlib takes it, which sees formulas and signs in some."""
    text = harmless(text).replace("\t", " ").replace("$", r"\$")
    # A label that begins with an underscore is left out of legends.
    return f" {text}" if text.startswith("_") else text


def name_places(axes: Any, places: Sequence[float], names: Iterable[str]) -> None:
    """Have names below the points of an axis, steeper where there are many."""
    rotation = 20 if len(places) <= MAX_SLANTED else 45
    axes.set_xticks(places, list(map(words, names)), rotation=rotation, ha="right", fontsize=8)


def wrap_titles(figure: Any) -> None:
    """Have titles that are longer than a figure is wide in several lines."""
    for axes in figure.axes:
        axes.title.set_wrap(True)


def short_names(paths: Iterable[str]) -> list[str]:
    """Return the names of files without their folders, if these tell them apart."""
    whole = list(paths)
    names = [Path(path).name for path in whole]
    return names if len(set(names)) == len(names) else whole


@contextmanager
def lettering() -> Iterator[None]:
    """Have text drawn in fonts that this machine has, silently where none has a letter."""
    try:
        from matplotlib import font_manager, rc_context
    except ImportError:
        raise UserError(NO_MATPLOTLIB) from None
    known = set(font_manager.get_font_names())
    families = ["sans-serif", *(name for name in MORE_FONTS if name in known)]
    with warnings.catch_warnings(), rc_context({"font.family": families}):
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from")
        warnings.filterwarnings("ignore", "Matplotlib currently does not support")
        yield


def save_figure(draw: Callable[[], Any], out: Path) -> None:
    """Draw a figure into a file, all of it or nothing; raises UserError."""
    if out.suffix not in SUFFIXES:
        raise UserError(f"-o {out}: must end with one of {', '.join(SUFFIXES)}")
    with lettering(), replacing(out) as fresh:
        figure = draw()
        wrap_titles(figure)
        figure.savefig(fresh, format=out.suffix[1:], dpi=150)
