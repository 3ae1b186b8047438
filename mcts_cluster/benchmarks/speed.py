"""The verb `bench`: how fast this build plays on this machine, per CPU second of one thread.

Every workload is measured in several short rounds and the median is shown, because a machine that
others use is never quiet. `--beside` starts another program after each round, so that both meet
the same disturbances and their ratio can be trusted further than either figure. `--exchanges`
measures what teams of machines pay for sharing, on all ranks of an MPI job if it runs in one, and
`--master` how busy a master keeps the others.
"""

import json
import shlex
import subprocess
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from statistics import median
from time import thread_time

from rich.console import Console
from rich.table import Table

from cext.game import Playouts
from mcts_cluster import games
from mcts_cluster.benchmarks import error_rates, exchange_costs, master
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.errors import UserError
from mcts_cluster.parallel import mpi
from mcts_cluster.players import bias_patterns
from mcts_cluster.players.mcts import BANDITS, Mcts, defaults

EXAMPLES = """\
examples:
  mcts-cluster bench
  mcts-cluster bench --only go9.uniform --seconds 5
  mcts-cluster bench --json > before.json
  mcts-cluster bench --only go9 --patterns my.patterns
  mcts-cluster bench --only go9 --only go19.search
  mpirun -n 8 mcts-cluster bench --exchanges --json > 8.json
  mpirun -n 65 mcts-cluster bench --master 1    are 64 workers kept busy?
  mcts-cluster bench --beside './other-program 1'
  mcts-cluster bench --judges 0.501 0.504   do judges of races keep their promise?

The program of --beside prints a line for each workload that it knows, such as
"go9.uniform 237000": playouts, or simulations, per CPU second of one thread.
"""

# To a tree: the larger it is, the slower a simulation.
SIMULATIONS = 10_000

Figures = dict[str, float]

UCT = Mcts(megabytes=64, **BANDITS["uct"])
# RAVE instead of exploration, and nothing else.
RAVE = replace(UCT, exploration=0.0, rave=1000.0)


def uniform_playouts(name: str, size: int, seconds: float, seed: int) -> Figures:
    """Uniform playouts of a game from the empty board."""
    return playouts_of(games.new(name, size=size).playouts, seconds, seed)


def playouts_of(play: Callable[[int, int], Playouts], seconds: float, seed: int) -> Figures:
    # Enough for the clock's resolution, few enough to end in time.
    batch = play(200, seed)
    result = play(max(1, int(seconds * batch.total / batch.seconds)), seed)
    return {
        "playouts_per_second": result.total / result.seconds,
        "ns_per_move": 1e9 * result.seconds / result.moves,
        "mean_length": result.moves / result.total,
    }


def informed_playouts(name: str, size: int, seconds: float, seed: int) -> Figures:
    """Playouts of the default player's policy from the empty board."""
    core = games.new(name, size=size).core
    policy = default_player(name).policy_for(core)
    return playouts_of(partial(policy.playouts, core), seconds, seed)


def default_player(name: str) -> Mcts:
    return replace(defaults("mogo", games.GAMES[name]), megabytes=64)


def searches(player: Mcts, name: str, size: int, seconds: float, seed: int) -> Figures:
    """Simulations of a player from the empty board, again and again."""
    core = games.new(name, size=size).core
    spent = 0.0
    trees = 0
    while not trees or spent < seconds:
        search = player.search(core)
        began = thread_time()
        search.run(SIMULATIONS, seed + trees)
        spent += thread_time() - began
        trees += 1
    return {"simulations_per_second": trees * SIMULATIONS / spent}


KINDS: dict[str, dict[str, Callable[[str, int, float, int], Figures]]] = {
    "go": {
        "uniform": uniform_playouts,
        "informed": informed_playouts,
        "uct": partial(searches, UCT),
        "search": partial(searches, default_player("go")),
    },
    "havannah": {
        "uniform": uniform_playouts,
        "informed": informed_playouts,
        "uct": partial(searches, UCT),
        "rave": partial(searches, RAVE),
        "search": partial(searches, default_player("havannah")),
    },
}
SIZES = {"go": (9, 13, 19), "havannah": (4, 5, 8, 10)}
Workload = Callable[[float, int], Figures]
WORKLOADS: dict[str, Workload] = {
    f"{name}{size}.{kind}": partial(measure_kind, name, size)
    for name, sizes in SIZES.items()
    for size in sizes
    for kind, measure_kind in KINDS[name].items()
}


@dataclass
class Measurement:
    """The rounds of one workload: ours, and the rates of the program beside us."""

    rounds: list[Figures] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    def figures(self) -> Figures:
        return {name: median(r[name] for r in self.rounds) for name in self.rounds[0]}

    def ratio(self) -> float | None:
        """How many times as fast as the other program, the median over the rounds."""
        return median(self.ratios) if self.ratios else None

    def compare(self, rate: float) -> None:
        """Set the last round beside what the other program has just reached."""
        self.beside.append(rate)
        self.ratios.append(rate_of(self.rounds[-1]) / rate)


def rate_of(figures: Figures) -> float:
    """The figure that counts most comes first: playouts or simulations per second."""
    return next(iter(figures.values()))


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help="a workload, or the beginning of its name; may be repeated",
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="of a round (default: 1)")
    parser.add_argument("--rounds", type=int, default=5, help="how many (default: 5)")
    parser.add_argument("--beside", metavar="COMMAND", help="a program to measure between rounds")
    parser.add_argument("--patterns", metavar="FILE", help="search Go with its biases, too")
    parser.add_argument(
        "--exchanges", action="store_true", help="measure what machines pay for sharing, instead"
    )
    parser.add_argument(
        "--machines",
        type=int,
        action="append",
        metavar="N",
        help="on each rank, with --exchanges; may be repeated (default: 1 and 4)",
    )
    parser.add_argument(
        "--master",
        type=float,
        metavar="NAP",
        help="let games sleep so many seconds, and measure the master of a run, instead",
    )
    parser.add_argument(
        "--games", type=int, default=2000, help="to play with --master (default: 2000)"
    )
    parser.add_argument(
        "--judges",
        nargs=2,
        type=float,
        metavar=("LOWER", "UPPER"),
        help="simulate races between these thresholds, instead of measuring speed",
    )
    parser.add_argument("--races", type=int, default=10_000, help="of each kind (default: 10000)")
    parser.add_argument("--risk", type=float, default=0.05, help="of a race (default: 0.05)")
    parser.add_argument("--first", type=int, default=100, help="games of a batch (default: 100)")
    parser.add_argument(
        "--correlation", type=float, default=0.0, help="of the games of a pair (default: 0)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def main(args: Namespace) -> int:
    if args.judges:
        return judges(args)
    with mpi.reported_once():
        check(args)
        workloads = WORKLOADS | (searches_with(args.patterns) if args.patterns else {})
        known = exchange_costs.WORKLOADS if args.exchanges else workloads
        names = chosen(args.only or [], known)
    if args.master is not None:
        return bench_master(args)
    if args.exchanges:
        return bench_exchanges(args, names)
    measurements = measure(
        {name: workloads[name] for name in names}, args.seconds, args.rounds, args.beside
    )
    if args.json:
        print(json.dumps(as_object(measurements), indent=2))
    else:
        Console().print(as_table(measurements))
    return 0


def check(args: Namespace) -> None:
    if not 0 < args.seconds < inf or args.rounds < 1:
        raise UserError("--seconds must be more than 0, --rounds at least 1")
    if args.exchanges and (args.beside or args.patterns):
        raise UserError("--exchanges goes with neither --beside nor --patterns")
    if args.machines and not args.exchanges:
        raise UserError("--machines goes with --exchanges only")
    for machines in args.machines or ():
        if not 1 <= machines <= exchange_costs.MAX_MACHINES:
            most = exchange_costs.MAX_MACHINES
            raise UserError(f"--machines {machines}: 1 to {most} is allowed")
    if args.master is None:
        return
    if not 0 <= args.master < inf or args.games < 1:
        raise UserError("--master must be at least 0, --games at least 1")
    if args.exchanges or args.beside or args.patterns or args.only:
        raise UserError("--master goes with none of --exchanges, --beside, --patterns, --only")


def judges(args: Namespace) -> int:
    """Show how races end that each of the judges decides."""
    lower, upper = args.judges
    settings = RaceSettings.from_dict(
        {
            "stopping_rule": "sprt",
            "lower": lower,
            "upper": upper,
            "risk": args.risk,
            "first_batch": args.first,
        }
    )
    # The better one wins some games that the other cannot make good.
    least = max(-min(r, 1 - r) / max(r, 1 - r) for r in error_rates.rates(settings))
    if args.races < 1 or not least <= args.correlation <= 1:
        raise UserError(
            f"--races must be at least 1, --correlation between {least:.2f} and 1 at these rates"
        )
    rows = list(error_rates.measure(settings, args.correlation, args.races))
    if args.json:
        print(json.dumps(error_rates.as_object(rows), indent=2))
    else:
        Console().print(error_rates.as_table(rows, settings, args.races))
    return 0


def bench_master(args: Namespace) -> int:
    """Show what a master makes of games that only take time; it is the first rank."""
    costs = master.of_sleeping(args.master, args.games)
    if costs and args.json:
        print(json.dumps(master.as_object(costs, args.master), indent=2))
    elif costs:
        Console().print(master.as_table(costs, args.master))
    return 0


def bench_exchanges(args: Namespace, names: list[str]) -> int:
    machines = args.machines or exchange_costs.MACHINES
    measured = exchange_costs.measure(names, machines, args.rounds)
    if measured and args.json:
        print(json.dumps(measured.as_object(), indent=2))
    elif measured:
        Console().print(*exchange_costs.tables(measured))
    return 0


def searches_with(path: str) -> dict[str, Workload]:
    """Return a search with a file of patterns for each size of Go, to be set beside one without."""
    player = replace(default_player("go"), patterns=tuple(bias_patterns.read(path)))
    return {f"go{size}.patterns": partial(searches, player, "go", size) for size in SIZES["go"]}


def chosen(only: Sequence[str], known: Collection[str]) -> list[str]:
    """Return the workloads that names stand for, all without any: "go9" means all of go9."""
    for word in only:
        if not any(is_meant(name, word) for name in known):
            raise UserError(f"--only {word}: known are {', '.join(known)}")
    return [name for name in known if not only or any(is_meant(name, word) for word in only)]


def is_meant(name: str, word: str) -> bool:
    return name == word or name.startswith(f"{word}.")


def measure(
    workloads: Mapping[str, Workload], seconds: float, rounds: int, beside: str | None
) -> dict[str, Measurement]:
    measurements = {name: Measurement() for name in workloads}
    for seed in range(rounds):
        for name, workload in workloads.items():
            measurements[name].rounds.append(workload(seconds, seed))
        for name, rate in other_rates(beside, list(workloads)).items() if beside else ():
            measurements[name].compare(rate)
    return measurements


def other_rates(command: str, names: list[str]) -> dict[str, float]:
    """Run another program and read its lines "NAME RATE ..."; returns those that are asked for."""
    try:
        run = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True)
        lines = [line.split() for line in run.stdout.splitlines() if line.strip()]
        rates = {words[0]: float(words[1]) for words in lines if words[0] in names}
    except (OSError, ValueError, IndexError, subprocess.CalledProcessError) as error:
        raise UserError(f"--beside {command}: {error}") from None
    if not rates or not all(0 < rate < inf for rate in rates.values()):
        raise UserError(f"--beside {command}: no rate in its output for {', '.join(names)}")
    return rates


def as_object(measurements: dict[str, Measurement]) -> dict[str, dict[str, Figures]]:
    """Return the figures by the two halves of a workload's name."""
    tree: dict[str, dict[str, Figures]] = {}
    for name, measurement in measurements.items():
        first, second = name.split(".")
        figures = measurement.figures()
        if ratio := measurement.ratio():
            figures |= {"beside": median(measurement.beside), "ratio": ratio}
        tree.setdefault(first, {})[second] = figures
    return tree


def as_table(measurements: dict[str, Measurement]) -> Table:
    compared = any(measurement.beside for measurement in measurements.values())
    table = Table(title="per CPU second of one thread", title_justify="left")
    table.add_column("workload")
    headings = ["per second", "ns/move", "moves"] + (["beside", "ratio"] if compared else [])
    for heading in headings:
        table.add_column(heading, justify="right")
    for name, measurement in measurements.items():
        figures = measurement.figures()
        cells = [
            f"{rate_of(figures):,.0f}",
            f"{figures['ns_per_move']:.1f}" if "ns_per_move" in figures else "",
            f"{figures['mean_length']:.1f}" if "mean_length" in figures else "",
        ]
        if ratio := measurement.ratio():
            cells += [f"{median(measurement.beside):,.0f}", f"{ratio:.2f}"]
        table.add_row(name, *cells)
    return table
