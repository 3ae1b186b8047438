"""The search tree: one flat arena of nodes, the children of a node side by side.

        nodes   0      1 2 3 4      5 6 7 ...
               root   its children  children of node 3 ...

A node is 20 bytes and holds nothing of the position: a simulation replays the moves on its way
down. The arena is taken once and never grows; when it is full, leaves stay leaves. Results are
integers, so that the trees of many machines can be added up exactly: two for a win of player 1,
one for a draw.
"""
from libc.stdint cimport int16_t, int32_t, uint32_t


cdef struct Node:
    uint32_t visits
    uint32_t results        # summed over the visits: 2 for each win of player 1, 1 for each draw
    int32_t first_child     # 0 where the node is not expanded
    int32_t children        # how many there are; -1 where the arena had no room for them
    int16_t move            # the move that leads here
    int16_t player          # who made it: 1 or 2


cdef class Tree:
    # All zero at first, and the root, node 0, is there from the start.
    cdef Node* nodes
    cdef readonly int capacity
    cdef readonly int used
    cdef Py_ssize_t shape       # the capacity again, where a buffer can point to it

    # Take room for the children of a node; returns the first one, or 0 where there is no room.
    cdef int expand(self, int node, int children) noexcept nogil
