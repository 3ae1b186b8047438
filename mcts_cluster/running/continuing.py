"""What a run finds in its file, and how it continues that."""

import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from platform import python_version

from rich.console import Console

from cext import build_info
from mcts_cluster import __version__
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility
from mcts_cluster.jobs.job import Job
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.running.workers import cores
from mcts_cluster.settings.words import counted
from mcts_cluster.storage import reader
from mcts_cluster.storage.results import Results, RunRecord
from mcts_cluster.storage.writer import make_anew


def with_run(job: Job, path: Path, console: Console) -> Results:
    """Return what is in the file, if there is one, as this job continues it; raises UserError."""
    now = RunRecord(
        began=time.time(),
        cores=cores(),
        version=__version__,
        commit=build_info.commit(),
        build_flags=build_info.flags(),
        compiler=build_info.compiler(),
        python=python_version(),
        arguments=command_line(),
        folder=Path.cwd().name,
    )
    kind = KINDS[job.experiment.kind]
    fresh = Results(
        title=job.title,
        game=job.game,
        text=job.text,
        overrides="\n".join(job.overrides),
        kind=job.experiment.kind,
        settings=compatibility.written(compatibility.describe(job)),
        matches=kind.records(job),
        runs=(now,),
        tables=kind.tables(job),
    )
    if not path.exists():
        return fresh
    old = reader.read(path)
    found = compatibility.differences(compatibility.read(old.settings), job)
    # Only a file of this kind has what it compares.
    found = found or list(kind.differences(job, old))
    if found:
        raise UserError(
            f"{path} has games of another job:\n  "
            + "\n  ".join(found)
            + "\nonly games and matches may be added; use another file: -o FILE"
        )
    tell_of(old, path, now, console, kind.PLAYED)
    runs = (*old.runs, replace(now, first_game=len(old.rows)))
    tables = {
        name: replace(table, content=old.tables[name].content)
        for name, table in fresh.tables.items()
    }
    return replace(fresh, rows=old.rows, runs=runs, tables=tables)


def put_right(path: Path, results: Results) -> None:
    """Have a complete file closed, if a kill has left it open, and named as the job has it now."""
    old = reader.read(path)
    # Those that come with the games are in the file alone.
    matches = results.matches or old.matches
    now = replace(results, matches=matches, runs=old.runs, tables=old.tables)
    if not old.is_closed or (now.title, now.matches) != (old.title, old.matches):
        make_anew(path, now)


def command_line() -> str:
    """Return what was called, fit to be published: without the place of this folder, or of home.

    Nor with the command of --notify, which may have an address or a key.
    """
    words = shlex.join(["mcts-cluster", *without_notify(sys.argv[1:])])
    return words.replace(f"{Path.cwd()}/", "").replace(f"{Path.home()}/", "~/")


def without_notify(words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a command line but for --notify, which may be abbreviated."""
    rest = iter(words)
    for word in rest:
        name, sign, _ = word.partition("=")
        if len(name) < len("--no") or not "--notify".startswith(name):
            yield word
        elif not sign:
            next(rest, None)


def tell_of(old: Results, path: Path, now: RunRecord, console: Console, noun: str) -> None:
    """Say what a run finds that continues another one."""

    def say(text: str) -> None:
        console.print(text, markup=False, soft_wrap=True)

    if not old.is_closed:
        say(f"{path}: was left open, as by a kill; it is repaired")
    say(f"{path}: continues after {counted(len(old.rows), noun)}")
    last = old.runs[-1]
    if (last.version, last.commit) != (now.version, now.commit):
        say(f"{path}: {noun}s so far are of mcts_cluster {last.version}, commit {last.commit}")
