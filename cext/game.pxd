"""The one seam between games and everything above them (tree, search, sharing, runner).

A game numbers its points 0 .. points-1; a move is a point, or `points` for a pass where the game
knows one. Players are 1, who moves first, and 2. A search copies the game, plays down the tree and
calls playout() once: one virtual call a playout, direct calls inside.

A new game is one subclass in a .pyx/.pxd pair of its own, and one line in mcts_cluster/games.py.
"""
from libc.stdint cimport int16_t, uint64_t

from cext.rng cimport Rng

cdef enum:
    LONGEST_PLAYOUT = 8192      # plies; no game plays out longer
    PLAYOUTS_AT_A_TIME = 1024   # between two looks at the signals


cdef class Game:
    cdef readonly int size          # of the board, as the game counts it
    cdef readonly int points        # moves are 0 .. points-1, and `points` is the pass
    cdef readonly int to_play       # 1 or 2
    cdef readonly int ply           # moves made since the start, passes included

    cdef void copy_from(self, Game other) noexcept nogil
    cdef bint legal(self, int move) noexcept nogil
    # Whether a legal move is worth a thought. Playouts make no other: they fill no own eye, say.
    cdef bint sensible(self, int move) noexcept nogil
    # `move` must be legal: nothing is checked again.
    cdef void make(self, int move) noexcept nogil
    cdef bint over(self) noexcept nogil
    # 1, 2, or 0 for a draw; of the position as it stands where the game is not over.
    cdef int leader(self) noexcept nogil
    # Whose a point is, 1, 2, or 0 for nobody's: of the position as it stands, or after a playout.
    cdef int owner(self, int point) noexcept nogil
    # A hash of everything on which the rest of the game depends, or 0 where that is not offered.
    cdef uint64_t key(self) noexcept nogil
    # Play at random to the end and return the winner. Only `ply`, leader() and owner() mean
    # anything afterwards; copy_from() makes the game usable again. `trace` takes the moves, one a
    # ply, and has room for LONGEST_PLAYOUT; NULL takes none.
    cdef int playout(self, Rng* rng, int16_t* trace) noexcept nogil
    # One move of a playout, or -1 when it is finished: for tests and for looking at playouts.
    cdef int playout_move(self, Rng* rng) noexcept nogil


cdef inline void copy_base(Game game, Game other) noexcept nogil:
    """Copy what every game has, for its copy_from()."""
    game.size = other.size
    game.points = other.points
    game.to_play = other.to_play
    game.ply = other.ply
