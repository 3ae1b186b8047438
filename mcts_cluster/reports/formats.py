"""Tables as Markdown, LaTeX and on the terminal."""

import os
from collections.abc import Iterable, Sequence

from rich.console import Console

WIDTH = 120


def wide_console() -> Console:
    """Return a console for tables: where there is no terminal, nothing says eighty columns."""
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = WIDTH
    return console


def escaped(text: str) -> str:
    return text.replace("|", "\\|")


LEFT = {"match", "candidate", "verdict"}


def markdown(table: Sequence[list[str]], notes: Iterable[str], title: str) -> str:
    """Return a table, whose headings come first, and what a reader must know."""
    heads, *rows = table
    rule = ["---" if head in LEFT else "---:" for head in heads]
    body = "\n".join(f"| {' | '.join(map(escaped, row))} |" for row in (heads, rule, *rows))
    said = "".join(f"\n{note}\n" for note in notes)
    return f"{title}\n\n{body}\n{said}"


LATEX = {
    "\\": r"\textbackslash{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "–": "--",
}


def latex(text: str) -> str:
    return "".join(LATEX.get(character, character) for character in text)


def in_latex(table: Sequence[list[str]], notes: Iterable[str], title: str) -> str:
    columns = "".join("l" if head in LEFT else "r" for head in table[0])
    body = " \\\\\n".join(" & ".join(map(latex, row)) for row in table)
    body = body.replace(" \\\\\n", " \\\\ \\hline\n", 1)
    said = "".join(f"% {note}\n" for note in notes)
    return (
        f"{said}\\begin{{table}}\n\\caption{{{latex(title)}}}\n"
        f"\\begin{{tabular}}{{{columns}}}\n{body} \\\\\n\\end{{tabular}}\n\\end{{table}}\n"
    )


DRAWN = {"markdown": markdown, "latex": in_latex}
