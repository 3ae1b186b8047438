"""The part of a board on which a capturing race (semeai) is fought, as bits.

Two chains race, one of each side. Safe chains around them are walls, and end the region; chains
that are neither are stones that may be captured. A cell is a point of the region that is empty, or
has such a stone: at most 62, one bit each. Side 0 is the first chain's, side 1 the other's.

A chain is taken for a wall if it has two eyes, or three liberties outside of the region. A region
that is not strict takes it for one, too, if it has two of which one runs out to three; and leaves
it to the side to move whether it breaks out by a liberty of a weak chain with much space behind.
"""
from libc.stdint cimport int16_t, uint64_t

from cext.go_board cimport Board


cdef enum:
    MAX_CELLS = 64
    USED_CELLS = 62             # two are kept for cut_out()
    MAX_PARTS = 8


cdef struct Region:
    int cells
    int colors[2]
    int16_t points[MAX_CELLS]           # of the board
    uint64_t around[MAX_CELLS]          # the cells next to each
    uint64_t chain[2]                   # the cells next to each side's chain
    uint64_t wall[2]                    # and next to its walls
    uint64_t all


# The stones on the cells.
cdef struct Stones:
    uint64_t of[2]


# What a move does.
cdef enum Move:
    REFUSED
    PLAYED
    TAKES_KO            # it captures one stone, and could be captured back at once
    CAPTURES            # the other side's racing chain


# What lies around a side's chain.
cdef struct Surroundings:
    uint64_t outside            # liberties next to a wall of the enemy, of no other use to anybody
    bint alive                  # two eyes, or connected to a wall
    bint safe                   # alive if it answers
    # Other parts that the enemy's chain does not touch, nor own walls. Eyes are those that no wall
    # touches, and without own stones.
    int count
    uint64_t own[MAX_PARTS]
    bint eye[MAX_PARTS]


cdef struct Parts:
    Surroundings side[2]
    uint64_t shared     # liberties of both chains, of no other use
    uint64_t rest       # all other cells that matter


cdef inline int size_of(uint64_t cells) noexcept nogil:
    """How many."""
    cdef int count = 0
    while cells:
        cells &= cells - 1
        count += 1
    return count


cdef inline int first_of(uint64_t cells) noexcept nogil:
    """The first cell; there must be one."""
    return 63 - leading_zeros(cells & -cells)


cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define mcts_leading_zeros(x) __builtin_clzll(x)
    #else
    static int mcts_leading_zeros(unsigned long long x)
    { int i = 63; while (!(x >> i & 1)) i--; return 63 - i; }
    #endif
    """
    int leading_zeros "mcts_leading_zeros"(uint64_t bits) noexcept nogil


# Find the region of the race between two chains, by a stone of each, and the stones in it. Tells
# whether it is closed, and not too large.
cdef bint find_region(const Board* board, int first, int second, bint strict, Region* region,
                      Stones* stones) noexcept nogil
cdef uint64_t liberties_of(const Region* region, const Stones* stones, int side) noexcept nogil
cdef Move play_cell(const Region* region, Stones* stones, int side, int cell) noexcept nogil
cdef void find_parts(const Region* region, const Stones* stones, Parts* parts) noexcept nogil
# A region of some of the cells only; and of the last cell, a liberty elsewhere, if there are
# others; and of the last but one, an eye elsewhere, if there is one.
cdef void cut_out(const Region* region, const Stones* stones, int side, uint64_t cells,
                  bint others, bint eye, Region* part, Stones* inside) noexcept nogil
