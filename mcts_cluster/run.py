"""The verb `run`: plays the matches of a job on this machine's cores and prints their table.

However a run ends, its worker processes end with it: they do not hear Ctrl-C, they are told; and
where this process is killed and can tell them nothing, they notice that it is gone.
"""

import os
import signal
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mcts_cluster import jobfile, match, table
from mcts_cluster.errors import UserError


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = "example:\n  mcts-cluster run jobs/quickstart.toml"
    parser.add_argument("job", help="a job file, like jobs/quickstart.toml")
    parser.add_argument(
        "--processes",
        type=int,
        default=cores(),
        metavar="N",
        help="games to play at a time (default: one for each core)",
    )


def cores() -> int:
    """Return how many cores this process may use, which a batch system may have limited."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main(args: Namespace) -> int:
    if args.processes < 1:
        raise UserError(f"--processes {args.processes}: at least 1 is wanted")
    job = jobfile.read(args.job)
    console = Console()
    rows = play_all(job, args.processes, Console(stderr=True))
    console.print(table.results(job, rows))
    return 0


def play_all(job: jobfile.Job, processes: int, console: Console) -> list[match.Row]:
    """Play every game of a job, several at a time; return them in the order of the job."""
    tasks = [(entry, number) for entry in job.matches for number in range(entry.games)]
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        Progress(*columns, console=console, disable=not console.is_terminal) as progress,
        ProcessPoolExecutor(processes, get_context("spawn"), end_with_parent) as pool,
    ):
        bar = progress.add_task("games", total=len(tasks))
        try:
            with interrupts_held_back():
                games = [pool.submit(match.play, job, *task) for task in tasks]
            for game in as_completed(games):
                game.result()
                progress.advance(bar)
        except BaseException:
            # The pool would first play to the end what it has begun, and some games more.
            for worker in active_children():
                worker.terminate()
            raise
    return [game.result() for game in games]


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Put off Ctrl-C until the end of the block; processes started in it never hear one."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """End this process as soon as the one that started it is gone."""

    def watch() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
