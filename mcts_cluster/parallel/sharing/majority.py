"""Majority: at the end of the move each machine has one vote, for the move that it would play."""

import numpy

from mcts_cluster.parallel.machine import Machine
from mcts_cluster.parallel.sharing.exchange import Agreement, Sharing, Talk


def share(machine: Machine, sharing: Sharing) -> Talk[Agreement]:
    own = machine.own()[:, :2]
    vote = numpy.zeros(len(own), numpy.int64)
    vote[machine.search.best_move()] = 1
    sums = yield numpy.concatenate([vote, own.ravel()])
    return Agreement(sums[: len(own)], sums[len(own) :].reshape(own.shape))
