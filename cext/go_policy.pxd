"""MoGo's expertise: playouts that answer the last move (go_playouts), and priors (go_priors)."""
from cext.go_bias_patterns cimport Patterns
from cext.go_move_model cimport MoveModel
from cext.go_playouts cimport Steps
from cext.go_priors cimport Weights
from cext.policy cimport Policy


cdef class GoPolicy(Policy):
    cdef readonly Patterns patterns     # or None
    cdef bint has_patterns
    cdef readonly MoveModel move_model  # or None
    cdef Steps steps
    cdef Weights weights
