"""The priors of go_priors.pxd."""
from libc.math cimport floor, sqrt
from libc.stdint cimport int16_t, uint8_t, uint16_t
from libc.string cimport memset

from cext.go cimport Go
from cext.go_bias_patterns cimport Patterns
from cext.go_board cimport BLACK, MAX_POINTS, WHITE, Board
from cext.go_eye_spaces cimport Space, find_space, maybe_space, vital_point
from cext.go_move_model cimport (
    Density, MoveModel, Neighbourhood, Tactics, View, base_tenths, distance, factor, is_apart,
    line_of, measure_density, tactics_of, view_position)
from cext.go_patterns3x3 cimport is_shape, surroundings
from cext.policy cimport Candidate, add_lost, add_won


cdef enum:
    MOST_BIAS = 32              # in thousandths it must fit into 16 bits


# The factors written by hand, as tenths of their logarithms.
cdef enum:
    SHAPE = 14                  # of the playouts, if it leaves nothing in atari
    ATTACK = 5                  # puts stones in atari
    NEAR_LAST = 3               # for each step nearer to the last move than FAR, the first at 7
    NEAR_BEFORE = 1             # the same for the move before
    FAR = 8                     # next to a move the distance is 2
    LINE = 18                   # with no stone within two lines: lines three and four, less others

# By the kinds of go_move_model.Tactics. What captures may put its own stones in atari.
cdef int CAPTURE[4]
cdef int ESCAPE[4]
cdef int PERIL[3]
CAPTURE[:] = (0, 15, 20, 20)
ESCAPE[:] = (0, -15, 15, 20)
PERIL[:] = (0, -10, -25)


cdef int count_points(Go game, const Candidate* candidates, int count) noexcept nogil:
    """Return how many candidates are points: a pass is the last one, and none."""
    return count - (count > 0 and candidates[count - 1].move == game.points)


cdef void add_priors(Go game, const Weights* weights, MoveModel model, Candidate* candidates,
                     int count) noexcept nogil:
    cdef int i, point, points = count_points(game, candidates, count)
    cdef bint has_model = model is not None and weights.expert > 0
    cdef double of_experts[MAX_POINTS]
    cdef double by_hand[MAX_POINTS]
    cdef Tactics tactics
    cdef Density density
    cdef View view
    cdef Neighbourhood around[MAX_POINTS]
    measure_density(&density, &game.board)
    if has_model:
        view_position(&view, game)
        for i in range(points):
            model.look_at(&view, &game.board, game.at(candidates[i].move), &around[i])
    for i in range(points):
        point = game.at(candidates[i].move)
        tactics = tactics_of(&game.board, game.to_play, point)
        add_tactical_prior(weights, &tactics, &candidates[i])
        if weights.expert:
            of_experts[i] = expert_factor(game, point, &tactics, &density, model, has_model, &view,
                                          &around[i])
        if weights.heuristic:
            by_hand[i] = factor(heuristic_tenths(game, point, &tactics, &density))
    if weights.nakade:
        add_vital_points(game, weights.nakade, candidates, points)
    add_likely(candidates, points, of_experts, weights.expert)
    add_likely(candidates, points, by_hand, weights.heuristic)
    if points < count:
        add_pass_prior(game, weights, &candidates[points])


cdef void add_likely(Candidate* candidates, int points, const double* factors,
                     int weight) noexcept nogil:
    """Add visits won by the root of each move's probability, its share of all factors."""
    cdef double total = 0
    cdef int i
    if not weight:
        return
    for i in range(points):
        total += factors[i]
    for i in range(points):
        add_won(&candidates[i], <int>(weight * sqrt(factors[i] / total)))


cdef void add_vital_points(Go game, int weight, Candidate* candidates,
                           int points) noexcept nogil:
    """Add visits won for the points that make two eyes or prevent them, whoever plays there."""
    cdef uint8_t seen[MAX_POINTS]       # as part of a space, by its wall
    cdef bint vital[MAX_POINTS]
    cdef Space space
    cdef int i, j, wall, point
    memset(seen, 0, sizeof(seen))
    memset(vital, 0, sizeof(vital))
    for i in range(points):
        point = game.at(candidates[i].move)
        for wall in range(BLACK, WHITE + 1):
            if (not seen[point] & wall and maybe_space(surroundings(&game.board, point), wall)
                    and find_space(&game.board, wall, point, &space)):
                vital[vital_point(&game.board, wall, &space)] = True
                for j in range(space.count):
                    seen[space.points[j]] |= <uint8_t>wall
    for i in range(points):
        if vital[game.at(candidates[i].move)]:
            add_won(&candidates[i], weight)


cdef void add_pass_prior(Go game, const Weights* weights, Candidate* candidate) noexcept nogil:
    """A pass is no good, but where the other side has passed it may end the game."""
    candidate.visits = <uint16_t>weights.even
    candidate.wins = candidate.visits if game.passes else 0


cdef void add_tactical_prior(const Weights* weights, const Tactics* tactics,
                             Candidate* candidate) noexcept nogil:
    """Add what a move is good or bad for."""
    candidate.visits = candidate.wins = <uint16_t>weights.even
    add_won(candidate, weights.capture * min(tactics.capture, 2)
            + weights.escape * max(0, tactics.escape - 1))
    add_lost(candidate, weights.ladder * (tactics.escape == 1)
             + weights.atari * (tactics.peril > 0 and tactics.capture == 0))


cdef double expert_factor(Go game, int point, const Tactics* tactics, const Density* density,
                          MoveModel model, bint has_model, const View* view,
                          const Neighbourhood* around) noexcept nogil:
    cdef int tenths = base_tenths(&game.board, game.to_play, point, game.last, game.before,
                                  tactics, density)
    if has_model:
        tenths += model.tenths(view, &game.board, point, around)
    return factor(tenths)


cdef int heuristic_tenths(Go game, int point, const Tactics* tactics,
                          const Density* density) noexcept nogil:
    cdef const Board* board = &game.board
    cdef int tenths = CAPTURE[tactics.capture] + ESCAPE[tactics.escape] + ATTACK * tactics.attack
    if tactics.capture == 0:
        tenths += PERIL[tactics.peril]
    if tactics.peril == 0 and is_shape(surroundings(board, point), game.to_play):
        tenths += SHAPE
    tenths += NEAR_LAST * nearness(board, point, game.last)
    tenths += NEAR_BEFORE * nearness(board, point, game.before)
    if is_apart(board, point, density):
        tenths += LINE if 2 <= line_of(board, point) <= 3 else -LINE
    return tenths


cdef int nearness(const Board* board, int point, int other) noexcept nogil:
    """Return how much less than FAR it is to another move; 0 where there is none."""
    return max(0, FAR - distance(board, point, other)) if other else 0


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
