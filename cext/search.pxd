"""A search: simulations on one tree, by any number of threads, until enough are done or time is up.

Each thread has a Worker of simulation.pxd. The first one is the caller's, who listens to signals
and watches the clock meanwhile; the others stop when it does. The move to play is the one most
visited; a proven win comes before all others, and a proven loss after them.
"""
from libc.stdint cimport int64_t

from cext.simulation cimport SearchState, Worker


cdef class Search(SearchState):
    cdef bint stopped
    cdef bint running                       # run() has not returned
    cdef int64_t left                       # simulations that nobody has begun
    cdef double deadline                    # by now(); 0 for none
    cdef bint own_time                      # of the processor, not of the clock
    cdef int64_t enough                     # visits of the root that no deadline prevents

    cdef int node_after(self, moves) except -2
    cdef bint work(self, Worker worker, int simulations) noexcept nogil
    cdef bint begin_one(self) noexcept nogil
    cdef bint decided(self, double began, int64_t asked, int64_t unsure) noexcept
