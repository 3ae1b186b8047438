"""What people play, by the wider surroundings of a point: a database learnt from their games.

It corrects what go_habits says of a move, which sees no farther than the eight points around it, by
factors for five things:

    zones       where on a large board a point is, and how far from any stone
    distances   how far it is from the nearest stones of either side
    answers     where it lies as seen from the last two moves
    fights      the liberties that a stone would have there, and those of the weakest chains of
                either side beside it; by where it lies as seen from the last move
    shapes      what is on the 20 or 36 points around it, where people often play that

Logarithms are integers, in tenths, as in go_habits.
"""
from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t

from cext.go cimport Go
from cext.go_board cimport MAX_POINTS, MAX_SIZE, Board


cdef enum:
    BEYOND = 3                  # rows and columns of a shape that may be off the board
    WIDTH = 31                  # of a board with these, the largest one
    SMALL = 20                  # cells of a shape that is known, and of one around it
    LARGE = 36
    COUNT_OF_ZONES = 4          # by distance from the nearest stone
    NEAREST = 6                 # lines from the nearer edge
    FARTHEST = 8                # and from the farther one
    STEPS = 10                  # from the nearest own and enemy stones
    LINES = 5
    PLACES = 23                 # from another move: none, up to five rows and columns away, farther
    NEAR_PLACES = 12            # up to three
    LIBERTIES = 7               # of a stone
    CHAIN_LIBERTIES = 6         # of a chain beside it; 0 where there is none


cdef struct Square:
    int row                     # from 0 on; -1 for none
    int column


# A position as one side sees it, to be looked at point by point.
cdef struct View:
    int size
    uint64_t rows[WIDTH]                        # two bits a cell: 0 empty, 1 own, 2 enemy, 3 off
    uint8_t steps[3][MAX_SIZE * MAX_SIZE]       # to the nearest stone of a side, up to STEPS - 1
    uint16_t liberties[MAX_POINTS]              # of chains
    int player
    Square last                                 # where the last moves were
    Square before


cdef struct Place:
    Square square
    int at                      # in steps
    int near_line               # from the nearer edge, from 0 on
    int far_line


# What is seen at a point: what is around it, and the code of the small shape that this is.
cdef struct Sight:
    Place place
    uint64_t window[2]
    uint64_t code


cdef struct Entry:
    uint32_t key                # 0 where there is none
    int8_t value


cdef void see(View* view, Go game) noexcept nogil


cdef class Database:
    cdef int8_t zones[COUNT_OF_ZONES][NEAREST][FARTHEST]
    cdef int8_t distances[STEPS][STEPS][LINES]
    cdef int8_t answers[PLACES][PLACES]
    cdef int8_t fights[NEAR_PLACES][LIBERTIES][CHAIN_LIBERTIES][CHAIN_LIBERTIES]
    cdef Entry* entries
    cdef uint32_t mask
    cdef readonly int shapes

    cdef int8_t* table(self, name) except NULL
    cdef void put(self, uint64_t code, int value)
    cdef const Entry* find(self, uint64_t code) noexcept nogil
    cdef void expect(self, const View* view, const Board* board, int point,
                     Sight* sight) noexcept nogil
    cdef int tenths(self, const View* view, const Board* board, int point,
                    const Sight* sight) noexcept nogil
