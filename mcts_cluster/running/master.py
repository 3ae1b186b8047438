"""What the master of a run does: finds what is in the file, plays what is missing, prints it all.

State is a fold over rows: to continue a run is to read its file, and to schedule what that lacks.
"""

import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from mcts_cluster.bgp.campaign_state import CampaignState
from mcts_cluster.errors import UserError
from mcts_cluster.exit_statuses import COMPLETE, GIVEN_UP, MISTAKE
from mcts_cluster.jobs import compatibility, reader
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.schedule import Schedule
from mcts_cluster.parallel import mpi
from mcts_cluster.parallel.leader import TeamPlayer
from mcts_cluster.players.player import Player
from mcts_cluster.reports import campaign_table, formats, table
from mcts_cluster.running import mpi_workers
from mcts_cluster.running.local_workers import LocalWorkers
from mcts_cluster.running.progress import CampaignView, MatchView, View
from mcts_cluster.running.signals import Stop, listening
from mcts_cluster.running.workers import Workers, cores
from mcts_cluster.storage import campaign_tables, store
from mcts_cluster.storage.campaign_tables import CampaignTablesWriter, TablesInMemory
from mcts_cluster.storage.store import Results, Writer

if TYPE_CHECKING:
    from mcts_cluster.parallel.mpi import Comm
from mcts_cluster.running.continuing import put_right, with_run

SECONDS_BETWEEN_FLUSHES = 1.0


SECONDS_BETWEEN_LOOKS = 0.5


def conduct(args: Namespace, comm: "Comm | None") -> int:
    """Play what is missing in the file, and print the table."""
    if args.processes is not None and args.processes < 1:
        raise UserError(f"--processes {args.processes}: at least 1 is wanted")
    if not args.grace >= 0:
        raise UserError(f"--grace {args.grace:g}: at least 0 is wanted")
    if not 0 < args.stopped_status < 256:
        raise UserError(f"--stopped-status {args.stopped_status}: 1 to 255 is allowed")
    job = reader.read(args.job, args.set)
    check_ranks(job, args.ranks_per_game, comm.size if comm else 1)
    path = args.output or Path("results") / f"{Path(args.job).stem}.h5"
    console = Console(stderr=True, highlight=False)
    make_folder(path.parent)
    with store.locked(path), listening(args.grace) as stop:
        results = with_run(job, path, console)
        schedule = scheduled(job, results)
        rows, status = list(results.rows), COMPLETE
        if not schedule.is_complete:
            workers = (
                mpi_workers.MpiWorkers(comm, job, args.ranks_per_game)
                if comm
                else LocalWorkers(job, processes(args, job))
            )
            with workers:
                running = replace(results.runs[-1], **told_by(workers))
                results = replace(results, runs=(*results.runs[:-1], running))
                run = Run(results, schedule, path, workers, stop, console)
                status = run.play(args.stopped_status)
            rows = run.rows
        else:
            put_right(path, results)
    if isinstance(schedule, CampaignState):
        found = campaign_tables.of(schedule, compatibility.describe(job)["campaign"])
        formats.wide_console().print(campaign_table.results(found, job.title))
    else:
        formats.wide_console().print(table.results(results.matches, rows, job.title))
    return status


def check_ranks(job: Job, together: int, ranks: int | None) -> None:
    """Refuse to lay games over ranks where some would have nothing to do; raises UserError.

    Nothing is said of their number where nobody knows it yet.
    """
    option = f"--ranks-per-game {together}"
    if together < 1:
        raise UserError(f"{option}: at least 1 is wanted")
    if together == 1:
        return
    most = max(machines(player) for player in job.players.values())
    if together > most:
        raise UserError(f"{option}: at most {most} is allowed, the machines of the largest team")
    if ranks == 1:
        raise UserError(f"{option}: without MPI there is one; start it by mpirun or srun")
    if ranks and (ranks - 1) % together:
        raise UserError(f"{option}: one rank more than a multiple is wanted, there are {ranks}")


def machines(player: Player) -> int:
    return player.sharing.machines if isinstance(player, TeamPlayer) else 1


def scheduled(job: Job, results: Results) -> Schedule | CampaignState:
    """Return what knows what to play next, given what has been played."""
    if job.campaign:
        return CampaignState(job.campaign, results.rows, known=campaign_tables.proposed(results))
    return Schedule({match.name: match.games for match in job.matches}, results.rows)


def make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None


def processes(args: Namespace, job: Job) -> int:
    """Return how many games to play at a time: each may keep several threads busy."""
    threads = max(getattr(player, "threads", 1) for player in job.players.values())
    return int(args.processes or max(1, cores() // threads))


def told_by(workers: Workers) -> dict[str, Any]:
    told: dict[str, Any] = {"slots": workers.slots, "ranks": workers.ranks, "hosts": workers.hosts}
    if workers.ranks > 1:
        told["mpi_library"] = mpi.mpi_library()
    return told


@dataclass
class Run:
    """A run while it plays: hands tasks to the workers, and rows to the file."""

    results: Results
    schedule: Schedule | CampaignState
    path: Path
    workers: Workers
    stop: Stop
    console: Console

    def __post_init__(self) -> None:
        self.tables_writer: CampaignTablesWriter | None = None
        self.rows = list(self.results.rows)
        self.new = 0
        self.busy_seconds = 0.0

    def play(self, stopped_status: int) -> int:
        """Play until nothing is left, or the run is to stop; return the exit status."""
        writer = self.writer()
        began, status, busy = time.monotonic(), GIVEN_UP, nan
        try:
            with self.view() as view:
                self.play_all(writer, view)
            status = self.status(stopped_status)
            busy = self.busy_seconds / (time.monotonic() - began) / self.workers.slots
        except UserError:
            status = MISTAKE
            raise
        finally:
            writer.close(status, busy)
            if status == MISTAKE and len(self.results.runs) == 1 and not self.new:
                # Nothing is in it, and it would refuse the job as it should have been.
                self.path.unlink()
        self.tell(status, busy)
        return status

    def writer(self) -> Writer:
        """Make the file with what is known; of a campaign, its tables are made of the rows."""
        if not isinstance(self.schedule, CampaignState):
            return Writer(self.path, self.results)
        pages = TablesInMemory()
        self.tables_writer = CampaignTablesWriter(self.schedule, pages)
        self.tables_writer.write()
        writer = Writer(self.path, replace(self.results, tables=pages.over(self.results.tables)))
        self.tables_writer.book = writer
        return writer

    def view(self) -> View:
        if isinstance(self.schedule, CampaignState):
            return CampaignView(self.schedule, self.console)
        return MatchView(self.schedule, self.results.rows, self.console)

    def play_all(self, writer: Writer, view: View) -> None:
        next_flush = time.monotonic() + SECONDS_BETWEEN_FLUSHES
        recalled = False
        while True:
            self.hand_out()
            if not self.workers.under_way():
                return
            if self.schedule.is_complete and not recalled:
                recalled = True
                self.workers.recall()
            if self.stop.is_asked and not recalled:
                recalled = True
                self.workers.recall()
                view.say(f"stopping: games under way have {self.stop.grace:g} s to end")
            if self.stop.is_due:
                self.workers.abandon()
                return
            for row in self.workers.rows(SECONDS_BETWEEN_LOOKS):
                self.schedule.fix(row)
                self.new += 1
                self.busy_seconds += row.ended - row.began
                if self.tables_writer:
                    self.tables_writer.write()
                else:
                    self.rows.append(row)
                writer.append([row])
                view.fixed(row)
                if row.points is None:
                    view.say(f"void: game {row.number} of {row.match}: {row.how}")
            if time.monotonic() >= next_flush:
                writer.flush()
                next_flush = time.monotonic() + SECONDS_BETWEEN_FLUSHES
            view.tick()

    def hand_out(self) -> None:
        while not self.stop.is_asked and self.workers.has_room():
            task = self.schedule.issue()
            if task is None:
                return
            self.workers.submit(task)

    def status(self, stopped_status: int) -> int:
        if self.schedule.is_complete:
            return COMPLETE
        return self.stop.status(stopped_status) if self.stop.is_asked else GIVEN_UP

    def tell(self, status: int, busy: float) -> None:
        """Say how the run has ended, where there is more to say than the table does."""
        lines: Sequence[str] = ()
        left = self.schedule.missing
        if self.stop.is_asked and left:
            lines = [f"{self.path}: {left} missing; run again to play them"]
        elif left:
            lines = [f"{self.path}: {left} void, whatever was tried"]
        for line in lines:
            self.console.print(line, markup=False, soft_wrap=True)
        spent = f"played {self.new:,} games; workers played {100 * busy:.1f} % of the time"
        if self.console.is_terminal:
            self.console.print(spent)
