"""The verb `run`: plays the matches of a job into its HDF5 file, or goes on where that stops.

Alone it plays on this machine's cores; started by mpirun or srun, rank 0 is the master of all other
ranks, which load no more than they need to play: on a cluster every rank pays for every import.
Whatever ends a run, `run` again with the same job continues it.
"""

import os
import sys
import time
import traceback
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from typing import TYPE_CHECKING

from mcts_cluster.errors import RunFailure, UserError
from mcts_cluster.parallel import mpi
from mcts_cluster.running import worker

if TYPE_CHECKING:
    from mcts_cluster.parallel.mpi import Comm
    from mcts_cluster.parallel.mpi_ranks import MpiRanks
    from mcts_cluster.parallel.placement import Placement

EXAMPLES = """\
examples:
  mcts-cluster run jobs/quickstart.toml
  mcts-cluster run jobs/table1-go9.toml -o /scratch/table1.h5 --set match.games=200
  mpirun -n 33 mcts-cluster run jobs/table1-go9.toml
  mpirun -n 33 mcts-cluster run JOB --ranks-per-game 8   # for teams of machines
  mcts-cluster run JOB --games 500:1000 -o b.h5  # a half of 1,000 games
  mcts-cluster run JOB --races 51:101 -o c.h5    # of a campaign
  mcts-cluster run JOB --part 3/8                # into results/JOB.3-of-8.h5
  mcts-cluster run jobs/table1-go9.toml --notify 'mail -s "{text}" me@example.org'

exit status:
  0    all games are played
  1    some games are void whatever is tried, or something is broken
  2    a mistake in the command or the job
  75   stopped by a signal, such as that of a batch system; run again to
       continue
  130  stopped by Ctrl-C; run again to continue
"""
# For ranks that have no game to end, for processes to have ended, and for a launcher to print.
SECONDS_FOR_IDLE_RANKS = 3.0
SECONDS_FOR_PROCESSES = 0.5
SECONDS_FOR_LAST_WORDS = 0.5


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("job", help="a job file, like jobs/quickstart.toml")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the HDF5 file to write or to continue (default: results/JOB.h5)",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="replace what the job says: player.NAME.simulations=500, match.games=20",
    )
    parser.add_argument(
        "--processes",
        type=int,
        metavar="N",
        help="games to play at a time, without MPI (default: as the cores allow)",
    )
    parser.add_argument(
        "--ranks-per-game",
        type=int,
        default=1,
        metavar="N",
        help="ranks that the machines of a team are laid over, under MPI (default: 1, which "
        "simulates all of them)",
    )
    portion = parser.add_mutually_exclusive_group()
    portion.add_argument(
        "--games",
        metavar="A:B",
        help="play only games A to B - 1 of each match; another site may play the others",
    )
    portion.add_argument(
        "--races",
        metavar="A:B",
        help="play only races A to B - 1 of a campaign, as if none before them accepted more",
    )
    portion.add_argument(
        "--part",
        metavar="K/N",
        help="play only the K-th of N parts of the job, into a file of its own, FILE.K-of-N.h5",
    )
    portion.add_argument(
        "--array",
        type=int,
        metavar="N",
        help="the same for task K of a job array of N tasks, from 1 to N",
    )
    parser.add_argument(
        "--grace",
        type=float,
        default=20.0,
        metavar="SECONDS",
        help="for games to end when the run is asked to stop (default: 20)",
    )
    parser.add_argument(
        "--survive",
        action="store_true",
        help="go on without ranks that are lost, where the MPI library can: Open MPI with "
        "`mpiexec --with-ft ulfm`",
    )
    parser.add_argument(
        "--notify",
        metavar="COMMAND",
        help="start this command, without a shell, when the run is complete, stopped, given up or "
        "silent; {event}, {text} and {file} in it are replaced, and it can read JSON",
    )
    parser.add_argument(
        "--silence",
        type=float,
        default=3600.0,
        metavar="SECONDS",
        help="without a game that ends, after which a run is silent for --notify (default: 3600)",
    )
    parser.add_argument(
        "--stopped-status",
        type=int,
        metavar="N",
        help="exit status when a batch system stops the run (default: 75; for OAR 99)",
    )


def main(args: Namespace) -> int:
    comm = mpi.start()
    if comm is None:
        return conduct(args)
    placement, ranks = teams(comm, args.ranks_per_game)
    if comm.rank == 0:
        return lead(args, comm, placement)
    with mpi.ending_all():
        if placement and not ranks:
            worker.sleep_through(comm)
        else:
            worker.serve(comm, ranks)
    mpi.finish()
    return 0


def teams(comm: "Comm", size: int) -> "tuple[Placement | None, MpiRanks | None]":
    """Return where the teams are, and the team of this rank; nothing where ranks play alone.

    A size that is not allowed is refused by the master.
    """
    if size <= 1:
        return None, None
    from mcts_cluster.parallel import mpi_ranks

    return mpi_ranks.teams(comm, size)


def lead(args: Namespace, comm: "Comm", placement: "Placement | None") -> int:
    """Conduct the run on rank 0, and have all other ranks end with it."""
    from mcts_cluster.exit_statuses import GIVEN_UP
    from mcts_cluster.running import mpi_workers

    try:
        status = conduct(args, comm, placement)
    except (UserError, RunFailure) as error:
        print(f"mcts-cluster: {error}", file=sys.stderr, flush=True)
        status = error.status
    except BaseException:
        traceback.print_exc()
        status = GIVEN_UP
    sys.stdout.flush()
    sys.stderr.flush()
    has_lost = args.survive and bool(mpi.lost(comm))
    if not has_lost:
        farewells = mpi_workers.dismiss(comm, placement)
        if mpi.finish(SECONDS_FOR_IDLE_RANKS):
            if status:
                # Launchers say at length that one rank has failed while others are there.
                time.sleep(SECONDS_FOR_PROCESSES)
            return status
        # Some are in a game, perhaps one that another has played, or frozen.
        farewells.clear()
    # A launcher that is told to end everything passes on no more words.
    time.sleep(SECONDS_FOR_LAST_WORDS)
    if has_lost and status:
        # When all others are lost, Open MPI's launcher says 0 of a rank that aborts.
        os._exit(status)
    mpi.abort_with(comm, status)
    return status


def conduct(
    args: Namespace, comm: "Comm | None" = None, placement: "Placement | None" = None
) -> int:
    from mcts_cluster.running import master

    return master.conduct(args, comm, placement)
