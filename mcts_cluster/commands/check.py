"""The verb `check`: reads a job, and estimates the time of all its games."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter

from rich.text import Text

from mcts_cluster.errors import UserError
from mcts_cluster.jobs import jobfile
from mcts_cluster.reports.formats import wide_console
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.running.expectation import check_programs
from mcts_cluster.running.workers import cores

EXAMPLES = """\
examples:
  mcts-cluster check jobs/quickstart.toml
  mcts-cluster check jobs/table1-go9.toml --set match.games=200
  mcts-cluster check jobs/bgp-good-9x9.toml --workers 256
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("job", help="a job file, like jobs/quickstart.toml")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="replace a value of the job, as in run",
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=cores(),
        metavar="N",
        help="games at a time, for the duration of a campaign (default: the cores of this machine)",
    )


def main(args: Namespace) -> int:
    if args.workers < 1:
        raise UserError(f"--workers {args.workers}: too small, must be at least 1")
    job = jobfile.read(args.job, args.set)
    check_programs(args.job, job)
    console = wide_console()
    lines = list(KINDS[job.experiment.kind].estimates(job, args.workers))
    for line in [Text(job.title, "bold"), *lines] if job.title else lines:
        console.print(line, soft_wrap=isinstance(line, Text))
    return 0
