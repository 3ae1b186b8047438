"""Which hosts are slow, by the fixed workload that each worker plays before its games."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from mcts_cluster.matches.game_record import GameRecord

# A host is named as slower from here on; the same node differs by some percent.
SLOWER = 0.1


@dataclass(frozen=True)
class Host:
    """Where games were played, and how fast that is."""

    name: str
    games: int
    playouts_per_second: float
    slower: float  # than the median host, as a share

    @property
    def is_slow(self) -> bool:
        return self.slower > SLOWER

    def __str__(self) -> str:
        speed = f"{self.playouts_per_second:,.0f} playouts a second"
        said = f"{self.name}: {self.games:,} games, {speed}"
        return f"{said}, {100 * self.slower:.0f} % slower than usual here" if self.is_slow else said


def hosts(rows: Sequence[GameRecord]) -> list[Host]:
    """Return the hosts, where there are several."""
    played = Counter(row.worker.host for row in rows)
    if len(played) < 2:
        return []
    speeds: dict[str, list[float]] = {name: [] for name in sorted(played)}
    # Of each process its own.
    for worker in dict.fromkeys(row.worker for row in rows):
        speeds[worker.host].append(worker.playouts_per_second)
    found = {name: median(of_host) for name, of_host in speeds.items()}
    usual = median(found.values())
    return [
        Host(name, played[name], speed, 1 - speed / usual if usual else 0.0)
        for name, speed in found.items()
    ]


def warnings(rows: Sequence[GameRecord]) -> Iterator[str]:
    """Yield a line for each host that is slow."""
    yield from (str(host) for host in hosts(rows) if host.is_slow)
