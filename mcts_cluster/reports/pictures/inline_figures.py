"""Figures in a page: those of `plot` as SVG in its text, in the colors of the page."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from html import escape
from io import BytesIO
from typing import Any

from mcts_cluster.reports.pictures.figures import lettering, wrap_titles

MAX_LEAST = 1100.0
# How much a figure may shrink and grow.
LEAST, MOST = 0.9, 1.7
# Inches. A figure of the one width is given the other, at which a phone shows all of it in letters
# that can be read.
USUAL_WIDTH, PHONE_WIDTH = 7.0, 5.0
# The names of the page's colors (page.css) for those of figures.
PAGE_COLORS = {
    "#ffffff": "var(--paper)",
    "#000000": "currentColor",
    "#1f5fa8": "var(--blue)",
    "#c2571a": "var(--orange)",
    "#2e7d4f": "var(--green)",
    "#7b4fa3": "var(--violet)",
}


def inline(draw: Callable[[], Any], words: str, number: int) -> str:
    """Return a figure as an element of a page, with what it shows in words."""
    drawn = BytesIO()
    # Text stays text, which can be searched and read out.
    with lettering(), drawn_as_text():
        figure = draw()
        fit_a_phone(figure)
        wrap_titles(figure)
        figure.savefig(drawn, format="svg", transparent=True, metadata={"Date": None})
    text = drawn.getvalue().decode()
    svg = text[text.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    head, _, rest = svg.partition(">")
    box = re.search(r'viewBox="0 0 ([\d.]+) [\d.]+"', head)
    assert box
    points = float(box[1])
    # As wide as there is room for, but so that its texts can be read.
    least = min(LEAST * points, MAX_LEAST)
    style = f"width:min(100%,{MOST * points:.0f}px);min-width:{least:.0f}px"
    for color, name in PAGE_COLORS.items():
        rest = rest.replace(color, name)
    return (
        f'<svg {box[0]} style="{style}" role="img" aria-label="{escape(words)}">'
        f"{apart(rest, number)}"
    )


def fit_a_phone(figure: Any) -> None:
    width, height = figure.get_size_inches()
    if width <= USUAL_WIDTH:
        figure.set_size_inches(PHONE_WIDTH, height)


def drawn_as_text() -> AbstractContextManager[None]:
    from matplotlib import rc_context

    return rc_context({"svg.fonttype": "none", "svg.hashsalt": "page"})


def apart(svg: str, number: int) -> str:
    """Return a drawing whose ids are those of no other one in the page."""
    own = f"figure{number}-"
    svg = re.sub(r'\bid="', f'id="{own}', svg)
    svg = svg.replace("url(#", f"url(#{own}").replace('xlink:href="#', f'href="#{own}')
    return svg
