"""Which ranks play games together: as far as possible those of one host.

Rank 0 is the master, which hands out games and sleeps. Of the other ranks of a host as many as make
whole teams play among themselves, since sums over a network take longer. Those that are left over
on several hosts form teams, too. Fewer than a team remain, and have nothing to do.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from mcts_cluster.settings.words import counted


@dataclass(frozen=True)
class Placement:
    """The ranks of each team, of which the first one leads, and those without one."""

    hosts: tuple[str, ...]  # of all ranks, the master's first
    teams: tuple[tuple[int, ...], ...]
    idle: tuple[int, ...] = ()

    @property
    def leaders(self) -> list[int]:
        return [team[0] for team in self.teams]

    def team_of(self, rank: int) -> int | None:
        """Return the number of a rank's team, nothing where it has none."""
        return next((n for n, team in enumerate(self.teams) if rank in team), None)

    def __str__(self) -> str:
        of_teams = Counter(self.hosts_of(team) for team in self.teams)
        parts = [f"{count} on {hosts}" for hosts, count in of_teams.items()]
        size = len(self.teams[0]) if self.teams else 0
        text = f"{counted(len(self.teams), 'team')} of {size} ranks, {', '.join(parts)}"
        if not self.idle:
            return text
        left = counted(len(self.idle), "rank")
        return f"{text}; {left} left over on {self.hosts_of(self.idle)}"

    def hosts_of(self, ranks: Sequence[int]) -> str:
        *others, last = sorted({self.hosts[rank] for rank in ranks})
        return f"{', '.join(others)} and {last}" if others else last


def placed(hosts: Sequence[str], size: int) -> Placement:
    """Return teams of so many ranks, given the host of each rank."""
    of_host: dict[str, list[int]] = {}
    for rank, host in enumerate(hosts[1:], 1):
        of_host.setdefault(host, []).append(rank)
    left = [ranks[len(ranks) // size * size :] for ranks in of_host.values()]
    # Those of hosts with many left first, so that teams lie over few hosts.
    left.sort(key=lambda ranks: -len(ranks))
    mixed = list(chain.from_iterable(left))
    teams = sorted(chain(*(in_teams(ranks, size) for ranks in (*of_host.values(), mixed))))
    playing = set(chain.from_iterable(teams))
    idle = tuple(rank for rank in range(1, len(hosts)) if rank not in playing)
    return Placement(tuple(hosts), tuple(teams), idle)


def in_teams(ranks: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield teams of ranks, one after another; a last one that is not whole is left out."""
    for first in range(0, len(ranks) - size + 1, size):
        yield tuple(ranks[first : first + size])
