"""The job that a file has kept, with all that it names."""

from pathlib import Path

from mcts_cluster.errors import UserError
from mcts_cluster.jobs import jobfile, kept_settings
from mcts_cluster.jobs.job import Job
from mcts_cluster.jobs.jobfile import InvalidJob
from mcts_cluster.storage.results import Results


def job_of(results: Results, path: Path) -> Job:
    """Return the job that a file has kept, with all that it names; raises UserError."""
    try:
        kept = kept_settings.checked(results.settings, complete=True)
        return jobfile.read_text(results.text, results.overrides.splitlines(), kept)
    except InvalidJob as error:
        raise UserError("\n".join(f"{path}: job/text: {line}" for line in error.lines)) from None
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
