"""Slow root parallelization: slow tree with d = 0, only the moves of the root are averaged."""

from mcts_cluster.parallel.machine import Machine
from mcts_cluster.parallel.sharing.exchange import Agreement, Sharing, Talk, average


def share(machine: Machine, sharing: Sharing) -> Talk[Agreement]:
    return average(machine, sharing, 0)
