"""What a job will take: time on so many workers of a cluster, memory of a rank, and programs."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from mcts_cluster.jobs.job import Job
from mcts_cluster.jobs.programs import refuse_missing
from mcts_cluster.reports.estimates import core_hours, rank_bytes
from mcts_cluster.reports.formats import duration
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.settings.words import counted
from mcts_cluster.storage import reader


@dataclass(frozen=True)
class Request:
    """What is asked of a batch system."""

    nodes: int
    cores: int | None  # on each node, None where nobody knows
    seconds: float  # until a run is stopped
    tasks: int = 1  # of a job array
    together: int = 1  # ranks of a team
    played: float = 0.0  # the share of the games that the file has already

    @property
    def workers(self) -> int | None:
        """How many ranks play: one on each core, and in whole teams."""
        if self.cores is None:
            return None
        return self.nodes * self.cores // self.together * self.together


def expectation(job: Job, request: Request) -> Iterator[str]:
    """Yield how long a job will take, and whether that is longer than allowed; plays games."""
    found = KINDS[job.experiment.kind].expected(job)
    hours = f"about {core_hours(found.seconds)} core-hours"
    if request.played:
        hours += f", {100 * request.played:.0f} % of them played"
    seconds = found.seconds * (1 - request.played) / request.tasks
    each = f" for each of {request.tasks} tasks" if request.tasks > 1 else ""
    if not request.workers:
        workers = ceil(seconds / request.seconds)
        within = duration(request.seconds)
        yield f"{hours}: within {within} on {counted(workers, 'worker')}{each}"
        return
    # No game is played by more ranks than a team has.
    needed = max(seconds / request.workers, found.a_game / request.together)
    yield f"{hours}: {duration(needed)} on {counted(request.workers, 'worker')}{each}"
    if needed > request.seconds:
        runs = ceil(needed / request.seconds)
        yield (
            f"warning: the time limit of {duration(request.seconds)} is shorter: the job will be "
            f"queued again and continue, {counted(runs, 'run')} in all"
        )


def pairs(job: Job) -> list[list[str]]:
    """Return the players of each game that the job has; any player against itself in a campaign."""
    records = KINDS[job.experiment.kind].records(job)
    found = [[name for name in record.players if name in job.players] for record in records]
    return found or [[name, name] for name in job.players]


def check_programs(path: str, job: Job) -> None:
    """Look for the programs that the games start; raises UserError with their keys."""
    refuse_missing(path, job, job.experiment.playing(job.experiment.described()))


def played(job: Job, path: Path) -> float:
    """Return the share of a job's games that a file has; of a campaign nobody knows it."""
    wanted = sum(record.games for record in KINDS[job.experiment.kind].records(job))
    if not wanted or not path.exists():
        return 0.0
    return min(1.0, reader.read(path).played / wanted)


def memory(job: Job, request: Request) -> tuple[int, str]:
    """Return the megabytes of a rank, and what to say of them."""
    megabytes = ceil(rank_bytes(job, pairs(job), request.together) / 1e6)
    text = f"memory: about {megabytes:,} MB a rank"
    if request.cores is None:
        return megabytes, text
    # The master has no trees.
    return megabytes, f"{text}, {megabytes * (request.cores + 1) / 1000:,.1f} GB a node"
