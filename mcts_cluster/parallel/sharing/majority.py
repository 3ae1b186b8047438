"""Majority: at the end of the move each machine votes for the move that it would play itself."""

import numpy

from mcts_cluster.parallel.machine import Machine
from mcts_cluster.parallel.sharing.exchange import Exchange, JointDecision, Sharing


def share(machine: Machine, sharing: Sharing) -> Exchange[JointDecision]:
    local = machine.local()[:, :2]
    vote = numpy.zeros(len(local), numpy.int64)
    vote[machine.search.best_move()] = 1
    sums = yield numpy.concatenate([vote, local.ravel()])
    return JointDecision(sums[: len(local)], sums[len(local) :].reshape(local.shape))
