"""What the page of runs under way tells of each file, in parts that are replaced one by one."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from mcts_cluster.reports import runs
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.reports.page import html, viewer
from mcts_cluster.reports.page.sections import JOB, line, meanings
from mcts_cluster.reports.pictures import charts
from mcts_cluster.reports.runs import Progress
from mcts_cluster.reports.table import why_empty
from mcts_cluster.reports.watch.log_lines import last_lines, log_of
from mcts_cluster.reports.watch.watched import Watched
from mcts_cluster.storage.results import Results

GAMES = 8  # the latest ones, to step through
MAX_CHARTS = 12
MAX_DRAWINGS = 24
MAX_ROWS = 200
MAX_NOTES = 40
MAX_HOSTS = 50
MAX_JOB = 20_000  # characters
MAX_RUNS = 5


def page(files: Sequence[Watched], every: float) -> str:
    """Return the page of some files, which were looked at."""
    body = [part for number, one in enumerate(files) for part in parts(one, number)]
    now = time.time()
    attributes = f' data-every="{every:g}" data-written="{now:.3f}"'
    return html.document(
        f"{summary(files)} – mcts-cluster watch", header(files), body, FOOTER, attributes, True
    )


FOOTER = """\
<footer>
<p id="contact" class="trouble" role="status"></p>
<p><small>Read from the files as they stand; the runs do not notice. Arrow keys step through a game.
</small></p>
</footer>
"""


def summary(files: Sequence[Watched]) -> str:
    """Return in a few words how all files stand."""
    found = [one for file in files if file.results for one in progress_of(file)[:1]]
    states = ", ".join(dict.fromkeys(file.state for file in files))
    total = sum(one.total for one in found)
    return f"{100 * sum(one.done for one in found) / total:.0f} %, {states}" if total else states


def header(files: Sequence[Watched]) -> str:
    if len(files) == 1:
        return ""
    items = "".join(
        f'<li><a href="#file-{number}">{escape(one.path.name)}</a></li>\n'
        for number, one in enumerate(files)
    )
    return f'<nav aria-label="Files">\n<ul>\n{items}</ul>\n</nav>\n'


def parts(file: Watched, number: int) -> Iterator[str]:
    """Yield the parts of a file, each with an id; one that cannot be shown says why."""
    for maker in (head, standing, moving, workers, log, games, about):
        name = f"file-{number}" if maker is head else f"{maker.__name__}-{number}"
        inside = file.made.get(name) or safely(maker, file, number)
        # The others change with the time, or with the log.
        if maker in (standing, moving, games, about):
            file.made[name] = inside
        yield f'<section data-part id="{name}">\n{inside}</section>\n'


def safely(maker: Callable[[Watched, int], str], file: Watched, number: int) -> str:
    """Return a part, or why it cannot be shown."""
    try:
        return maker(file, number)
    except Exception as error:
        # A file from elsewhere may have what no run writes; the rest of the page stands.
        return f'<p class="trouble">cannot be shown: {escape(repr(error)[:300])}</p>\n'


def head(file: Watched, number: int) -> str:
    """Return the title, the state and how far it is."""
    results = file.results
    title = (results.title if results else "") or file.path.name
    kind = "running" if file.state in ("running", "complete") else "trouble"
    badge = f'<span class="badge {kind}">{escape(file.state)}</span>'
    lines = [f"<h1>{escape(title)}</h1>\n<p>{badge} <small>{escape(str(file.path))}</small></p>\n"]
    if file.trouble:
        lines.append(f'<p class="trouble">{escape(file.trouble)}</p>\n')
    if results:
        when = time.strftime("%Y-%m-%d %H:%M:%S %Z", time.localtime(file.read_at))
        lines += map(bar, progress_of(file))
        lines.append(f'<p class="as-of"><small>as of {when}</small></p>\n')
    return "".join(lines)


def progress_of(file: Watched) -> Sequence[Progress]:
    assert file.results
    pace = runs.per_second(file.results) if file.is_under_way else 0.0
    return KINDS[file.results.kind].progress(file.results, pace)


def bar(one: Progress) -> str:
    """Return how far something is, as a bar and in words, with its expected end."""
    words = str(one)
    if one.seconds_left:
        end = time.localtime(time.time() + one.seconds_left)
        form = "%H:%M" if one.seconds_left < 12 * 3600 else "%A %Y-%m-%d %H:%M"
        words += f"; expected end {time.strftime(form, end)}"
    words = escape(words)
    return (
        f'<progress class="bar" max="{max(one.total, 1)}" value="{one.done}" aria-label="{words}">'
        f"</progress>\n<p>{words}</p>\n"
    )


def standing(file: Watched, number: int) -> str:
    """Return the table, with intervals and verdicts."""
    if not file.results:
        return ""
    found = KINDS[file.results.kind].summary(file.results)
    lines = found.lines
    if len(lines) > MAX_ROWS + 1:
        lines = [lines[0], *lines[-MAX_ROWS:]]
    shown = html.table(lines, "results") if found.rows else f"<p>{why_empty(file.results)}</p>\n"
    left_out = len(found.lines) - len(lines)
    notes = [f"{left_out:,} earlier rows are left out"] * bool(left_out)
    notes += [*found.legend[-MAX_ROWS:], *found.notes[:MAX_NOTES]]
    if len(found.notes) > MAX_NOTES:
        notes.append(f"and {len(found.notes) - MAX_NOTES:,} notes more, which `table` prints")
    known = html.definitions(meanings([*found.headings, *found.notes]))
    return f"{shown}{html.list_of(notes)}{html.folded('What the columns mean', known)}"


def moving(file: Watched, number: int) -> str:
    """Return how rates have moved, or the bounds of the race under way with its patterns."""
    if not file.results:
        return ""
    kind = KINDS[file.results.kind]
    found = list(kind.charts(file.results))
    # The latest patterns that were accepted, or the positions.
    drawn = list(kind.drawings(file.results))[-MAX_DRAWINGS:]
    boards = html.folded("as boards", html.drawings(drawn)) if drawn else ""
    if not found:
        return boards
    # In an order that stays, those that play now.
    latest = sorted(found, key=lambda one: -one.last_row)[:MAX_CHARTS]
    shown = "".join(chart(one) for one in found if one in latest)
    more = len(found) - MAX_CHARTS
    rest = f"<p>{more:,} others, played less lately, are in the table.</p>\n" if more > 0 else ""
    return f'<h2>As the games came in</h2>\n<div class="charts">\n{shown}</div>\n{rest}{boards}'


def chart(one: charts.Chart) -> str:
    notes = "".join(f"<p>{escape(note)}</p>\n" for note in one.notes)
    drawing = html.drawing(one.drawing) if one.drawing else ""
    return (
        f'<figure class="chart">\n<figcaption>{escape(one.heading)}</figcaption>\n'
        f"{charts.svg(one)}\n{notes}{drawing}</figure>\n"
    )


def workers(file: Watched, number: int) -> str:
    """Return how busy workers are, and how fast each host is."""
    if not (file.results and file.results.runs):
        return ""
    noun = KINDS[file.results.kind].PLAYED
    busy = runs.share_busy(file.results)
    told = [f"workers have played {100 * busy:.0f} % of the time"] if busy else []
    pace = 3600 * runs.per_second(file.results) if file.is_under_way else 0.0
    told += [f"{pace:,.0f} {noun}s an hour"] if pace else []
    last = file.results.runs[-1]
    told += [f"{last.slots:,} at a time on {last.hosts}"] if last.hosts else []
    told += runs.mixed_versions(file.results)
    hosts = sorted(runs.hosts(file.results.rows, noun), key=lambda host: -host.slower)
    rows = [["host", f"{noun}s", "void", "playouts a second", "than usual here"]]
    rows += [
        [
            *(host.name, f"{host.games:,}", f"{host.void:,}", f"{host.playouts_per_second:,.0f}"),
            f"{-100 * host.slower:+.0f} %" + " (slow)" * host.is_slow,
        ]
        for host in hosts[:MAX_HOSTS]
    ]
    table = html.table(rows, "hosts") if hosts else ""
    more = len(hosts) - MAX_HOSTS
    rest = f"<p>{more:,} faster hosts are left out.</p>\n" if more > 0 else ""
    return f"<h2>Workers</h2>\n{html.list_of(told)}{table}{rest}" if told or table else ""


def log(file: Watched, number: int) -> str:
    """Return the last lines of the log, if there is one."""
    path = file.log or log_of(file.path)
    if not path:
        return ""
    try:
        text = "\n".join(last_lines(path)) or "(empty)"
    except OSError as error:
        text = str(error.strerror or error)
    label = f"the last lines of {path.name}"
    return (
        f"<h2>Log</h2>\n<p><small>{escape(str(path))}</small></p>\n"
        f'<pre class="log" tabindex="0" role="region" aria-label="{escape(label)}">'
        f"{escape(text)}</pre>\n"
    )


def games(file: Watched, number: int) -> str:
    """Return the latest games, to step through."""
    if not file.results:
        return ""
    latest = viewer.last_games(file.results, GAMES)
    shown = viewer.viewer(file.results, latest, number, file.path.name)
    noun = KINDS[file.results.kind].PLAYED
    return f"<h2>Latest {noun}s</h2>\n{shown}" if shown else ""


def about(file: Watched, number: int) -> str:
    """Return the runs and the job."""
    if not file.results:
        return ""
    found = runs_of(file.results)
    text = file.results.text
    job = text if len(text) <= MAX_JOB else f"{text[:MAX_JOB]}\n... and so on"
    return f"<h2>Runs</h2>\n{html.list_of(found)}{html.details(JOB, job)}"


def runs_of(results: Results) -> Iterable[str]:
    noun = KINDS[results.kind].PLAYED
    first = max(0, len(results.runs) - MAX_RUNS)
    if first:
        yield f"{first:,} earlier runs"
    for number, run in enumerate(results.runs[first:], first):
        yield line(run, number, results, noun)
