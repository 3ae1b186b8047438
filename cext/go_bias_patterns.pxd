"""Patterns of Go, matched at every candidate of a position at once, in all eight symmetries.

A pattern is a set of cells around a move, each of one of five kinds, and a strength. It matches at
a point if in one symmetry at least all of its cells are there, and then adds its strength to the
bias of that point: once, in however many symmetries it matches.

The board is turned, not the patterns. For the player to move and for each kind of cell, the board
is a string of bits, all eight symmetries of each row side by side, so that a row has as many bytes
as the board has columns:

        row 0   |sym 0|sym 1| ... |sym 7|       of 19 bits each on 19x19, bit c for column c:
        row 1   |sym 0|sym 1| ... |sym 7|       the point is of this kind

Looking dy rows away is another address, looking dx columns away a shift that is made once for all
patterns: a plane for each (kind, dx) in use. So a pattern is matched everywhere, in all symmetries,
by one AND a cell over as many bytes as the board has points, however far away its cells are.
Patterns that have two cells in common, in some symmetry, form a family and share them. What is left
are bits, each a symmetry and a point at which a pattern matches.

Strengths are added as integers, multiples of 2^-32, and the sum is rounded to a float once. So
biases do not depend on the order of the patterns, on the processor or on the compiler.
"""
from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t

from cext.go_board cimport Board

cdef enum:
    MAX_REACH = 24              # cells lie at most so far from the move, in rows and in columns
    MAX_STRENGTH = 1000
    MAX_PATTERNS = 1 << 20      # so that no sum of strengths overflows 63 bits


# Kinds of cells, in terms of the player to move; go_bias_patterns.pyx has a letter for each.
cdef enum:
    OWN
    ENEMY
    STONE           # of either
    VACANT          # an empty point of the board
    OUTSIDE         # off the board
    KINDS


cdef struct Plane:
    int32_t kind
    int32_t dx


cdef struct Pattern:
    int64_t strength            # times 2^32
    uint32_t first_cell         # those that its family does not share
    uint32_t cells


cdef struct Family:
    uint32_t first_cell         # the shared cells
    uint32_t cells
    uint32_t first_pattern
    uint32_t patterns


cdef class Patterns:
    cdef readonly int count
    cdef readonly int reach     # the farthest row or column of a cell
    cdef int plane_count
    cdef int plane_rows         # those of the largest board, and `margin` more on each side
    cdef int margin
    cdef int family_count
    cdef Plane* planes
    cdef Pattern* patterns
    cdef Family* families
    cdef uint32_t* cells        # plane * plane_rows + margin + dy: the row to AND with row 0

    # Write the bias of each of the points, which are empty points of the board, on which `player`
    # is to move. Threads may share the patterns: nothing in them changes.
    cdef void biases(self, const Board* board, int player, const int16_t* points, int count,
                     float* biases) noexcept nogil
    cdef int compile(self, list patterns) except -1
