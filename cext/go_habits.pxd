"""Which moves people play: a factor for everything that is seen of a move.

A move is chosen with a probability that is proportional to the product of its factors, as in
Coulom's model of 2007: of the 3x3 shape around it, of what it captures, saves, attacks or puts in
atari, of its distances from the last two moves, and of its line. Their logarithms are integers, in
tenths, learnt from 4,000 games of people on 19x19 by maximum likelihood.
"""
from libc.stdint cimport int8_t, uint16_t, uint32_t

from cext.go_board cimport MAX_SIZE, Board


# What a move does, besides making a shape.
cdef struct Deeds:
    int capture             # 0 nothing, 1 a stone, 2 more, 3 stones that had one's own in atari
    int escape              # from atari: 0 no, 1 in vain, 2 with a stone, 3 with more
    int peril               # own stones put in atari: 0 none, 1 the move alone, 2 more
    int attack              # puts stones in atari: 0 no, 1 yes


# Where stones are near, row by row: a bit for each column, from the fourth on.
cdef struct Crowds:
    uint32_t two[MAX_SIZE]      # of this row and two on either side
    uint32_t three[MAX_SIZE]


cdef void see_crowds(Crowds* crowds, const Board* board) noexcept nogil
cdef Deeds deeds_of(const Board* board, int player, int point) noexcept nogil


cdef enum:
    NO_HABIT = 20           # what habit_beside says where every factor is 1

cdef int8_t SHAPE[3][65536]     # by player to move and surroundings
# By whether a point is next to the last move, and by its shape's tenths, from -128 on.
cdef uint16_t BESIDE[2][256]


cdef inline int habit_beside(unsigned int code, int player, bint next_to) noexcept nogil:
    """The factors of surroundings and of a place beside the last move, next to it or diagonal, as a
    whole number to draw by.
    """
    return BESIDE[next_to][128 + SHAPE[player][code]]


# The logarithm of the product, in tenths.
cdef int habit(const Board* board, int player, int point, int last, int before,
               const Deeds* deeds, const Crowds* crowds) noexcept nogil
# And back: e to a tenth of a number.
cdef double factor(int tenths) noexcept nogil
