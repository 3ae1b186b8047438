"""Voting, the paper's "very slow root": slow root with one exchange, at the end of the move.

Each machine searches by itself; then the moves of all roots are averaged, and the most visited one
is played.
"""

from mcts_cluster.parallel.machine import Machine
from mcts_cluster.parallel.sharing.exchange import Exchange, JointDecision, Sharing, average


def share(machine: Machine, sharing: Sharing) -> Exchange[JointDecision]:
    return average(machine, sharing, 0)
