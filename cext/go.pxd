"""Go behind the seam of game.pxd: a board, komi, passes, and the history that superko needs.

Point 0 is A1, then along the rows: point = row * size + column. Black is player 1.
"""
from libc.stdint cimport int16_t, uint64_t

from cext.game cimport Game
from cext.go_board cimport Board


# How a real game treats a repeated whole-board position. Playouts know the simple ko only.
cdef enum Superko:
    SIMPLE          # only the ko just taken is refused
    POSITIONAL      # no earlier position may come back
    SITUATIONAL     # no earlier position with the same player to move


cdef class Go(Game):
    cdef Board board
    cdef readonly int passes        # in a row, just now
    cdef int last                   # the points of the last two moves, 0 for a pass or none
    cdef int before
    cdef int twice_komi             # an integer, so that scores are compared exactly
    cdef Superko superko
    cdef uint64_t hash              # of the stones on the board
    cdef uint64_t* history          # the hashes of all positions of the game, the current one last
    cdef int recorded
    # A bit for the twelve low bits of each hash of the history: most positions are new at a glance.
    cdef uint64_t* marks
    cdef int capacity

    cdef void name_moves(self, int16_t* trace, int plies) noexcept nogil
    cdef void copy_go(self, Go other) noexcept nogil
    cdef int at(self, int move) noexcept nogil              # move number to board point
    cdef int move_at(self, int point) noexcept nogil        # and back
    cdef uint64_t hash_after(self, int point) noexcept nogil
    cdef bint repeats(self, int point) noexcept nogil
    cdef uint64_t situation(self, uint64_t hash, int to_play) noexcept nogil
    cdef void record(self) noexcept nogil
    cdef void reserve(self, int count) noexcept nogil
    cdef void clear(self, int to_play) noexcept nogil
    cdef int set_stone(self, int color, int move) except -1
    cdef bint breathes(self, int move) noexcept
