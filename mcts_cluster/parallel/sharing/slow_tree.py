"""Slow tree parallelization: every machine has a tree, and a few times a move they average the
nodes with at least 5 % of the root's simulations, down to a depth d.
"""

from mcts_cluster.parallel.machine import Machine
from mcts_cluster.parallel.sharing.exchange import Exchange, JointDecision, Sharing, average


def share(machine: Machine, sharing: Sharing) -> Exchange[JointDecision]:
    return average(machine, sharing, sharing.depth)
