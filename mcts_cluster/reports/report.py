"""The verb `report`: one page of several files, for somebody who has nothing installed.

A section a file: its table, its picture, what a reader must know, how it was played, and the job.
The page is HTML with everything in it.
"""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from io import BytesIO
from pathlib import Path

from mcts_cluster.reports import campaign_table, host_speeds, plot, show
from mcts_cluster.reports.formats import LEFT
from mcts_cluster.reports.table import lines, remarks, spoilt, table_of
from mcts_cluster.storage import campaign_tables, reader
from mcts_cluster.storage.results import Results, RunRecord
from mcts_cluster.text_files import write

EXAMPLES = """\
examples:
  mcts-cluster report results/table1-go9.h5 results/table4-go9.h5
  mcts-cluster report results/*.h5 -o reproduction.html --title "Three papers, played again"
"""

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


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="HDF5 files of runs")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT", help="the page (default: report.html)"
    )
    parser.add_argument("--title", default="Results", help="of the page (default: Results)")


def main(args: Namespace) -> int:
    out = args.output or Path("report.html")
    found = [(path, reader.read(path)) for path in args.files]
    write(out, page(found, args.title))
    print(out)
    return 0


def page(found: Iterable[tuple[Path, Results]], title: str) -> str:
    """Return the whole page; raises UserError where a picture cannot be drawn."""
    sections = "\n".join("".join(section(path, results)) for path, results in found)
    return PAGE.format(title=escape(title), sections=sections)


def section(path: Path, results: Results) -> Iterator[str]:
    """Yield the parts of a file's section."""
    yield f"<section>\n<h2>{escape(results.title)}</h2>\n"
    if lines(results.matches, results.rows):
        yield picture(results)
    if results.tables:
        told = campaign_tables.in_file(results)
        yield table(campaign_table.table_of(told))
        yield list_of(campaign_table.summary(told))
        for verdict in told.verdicts:
            if verdict.accepted:
                yield f"<p>Accepted in race {verdict.iteration}:</p>\n"
                yield f"<pre>{escape(chr(10).join(verdict.accepted.picture))}</pre>\n"
    elif found := lines(results.matches, results.rows):
        yield table(table_of(found))
        yield list_of(remarks(found))
    else:
        yield "<p>No game has been played yet.</p>\n"
    yield list_of(spoilt(results.matches, results.rows))
    yield f"<p><small>{escape(path.name)}: {len(results.rows):,} games.</small></p>\n"
    yield list_of(played(run, number, results) for number, run in enumerate(results.runs))
    yield list_of(str(host) for host in host_speeds.hosts(results.rows))
    yield details("The job", results.text)
    if results.overrides:
        yield details("What replaced parts of it", results.overrides)
    yield "</section>\n"


def picture(results: Results) -> str:
    """Return the picture of `plot`, within the page."""
    drawn = BytesIO()
    found = lines(results.matches, results.rows)
    plot.figure_of(results, found, None).savefig(drawn, format="svg")
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
    """Return how a run was played, and by which version."""
    said = show.told(run, number, results)
    return f"{said}; version {run.version}, commit {run.commit}" if run.commit else said
