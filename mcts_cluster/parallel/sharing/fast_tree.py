"""Fast tree parallelization: one tree, on the first machine; all machines make its playouts.

In each round the first machine descends its tree once for every machine and sends the moves that
lead to each leaf; every machine makes a playout from its leaf and sends the winner and, for RAVE,
the moves; and the tree is updated. So there are two sums for each simulation of a machine, which is
the paper's argument against it. Here it can be measured.
"""

import numpy
from numpy import int64

from cext.simulation import Worker
from mcts_cluster.parallel.machine import Machine
from mcts_cluster.parallel.sharing import alone
from mcts_cluster.parallel.sharing.exchange import Exchange, JointDecision, Numbers, Sharing

# Moves to a leaf that fit in an order. No tree has come near; a longer path is a defect.
MAX_PATH = 250
# Moves of a playout that a report has for RAVE, in boards; only the first machine's may be longer.
MAX_PLAYOUT = 4

# The order of a machine: to play out from its leaf, or nothing, as the winner there is known.
PLAY_OUT, KNOWN = 1, 2


def share(machine: Machine, sharing: Sharing) -> Exchange[JointDecision]:
    """Search and decide, in one exchange."""
    machines, leads = sharing.machines, machine.number == 0
    player = machine.search.worker()
    seekers = [machine.search.worker() for _ in range(machines if leads else 0)]
    began = machine.clock()
    length = MAX_PLAYOUT * (machine.game.core.points + 1) if machine.player.rave else 0
    while True:
        orders = numpy.zeros((machines, 2 + MAX_PATH), int64)
        known = {} if not leads or is_over(machine, began) else send(seekers, orders)
        orders = (yield orders.ravel()).reshape(orders.shape)
        if not orders[:, 0].any():
            machine.done = True
            return (yield from alone.share(machine, sharing))
        state, count, *moves = orders[machine.number].tolist()
        reports = numpy.zeros((machines, 2 + length), int64)
        if state == PLAY_OUT:
            winner, trace = player.play_out(moves[:count], machine.generator)
            if leads:
                known[0] = winner, trace
            else:
                reports[machine.number] = report(winner, trace, length)
        machine.simulated += 1
        reports = (yield reports.ravel()).reshape(reports.shape)
        for number, seeker in enumerate(seekers):
            if number in known:
                seeker.learn_from(*known[number])
            else:
                winner, count, *moves = reports[number].tolist()
                seeker.learn_from(winner, moves[:count])


def send(seekers: list[Worker], orders: Numbers) -> dict[int, tuple[int, list[int]]]:
    """Seek a leaf for each machine and write its order; return the results that are known."""
    known: dict[int, tuple[int, list[int]]] = {}
    for number, seeker in enumerate(seekers):
        moves, winner = seeker.seek(len(seekers) > 1)
        if winner >= 0:
            known[number] = winner, []
            orders[number, 0] = KNOWN
        else:
            orders[number, :2] = PLAY_OUT, len(moves)
            orders[number, 2 : 2 + len(moves)] = moves
    return known


def report(winner: int, trace: list[int], length: int) -> Numbers:
    row = numpy.zeros(2 + length, int64)
    trace = trace[:length]
    row[:2] = winner, len(trace)
    row[2 : 2 + len(trace)] = trace
    return row


def is_over(machine: Machine, began: float) -> bool:
    """Return whether the first machine's budget is spent.

    A move needs two rounds: all of the first may have found the root without moves.
    """
    budget = machine.budget
    if budget.simulations and machine.simulated >= budget.simulations:
        return True
    spent = (machine.clock() - began) / max(1, budget.turns)
    return bool(budget.seconds) and machine.simulated > 1 and spent >= budget.seconds
