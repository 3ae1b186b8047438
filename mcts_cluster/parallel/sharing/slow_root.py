"""Slow root parallelization: slow tree with d = 0; only the moves of the root are averaged."""

from mcts_cluster.parallel.machine import Machine
from mcts_cluster.parallel.sharing.exchange import Exchange, JointDecision, Sharing, average


def share(machine: Machine, sharing: Sharing) -> Exchange[JointDecision]:
    return average(machine, sharing, 0)
