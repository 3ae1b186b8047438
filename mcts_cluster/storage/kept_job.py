"""The job that a file has kept, with all that it names."""

from pathlib import Path

from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.jobs.job import Job
from mcts_cluster.jobs.jobfile import InvalidJob
from mcts_cluster.storage.results import Results


def job_of(results: Results, path: Path) -> Job:
    """Return the job that a file has kept, with all that it names; raises UserError."""
    kept = compatibility.read(results.settings)
    try:
        return jobfile.read_text(results.text, results.overrides.splitlines(), kept)
    except InvalidJob as error:
        raise UserError("\n".join(f"{path}: job/text: {line}" for line in error.lines)) from None
