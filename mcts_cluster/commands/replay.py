"""The verb `replay`: plays a stored game again from its seed and compares every move.

The same seed gives the same moves, on any machine, if the players have budgets of simulations and
one thread each. Where a player has a clock, several threads, or is another program, a game may
differ; so it may where another version has played it. A program that plays is started only if
that is asked for, since the file says which.
"""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from cext import build_info
from mcts_cluster import games
from mcts_cluster.commands.export import row_of
from mcts_cluster.errors import UserError, harmless
from mcts_cluster.jobs import compatibility
from mcts_cluster.jobs.job import Job
from mcts_cluster.jobs.kept_files import kept_players
from mcts_cluster.matches.game_record import GameRecord, by_structure
from mcts_cluster.matches.setup import Task
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.settings.words import counted, printable
from mcts_cluster.storage import reader
from mcts_cluster.storage.kept_job import job_of
from mcts_cluster.storage.results import Results

DIFFERENT = 1


EXAMPLES = """\
examples:
  mcts-cluster replay results/quickstart.h5 17
  mcts-cluster replay results/quickstart.h5 17 --moves     with a line a move
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("file", type=Path, metavar="FILE", help="an HDF5 file of a run")
    parser.add_argument("game", type=int, metavar="ID", help="a row of /games, from 0")
    parser.add_argument(
        "--moves", action="store_true", help="print each move, and what is played now if it differs"
    )
    parser.add_argument(
        "--run-programs",
        action="store_true",
        help="start other programs that play, by the commands in the file (default: refuse)",
    )


def main(args: Namespace) -> int:
    results = reader.read(args.file)
    row = row_of(results, args.game, args.file)
    settings = compatibility.read(results.settings)
    job = job_of(results, args.file)
    job = replace(job, players=kept_players(job.players, settings))
    for line in compatibility.differences(settings, job):
        print(f"this version plays another job: {line}")
    if not args.run_programs:
        refuse_programs(job, row, args.file)
    again = job.experiment.play(job, Task(row.match, row.number, row.attempt))
    moves = counted(row.plies, "move")
    told = f"game {args.game}: game {row.number} of {row.match}, {moves}, {row.how}"
    print(harmless(told))
    if args.moves:
        print(*move_lines(results, row, again), sep="\n")
    found = list(differences(job, row, again))
    for line in found:
        print(line)
    if not found:
        print("played again: every move is the same")
        return 0
    for name, player in job.experiment.players(job, row.match).items():
        if reason := player.why_not_repeatable:
            print(harmless(f"{name} {reason}: its games may differ"))
    others = dict.fromkeys(run.commit for run in results.runs if run.commit != build_info.commit())
    if others:
        print(f"version {build_info.commit()} plays, {', '.join(others)} made the file")
    return DIFFERENT


def refuse_programs(job: Job, row: GameRecord, path: Path) -> None:
    """Raise UserError with the command if a player of the game is another program."""
    for name, player in job.experiment.players(job, row.match).items():
        if player.starts:
            who = f"{path}: player {printable(name)} is another program"
            raise UserError(f"{who}, --run-programs starts it: {printable(player.starts)}")


def move_lines(results: Results, row: GameRecord, again: GameRecord) -> Iterator[str]:
    """Yield a line for each move, with that of now where it is another one."""
    game = KINDS[results.kind].beginning(results, row)
    for number, (old, new) in enumerate(zip_longest(row.moves, again.moves), 1):
        color = game.to_play
        line = f"{number:4} {color:5} {'-' if old is None else game.core.name(old)}"
        yield line if old == new else f"{line}, now {'-' if new is None else game.core.name(new)}"
        if old is not None:
            game.play_number(old)


def differences(job: Job, row: GameRecord, again: GameRecord) -> Iterator[str]:
    """Yield the differences from the stored game: the first other move, and the result."""
    core = games.new(job.game, **job.settings).core

    def name(move: int | None) -> str:
        return "no move" if move is None else core.name(move)

    for number, (old, new) in enumerate(zip_longest(row.moves, again.moves), 1):
        if old != new:
            yield f"move {number}: {name(old)} in the file, {name(new)} now"
            break
    # Older versions did not tell by what a game of Havannah was won.
    known = again.how if row.how == "rules" and by_structure(again.how) else row.how
    if (row.points, known) != (again.points, again.how):
        yield f"result: {row.points} ({row.how}) in the file, {again.points} ({again.how}) now"
