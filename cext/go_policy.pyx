"""The policy of go_policy.pxd, and its settings."""
from libc.stdint cimport int16_t

from cext.game cimport Game
from cext.go cimport Go
from cext.go_bias_patterns cimport Patterns
from cext.go_move_model cimport MoveModel
from cext.go_playouts cimport play_informed
from cext.go_priors cimport add_biases, add_priors
from cext.policy cimport Candidate, Policy
from cext.policy import steps_and_weights
from cext.rng cimport Rng

DEFAULTS = {
    "playout_save": 90,
    "playout_ladder": 100,
    "playout_biased": 0,
    "playout_nakade": 100,
    "playout_near": 0,
    "playout_shape": 95,
    "playout_capture": 90,
    "playout_careful": 95,
    "playout_seki": 100,
    "prior_even": 10,
    "prior_capture": 15,
    "prior_escape": 15,
    "prior_ladder": 10,
    "prior_atari": 10,
    "prior_nakade": 20,
    "prior_expert": 140,
    "prior_heuristic": 0,
}


cdef class GoPolicy(Policy):
    """Patterns, if any, give moves a bias; a move model, if any, tells more of what experts play.
    Settings by name: chances in percent for the steps of a playout, visits for priors.

    What is not given has the value in DEFAULTS.
    """

    def __init__(self, Patterns patterns=None, MoveModel move_model=None, **settings):
        self.patterns = patterns
        self.has_patterns = patterns is not None and len(patterns) > 0
        self.move_model = move_model
        self.steps, self.weights = steps_and_weights(settings, DEFAULTS)
        if not self.has_patterns:
            self.steps.biased = 0

    def suits(self, game):
        return isinstance(game, Go)

    cdef int playout(self, Game game, Rng* rng, int16_t* trace) noexcept nogil:
        cdef int moves = play_informed(&(<Go>game).board, game.to_play, (<Go>game).last,
                                       (<Go>game).passes, &self.steps, self.patterns, rng, trace)
        game.ply += moves
        if trace != NULL:
            (<Go>game).name_moves(trace, moves)
        return game.leader()

    cdef int candidates(self, Game game, Candidate* candidates) noexcept nogil:
        cdef int count = Policy.candidates(self, game, candidates)
        add_priors(<Go>game, &self.weights, self.move_model, candidates, count)
        if self.has_patterns:
            add_biases(<Go>game, self.patterns, candidates, count)
        return count
