"""The page of several files as HTML: published figures, then a section for each file."""

import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from html import escape

from cext import build_info
from mcts_cluster import __version__
from mcts_cluster.errors import UserError
from mcts_cluster.reports.formats import Summary
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.reports.page import html, viewer
from mcts_cluster.reports.page.sections import (
    FIGURES,
    JOB,
    MADE,
    REPLACED,
    Section,
    meanings,
)
from mcts_cluster.reports.pictures import inline_figures

READING = "How to read this page"
GAMES = 20  # of a file, to step through
MAX_RUNS = 8  # in sight


def page(
    title: str,
    overview: Summary,
    links: Sequence[int],
    sections: Iterable[Section],
    games: int = GAMES,
) -> str:
    """Return the whole page.

    A link is the number of the section that a row of the overview is of.
    """
    sections = list(sections)
    has_figures = bool(overview.rows) or not sections
    parts = [*summary(overview, links)] * has_figures
    for number, one in enumerate(sections):
        parts += section(one, number, games)
    parts += reading([overview, *(one.summary for one in sections)])
    return html.document(title, header(title, sections, has_figures), parts, footer())


def header(title: str, sections: Sequence[Section], has_figures: bool) -> str:
    return f"<header>\n<h1>{escape(title)}</h1>\n</header>\n{contents(sections, has_figures)}"


def footer() -> str:
    """Return when and by what the page was made."""
    made = time.strftime("%Y-%m-%d %H:%M %Z")
    version = f"mcts_cluster {__version__}, commit {build_info.commit()}"
    return (
        f"<footer>\n<p><small>Written {escape(made)} by {escape(version)}.</small></p>\n</footer>\n"
    )


def contents(sections: Sequence[Section], has_figures: bool) -> str:
    """Return links to all parts."""
    items = [f'<li><a href="#figures">{FIGURES}</a></li>'] * has_figures
    items += [
        f'<li><a href="#{anchor(number)}">{escape(one.name)}</a>{escape(title)}</li>'
        for number, one in enumerate(sections)
        for title in [f": {one.results.title}" if one.results.title else ""]
    ]
    items.append(f'<li><a href="#reading">{READING}</a></li>')
    inside = "\n".join(items)
    return f'<nav aria-label="Contents">\n<ul>\n{inside}\n</ul>\n</nav>\n'


def summary(overview: Summary, links: Sequence[int]) -> Iterator[str]:
    """Yield the table of published figures, and notes."""
    yield f'<section id="figures">\n<h2>{FIGURES}</h2>\n'
    yield html.summary(overview, FIGURES, list(map(anchor, links)))
    yield from (f"<p>{html.code(note)}</p>\n" for note in overview.notes)
    yield "</section>\n"


def anchor(number: int) -> str:
    return f"file-{number}"


def section(section: Section, number: int, games: int) -> Iterator[str]:
    """Yield the parts of a file's section."""
    results, found = section.results, section.summary
    yield f'<section id="{anchor(number)}">\n<h2>{escape(section.title)}</h2>\n'
    yield f"<p><small>{escape(section.played)}</small></p>\n"
    if found.rows:
        yield figure(section, number)
        yield html.summary(found, section.title)
    else:
        yield f"<p>{section.why_empty}</p>\n"
    yield html.list_of(found.remarks)
    yield boards(section)
    if shown := viewer.viewer(results, viewer.first_games(results, games), number, section.name):
        noun = KINDS[results.kind].PLAYED
        yield f"<h3>{noun.capitalize()}s</h3>\n{shown}"
    yield from made(section)
    yield html.details(JOB, results.text)
    if results.overrides:
        yield html.details(REPLACED, results.overrides)
    yield "</section>\n"


def figure(section: Section, number: int) -> str:
    """Return the figure of `plot`, or why there is none."""
    results = section.results
    try:
        draw = partial(KINDS[results.kind].figure, results, None)
        svg = inline_figures.inline(draw, section.title, number)
    except UserError as error:
        return f'<p class="soft">No figure: {escape(str(error))}</p>\n'
    return f'<figure tabindex="0">\n{svg}\n</figure>\n'


def boards(section: Section) -> str:
    """Return patterns and positions as boards, and as text what is drawn in no other way."""
    found = list(KINDS[section.results.kind].drawings(section.results))
    if found:
        return html.drawings(found)
    return "".join(
        f"<p>{escape(heading)}</p>\n<pre>{escape(text)}</pre>\n"
        for heading, text in section.summary.pictures
    )


def made(section: Section) -> Iterator[str]:
    """Yield which runs have played, with what, and how to play it again."""
    if not section.runs:
        return
    yield f"<h3>{MADE}</h3>\n"
    latest = section.runs[-MAX_RUNS:]
    yield html.list_of(latest)
    if earlier := section.runs[:-MAX_RUNS]:
        yield html.folded(f"{len(earlier):,} earlier runs", html.list_of(earlier))
    yield html.list_of(section.hosts)
    yield html.folded("Version, build and machine of the last run", html.definitions(section.build))
    if section.again:
        items = "".join(f"<li>{html.code(text)}</li>\n" for text in section.again)
        yield f"<h3>To play it again</h3>\n<ul>\n{items}</ul>\n"


def reading(tables: Iterable[Summary]) -> Iterator[str]:
    """Yield what the columns mean."""
    words = [word for one in tables for word in (*one.headings, *one.notes)]
    yield f'<section id="reading">\n<h2>{READING}</h2>\n'
    yield html.definitions(meanings(words))
    yield (
        "<p>Bars in figures are one standard error. Boards are stepped through by the buttons, or "
        "by the arrow keys once the board has been chosen.</p>\n</section>\n"
    )
