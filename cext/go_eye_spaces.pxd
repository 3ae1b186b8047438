"""Small eye spaces: the point that makes two eyes or prevents them, and stones that fill one.

Whoever plays at the point * of one of these spaces, and its turns, decides whether it has two eyes:

    . * .       . *       . * .       . .         .         . .
                  .         .         * .       . * .       . * .
                                      .           .           .

and in a corner of the board of a rectangle of six. So does who fills a space, but for one point,
with stones of such a shape: they are captured, and there it plays again.
"""
from libc.stdint cimport uint8_t

from cext.go_board cimport Board


# The most points of a space, one of them the last that is left of the largest shape.
cdef enum:
    MOST_SPACE = 7


# By the colour of a wall and surroundings (go_patterns3x3): whether a point may be in such a space.
cdef uint8_t NARROW[3][8192]

cdef inline bint maybe_space(unsigned int code, int wall) noexcept nogil:
    return NARROW[wall][code >> 3] >> (code & 7) & 1


cdef struct Space:
    int count
    int points[MOST_SPACE]


# Find the points around one of them that are bounded by stones of one colour. Small chains of the
# other colour are a part of them. False where there are too many.
cdef bint find_space(const Board* board, int wall, int start, Space* space) noexcept nogil
# The empty point that decides about a space; 0 if none does.
cdef int vital_point(const Board* board, int wall, const Space* space) noexcept nogil
# How many stones the chain would have that a stone makes, if what it leaves when it is captured
# has room for one eye only, unless the enemy plays first; 0 for another shape.
cdef int deadly_size(const Board* board, int player, int point) noexcept nogil
