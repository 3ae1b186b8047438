"""Majority: at the end of the move each machine has one vote, for the move that it would play."""

import numpy

from mcts_cluster.machine import Machine
from mcts_cluster.share.talk import Agreement, Sharing, Talk


def share(machine: Machine, sharing: Sharing) -> Talk[Agreement]:
    own = machine.own()[:, :2]
    vote = numpy.zeros(len(own), numpy.int64)
    vote[own[:, 0].argmax()] = 1
    sums = yield numpy.concatenate([[machine.done], vote, own.ravel()])
    return Agreement(int(sums[0]), sums[1 : 1 + len(own)], sums[1 + len(own) :].reshape(own.shape))
