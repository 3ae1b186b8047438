"""Threats in Havannah: cells that win at once, and pairs of empty cells that win together.

Whoever plays one cell of a pair threatens to play the other. A cell in two pairs makes two threats,
and the other side can answer one: it wins in two moves. A line of threats, each of which must be
answered, may lead there.

Only cells beside own stones can win at once. Two cells, one of them beside own stones, win together
if they are

 * side by side: what the stone on one joins, and the other one touches elsewhere, closes a ring; or
   both together reach enough;
 * apart, and both would join the same two chains: a ring; or they share a chain, and reach enough
   together;
 * the last two around an own stone: a filled ring.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

from cext.havannah_board cimport MAX_CELLS, MAX_WIDTH, Board

cdef enum:
    MOST_SPOTS = 721            # the cells of a board of size 16
    LONGEST_LINE = 30


# An empty cell beside a player's stones.
cdef struct Spot:
    int16_t cell
    uint16_t reach              # the edges and corners that the chain of a stone there would reach
    int16_t joined              # how many chains it would join, and their roots
    int16_t roots[3]


cdef struct Threats:
    int wins                    # how many cells win at once; if any do, no pair is looked for
    int16_t winning[2]          # the first two of them, in the order of their numbers
    int spots
    Spot at[MOST_SPOTS]
    int16_t spot_at[MAX_CELLS]          # of a cell that is marked in `near`
    uint32_t near[MAX_WIDTH + 2]        # the spots as a map, as in Board.rows
    int cells                   # the cells that belong to pairs, as they were found
    int16_t listed[MOST_SPOTS]
    uint8_t pairs[MAX_CELLS]    # by cell: of how many pairs it is a part; 3 stands for more, too
    int16_t replies[MAX_CELLS][2]       # the other cells of the first two


# The cells of threats that win, and of the answers to them.
cdef struct Line:
    int count
    int16_t cells[LONGEST_LINE]


# Find the cells on which a player wins at once: in `wins`, `winning`, and all spots.
cdef void find_wins(const Board* board, int player, Threats* found) noexcept nogil
# Find the pairs; after find_wins(), and only where it has found none. On boards of size 3 or more
# these are all.
cdef void find_pairs(const Board* board, int player, Threats* found) noexcept nogil
# A move with which the player to move wins by threats, or -1: `depth` threats may come before the
# one that is double. `found` has the player's pairs; neither side wins at once. Every position that
# is looked at takes one off `budget`.
cdef int winning_threat(const Board* board, int player, const Threats* found, int depth,
                        int* budget, Line* line) noexcept nogil
# The cells that answer every double threat, own threats apart: returns how many, at most 3, or -1
# if there is no double threat.
cdef int answers_to_double_threats(const Threats* found, int16_t* answers) noexcept nogil
