"""How the machines of a team share what they find: a small file a strategy, and their names here.

Section 4 of the scalability paper. docs/sharing.md has the settings.
"""

from collections.abc import Callable
from typing import NamedTuple

from mcts_cluster.parallel.machine import Machine
from mcts_cluster.parallel.sharing import alone, fast_tree, majority, slow_root, slow_tree
from mcts_cluster.parallel.sharing.exchange import Exchange, JointDecision, Sharing


class Strategy(NamedTuple):
    share: Callable[[Machine, Sharing], Exchange[JointDecision]]
    only_at_the_end: bool = False  # of the move, instead of once a period
    searches: bool = False  # itself, in one conversation that is the whole move


STRATEGIES = {
    "slow-tree": Strategy(slow_tree.share),
    "slow-root": Strategy(slow_root.share),
    # The paper's "very slow root": slow root, but once.
    "voting": Strategy(slow_root.share, only_at_the_end=True),
    "majority": Strategy(majority.share, only_at_the_end=True),
    "fast-tree": Strategy(fast_tree.share, only_at_the_end=True, searches=True),
    "none": Strategy(alone.share, only_at_the_end=True),
}
