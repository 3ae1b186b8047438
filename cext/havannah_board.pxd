"""The Havannah board of the playouts: plain memory, copied by one memcpy.

Cells are numbered y * width + x, with width = 2 * size - 1, 0 <= x, y < width and |x - y| < size;
the numbers in between belong to no cell. Size 4, and the six neighbours of a cell:

        y=0       .   .   .   .                (x-1, y-1)   (x, y-1)
        y=1     .   .   .   .   .
        y=2   .   .   .   .   .   .         (x-1, y)   (x, y)   (x+1, y)
        y=3 .   .   .   .   .   .   .
        y=4   .   .   .   .   .   .              (x, y+1)   (x+1, y+1)
        ...

Each colour has a bit map a row, so three loads tell which of a cell's six neighbours are of that
colour. A table of 64 entries turns them into runs: neighbours side by side are one chain already,
so a stone has at most three chains to join, by union-find. A chain knows which edges and corners
it reaches. A ring needs no search:

 * If two separate runs are one chain, the new stone closes a loop around what parts the runs.
 * If all six neighbours of a stone are its own colour, the ring around it is complete (and filled).
 * There is no other: a loop around a cell of another kind, whose last stone has a single run for
   neighbours, could have gone through that run instead, so it was there before.
"""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t

from cext.rng cimport Rng

cdef enum:
    MAX_SIZE = 16
    MAX_WIDTH = 31              # 2 * MAX_SIZE - 1
    MAX_CELLS = 961             # MAX_WIDTH * MAX_WIDTH

# How a game was won; several at once add up.
cdef enum:
    RING = 1
    BRIDGE = 2
    FORK = 4


cdef struct Cell:
    uint16_t parent             # the way to the chain's root; only a stone's means anything
    uint16_t reach              # of a root: bits 0-5 the edges its chain touches, 6-11 the corners


# What depends on the size alone, and on the cell.
cdef struct Place:
    uint8_t x
    uint8_t y
    uint16_t reach              # the edges and corners that it is part of, as in Cell

cdef struct Geometry:
    int16_t offset[8]           # from a cell to its neighbours, and to itself
    Place at[MAX_CELLS]
    # Bit i: neighbour i is off the board. It stands apart, so that a Place is a word.
    uint8_t outside[MAX_CELLS]

cdef Geometry GEOMETRY[MAX_SIZE + 1]


# What a pattern of own stones around a cell means. Bit i of a pattern is neighbour i:
#
#         0   1
#       2   .   3        cyclic order 0 1 3 5 4 2
#         4   5
cdef struct Look:
    uint8_t runs            # groups of own stones side by side: 0 to 3
    uint8_t dense           # three or more side by side, so that a filled ring may be complete
    uint8_t first[3]        # a neighbour of each run; 6, the cell itself, where there is no run

cdef Look LOOKS[64]
cdef int CYCLE[6]
# Whether, and how, reaching these edges (bits 0-5) and corners (6-11) wins.
cdef uint8_t REACHED[4096]


cdef struct Board:
    int32_t size
    int32_t width               # 2 * size - 1
    int32_t empties             # how many entries of `listed` are in use
    # By player less one and row: bit x + 1 is the cell (x, y), in entry y + 1. The frame stays 0.
    uint32_t rows[2][MAX_WIDTH + 2]
    uint16_t listed[736]        # the empty cells; a board of size 16 has 721
    Cell at[MAX_CELLS]


cdef inline uint32_t pattern_at(const uint32_t* rows, Py_ssize_t x, Py_ssize_t y) noexcept nogil:
    """Which neighbours are of one colour; thanks to the frame no edge is special."""
    return ((rows[y] >> x) & 3
            | ((rows[y + 1] >> x) & 1) << 2 | ((rows[y + 1] >> x) & 4) << 1
            | ((rows[y + 2] >> (x + 1)) & 3) << 4)


cdef inline int root_of(const Board* board, int cell) noexcept nogil:
    """Return the root of a stone's chain, without shortening the way to it."""
    while board.at[cell].parent != cell:
        cell = board.at[cell].parent
    return cell


cdef void copy_board(Board* board, const Board* other) noexcept nogil
cdef void clear_board(Board* board, int size) noexcept nogil
cdef bint on_board(const Board* board, int cell) noexcept nogil
# Which of a cell's neighbours have a player's stones, as bits 0 to 5:
#
#         0   1
#       2   .   3
#         4   5
cdef int stones_around(const Board* board, int player, int cell) noexcept nogil
# How a stone of a player on an empty cell would win, or 0.
cdef int would_win(const Board* board, int player, int cell) noexcept nogil
# The edges and corners that the chain of such a stone would reach.
cdef int would_reach(const Board* board, int player, int cell) noexcept nogil
# 1 or 2 for a stone, else 0.
cdef int color_at(const Board* board, int cell) noexcept nogil
# The edges and corners that a cell is part of, as in Cell.reach; a corner is part of no edge.
cdef int reach_of(const Board* board, int cell) noexcept nogil
# Put a stone on an empty cell and leave it listed; returns how that wins, or 0.
cdef int add_stone(Board* board, int player, int cell) noexcept nogil
# The same, and take the cell off the list.
cdef int play_stone(Board* board, int player, int cell) noexcept nogil
# Take the only stone of a one-stone board and make it the other player's.
cdef void swap_stone(Board* board, int cell) noexcept nogil
# Play at random until a win or a full board. Returns the plies; `winner` is 0 for a draw, and
# `trace`, if not NULL, takes the cells.
cdef int play_out(Board* board, int player, Rng* rng, int* winner, int16_t* trace) noexcept nogil
# Play one random move and return its cell; `ending` is how it wins.
cdef int play_at_random(Board* board, int player, Rng* rng, int* ending) noexcept nogil
# Whether a stone beside a cell would have only its own colour around, or the cell itself; `rows`
# are those of the colour, `pattern` its stones around the cell.
cdef bint closes_filled_ring(const uint32_t* rows, const Geometry* geometry, int cell,
                             uint32_t pattern) noexcept nogil
