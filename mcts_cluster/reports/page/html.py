"""A page as HTML, with everything in it: style, script and pictures, too."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from mcts_cluster.errors import harmless
from mcts_cluster.reports.formats import LEFT, Summary
from mcts_cluster.reports.pictures.boards import Drawing

# No source outside of the page, and no script but ours, whatever a text in it says.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src '{script}'; connect-src {connect}; "
    "base-uri 'none'; form-action 'none'"
)
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body{attributes}>
{header}<main>
{body}</main>
{footer}<script>{script}</script>
</body>
</html>
"""
VERDICTS = {"agrees", "differs", "accepted"}
LONG = 20  # characters, from which on a cell may be broken


def document(
    title: str,
    header: str,
    body: Iterable[str],
    footer: str = "",
    attributes: str = "",
    reads_itself: bool = False,
) -> str:
    """Return a page of parts that are HTML; the title is text."""
    text = PAGE.format(
        title=escape(title),
        policy=policy(reads_itself),
        style=asset("page.css"),
        attributes=attributes,
        header=header,
        body="".join(body),
        footer=footer,
        script=asset("page.js"),
    )
    # The name of a file may have bytes that are no text.
    return harmless(text.encode("utf-8", "replace").decode())


@cache
def asset(name: str) -> str:
    return files("mcts_cluster.reports.page").joinpath(name).read_text(encoding="utf-8")


def policy(reads_itself: bool) -> str:
    """Return what a browser may load and run in the page."""
    digest = b64encode(sha256(asset("page.js").encode()).digest()).decode()
    return POLICY.format(script=f"sha256-{digest}", connect="'self'" if reads_itself else "'none'")


def code(text: str) -> str:
    """Return a text in which commands stand in backquotes."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))


def table(rows: Sequence[Sequence[str]], name: str, links: Sequence[str] = ()) -> str:
    """Return a table, whose headings come first; the first cells of its rows may lead to places.

    On a narrow screen each row is a card, whose lines begin with the headings.
    """
    heads, *body = rows
    head = "".join(f'<th scope="col"{kind(text, "")}>{escape(text)}</th>' for text in heads)
    lines = "".join(
        f"<tr>{''.join(cells(heads, row, link))}</tr>\n"
        for row, link in zip(body, [*links, *[""] * (len(body) - len(links))], strict=True)
    )
    return (
        f'<div class="scroll cards" tabindex="0" role="region" aria-label="{escape(name)}">\n'
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table>\n</div>\n"
    )


def cells(heads: Sequence[str], row: Sequence[str], link: str) -> Iterator[str]:
    """Yield the cells of a row."""
    for number, (head, text) in enumerate(zip(heads, row, strict=True)):
        inside = escape(text)
        if link and not number:
            inside = f'<a href="#{link}">{inside}</a>'
        yield f'<td{kind(head, text)} data-head="{escape(head)}">{inside}</td>'


def kind(head: str, text: str) -> str:
    kinds = ["left"] * (head in LEFT) + ["long"] * (len(text) > LONG)
    kinds += [text] * (text in VERDICTS)
    return f' class="{" ".join(kinds)}"' if kinds else ""


def summary(found: Summary, name: str, links: Sequence[str] = ()) -> str:
    return table(found.lines, name, links) if found.rows else ""


def list_of(texts: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(text)}</li>\n" for text in texts)
    return f"<ul>\n{items}</ul>\n" if items else ""


def details(heading: str, text: str) -> str:
    return folded(heading, f"<pre>{escape(text)}</pre>\n")


def folded(heading: str, inside: str) -> str:
    return f"<details><summary>{escape(heading)}</summary>\n{inside}</details>\n"


def definitions(pairs: Iterable[tuple[str, str]]) -> str:
    """Return names with what they are; those of nothing are left out."""
    items = "".join(
        f"<dt>{escape(name)}</dt><dd>{code(text)}</dd>\n" for name, text in pairs if text
    )
    return f"<dl>\n{items}</dl>\n" if items else ""


def drawings(found: Sequence[Drawing]) -> str:
    """Return boards side by side, each with what it shows."""
    inside = "".join(map(drawing, found))
    return f'<div class="boards-row">\n{inside}</div>\n' if inside else ""


def drawing(one: Drawing) -> str:
    notes = "".join(f"<p>{escape(note)}</p>\n" for note in one.notes)
    text = details("as text", one.text) if one.text else ""
    choices = folded("what was chosen", list_of(one.choices)) if one.choices else ""
    heading = f"<h3>{escape(one.heading)}</h3>\n" if one.heading else ""
    return f'<div class="drawing">\n{heading}{"".join(one.boards)}{notes}{choices}{text}</div>\n'
