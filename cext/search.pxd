"""UCT, Algorithm 1 of the scalability paper: n simulations on one tree, without the GIL.

A simulation starts at the root. At a node that was visited before, it goes on to one of the
children: of the first PW(n) = K n^(1/4) in the order of the heuristic H, where n counts the node's
visits, the one with the highest

        score = S / N + sqrt(2 log(n) / N)      S  what the player to move won there, in N visits

and one that was never visited before any other. At a node that was not visited before, it plays out
at random. Then every node on its way learns the result. So a node gets children at its second
visit, and a simulation adds at most one visited node. The move returned is the most visited.
"""
from libc.stdint cimport int64_t

from cext.game cimport Game
from cext.rng cimport Rng
from cext.tree cimport Node, Tree


cdef enum:
    LONGEST_PATH = 4096         # plies in the tree; what is deeper is played out


cdef class Search:
    cdef readonly Tree tree
    cdef Game root                  # the position that is searched
    cdef Game work                  # the position of the current simulation
    cdef Rng rng
    cdef readonly double widening   # the K of PW; 0 considers every move
    cdef int* moves                 # room for the moves of one position
    cdef int path[LONGEST_PATH]

    cdef void simulate(self) noexcept nogil
    cdef bint expand(self, int node) noexcept nogil
    cdef int choose(self, const Node* node) noexcept nogil
