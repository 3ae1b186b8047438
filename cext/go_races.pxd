"""The capturing races (semeai) on a board, and what a player makes of their outcomes.

A race is between two chains of several stones that touch, in a region that ends at safe walls. What
the solver (go_semeai) says of it is remembered, because a search meets the same race again and
again while it plays elsewhere. Of chains that were too much for it the solver is asked more and
more rarely. Threads take turns: each claims a reader of its own.
"""
from libc.stdint cimport int16_t, uint64_t

from cext.go_board cimport Board
from cext.go_semeai cimport Semeai
from cext.go_semeai_count cimport Outcome
from cext.go_semeai_region cimport MAX_CELLS, Region, Stones


cdef enum:
    MOST_RACES = 8
    REMEMBERED = 1 << 12
    DOUBTS = 1 << 8


cdef struct Race:
    int stones[2]               # one of each chain, the first of the side to play
    int size                    # stones of the smaller chain
    bint settled                # a pass changes nothing
    Outcome outcome             # for the side to play
    Outcome after_pass          # and if the other side moves first
    int count
    int16_t moves[MAX_CELLS]    # that keep the outcome; where it is settled, all in the region


cdef struct Races:
    int count
    Race races[MOST_RACES]


cdef struct Answer:
    uint64_t key
    bint sure
    bint settled
    Outcome outcome
    Outcome after_pass
    uint64_t moves


# Two chains of which the solver was not sure: how many questions of them go unasked.
cdef struct Doubt:
    uint64_t key
    int wait
    int next


cdef class RaceReader:
    """Finds the races on boards, one thread at a time."""
    cdef Semeai solver
    cdef Answer* answers
    cdef Doubt* doubts

    # The races with chains of so many stones each, of which the solver is sure, for a side to play.
    cdef void find(self, const Board* board, int to_play, int smallest, Races* races) noexcept nogil
    cdef void add(self, const Board* board, int own, int enemy, Race* race) noexcept nogil
    cdef Doubt* doubt_of(self, int own, int enemy) noexcept nogil
    cdef bint waits(self, int own, int enemy) noexcept nogil
    cdef void learn(self, int own, int enemy, bint sure) noexcept nogil
    cdef bint ask(self, const Board* board, int own, int enemy, Region* region,
                  Answer* answer) noexcept nogil


# Whether a playout has ended as the solver said when `to_play` was to play.
cdef bint as_predicted(const Board* board, int to_play, const Races* races) noexcept nogil
# Hand the chains that lose their races to the winners, and play where the largest race is not
# settled. Returns that point, or 0.
cdef int settle(Board* board, int to_play, const Races* races) noexcept nogil
