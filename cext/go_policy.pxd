"""MoGo's expertise: playouts that answer the last move, and opinions about moves for the tree.

A move of a playout is the first of these that there is, each tried with its own chance:

    save        the last move put stones in atari: run away with them, or capture what attacks them;
                or it left its own in atari: capture it
    ladder      whether to save leaves out running into a ladder
    biased      the point near the last move that the patterns like best, if they like any
    near        around the last move as experts do (go_move_model): one of its eight points, as
                likely as the factors of shape and place say, or none, as if that had a factor of 1
    shape       a good 3x3 shape next to the last move (go_patterns3x3)
    capture     anything that was left in atari anywhere
    random      any other move; if possible, none that puts its own stones in atari (careful)

For the tree, a move begins with visits it never had, won or lost according to what it does
(captures, escapes from atari, atari of its own making), and won as it is likely that an expert
plays it (go_move_model).
"""
from libc.stdint cimport int16_t, uint16_t

from cext.go cimport Go
from cext.go_board cimport Board
from cext.go_move_model cimport Density, MoveModel, Neighbourhood, View
from cext.go_bias_patterns cimport Patterns
from cext.policy cimport Candidate, Policy
from cext.rng cimport Rng


# Chances of a playout's steps, in percent.
cdef struct Steps:
    int save
    int ladder
    int biased
    int near
    int shape
    int capture
    int careful


# Visits of the priors.
cdef struct Weights:
    int even                # half won, of every move
    int capture             # for a stone; twice for more
    int escape              # from atari, with as many stones
    int ladder              # lost: for stones that run into a ladder
    int atari               # lost: for putting own stones in atari
    int expert              # won, times the root of the probability that an expert plays it


cdef enum:
    MOST_MOVES = 40
    MOST_NOTES = 64


cdef struct Moves:
    int count
    uint16_t at[MOST_MOVES]


# What a playout remembers: stones that were seen in atari, the last one on top.
cdef struct Notes:
    int count
    uint16_t at[MOST_NOTES]


cdef class GoPolicy(Policy):
    cdef readonly Patterns patterns     # or None
    cdef bint has_patterns
    cdef readonly MoveModel move_model  # or None
    cdef bint has_model
    cdef Steps steps
    cdef Weights weights

    cdef void add_biases(self, Go game, Candidate* candidates, int count) noexcept nogil
    cdef int liked_point(self, const Board* board, int player, int last) noexcept nogil
    cdef double judge(self, Go game, Candidate* candidate, const Density* density,
                      const View* view, const Neighbourhood* around) noexcept nogil
    cdef void judge_pass(self, Go game, Candidate* candidate) noexcept nogil
    cdef int choose(self, Board* board, int player, int last, Notes* notes,
                    Rng* rng) noexcept nogil
