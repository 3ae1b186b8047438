"""The verb `submit`: puts a job into the queue of a cluster, by Slurm or OAR, with our script.

The job is read first, so that mistakes are reported before nodes are allocated, and what it will
take is told.
"""

import re
import shlex
import shutil
import subprocess
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from mcts_cluster.errors import UserError
from mcts_cluster.jobs import jobfile
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.portion import ALL
from mcts_cluster.running.batch_systems import cores_of_nodes, nodes
from mcts_cluster.running.expectation import Request, check_programs, expectation, memory, played
from mcts_cluster.running.master import check_ranks
from mcts_cluster.running.portions import output_of

EXAMPLES = """\
examples:
  mcts-cluster submit jobs/table1-go9.toml --nodes 4 --time 12:00:00
  mcts-cluster submit jobs/table1-go9.toml --cores 8 -- --account=X --partition=Y
  mcts-cluster submit jobs/table1-go9.toml -- -p "cluster='NAME'" -t besteffort --project P
  mcts-cluster submit jobs/table1-go9.toml --array 8 --nodes 2
  mcts-cluster submit jobs/table1-go9.toml --nodes 4 --dry-run --system oar

What follows -- goes to sbatch or oarsub as it is. Submit from the folder in
which mcts_cluster was set up. slurm/README.md describes the rest.
"""
COMMANDS = {"slurm": "sbatch", "oar": "oarsub"}
SCRIPTS = {"slurm": "mcts_cluster.sbatch", "oar": "mcts_cluster.oar"}
OAR_LOG = "mcts_cluster.%jobid%.log"


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.usage = "mcts-cluster submit JOB [options] [-- OPTIONS OF SBATCH OR OARSUB]"
    # What follows -- is kept here (__main__).
    parser.set_defaults(words_behind=[])
    parser.add_argument("job", metavar="JOB", help="a job file, like jobs/table1-go9.toml")
    parser.add_argument("--nodes", type=int, default=1, metavar="N", help="nodes (default: 1)")
    parser.add_argument(
        "--cores",
        type=int,
        metavar="N",
        help="cores of each node, each with a rank that plays (default: all, of whole nodes)",
    )
    parser.add_argument(
        "--time",
        default="1:00:00",
        metavar="H:MM:SS",
        help="time limit of one run (default: 1:00:00)",
    )
    parser.add_argument(
        "--array",
        type=int,
        metavar="N",
        help="submit a job array of N tasks, each of which plays a part of the games into a file "
        "of its own; merge puts these together",
    )
    parser.add_argument(
        "--system", choices=COMMANDS, help="batch system (default: the one of this machine)"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the command only")
    parser.add_argument(
        "--no-estimate",
        action="store_true",
        help="do not play the pilot games that tell how long it will take",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="as in run")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="as in run")
    parser.add_argument("--ranks-per-game", type=int, metavar="N", help="as in run")
    parser.add_argument("--notify", metavar="COMMAND", help="as in run")


def main(args: Namespace) -> int:
    check_counts(args)
    seconds = seconds_of(args.time)
    job = jobfile.read(args.job, args.set)
    system = args.system or system_here()
    cores = args.cores or cores_of_nodes(system, args.words_behind)
    together = args.ranks_per_game or 1
    check_ranks(job, together, args.nodes * cores + 1 if cores else None)
    share = 0.0 if args.array else played(job, output_of(args, ALL))
    request = Request(args.nodes, cores, seconds, args.array or 1, together, share)
    megabytes, text = memory(job, request)
    words = command(args, system, script(system), megabytes)
    if not args.dry_run:
        check_folder()
    there = nodes(system, args.words_behind)
    if there and args.nodes > there:
        print(f"warning: there are {there} nodes: the job will wait for more", file=sys.stderr)
    missing = missing_here(args.job, job)
    if missing:
        print(f"warning: the nodes must have what this host has not: {missing}", file=sys.stderr)
    # It plays pilot games.
    if not (args.no_estimate or missing):
        for line in (*expectation(job, request), text):
            print(line, file=sys.stderr, flush=True)
    print(shlex.join(words), flush=True)
    if args.dry_run:
        return 0
    try:
        return subprocess.run(words).returncode
    except OSError as error:
        raise UserError(f"{words[0]}: cannot be started: {error.strerror}") from None


def missing_here(path: str, job: Job) -> str:
    """Return which programs of a job this host does not have, nothing if it has all."""
    try:
        check_programs(path, job)
    except UserError as error:
        return str(error)
    return ""


def check_counts(args: Namespace) -> None:
    counts = {
        "--nodes": args.nodes,
        "--cores": args.cores,
        "--array": args.array,
        "--ranks-per-game": args.ranks_per_game,
    }
    for option, value in counts.items():
        if value is not None and value < 1:
            raise UserError(f"{option} {value}: too small, must be at least 1")


def seconds_of(text: str) -> int:
    """Return the seconds of a time limit; raises UserError.

    Other forms mean minutes to Slurm, and hours to OAR.
    """
    found = re.fullmatch(r"(\d+):([0-5]\d):([0-5]\d)", text)
    hours, minutes, seconds = map(int, found.groups()) if found else (0, 0, 0)
    if total := 3600 * hours + 60 * minutes + seconds:
        return total
    raise UserError(f"--time {text}: must be H:MM:SS, such as 1:30:00")


def system_here() -> str:
    """Return the batch system that this machine can submit to; raises UserError."""
    for system, program in COMMANDS.items():
        if shutil.which(program):
            return system
    raise UserError(
        "neither sbatch nor oarsub exists here; --dry-run --system slurm prints a command"
    )


def check_folder() -> None:
    """Refuse a folder in which the script would not find this program; raises UserError."""
    if not Path(".venv/bin/activate").exists() and not shutil.which("mcts-cluster"):
        raise UserError(
            "no .venv in this folder, and no mcts-cluster in the path: "
            "submit from the folder in which mcts_cluster was set up"
        )


def script(system: str) -> Path:
    """Return the batch script, of this folder if there is one; raises UserError."""
    for folder in (Path(), Path(__file__).parents[2]):
        path = folder / "slurm" / SCRIPTS[system]
        if path.exists():
            return path
    raise UserError(f"no slurm/{SCRIPTS[system]} here: submit from the folder of the source")


def command(args: Namespace, system: str, path: Path, megabytes: int) -> list[str]:
    """Return the command that submits a job, word by word."""
    run = [args.job]
    for option in ("-o", "--ranks-per-game", "--array"):
        value = {"-o": args.output, "--array": args.array}.get(option, args.ranks_per_game)
        run += [option, str(value)] if value is not None else []
    for one in args.set:
        run += ["--set", one]
    run += ["--notify", args.notify] if args.notify else []
    if system == "slurm":
        return ["sbatch", *of_slurm(args, megabytes), *args.words_behind, str(path), *run]
    # The name of the script must have a slash.
    start = shlex.join([str(path) if path.is_absolute() else f"./{path}", *run])
    return ["oarsub", *of_oar(args), *args.words_behind, "-S", start]


def of_slurm(args: Namespace, megabytes: int) -> list[str]:
    """Return the options of sbatch: whole nodes with all of their memory, or some cores."""
    words = [f"--nodes={args.nodes}"]
    # Against the script, which asks for whole nodes.
    words += [f"--ntasks-per-node={args.cores}", "--oversubscribe"] if args.cores else []
    if not any(word.startswith("--mem") for word in args.words_behind):
        words.append(f"--mem-per-cpu={megabytes}M" if args.cores else "--mem=0")
    words += [f"--array=1-{args.array}"] if args.array else []
    return [*words, f"--time={args.time}"]


def of_oar(args: Namespace) -> list[str]:
    """Return the options of oarsub; those who ask for resources themselves have their own."""
    cores = f"/core={args.cores}" if args.cores else ""
    asked = ["-l", f"/nodes={args.nodes}{cores},walltime={args.time}"]
    words = [] if {"-l", "--resource"} & set(args.words_behind) else asked
    # Each task has a log of its own.
    logs = ["--array", str(args.array), "-O", OAR_LOG, "-E", OAR_LOG] if args.array else []
    return [*words, *logs]
