"""A page as Markdown, without pictures."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill, indent

from mcts_cluster.reports.formats import Summary, markdown_rows
from mcts_cluster.reports.page.sections import FIGURES, JOB, REPLACED, Section

WIDTH = 120


def page(title: str, overview: Summary, sections: Sequence[Section]) -> str:
    has_figures = bool(overview.rows) or not sections
    parts = [f"# {title}", *[f"## {FIGURES}", summary(overview)] * has_figures]
    return "\n\n".join([*parts, *("\n\n".join(parts_of(one)) for one in sections)]) + "\n"


def summary(overview: Summary) -> str:
    """Return the table of published figures, and notes."""
    table = [markdown_rows(overview.lines)] if overview.rows else []
    return "\n\n".join([*table, *map(paragraph, overview.notes)])


def parts_of(section: Section) -> Iterator[str]:
    """Yield the parts of a section."""
    results, found = section.results, section.summary
    yield f"## {section.title}"
    yield markdown_rows(found.lines) if found.rows else section.why_empty
    yield from list_of(found.remarks)
    for heading, text in found.pictures:
        yield heading
        yield indent(text, "    ")
    yield paragraph(section.played)
    yield from list_of([*section.runs, *section.hosts, *section.again])
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
    yield indent(text.rstrip("\n"), "    ")
