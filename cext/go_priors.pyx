"""The priors of go_priors.pxd."""
from libc.math cimport floor, sqrt
from libc.stdint cimport int16_t, uint16_t

from cext.go cimport Go
from cext.go_bias_patterns cimport Patterns
from cext.go_board cimport MAX_POINTS
from cext.go_move_model cimport (
    Density, MoveModel, Neighbourhood, Tactics, View, base_tenths, factor, measure_density,
    tactics_of, view_position)
from cext.policy cimport Candidate, add_lost, add_won


cdef enum:
    MOST_BIAS = 32              # in thousandths it must fit into 16 bits


cdef int count_points(Go game, const Candidate* candidates, int count) noexcept nogil:
    """Return how many candidates are points: a pass is the last one, and none."""
    return count - (count > 0 and candidates[count - 1].move == game.points)


cdef void add_priors(Go game, const Weights* weights, MoveModel model, Candidate* candidates,
                     int count) noexcept nogil:
    cdef int i, points = count_points(game, candidates, count)
    cdef bint has_model = model is not None and weights.expert > 0
    cdef double factors[MAX_POINTS]
    cdef double total = 0
    cdef Density density
    cdef View view
    cdef Neighbourhood around[MAX_POINTS]
    measure_density(&density, &game.board)
    if has_model:
        view_position(&view, game)
        for i in range(points):
            model.look_at(&view, &game.board, game.at(candidates[i].move), &around[i])
    for i in range(points):
        factors[i] = add_tactical_prior(game, weights, &candidates[i], &density, model, has_model,
                                        &view, &around[i])
        total += factors[i]
    # Where the pass is the only move there is no factor.
    if weights.expert and total > 0:
        for i in range(points):
            add_won(&candidates[i], <int>(weights.expert * sqrt(factors[i] / total)))
    if points < count:
        add_pass_prior(game, weights, &candidates[points])


cdef void add_pass_prior(Go game, const Weights* weights, Candidate* candidate) noexcept nogil:
    """A pass is no good, but where the other side has passed it may end the game."""
    candidate.visits = <uint16_t>weights.even
    candidate.wins = candidate.visits if game.passes else 0


cdef double add_tactical_prior(Go game, const Weights* weights, Candidate* candidate,
                               const Density* density, MoveModel model, bint has_model,
                               const View* view, const Neighbourhood* around) noexcept nogil:
    """Add what a move is good or bad for; returns the factor by which experts play it."""
    cdef int point = game.at(candidate.move)
    cdef Tactics tactics = tactics_of(&game.board, game.to_play, point)
    candidate.visits = candidate.wins = <uint16_t>weights.even
    add_won(candidate, weights.capture * min(tactics.capture, 2)
            + weights.escape * max(0, tactics.escape - 1))
    add_lost(candidate, weights.ladder * (tactics.escape == 1)
             + weights.atari * (tactics.peril > 0 and tactics.capture == 0))
    cdef int tenths = base_tenths(&game.board, game.to_play, point, game.last, game.before,
                                  &tactics, density)
    if has_model:
        tenths += model.tenths(view, &game.board, point, around)
    return factor(tenths)


cdef void add_biases(Go game, Patterns patterns, Candidate* candidates, int count) noexcept nogil:
    cdef int16_t points[MAX_POINTS]
    cdef float biases[MAX_POINTS]
    cdef int i, end = count_points(game, candidates, count)
    for i in range(end):
        points[i] = <int16_t>game.at(candidates[i].move)
    patterns.biases(&game.board, game.to_play, points, end, biases)
    for i in range(end):
        candidates[i].bias = <int16_t>floor(
            0.5 + 1000 * max(-MOST_BIAS, min(<double>biases[i], MOST_BIAS)))
