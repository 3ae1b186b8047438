"""One page of several files, which needs only a browser.

A section a file: its figure, its table, notes, its runs, and the job.
The page is HTML with everything in it.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from io import BytesIO
from pathlib import Path

from mcts_cluster.reports import runs
from mcts_cluster.reports.formats import LEFT
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.settings.words import counted
from mcts_cluster.storage.results import Results, RunRecord

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
table {{ border-collapse: collapse; margin: 1rem 0 }}
th, td {{ padding: 0.2rem 0.8rem; text-align: right; border-bottom: 1px solid #ddd }}
th {{ border-bottom: 2px solid }}
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


def page(found: Iterable[tuple[Path, Results]], title: str) -> str:
    """Return the whole page; raises UserError where a picture cannot be drawn."""
    sections = "\n".join("".join(section(path, results)) for path, results in found)
    return PAGE.format(title=escape(title), sections=sections)


def section(path: Path, results: Results) -> Iterator[str]:
    """Yield the parts of a file's section."""
    yield f"<section>\n<h2>{escape(results.title)}</h2>\n"
    summary = KINDS[results.kind].summary(results)
    if summary.rows:
        yield picture(results)
        yield table(summary.lines)
    else:
        yield "<p>No game has been played yet.</p>\n"
    yield list_of(summary.notes)
    for heading, text in summary.pictures:
        yield f"<p>{escape(heading)}</p>\n<pre>{escape(text)}</pre>\n"
    count = counted(len(results.rows), KINDS[results.kind].PLAYED)
    yield f"<p><small>{escape(path.name)}: {count}.</small></p>\n"
    yield list_of(played(run, number, results) for number, run in enumerate(results.runs))
    noun = KINDS[results.kind].PLAYED
    hosts = map(str, runs.hosts(results.rows, noun))
    yield list_of([*runs.mixed_versions(results), *hosts])
    yield details("The job", results.text)
    if results.overrides:
        yield details("Values replaced by --set", results.overrides)
    yield "</section>\n"


def picture(results: Results) -> str:
    """Return the picture of `plot`, within the page."""
    drawn = BytesIO()
    KINDS[results.kind].figure(results, None).savefig(drawn, format="svg")
    data = b64encode(drawn.getvalue()).decode()
    return f'<img alt="{escape(results.title)}" src="data:image/svg+xml;base64,{data}">\n'


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table, whose headings come first."""
    heads, *body = rows
    kinds = ["left" if head in LEFT else "" for head in heads]

    def line(element: str, texts: Sequence[str]) -> str:
        return "".join(map(cell, [element] * len(kinds), texts, kinds))

    inside = "\n".join(f"<tr>{line('td', row)}</tr>" for row in body)
    head = f"<thead><tr>{line('th', heads)}</tr></thead>"
    return f"<table>\n{head}\n<tbody>\n{inside}\n</tbody>\n</table>\n"


def cell(element: str, text: str, kind: str) -> str:
    kinds = f"{kind} differs" if text == "differs" else kind
    described = f' class="{kinds}"' if kinds else ""
    return f"<{element}{described}>{escape(text)}</{element}>"


def list_of(texts: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(text)}</li>\n" for text in texts)
    return f"<ul>\n{items}</ul>\n" if items else ""


def details(heading: str, text: str) -> str:
    return f"<details><summary>{heading}</summary>\n<pre>{escape(text)}</pre>\n</details>\n"


def played(run: RunRecord, number: int, results: Results) -> str:
    """Return a run in a line, with its version."""
    line = runs.line(run, number, results, KINDS[results.kind].PLAYED)
    return f"{line}; version {run.version}, commit {run.commit}" if run.commit else line
