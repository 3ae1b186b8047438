"""Questions about stones in danger: the liberties of a chain, captures that save it, ladders."""
from libc.stdint cimport uint16_t

from cext.go_board cimport Board


# The points of a chain's liberties, up to `most` of them; returns how many were found.
cdef int find_liberties(const Board* board, int stone, int most, int* points) noexcept nogil
# The points where enemies of a chain, adjacent to it and in atari, can be captured.
cdef int find_captures(const Board* board, int stone, int most, int* points) noexcept nogil
# Whether a chain that is in atari, and to move, cannot escape by running. Captures it may make are
# taken for an escape.
cdef bint caught_in_ladder(const Board* board, int stone) noexcept nogil
# Whether a stone at a point has three liberties, with those of the chains that it joins.
cdef bint runs_to_three(const Board* board, int player, int point) noexcept nogil
