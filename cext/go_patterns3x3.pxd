"""Shapes of 3x3 points around an empty one that are worth a move, as one bit for each surrounding.

The eight neighbours are 16 bits, two for each colour: the byte Point.around, and above it the
diagonals in the order south-west, south-east, north-west, north-east. For each player to move a
set of 65,536 bits (8 kB) answers in one load whether a shape is there, in any of its symmetries.
"""
from libc.stdint cimport uint8_t

from cext.go_board cimport Board

cdef uint8_t SHAPES[3][8192]

cdef inline unsigned int surroundings(const Board* board, Py_ssize_t point) noexcept nogil:
    """The diagonals are what the neighbours to the south and north have to their left and right."""
    cdef Py_ssize_t stride = board.stride
    return (board.at[point].around | (board.at[point - stride].around & 0x3C) << 6
            | (board.at[point + stride].around & 0x3C) << 10)

cdef inline bint is_shape(unsigned int code, int player) noexcept nogil:
    return SHAPES[player][code >> 3] >> (code & 7) & 1
