"""A page as Markdown, without pictures."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill, indent

from mcts_cluster.errors import harmless
from mcts_cluster.reports.formats import Summary, escaped, markdown_rows
from mcts_cluster.reports.page.sections import FIGURES, JOB, REPLACED, Section

WIDTH = 120


def page(title: str, overview: Summary, sections: Sequence[Section]) -> str:
    has_figures = bool(overview.rows) or not sections
    parts = [f"# {escaped(title)}", *[f"## {FIGURES}", summary(overview)] * has_figures]
    return "\n\n".join([*parts, *("\n\n".join(parts_of(one)) for one in sections)]) + "\n"


def summary(overview: Summary) -> str:
    """Return the table of published figures, and notes."""
    table = [markdown_rows(overview.lines)] if overview.rows else []
    return "\n\n".join([*table, *(paragraph(with_code(note)) for note in overview.notes)])


def parts_of(section: Section) -> Iterator[str]:
    """Yield the parts of a section."""
    results, found = section.results, section.summary
    yield f"## {escaped(section.title)}"
    yield markdown_rows(found.lines) if found.rows else section.why_empty
    yield from list_of(map(escaped, found.remarks))
    for heading, text in found.pictures:
        yield heading
        yield indent(harmless(text), "    ")
    yield paragraph(escaped(section.played))
    told = map(escaped, (*section.runs, *section.hosts))
    yield from list_of([*told, *map(with_code, section.again)])
    yield from details(JOB, results.text)
    if results.overrides:
        yield from details(REPLACED, results.overrides)


def paragraph(text: str, indented: str = "") -> str:
    return fill(
        text, WIDTH, subsequent_indent=indented, break_long_words=False, break_on_hyphens=False
    )


def list_of(texts: Iterable[str]) -> Iterator[str]:
    if lines := "\n".join(paragraph(f"- {text}", indented="  ") for text in texts):
        yield lines


def details(heading: str, text: str) -> Iterator[str]:
    yield f"{heading}:"
    yield indent(harmless(text.rstrip("\n")), "    ")


def with_code(text: str) -> str:
    """Return a text in which commands stand in backquotes, all else escaped."""
    parts = harmless(text).split("`")
    if len(parts) % 2 == 0:
        # A name in it has backquotes of its own.
        return escaped(text)
    return "`".join(part if n % 2 else escaped(part) for n, part in enumerate(parts))
