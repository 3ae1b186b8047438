"""The verb `submit`: puts a job into the queue of a cluster, by Slurm or OAR, with our script.

The job is read first, so that mistakes are reported before nodes are allocated.
"""

import shlex
import shutil
import subprocess
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from mcts_cluster.errors import UserError
from mcts_cluster.jobs import jobfile
from mcts_cluster.running.master import check_ranks

EXAMPLES = """\
examples:
  mcts-cluster submit jobs/table1-go9.toml --nodes 4 --cores 32 --time 12:00:00
  mcts-cluster submit jobs/table1-go9.toml --nodes 4 --dry-run --system oar

Submit from the folder in which mcts_cluster was set up. slurm/README.md describes the rest.
"""
COMMANDS = {"slurm": "sbatch", "oar": "oarsub"}
# The default of our script.
CORES = {"slurm": 2}
SCRIPTS = {"slurm": "mcts_cluster.sbatch", "oar": "mcts_cluster.oar"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("job", help="a job file, like jobs/table1-go9.toml")
    parser.add_argument("--nodes", type=int, default=1, metavar="N", help="nodes (default: 1)")
    parser.add_argument(
        "--cores",
        type=int,
        metavar="N",
        help="ranks on each node (default: 2 for Slurm, all cores for OAR)",
    )
    parser.add_argument(
        "--time",
        default="1:00:00",
        metavar="H:MM:SS",
        help="time limit of one run (default: 1:00:00)",
    )
    parser.add_argument(
        "--system", choices=COMMANDS, help="batch system (default: the one of this machine)"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the command only")
    parser.add_argument("-o", "--output", metavar="FILE", help="as in run")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="as in run")
    parser.add_argument("--ranks-per-game", type=int, metavar="N", help="as in run")


def main(args: Namespace) -> int:
    counts = {
        "--nodes": args.nodes,
        "--cores": args.cores,
        "--ranks-per-game": args.ranks_per_game,
    }
    for option, value in counts.items():
        if value is not None and value < 1:
            raise UserError(f"{option} {value}: too small, must be at least 1")
    job = jobfile.read(args.job, args.set)
    system = args.system or system_here()
    check_ranks(job, args.ranks_per_game or 1, ranks(args, system))
    words = command(args, system, script(system))
    print(shlex.join(words), flush=True)
    if args.dry_run:
        return 0
    try:
        return subprocess.run(words).returncode
    except OSError as error:
        raise UserError(f"{words[0]}: cannot be started: {error.strerror}") from None


def ranks(args: Namespace, system: str) -> int | None:
    """Return how many ranks the run will have, if that is known before the nodes are."""
    cores = args.cores or CORES.get(system)
    return args.nodes * cores if cores else None


def system_here() -> str:
    """Return the batch system that this machine can submit to; raises UserError."""
    for system, program in COMMANDS.items():
        if shutil.which(program):
            return system
    raise UserError(
        "neither sbatch nor oarsub exists here; --dry-run --system slurm prints a command"
    )


def script(system: str) -> Path:
    """Return the batch script, of this folder if there is one; raises UserError."""
    for folder in (Path(), Path(__file__).parents[2]):
        path = folder / "slurm" / SCRIPTS[system]
        if path.exists():
            return path
    raise UserError(f"no slurm/{SCRIPTS[system]} here: submit from the folder of the source")


def command(args: Namespace, system: str, path: Path) -> list[str]:
    """Return the command that submits a job, word by word."""
    run = [args.job]
    for option, value in (("-o", args.output), ("--ranks-per-game", args.ranks_per_game)):
        run += [option, str(value)] if value is not None else []
    for one in args.set:
        run += ["--set", one]
    if system == "slurm":
        tasks = [f"--ntasks-per-node={args.cores}"] if args.cores else []
        return ["sbatch", f"--nodes={args.nodes}", *tasks, f"--time={args.time}", str(path), *run]
    cores = f"/core={args.cores}" if args.cores else ""
    # The name of the script must have a slash.
    start = shlex.join([str(path) if path.is_absolute() else f"./{path}", *run])
    return ["oarsub", "-l", f"/nodes={args.nodes}{cores},walltime={args.time}", "-S", start]
