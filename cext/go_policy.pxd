"""MoGo's expertise: playouts that answer the last move (go_playouts), and priors (go_priors).

A player may know capturing races, too (go_races): those at the root are looked at where a playout
begins, and where a node gets its moves.
"""
from libc.stdint cimport int16_t, int64_t

from cext.go cimport Go
from cext.go_bias_patterns cimport Patterns
from cext.go_move_model cimport MoveModel
from cext.go_playouts cimport Steps
from cext.go_priors cimport Weights
from cext.go_races cimport RaceReader, Races, RootRaces
from cext.policy cimport Candidate, Policy
from cext.rng cimport Rng


cdef enum:
    MOST_READERS = 64


cdef class GoPolicy(Policy):
    cdef readonly Patterns patterns     # or None
    cdef bint has_patterns
    cdef readonly MoveModel move_model  # or None
    cdef Steps steps
    cdef Weights weights
    cdef bint asks_in_playouts          # the solver of races
    cdef bint asks_in_tree
    cdef list readers                   # of races, one for each thread
    cdef void* reader_at[MOST_READERS]
    cdef int16_t busy[MOST_READERS]
    cdef int reader_count
    cdef RootRaces root
    # Playouts that were played again, because they ended otherwise than the solver says.
    cdef int64_t replayed

    cdef int claim_reader(self) noexcept nogil
    cdef void find_races(self, Go game, Races* races) noexcept nogil
    cdef int play_with_races(self, Go game, Rng* rng, int16_t* trace) noexcept nogil
    cdef int play_settled(self, Go game, const Races* races, Rng* rng,
                          int16_t* trace) noexcept nogil
    cdef void add_race_priors(self, Go game, Candidate* candidates, int count) noexcept nogil
