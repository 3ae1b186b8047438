"""The policy without knowledge, and what every policy offers to Python."""
from time import thread_time

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy

from cext.game cimport LONGEST_PLAYOUT, PLAYOUTS_AT_A_TIME, Game
from cext.game import Playouts
from cext.rng cimport Rng, seed_rng


cdef class Policy:
    """Uniform playouts, and no move better than another: of any game."""

    cdef void prepare(self, Game root) noexcept nogil:
        pass

    cdef int playout(self, Game game, Rng* rng, int16_t* trace) noexcept nogil:
        return game.playout(rng, trace)

    cdef int candidates(self, Game game, Candidate* candidates) noexcept nogil:
        cdef int count = 0, move
        for move in range(game.points + 1):
            if game.legal(move) and game.sensible(move):
                memset(&candidates[count], 0, sizeof(Candidate))
                candidates[count].move = <int16_t>move
                count += 1
        return count

    @property
    def replays(self):
        """How many playouts were replayed, because the policy knew better."""
        return 0

    def suits(self, game):
        """Tell whether this policy knows the game."""
        return True

    def check_suits(self, Game game not None):
        """Raise ValueError for a game that this policy does not know."""
        if not self.suits(game):
            raise ValueError(f"{type(self).__name__} is not for {type(game).__name__}")

    def advice(self, Game game not None):
        """Return the candidate moves as a NumPy record array, in the order of their numbers."""
        kind = [("move", "i2"), ("heuristic", "i2"), ("visits", "u2"), ("wins", "u2"),
                ("bias", "i2"), ("proven", "i2")]
        array = numpy.zeros(game.points + 1, kind)
        cdef unsigned char[::1] view = array.view("u1")
        self.check_suits(game)
        if game.over():
            return array[:0]
        self.prepare(game)
        return array[:self.candidates(game, <Candidate*>&view[0])]

    def playouts(self, Game game not None, int64_t count, uint64_t seed):
        """Play `count` playouts from a position; see Game.playouts()."""
        cdef Game scratch = game.copy()
        cdef Rng rng
        cdef int64_t moves = 0
        cdef int64_t wins[3]
        wins[0] = wins[1] = wins[2] = 0
        self.check_suits(game)
        if count < 0:
            raise ValueError(f"{count} playouts: must be 0 or more")
        seed_rng(&rng, seed)
        began = thread_time()
        self.prepare(game)
        while count:
            with nogil:
                for _ in range(min(count, PLAYOUTS_AT_A_TIME)):
                    scratch.copy_from(game)
                    wins[self.playout(scratch, &rng, NULL)] += 1
                    moves += scratch.ply - game.ply
            count -= min(count, PLAYOUTS_AT_A_TIME)
            PyErr_CheckSignals()
        return Playouts(wins[1], wins[2], wins[0], moves, thread_time() - began)

    def owners(self, Game game not None, int64_t count, uint64_t seed):
        """Return whose each point is after `count` playouts, the mean: 1 player 1's, -1 player 2's.
        """
        cdef Game scratch = game.copy()
        cdef Rng rng
        cdef int64_t left = count
        cdef int point
        cdef double signs[3]
        totals = numpy.zeros(game.points)
        cdef double[::1] total = totals
        self.check_suits(game)
        if count < 1:
            raise ValueError(f"{count} playouts: must be 1 or more")
        signs[0], signs[1], signs[2] = 0, 1, -1
        seed_rng(&rng, seed)
        self.prepare(game)
        while left:
            with nogil:
                for _ in range(min(left, PLAYOUTS_AT_A_TIME)):
                    scratch.copy_from(game)
                    self.playout(scratch, &rng, NULL)
                    for point in range(game.points):
                        total[point] += signs[scratch.owner(point)]
            left -= min(left, PLAYOUTS_AT_A_TIME)
            PyErr_CheckSignals()
        return (totals / count).tolist()

    def playout_moves(self, Game game not None, uint64_t seed):
        """Return the moves of one playout from a position."""
        cdef Game scratch = game.copy()
        cdef Rng rng
        cdef int16_t* trace
        self.check_suits(game)
        trace = <int16_t*>malloc(LONGEST_PLAYOUT * sizeof(int16_t))
        if trace == NULL:
            raise MemoryError
        seed_rng(&rng, seed)
        try:
            self.prepare(game)
            self.playout(scratch, &rng, trace)
            return [trace[i] for i in range(scratch.ply - game.ply)]
        finally:
            free(trace)


def steps_and_weights(settings, defaults):
    """Return the settings of a policy, completed: its playout_* and its prior_*, by the rest of
    their names; raises ValueError.
    """
    for name in settings:
        if name not in defaults:
            raise ValueError(f"unknown setting {name!r}: allowed are {', '.join(defaults)}")
    values = {**defaults, **settings}
    for name, value in values.items():
        if not 0 <= value <= 1000:
            raise ValueError(f"{name} {value}: 0 to 1000 is allowed")
    return tuple({name.removeprefix(kind): value for name, value in values.items()
                  if name.startswith(kind)} for kind in ("playout_", "prior_"))
