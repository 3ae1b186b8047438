"""A solver of capturing races (semeai): what becomes of two chains that cannot both live.

The first side's chain is captured, or captures the other one, or neither happens. A race is read
in its region (go_semeai_region) by both sides' best moves, passes among them, until counting
(go_semeai_count) decides it: a search that goes deeper and deeper, and says that it is unsure where
it ends without an answer. It asks twice, with all kos won by the one side and by the other: where
the answers differ there is a ko.

What it says is exact as long as the walls around the region stand.
"""
from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

from cext.go_board cimport Board
from cext.go_semeai_count cimport Count, CountTable, Outcome
from cext.go_semeai_region cimport MAX_CELLS, Parts, Region, Stones


cdef enum:
    MAX_PATH = 80
    ENTRIES = 1 << 15
    STANDS = 1 << 14
    HOT = -1                    # what moves are worth depends on who moves first
    SAFE = 99


cdef enum Answer:
    NO
    YES
    OPEN


# What a search remembers of a position.
cdef struct Entry:
    uint64_t stones[2]
    uint32_t race               # the number of the question it belongs to
    uint8_t question            # who is to play, after a pass or not, what is asked
    uint8_t answer
    int8_t depth                # how deep was searched for an answer that is open
    int8_t move


# How many moves a side makes elsewhere before it is captured through some cells.
cdef struct Stand:
    uint64_t cells              # and what is around them, as a hash
    uint64_t stones[2]
    uint32_t race
    uint8_t question            # who is to play, whose cells, who wins the kos
    uint8_t moves


cdef struct Verdict:
    bint sure
    bint ko
    Outcome outcome             # of the first side's chain
    bint pass_keeps             # whether a pass keeps it
    uint64_t moves              # the cells that keep it; of no interest where a pass does
    bint strict                 # how walls were recognised
    Stones stones               # on the cells


cdef class Semeai:
    cdef Region region
    cdef readonly long nodes
    cdef readonly long most_nodes
    cdef uint32_t race
    cdef bint tangled           # some cells were too much, or moves in them may repeat for ever
    cdef int reads              # positions in some cells
    cdef int master             # the side that wins all kos
    cdef Outcome target         # what the first side is to reach
    cdef Entry* entries
    cdef Stand* stands
    cdef CountTable* counts
    cdef Stones path[MAX_PATH]
    cdef uint32_t history[2][MAX_CELLS]

    # Who wins the race between two chains, by a stone of each, if side `to_play` moves. Tells
    # whether that is sure. All moves are looked for where a pass is as good, too, if asked.
    cdef bint judge(self, const Board* board, int first, int second, int to_play, bint all_moves,
                    Verdict* verdict) noexcept nogil
    cdef list best_first(self, const Board* board, int first, int second, int to_play,
                         const Verdict* verdict)
    cdef bint judge_within(self, const Board* board, int first, int second, bint strict,
                           int to_play, bint all_moves, Verdict* verdict) noexcept nogil
    cdef int keeps(self, const Stones* stones, int to_play, int cell,
                   Outcome outcome) noexcept nogil
    cdef int next_cell(self, uint64_t left, int first, int to_play) noexcept nogil
    cdef int ask(self, const Stones* stones, int to_play) noexcept nogil
    cdef int outcome(self, const Stones* stones, int to_play) noexcept nogil
    cdef int reaches(self, const Stones* stones, int to_play, bint passed, int depth,
                     int ply) noexcept nogil
    cdef int decide(self, const Stones* stones, int to_play, bint passed,
                    Parts* parts) noexcept nogil
    cdef uint64_t moves(self, const Stones* stones, const Parts* parts, int to_play) noexcept nogil
    cdef uint64_t fills(self, const Stones* stones, int side,
                        const Parts* parts) noexcept nogil
    cdef int try_move(self, const Stones* stones, int to_play, int cell, bint passed, int depth,
                      int ply) noexcept nogil
    cdef void count_own(self, const Stones* stones, int side, bint closed, Parts* parts,
                        Count* count) noexcept nogil
    cdef int worth(self, const Stones* stones, int side, uint64_t cells, bint others,
                   bint eye) noexcept nogil
    cdef int stand(self, const Region* part, const Stones* stones, int side, uint64_t cells,
                   int to_play, int depth) noexcept nogil
    cdef Stand* entry_of(self, const Stones* stones, uint64_t cells,
                         uint8_t question) noexcept nogil
    cdef bint is_of(self, const Stand* entry, const Stones* stones, uint64_t cells,
                    uint8_t question) noexcept nogil
    cdef void keep(self, Stand* entry, const Stones* stones, uint64_t cells, uint8_t question,
                   int moves) noexcept nogil
    cdef int read_stand(self, const Region* part, const Stones* stones, int side, uint64_t cells,
                        int to_play, int depth) noexcept nogil
    cdef bint repeated(self, const Stones* stones, int ply) noexcept nogil
