"""The forms of tables: on the terminal, as Markdown, LaTeX, CSV and JSON; durations."""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mcts_cluster.errors import harmless
from mcts_cluster.terminal import wide_console as wide_console

FORMATS = ("text", "markdown", "csv", "latex", "json")

MIN_WIDTH = 12  # of a column whose words may be broken
USUAL_WIDTH = 28  # of such a column, if spare ones leave it room


# What Markdown would read as code, emphasis, a link, HTML, an entity, or an escape of these.
MARKUP = re.compile(
    r"[`*\[\]|]|~(?=~)|<(?=[A-Za-z/!?])|&(?=#|\w+;)|(?<!\w)_|_(?!\w)|\\(?=[!-/:-@\[-`{-~])"
)


def escaped(text: str) -> str:
    """Return a text as Markdown has to have it, so that nothing in it is markup."""
    return MARKUP.sub(lambda found: f"\\{found[0]}", harmless(text))


LEFT = {
    "match",
    "candidate",
    "verdict",
    "position",
    "player",
    "figure",
    "budget",
    "command",
    "verdicts",
}


@dataclass(frozen=True)
class Summary:
    """The table of a file, independent of a format."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str]  # remarks on the rates
    legend: Sequence[str] = ()  # what columns mean, and what they have no room for
    too_wide: str = ""  # the heading of a column that a terminal has no room for
    spare: Sequence[str] = ()  # those of columns that give way on a narrow one, the first one first
    pictures: Sequence[tuple[str, str]] = ()  # drawn as text, with what they show

    @property
    def lines(self) -> list[list[str]]:
        return [list(self.headings), *map(list, self.rows)]

    @property
    def remarks(self) -> list[str]:
        """What stands with the table."""
        return [*self.legend, *self.notes]


def text(summary: Summary, notes: Iterable[str], title: str, why_empty: str = "") -> Group:
    """Return the title, the table, or why it has no rows, and notes for a terminal."""
    kept = [n for n, heading in enumerate(summary.headings) if heading != summary.too_wide]
    rows = [[row[number] for number in kept] for row in summary.rows]
    headings = [summary.headings[number] for number in kept]
    table = fitting(headings, rows, summary.spare) if rows else Text(why_empty)
    # Above the table, because a title of its own would be broken to its width.
    return Group(*[Text(title, "bold")] * bool(title), table, *map(Text, notes))


def fitting(
    headings: Sequence[str], rows: Sequence[Sequence[str]], spare: Sequence[str] = ()
) -> "FittingTable":
    """Return a table for a terminal of any width."""
    return FittingTable(headings, rows, spare)


@dataclass(frozen=True)
class FittingTable:
    """A table, without spare columns for which there is no room.

    Or a paragraph a row, with all columns, where words would be broken to a few letters a line.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    spare: Sequence[str] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        kept = self.fitting(options.max_width)
        if self.width(kept, MIN_WIDTH) < options.max_width:
            yield self.drawn(kept)
            return
        for first, *others in self.rows:
            pairs = zip(self.headings[1:], others, strict=True)
            # A number alone says nothing.
            yield Text(f"{self.headings[0]} {first}" if first.isdigit() else first)
            yield Padding(
                Text(", ".join(f"{name} {text}" for name, text in pairs if text)),
                (0, 2),
                expand=False,
            )

    def fitting(self, width: int) -> list[int]:
        """Return the numbers of the columns for which there is room."""
        kept = list(range(len(self.headings)))
        for name in self.spare:
            if self.width(kept, USUAL_WIDTH) >= width:
                kept = [number for number in kept if self.headings[number] != name]
        return kept

    def width(self, numbers: Iterable[int], of_words: int) -> int:
        """Return the width that columns want with their frames, where words may be broken so."""
        found = 0
        for number in numbers:
            widest = max(len(row[number]) for row in [self.headings, *self.rows])
            found += 3 + (min(widest, of_words) if self.headings[number] in LEFT else widest)
        return found

    def drawn(self, numbers: Sequence[int]) -> Table:
        table = Table()
        for number in numbers:
            left = self.headings[number] in LEFT
            # Text, because rich takes a plain string for its markup, where [fast] is one.
            table.add_column(
                Text(self.headings[number]),
                justify="left" if left else "right",
                no_wrap=not left,
                overflow="fold",
            )
        for row in self.rows:
            table.add_row(*(Text(row[number]) for number in numbers))
        return table


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows without what has parts of its own."""
    out = io.StringIO()
    if rows:
        names = [name for name, value in rows[0].items() if not isinstance(value, dict)]
        writer = csv.DictWriter(out, names, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return harmless(out.getvalue())


def as_json(rows: Sequence[Mapping[str, Any]], items: str, title: str) -> str:
    return json.dumps({"title": title, items: rows}, indent=2) + "\n"


def markdown(table: Sequence[Sequence[str]], notes: Iterable[str], title: str) -> str:
    """Return a table, whose headings come first, with notes."""
    remarks = "".join(f"\n{escaped(note)}\n" for note in notes)
    heading = f"{escaped(title)}\n\n" if title else ""
    return f"{heading}{markdown_rows(table)}\n{remarks}"


def markdown_rows(table: Sequence[Sequence[str]]) -> str:
    heads, *rows = table
    rule = ["---" if head in LEFT else "---:" for head in heads]
    return "\n".join(f"| {' | '.join(map(escaped, row))} |" for row in (heads, rule, *rows))


LATEX = {
    "\\": r"\textbackslash{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    **{sign: f"${sign}$" for sign in "<>"},
    "–": "--",
}


def latex(text: str) -> str:
    return "".join(LATEX.get(character, character) for character in harmless(text))


def in_latex(table: Sequence[Sequence[str]], notes: Iterable[str], title: str) -> str:
    columns = "".join("l" if head in LEFT else "r" for head in table[0])
    body = " \\\\\n".join(" & ".join(map(latex, row)) for row in table)
    body = body.replace(" \\\\\n", " \\\\ \\hline\n", 1)
    remarks = "".join(f"% {harmless(note)}\n" for note in notes)
    return (
        f"{remarks}\\begin{{table}}\n\\caption{{{latex(title)}}}\n"
        f"\\begin{{tabular}}{{{columns}}}\n{body} \\\\\n\\end{{tabular}}\n\\end{{table}}\n"
    )


DRAWN = {"markdown": markdown, "latex": in_latex}


def plain(value: float) -> str:
    """Return a number with two digits that count, and never in the form 9e-05: "0.00009"."""
    return f"{Decimal(f'{value:.2g}'):f}"


def duration(seconds: float) -> str:
    """Return a duration in two units at most: "45 s", "12 min", "3 h 20 min", "2 d 3 h"."""
    minutes, hours = round(seconds / 60), round(seconds / 3600)
    if seconds < 100:
        return f"{seconds:.0f} s"
    if minutes < 100:
        return f"{minutes} min"
    if hours < 48:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{hours // 24} d {hours % 24} h"
