"""Which portion of its job a run plays, and into which file, by its options and its job array."""

import os
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from mcts_cluster.errors import UserError
from mcts_cluster.matches import portion
from mcts_cluster.matches.portion import ALL, Portion
from mcts_cluster.text_files import output_file, target_of

# The variables with the number of a task of a job array: of Slurm, of OAR.
TASKS = ("SLURM_ARRAY_TASK_ID", "OAR_ARRAY_INDEX")


def portion_of(args: Namespace, environment: Mapping[str, str] = os.environ) -> Portion:
    """Return the portion that the options of a run ask for; raises UserError."""
    if args.games is not None:
        return portion.some(args.games)
    if args.races is not None:
        return portion.some(args.races, portion.RACES)
    if args.part is not None:
        return portion.part(args.part)
    return of_task(args.array, environment) if args.array is not None else ALL


def of_task(tasks: int, environment: Mapping[str, str]) -> Portion:
    """Return the part of a task of a job array of so many; raises UserError."""
    if tasks < 1:
        raise UserError(f"--array {tasks}: too small, must be at least 1")
    numbers = [environment[name] for name in TASKS if environment.get(name, "").isdigit()]
    if not numbers:
        raise UserError(
            f"--array {tasks}: this is no task of a job array, {' and '.join(TASKS)} are not set; "
            f"--part K/{tasks} names the part"
        )
    number = int(numbers[0])
    if not 1 <= number <= tasks:
        raise UserError(f"--array {tasks}: this is task {number}, must be from 1 to {tasks}")
    return Portion(part=number, parts=tasks)


def output_of(args: Namespace, portion: Portion) -> Path:
    """Return the file of a run: that of a part has its number in its name; raises UserError."""
    usual = Path("results") / f"{Path(args.job).stem}.h5"
    path = usual if args.output is None else output_file(str(args.output))
    if portion.parts == 1:
        return target_of(path)
    target_of(path)
    return target_of(path.with_name(f"{path.stem}.{portion.part}-of-{portion.parts}{path.suffix}"))
