"""What every game offers to Python on top of the seam of game.pxd."""
from time import thread_time
from typing import NamedTuple

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, int64_t, uint64_t

from cext.rng cimport Rng, seed_rng


class Playouts(NamedTuple):
    """The outcome of a number of playouts from one position."""

    first_wins: int
    second_wins: int
    draws: int
    moves: int          # of all of them together, passes included
    seconds: float      # of this thread's CPU

    @property
    def total(self):
        return self.first_wins + self.second_wins + self.draws


cdef class Game:
    cdef void copy_from(self, Game other) noexcept nogil:
        pass

    cdef bint legal(self, int move) noexcept nogil:
        return False

    cdef bint sensible(self, int move) noexcept nogil:
        return True

    cdef void make(self, int move) noexcept nogil:
        pass

    cdef bint over(self) noexcept nogil:
        return True

    cdef int leader(self) noexcept nogil:
        return 0

    cdef int owner(self, int point) noexcept nogil:
        return 0

    cdef uint64_t key(self) noexcept nogil:
        return 0

    cdef int playout(self, Rng* rng, int16_t* trace) noexcept nogil:
        cdef int plies = 0, move = self.playout_move(rng)
        while move >= 0:
            if trace != NULL:
                trace[plies] = <int16_t>move
            plies += 1
            move = self.playout_move(rng)
        return self.leader()

    cdef int playout_move(self, Rng* rng) noexcept nogil:
        return -1

    def is_legal(self, int move):
        """Tell whether the player to move may play `move`, under the rules of a real game."""
        return 0 <= move <= self.points and not self.over() and self.legal(move)

    def legal_moves(self):
        """Return the numbers of the legal moves in ascending order, the pass last."""
        return [move for move in range(self.points + 1) if self.is_legal(move)]

    def sensible_moves(self):
        """Return the legal moves but those that only harm; the pass where there is none.

        Of the moves left out, filling a real eye of one's own say, no playout plays any.
        """
        legal = self.legal_moves()
        moves = [move for move in legal if move < self.points and self.sensible(move)]
        return moves or [move for move in legal if move == self.points]

    def play(self, int move):
        """Play a move by its number; raises ValueError where it is not legal."""
        if not self.is_legal(move):
            raise ValueError(f"move {move} is not legal here")
        self.make(move)

    @property
    def is_over(self):
        return self.over()

    def winner(self):
        """Return 1 or 2, or 0 for a draw: of the position as it stands."""
        return self.leader()

    def position_key(self):
        """Return a hash of everything on which the rest of the game depends, or 0 for none."""
        return self.key()

    def score(self):
        """Return by how much the first player leads: here 1, 0 or -1, as the game is won."""
        return (0.0, 1.0, -1.0)[self.leader()]

    def playouts(self, int64_t count, uint64_t seed):
        """Play `count` playouts from here, without the GIL; the position stays as it is.

        No other thread may play in this game meanwhile; each should have a copy of its own.
        """
        cdef Game scratch = self.copy()
        cdef Rng rng
        cdef int64_t moves = 0
        cdef int64_t wins[3]
        wins[0] = wins[1] = wins[2] = 0
        seed_rng(&rng, seed)
        if count < 0:
            raise ValueError(f"{count} playouts: must be 0 or more")
        began = thread_time()
        while count:
            with nogil:
                for _ in range(min(count, PLAYOUTS_AT_A_TIME)):
                    scratch.copy_from(self)
                    wins[scratch.playout(&rng, NULL)] += 1
                    moves += scratch.ply - self.ply
            count -= min(count, PLAYOUTS_AT_A_TIME)
            PyErr_CheckSignals()
        return Playouts(wins[1], wins[2], wins[0], moves, thread_time() - began)

    def playout_moves(self, uint64_t seed, bint check=False):
        """Return the moves of one playout from here; with `check`, check() after each of them."""
        cdef Game scratch = self.copy()
        cdef Rng rng
        cdef int move
        seed_rng(&rng, seed)
        moves = []
        while True:
            move = scratch.playout_move(&rng)
            if check:
                scratch.check()
            if move < 0:
                return moves
            moves.append(move)
