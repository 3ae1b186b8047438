"""The search tree: one flat arena of nodes, the children of a node side by side.

        nodes   0      1 2 3 4      5 6 7 ...
               root   its children  children of node 3 ...

A node is 32 bytes and holds nothing of the position: a simulation replays the moves on its way
down. The arena is taken once and never grows; when it is full, leaves stay leaves. Results are
integers, so that the trees of many machines can be added up exactly: two for a win of player 1,
one for a draw. Children always come after their parent, which keep() makes use of.

Several threads may expand nodes at a time. Whoever turns UNEXPANDED into EXPANDING may; the others
see a leaf until the children are complete.
"""
from libc.stdint cimport int8_t, int16_t, int32_t, uint16_t, uint32_t


cdef enum:
    UNEXPANDED = 0
    EXPANDING = -1
    NO_ROOM = -2


cdef enum:
    DRAWN = 3


cdef struct Node:
    uint32_t visits
    uint32_t results        # summed over the visits: 2 for each win of player 1, 1 for each draw
    uint32_t rave_visits    # simulations through the parent in which this move came later, by the
    uint32_t rave_results   # same player and before anybody else played there; and their results
    uint16_t prior_visits   # what the policy thinks of the move, as if these had been simulations
    uint16_t prior_results
    int32_t first_child     # 0 where there are none
    int16_t children        # how many, or one of the states above
    int16_t move            # the move that leads here
    int16_t bias            # of the move's score, in thousandths, for who makes it
    int8_t player           # who made it: 1 or 2
    int8_t proven           # who wins after it, 1 or 2, for sure; DRAWN; or 0, nobody knows


cdef class Tree:
    # All zero at first, and the root, node 0, is there from the start.
    cdef Node* nodes
    cdef readonly int capacity
    cdef bint searched          # just now, without the GIL
    cdef bint cut               # its root is another position than that of its search
    cdef readonly bint full     # whether a node has found no room since the root last changed
    cdef int32_t taken          # what threads have asked for, which may be more than there is
    cdef Py_ssize_t shape       # the capacity again, where a buffer can point to it

    # Take room for the children of a node that is EXPANDING; returns the first one, or 0 where
    # there is no room, and then it is NO_ROOM. The caller fills them in and publishes their number.
    cdef int expand(self, int node, int children) noexcept nogil
    cdef int in_use(self) noexcept nogil
    cdef int refuse_search(self) except -1
