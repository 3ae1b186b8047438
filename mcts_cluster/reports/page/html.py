"""A page as HTML, with everything in it: pictures, too."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from io import BytesIO

from mcts_cluster.reports.formats import LEFT, Summary
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.reports.page.sections import FIGURES, JOB, REPLACED, Section
from mcts_cluster.storage.results import Results

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 sans-serif; margin: 2rem auto; padding: 0 1rem }}
h1, section {{ max-width: 60rem; margin-left: auto; margin-right: auto }}
.wide {{ max-width: 120rem; font-size: 14px; overflow-x: auto }}
table {{ border-collapse: collapse; margin: 1rem 0 }}
th, td {{ padding: 0.2rem 0.8rem; text-align: right; border-bottom: 1px solid #ddd }}
th {{ border-bottom: 2px solid }}
td:not(.left) {{ white-space: nowrap }}
.left {{ text-align: left }}
.differs {{ color: #a03000 }}
img {{ max-width: 100% }}
pre {{ background: #f5f5f5; padding: 0.8rem; overflow-x: auto; font-size: 14px; line-height: 1.3 }}
small {{ color: #666 }}
</style>
</head>
<body>
<h1>{title}</h1>
{sections}
</body>
</html>
"""


def page(title: str, overview: Summary, links: Sequence[int], sections: Iterable[Section]) -> str:
    """Return the whole page; raises UserError where a picture cannot be drawn.

    A link is the number of the section that a row of the overview is of.
    """
    sections = list(sections)
    parts = [*summary(overview, links), *contents(sections)]
    for number, one in enumerate(sections):
        parts += section(one, number)
    return PAGE.format(title=escape(title), sections="".join(parts))


def summary(overview: Summary, links: Sequence[int]) -> Iterator[str]:
    """Yield the table of published figures, and notes."""
    yield f'<section class="wide">\n<h2>{FIGURES}</h2>\n'
    if overview.rows:
        yield table(overview.lines, links)
    yield from (f"<p>{code(note)}</p>\n" for note in overview.notes)
    yield "</section>\n"


def contents(sections: Iterable[Section]) -> Iterator[str]:
    """Yield links to all sections."""
    items = "".join(
        f'<li><a href="#{anchor(number)}">{escape(one.name)}</a>: '
        f"{escape(one.results.title)}</li>\n"
        for number, one in enumerate(sections)
    )
    if items:
        yield f"<section>\n<h2>All files</h2>\n<ul>\n{items}</ul>\n</section>\n"


def code(text: str) -> str:
    """Return a text in which commands stand in backquotes."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))


def section(section: Section, number: int) -> Iterator[str]:
    """Yield the parts of a file's section."""
    results, found = section.results, section.summary
    yield f'<section id="{anchor(number)}">\n<h2>{escape(results.title)}</h2>\n'
    if found.rows:
        yield picture(results)
        yield table(found.lines)
    else:
        yield f"<p>{section.why_empty}</p>\n"
    yield list_of(found.notes)
    for heading, text in found.pictures:
        yield f"<p>{escape(heading)}</p>\n<pre>{escape(text)}</pre>\n"
    yield f"<p><small>{escape(section.played)}</small></p>\n"
    yield list_of(section.runs)
    yield list_of(section.hosts)
    yield details(JOB, results.text)
    if results.overrides:
        yield details(REPLACED, results.overrides)
    yield "</section>\n"


def anchor(number: int) -> str:
    return f"file-{number}"


def picture(results: Results) -> str:
    """Return the picture of `plot`, within the page."""
    drawn = BytesIO()
    KINDS[results.kind].figure(results, None).savefig(drawn, format="svg")
    data = b64encode(drawn.getvalue()).decode()
    return f'<img alt="{escape(results.title)}" src="data:image/svg+xml;base64,{data}">\n'


def table(rows: Sequence[Sequence[str]], links: Sequence[int] = ()) -> str:
    """Return a table, whose headings come first; its rows may lead to sections."""
    heads, *body = rows
    kinds = ["left" if head in LEFT else "" for head in heads]

    def line(element: str, texts: Sequence[str], link: int | None = None) -> str:
        only_first = [link, *[None] * (len(kinds) - 1)]
        return "".join(map(cell, [element] * len(kinds), texts, kinds, only_first))

    leading = [*links, *[None] * (len(body) - len(links))]
    inside = "\n".join(f"<tr>{line('td', *one)}</tr>" for one in zip(body, leading, strict=True))
    head = f"<thead><tr>{line('th', heads)}</tr></thead>"
    return f"<table>\n{head}\n<tbody>\n{inside}\n</tbody>\n</table>\n"


def cell(element: str, text: str, kind: str, link: int | None = None) -> str:
    kinds = f"{kind} differs" if text == "differs" else kind
    described = f' class="{kinds}"' if kinds else ""
    inside = escape(text) if link is None else f'<a href="#{anchor(link)}">{escape(text)}</a>'
    return f"<{element}{described}>{inside}</{element}>"


def list_of(texts: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(text)}</li>\n" for text in texts)
    return f"<ul>\n{items}</ul>\n" if items else ""


def details(heading: str, text: str) -> str:
    return f"<details><summary>{heading}</summary>\n<pre>{escape(text)}</pre>\n</details>\n"
