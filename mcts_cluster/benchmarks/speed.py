"""How fast this build plays on this machine, per CPU second of one thread: `bench speed`.

Every workload is measured in several short rounds and the median is shown, because a machine with
other users is never quiet. Another program can run after each round: both meet the same
disturbances then, and their ratio is more reliable than either figure.
"""

import shlex
import subprocess
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from statistics import median
from time import thread_time

from rich.table import Table

from cext.game import Playouts
from mcts_cluster import games
from mcts_cluster.errors import UserError
from mcts_cluster.players import bias_patterns
from mcts_cluster.players.mcts import BANDITS, Mcts, defaults

# In each tree: the larger it is, the slower a simulation.
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
    """The rounds of one workload: ours, and the rates of the other program."""

    rounds: list[Figures] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    def figures(self) -> Figures:
        return {name: median(r[name] for r in self.rounds) for name in self.rounds[0]}

    def ratio(self) -> float | None:
        """How many times as fast as the other program, the median over the rounds."""
        return median(self.ratios) if self.ratios else None

    def compare(self, rate: float) -> None:
        """Compare the last round with the rate that the other program has just reached."""
        self.others.append(rate)
        self.ratios.append(rate_of(self.rounds[-1]) / rate)


def rate_of(figures: Figures) -> float:
    """The figure that counts most comes first: playouts or simulations per second."""
    return next(iter(figures.values()))


def searches_with(path: str) -> dict[str, Workload]:
    """Return a search with a file of patterns for each size of Go."""
    player = replace(default_player("go"), patterns=tuple(bias_patterns.read(path)))
    return {f"go{size}.patterns": partial(searches, player, "go", size) for size in SIZES["go"]}


def chosen(only: Sequence[str], known: Collection[str]) -> list[str]:
    """Return the workloads that names stand for, all without any: "go9" means all of go9."""
    for word in only:
        if not any(is_meant(name, word) for name in known):
            raise UserError(f"--only {word}: must be one of {', '.join(known)}")
    return [name for name in known if not only or any(is_meant(name, word) for word in only)]


def is_meant(name: str, word: str) -> bool:
    return name == word or name.startswith(f"{word}.")


def measure(
    workloads: Mapping[str, Workload], seconds: float, rounds: int, other: str | None
) -> dict[str, Measurement]:
    measurements = {name: Measurement() for name in workloads}
    for seed in range(rounds):
        for name, workload in workloads.items():
            measurements[name].rounds.append(workload(seconds, seed))
        for name, rate in other_rates(other, list(workloads)).items() if other else ():
            measurements[name].compare(rate)
    return measurements


def other_rates(command: str, names: list[str]) -> dict[str, float]:
    """Run another program and return the rates of these workloads from its lines "NAME RATE"."""
    try:
        run = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True)
        lines = [line.split() for line in run.stdout.splitlines() if line.strip()]
        rates = {words[0]: float(words[1]) for words in lines if words[0] in names}
    except (OSError, ValueError, IndexError, subprocess.CalledProcessError) as error:
        raise UserError(f"--compare {command}: {error}") from None
    if not rates or not all(0 < rate < inf for rate in rates.values()):
        raise UserError(f"--compare {command}: no rate in its output for {', '.join(names)}")
    return rates


def as_object(measurements: dict[str, Measurement]) -> dict[str, dict[str, Figures]]:
    """Return the figures by the two halves of a workload's name."""
    tree: dict[str, dict[str, Figures]] = {}
    for name, measurement in measurements.items():
        first, second = name.split(".")
        figures = measurement.figures()
        if ratio := measurement.ratio():
            figures |= {"other": median(measurement.others), "ratio": ratio}
        tree.setdefault(first, {})[second] = figures
    return tree


def as_table(measurements: dict[str, Measurement]) -> Table:
    compared = any(measurement.others for measurement in measurements.values())
    table = Table(title="per CPU second of one thread", title_justify="left")
    table.add_column("workload")
    headings = ["per second", "ns/move", "moves"] + (["other", "ratio"] if compared else [])
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
            cells += [f"{median(measurement.others):,.0f}", f"{ratio:.2f}"]
        table.add_row(name, *cells)
    return table
