"""Priors of Go: what the tree knows of moves before it has tried them.

A move begins with visits it never had, won or lost according to what it does (captures, escapes
from atari, atari of its own making), and won as it is likely, either that an expert plays it
(go_move_model) or by a few factors written by hand. Patterns give it a bias as well.

The factors written by hand are for captures, escapes and atari, for the playouts' shapes, for being
near the last two moves, and for lines where no stone is near. Their logarithms are integers, in
tenths, as those of the move model.
"""
from cext.go cimport Go
from cext.go_bias_patterns cimport Patterns
from cext.go_move_model cimport MoveModel
from cext.policy cimport Candidate


# Visits of the priors.
cdef struct Weights:
    int even                # half won, of every move
    int capture             # for a stone; twice for more
    int escape              # from atari, with as many stones
    int ladder              # lost: for stones that run into a ladder
    int atari               # lost: for putting own stones in atari
    int nakade              # for the vital point of a small eye space (go_eye_spaces)
    int expert              # won, times the root of the probability that an expert plays it
    int heuristic           # the same by factors written by hand
    int semeai              # won, for moves that are necessary in a race
    int settled             # lost, for moves in a race that is settled


# `model` may be None.
cdef void add_priors(Go game, const Weights* weights, MoveModel model, Candidate* candidates,
                     int count) noexcept nogil
cdef void add_biases(Go game, Patterns patterns, Candidate* candidates, int count) noexcept nogil
