"""Havannah behind the seam of game.pxd. White is player 1 and moves first; there is no pass."""
from cext.game cimport Game
from cext.havannah_board cimport Board


cdef class Havannah(Game):
    cdef Board board
    cdef readonly bint swap         # may the second move take over the first stone?
    cdef int last_move              # the cell of the last stone, or -1
    cdef int ending                 # how the game was won: RING, BRIDGE, FORK added up
    cdef int victor                 # 1 or 2 once it is won

    cdef void start(self, int size) noexcept
    cdef bint swaps(self, int move) noexcept nogil      # does this move take over the first stone?
    cdef void copy_havannah(self, Havannah other) noexcept nogil
