"""What the master of a run does: finds what is in the file, plays what is missing, prints it all.

State is a fold over rows: to continue a run is to read its file, and to schedule what that lacks.
"""

import time
from argparse import Namespace
from dataclasses import dataclass, field, replace
from math import nan
from pathlib import Path
from platform import node
from typing import TYPE_CHECKING, Any

from rich.console import Console

from mcts_cluster.errors import RunFailure, UserError
from mcts_cluster.exit_statuses import COMPLETE, GIVEN_UP, MISTAKE, STOPPED
from mcts_cluster.jobs import jobfile
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.experiment import Plan
from mcts_cluster.parallel import mpi
from mcts_cluster.reports.formats import wide_console
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.reports.table import table
from mcts_cluster.running import mpi_workers
from mcts_cluster.running.continuing import put_right, with_run
from mcts_cluster.running.dispatcher import Dispatcher
from mcts_cluster.running.expectation import check_programs
from mcts_cluster.running.local_workers import LocalWorkers
from mcts_cluster.running.notices import notice
from mcts_cluster.running.notices.notice import Notice
from mcts_cluster.running.notices.notifier import Notifier, words_of
from mcts_cluster.running.portions import output_of, portion_of
from mcts_cluster.running.progress import View
from mcts_cluster.running.signals import Stop, listening
from mcts_cluster.running.workers import Workers, cores
from mcts_cluster.settings.words import with_void
from mcts_cluster.storage import reader
from mcts_cluster.storage.lock import locked
from mcts_cluster.storage.results import Results
from mcts_cluster.storage.table_sinks import TablesInMemory
from mcts_cluster.storage.writer import Writer
from mcts_cluster.terminal import log_console
from mcts_cluster.text_files import make_folder

if TYPE_CHECKING:
    from mcts_cluster.parallel.mpi import Comm
    from mcts_cluster.parallel.placement import Placement

SECONDS_BETWEEN_FLUSHES = 1.0
SECONDS_BETWEEN_LOOKS = 0.1


def conduct(
    args: Namespace, comm: "Comm | None" = None, placement: "Placement | None" = None
) -> int:
    """Play what is missing in the file, and print the table."""
    check_arguments(args)
    job = jobfile.read(args.job, args.set)
    check_ranks(job, args.ranks_per_game, comm.size if comm else 1)
    portion = portion_of(args)
    path = output_of(args, portion)
    console = log_console()
    notifier = notifier_of(args, console)
    if placement:
        console.print(str(placement), markup=False, soft_wrap=True)
    if not (comm or path.exists()):
        check_programs(args.job, job)
    make_folder(path.parent)
    with locked(path), listening(args.grace) as stop:
        results = with_run(job, path, console)
        plan = KINDS[job.experiment.kind].plan(job, results, portion)
        if plan.is_complete:
            put_right(path, results)
            status = COMPLETE
        else:
            workers = workers_for(args, job, comm, placement)
            # On other hosts there may be other programs.
            if node() in workers.there.values():
                check_programs(args.job, job)
            with workers:
                running = replace(results.runs[-1], portion=str(portion), **described(workers))
                results = replace(results, runs=(*results.runs[:-1], running))
                dispatcher = Dispatcher(workers, job, results.void())
                run = Run(results, plan, path, dispatcher, stop, console, notifier)
                status = run.told(args.stopped_status or STOPPED)
    wide_console().print(table(reader.read(path), "text"))
    return status


def check_arguments(args: Namespace) -> None:
    if args.processes is not None and args.processes < 1:
        raise UserError(f"--processes {args.processes}: too small, must be at least 1")
    if not args.grace >= 0:
        raise UserError(f"--grace {args.grace:g}: too small, must be at least 0")
    if not args.silence > 0:
        raise UserError(f"--silence {args.silence:g}: too small, must be more than 0")
    if args.stopped_status is not None and not 0 < args.stopped_status < 256:
        raise UserError(f"--stopped-status {args.stopped_status}: must be from 1 to 255")


def notifier_of(args: Namespace, console: Console) -> Notifier:
    """Return who tells what becomes of the run, if that is asked for; raises UserError."""
    words = words_of(args.notify) if args.notify is not None else []
    return Notifier(
        words, args.silence, lambda line: console.print(line, markup=False, soft_wrap=True)
    )


def workers_for(
    args: Namespace, job: Job, comm: "Comm | None", placement: "Placement | None"
) -> "mpi_workers.MpiWorkers | LocalWorkers":
    if comm:
        return mpi_workers.MpiWorkers(comm, job, placement, args.survive)
    return LocalWorkers(job, processes(args, job))


def check_ranks(job: Job, together: int, ranks: int | None) -> None:
    """Refuse to lay games over more ranks than there are, or than can play; raises UserError.

    Nothing is said of their number where nobody knows it yet.
    """
    option = f"--ranks-per-game {together}"
    if together < 1:
        raise UserError(f"{option}: too small, must be at least 1")
    if together == 1:
        return
    most = max(1, *(player.machines for player in job.players.values()))
    if together > most:
        raise UserError(
            f"{option}: too large, must be at most {most}, the machines of the largest team"
        )
    if ranks == 1:
        raise UserError(f"{option}: without MPI there is one; start it by mpirun or srun")
    if ranks and ranks - 1 < together:
        raise UserError(f"{option}: needs {together + 1} ranks with the master, there are {ranks}")


def processes(args: Namespace, job: Job) -> int:
    """Return how many games to play at a time: each may keep several threads busy."""
    threads = max(player.threads for player in job.players.values())
    return int(args.processes or max(1, cores() // threads))


def described(workers: Workers) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "slots": workers.slots,
        "ranks": workers.ranks,
        "hosts": workers.hosts,
        "placement": workers.placement,
    }
    if workers.ranks > 1:
        fields["mpi_library"] = mpi.mpi_library()
    return fields


@dataclass
class Run:
    """A run while it plays: hands tasks to the workers, and rows to the file."""

    results: Results
    plan: Plan
    path: Path
    workers: Dispatcher
    stop: Stop
    console: Console
    notifier: Notifier = field(default_factory=Notifier)

    def __post_init__(self) -> None:
        self.recorder = KINDS[self.results.kind].recorder(self.plan)
        self.new = self.void = 0
        self.last_void = ""
        self.busy_seconds = 0.0

    def told(self, stopped_status: int) -> int:
        """Play, have it told how that has ended, and return the exit status."""
        try:
            status = self.play(stopped_status)
        except BaseException as error:
            reason = str(error) or type(error).__name__
            self.notifier.end(self.notice(notice.GIVEN_UP, reason))
            raise
        event = notice.STOPPED if self.stop.is_asked else notice.GIVEN_UP
        event = notice.COMPLETE if status == COMPLETE else event
        reason = self.why_given_up() if event == notice.GIVEN_UP else ""
        self.notifier.end(self.notice(event, reason, status), lambda: self.stop.times > 1)
        return status

    def why_given_up(self) -> str:
        """Return what was wrong with the last void game, or with one that was played again."""
        if found := self.workers.trust.disagreements:
            return str(found[0])
        return f"the last void {self.plan.noun}: {self.last_void}" if self.void else ""

    def notice(self, event: str, reason: str = "", status: int | None = None) -> Notice:
        return Notice(
            event,
            self.results.title,
            str(self.path),
            self.new,
            time.time() - self.results.runs[-1].began,
            self.plan.missing,
            reason,
            status,
            self.void,
            self.plan.noun,
        )

    def play(self, stopped_status: int) -> int:
        """Play until nothing is left, or the run is to stop; return the exit status."""
        writer = self.writer()
        began, status, busy = time.monotonic(), GIVEN_UP, nan
        try:
            with View(self.plan, self.console) as view:
                self.play_all(writer, view)
            status = self.status(stopped_status)
            busy = self.busy_seconds / (time.monotonic() - began) / self.workers.slots
        except (UserError, RunFailure) as error:
            status = error.status
            raise
        finally:
            writer.close(status, busy, **self.trusted())
            if status == MISTAKE and len(self.results.runs) == 1 and not self.new:
                # Nothing is in it, and it would refuse the job as it should have been.
                self.path.unlink(missing_ok=True)
        self.tell(status, busy)
        return status

    def writer(self) -> Writer:
        """Make the file with what is known; tables that follow from rows are made of them."""
        tables = TablesInMemory()
        self.recorder.write(tables)
        return Writer(self.path, replace(self.results, tables=tables.over(self.results.tables)))

    def play_all(self, writer: Writer, view: View) -> None:
        next_flush = time.monotonic() + SECONDS_BETWEEN_FLUSHES
        recalled = is_over = False
        while True:
            self.hand_out()
            if not self.workers.under_way():
                return
            if self.plan.is_complete:
                if not recalled:
                    recalled = True
                    self.workers.recall()
                if self.workers.is_stuck:
                    return
            if self.stop.is_asked and not is_over:
                recalled = is_over = True
                self.workers.recall(is_over=True)
                view.say(f"stopping: {self.plan.noun}s under way have {self.stop.grace:g} s to end")
            if self.stop.is_due:
                self.workers.abandon()
                return
            for row in self.workers.rows(SECONDS_BETWEEN_LOOKS):
                self.plan.fix(row)
                self.new += 1
                self.busy_seconds += row.ended - row.began
                self.notifier.hear(row.ended - row.began)
                self.recorder.write(writer)
                writer.append([row])
                view.fixed()
                if row.points is None:
                    self.void, self.last_void = self.void + 1, row.how
                    which = f"{self.plan.noun} {row.number} of {row.match}"
                    view.say(f"void: {which}, {row.worker}: {row.how}")
            for line in self.workers.news():
                view.say(line)
            if time.monotonic() >= next_flush:
                writer.flush()
                next_flush = time.monotonic() + SECONDS_BETWEEN_FLUSHES
            self.notifier.tick(lambda reason: self.notice(notice.SILENT, reason))
            view.tick()

    def hand_out(self) -> None:
        while not self.stop.is_asked and self.workers.has_room():
            task = self.plan.issue()
            if task is None:
                return
            self.workers.submit(task)

    def trusted(self) -> dict[str, Any]:
        """Return the fields of a run on games that were played again."""
        trust = self.workers.trust
        first = str(trust.disagreements[0]) if trust.disagreements else ""
        count = len(trust.disagreements)
        return {"replayed": trust.replayed, "disagreed": count, "disagreement": first}

    def status(self, stopped_status: int) -> int:
        if self.plan.is_complete:
            return GIVEN_UP if self.workers.trust.disagreements else COMPLETE
        return self.stop.status(stopped_status) if self.stop.is_asked else GIVEN_UP

    def tell(self, status: int, busy: float) -> None:
        """Print how the run has ended, where that is more than the table has."""
        if self.plan.is_complete:
            for line in self.workers.left_behind():
                self.console.print(line, markup=False, soft_wrap=True)
        for found in self.workers.trust.disagreements:
            self.console.print(f"{self.path}: {found}", markup=False, soft_wrap=True)
        if left := self.plan.missing:
            asked = self.stop.is_asked
            void = "void, whatever was tried"
            void += f"; the last one: {self.last_void}" if self.void else ""
            why = "missing; run again to play them" if asked else void
            self.console.print(f"{self.path}: {left} {why}", markup=False, soft_wrap=True)
        played = f"played {with_void(self.new, self.void, self.plan.noun)}"
        self.console.print(f"{played}; workers played {100 * busy:.1f} % of the time")
