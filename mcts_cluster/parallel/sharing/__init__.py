"""The sharing strategies of a team by name, a file each; one is imported when a team uses it.

Section 4 of the scalability paper. docs/sharing.md has the settings.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mcts_cluster.parallel.machine import Machine
    from mcts_cluster.parallel.sharing.exchange import Exchange, JointDecision, Sharing


class Strategy(NamedTuple):
    """A strategy: the module with its generator, and when it is used."""

    module: str
    only_at_the_end: bool = False  # of the move, instead of once a period
    searches: bool = False  # itself, in one exchange that is the whole move

    def share(self, machine: Machine, sharing: Sharing) -> Exchange[JointDecision]:
        """Return one machine's part in an exchange."""
        module = import_module(f"{__name__}.{self.module}")
        exchange: Exchange[JointDecision] = module.share(machine, sharing)
        return exchange


STRATEGIES = {
    "slow-tree": Strategy("slow_tree"),
    "slow-root": Strategy("slow_root"),
    "voting": Strategy("voting", only_at_the_end=True),
    "majority": Strategy("majority", only_at_the_end=True),
    "fast-tree": Strategy("fast_tree", only_at_the_end=True, searches=True),
    "none": Strategy("alone", only_at_the_end=True),
}
