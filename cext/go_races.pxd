"""The capturing races (semeai) on a board, and what a player makes of their outcomes.

A race is between two chains of several stones that touch, in a region that ends at safe walls. A
search reads the races of its root once. Below, a race is what it was as long as its region is as it
was; where it is not, the race is read again, as soon as the search has met it in this state some
times. What the solver (go_semeai) says is remembered, because a game meets the same race again and
again while it is played elsewhere. Of chains that were too much for it the solver is asked more and
more rarely. Threads take turns: each claims a reader of its own.
"""
from libc.stdint cimport int16_t, uint8_t, uint64_t

from cext.go_board cimport Board
from cext.go_semeai cimport Semeai, Verdict
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
    int cells
    int16_t points[MAX_CELLS]   # of the region
    uint64_t needed             # of these, the moves that keep the outcome, where it is not settled
    uint64_t useless            # others, but for sacrifices: in a seki only those that spoil it


cdef struct Races:
    int count
    Race races[MOST_RACES]


# A race at the root of a search.
cdef struct RootRace:
    int stones[2]               # of the chains of Black and of White
    int cells
    int16_t points[MAX_CELLS]   # of the region
    uint8_t colors[MAX_CELLS]   # of these points
    Race with_move[2]           # for Black and for White; of size 0 where nothing is sure


cdef struct RootRaces:
    int count
    RootRace races[MOST_RACES]


cdef struct Answer:
    uint64_t key
    int met                     # how often nobody has read it
    bint is_read
    bint sure
    bint settled
    Outcome outcome
    Outcome after_pass
    uint64_t needed
    uint64_t useless


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

    # The races with chains of so many stones each, of which the solver is sure for a side to play.
    cdef void read_root(self, const Board* board, int smallest, RootRaces* root) noexcept nogil
    cdef void add_race(self, const Board* board, int black, int white,
                       RootRaces* root) noexcept nogil
    # Those of the root, for the side to play further down.
    cdef void find(self, const Board* board, int to_play, const RootRaces* root,
                   Races* races) noexcept nogil
    cdef void read(self, const Board* board, int own, int enemy, int meetings,
                   Race* race) noexcept nogil
    cdef Doubt* doubt_of(self, int own, int enemy) noexcept nogil
    cdef bint waits(self, int own, int enemy) noexcept nogil
    cdef void learn(self, int own, int enemy, bint sure) noexcept nogil
    cdef bint ask(self, const Board* board, int own, int enemy, int meetings, Region* region,
                  Answer* answer) noexcept nogil
    cdef uint64_t useless(self, const Board* board, int own, int enemy,
                          const Verdict* verdict) noexcept nogil


# Whether a playout has ended as the solver said when `to_play` was to play.
cdef bint as_predicted(const Board* board, int to_play, const Races* races) noexcept nogil
# Hand the chains that lose their races to the winners, and play where the largest race is not
# settled. Returns that point, or 0.
cdef int settle(Board* board, int to_play, const Races* races) noexcept nogil
