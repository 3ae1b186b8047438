"""The playouts and opinions of go_policy.pxd."""
from libc.math cimport floor, sqrt
from libc.stdint cimport int16_t, uint16_t
from libc.string cimport memmove

from cext.game cimport Game
from cext.go cimport Go
from cext.go_board cimport (
    EMPTY, LOOKS, MAX_POINTS, Board, allowed, atari_size, only_liberty, own_eye, play_at_random,
    play_carefully, play_stone, playout_cap, suicide)
from cext.go_move_model cimport (
    EVEN_WEIGHT, Density, MoveModel, Neighbourhood, Tactics, View, base_tenths, factor,
    measure_density, tactics_of, view_position, weight_near_last)
from cext.go_patterns3x3 cimport is_shape, surroundings
from cext.go_tactics cimport caught_in_ladder, find_captures
from cext.go_bias_patterns cimport Patterns
from cext.policy cimport Candidate, Policy, add_lost, add_won
from cext.policy import steps_and_weights
from cext.rng cimport Rng, below, chance


cdef enum:
    MOST_BIAS = 32              # in thousandths it must fit into 16 bits
    NEXT_TO = 0b01011010        # of the points of a ring; the others are diagonal


cdef inline void add(Moves* moves, int point) noexcept nogil:
    if moves.count < MOST_MOVES:
        moves.at[moves.count] = <uint16_t>point
        moves.count += 1


cdef inline void note(Notes* notes, int stone) noexcept nogil:
    """Of too many stones in atari the oldest is forgotten."""
    if notes.count == MOST_NOTES:
        notes.count -= 1
        memmove(&notes.at[0], &notes.at[1], notes.count * sizeof(notes.at[0]))
    notes.at[notes.count] = <uint16_t>stone
    notes.count += 1


cdef inline int pick(const Moves* moves, Rng* rng) noexcept nogil:
    return moves.at[below(rng, moves.count)]


cdef void add_escapes(const Board* board, int player, int stone, int liberty, bint read_ladder,
                      Moves* moves) noexcept nogil:
    """Add what takes a chain out of atari: running, or capturing what attacks it."""
    cdef int points[8]
    cdef int i, count = find_captures(board, stone, 8, points)
    for i in range(count):
        if points[i] != board.ko and (points[i] == liberty
                                      or allowed(board, player, points[i])):
            add(moves, points[i])
    if liberty != board.ko and not atari_size(board, player, liberty):
        for i in range(count):
            if points[i] == liberty:
                return
        if read_ladder and count == 0 and caught_in_ladder(board, stone):
            return
        add(moves, liberty)


cdef void add_replies_to_atari(const Board* board, int player, int last, bint read_ladder,
                               Notes* notes, Moves* moves) noexcept nogil:
    cdef int i, neighbour, liberty
    cdef unsigned int bits = LOOKS[player][board.at[last].around].own
    liberty = only_liberty(board, board.at[last].chain)
    if liberty:
        note(notes, last)
        if liberty != board.ko:
            add(moves, liberty)
    for i in range(4):
        if not bits >> i & 1:
            continue
        neighbour = last + board.offset[i]
        liberty = only_liberty(board, board.at[neighbour].chain)
        if liberty:
            note(notes, neighbour)
            add_escapes(board, player, neighbour, liberty, read_ladder, moves)


cdef struct Ring:
    int points[8]               # around a move, in order
    unsigned int codes[8]       # their surroundings; of those that are not empty, others
    unsigned int empties        # bit i: point i is empty, and not forbidden by the ko


cdef void see_ring(const Board* board, int last, Ring* ring) noexcept nogil:
    """What lies around a move a processor cannot guess, so all eight are asked without a branch.

    Instead of a point that is not empty, maybe one of the frame, the move is looked at: the
    surroundings of the frame may lie outside of the board.
    """
    cdef int i, empty, stride = board.stride
    cdef int steps[8]
    steps[0], steps[1], steps[2] = -stride - 1, -stride, -stride + 1
    steps[3], steps[4] = -1, 1
    steps[5], steps[6], steps[7] = stride - 1, stride, stride + 1
    ring.empties = 0
    for i in range(8):
        ring.points[i] = last + steps[i]
        empty = (board.at[last + steps[i]].color == EMPTY) & (last + steps[i] != board.ko)
        ring.empties |= <unsigned int>empty << i
        ring.codes[i] = surroundings(board, last + steps[i] * empty)


cdef void add_shapes(const Board* board, int player, const Ring* ring, Moves* moves) noexcept nogil:
    cdef unsigned int found = 0
    cdef int i
    for i in range(8):
        found |= <unsigned int>is_shape(ring.codes[i], player) << i
    found &= ring.empties
    for i in range(8):
        if found >> i == 0:
            break
        if found >> i & 1 and not atari_size(board, player, ring.points[i]):
            add(moves, ring.points[i])


cdef int likely_point(const Board* board, int player, const Ring* ring, Rng* rng) noexcept nogil:
    """Choose a point around the last move as experts do; returns 0 where they play elsewhere.

    A choice that fills an eye or leaves own stones in atari is none: few are, so it is asked last.
    """
    cdef int ends[8]                # where each one's share of the draw ends
    cdef int i, point, drawn, chosen = 0, end = 0
    for i in range(8):
        end += (<int>(ring.empties >> i & 1)
                * weight_near_last(ring.codes[i], player, NEXT_TO >> i & 1))
        ends[i] = end
    drawn = <int>below(rng, end + EVEN_WEIGHT)
    if drawn >= end:
        return 0
    for i in range(8):
        chosen += drawn >= ends[i]
    point = ring.points[chosen]
    # Beside an empty point a stone is no suicide and fills no eye.
    if LOOKS[player][board.at[point].around].empties == 0 and (
            own_eye(board, player, point) or suicide(board, player, point)):
        return 0
    return 0 if atari_size(board, player, point) else point


cdef int noted_capture(const Board* board, int player, Notes* notes) noexcept nogil:
    """Return where something can be captured that is still in atari, or 0.

    What is not in atari any more is forgotten: if it comes to be again, it will be noted again.
    """
    cdef int i = notes.count, kept = notes.count, found = 0, stone, liberty
    while i and not found:
        i -= 1
        stone = notes.at[i]
        if board.at[stone].color == 3 - player:
            liberty = only_liberty(board, board.at[stone].chain)
            if liberty == 0:
                continue
            if liberty != board.ko:
                found = liberty
        elif board.at[stone].color != player:
            continue
        kept -= 1
        notes.at[kept] = <uint16_t>stone
    if i < kept:
        memmove(&notes.at[i], &notes.at[kept], (notes.count - kept) * sizeof(notes.at[0]))
        notes.count -= kept - i
    return found


cdef class GoPolicy(Policy):
    """Patterns, if any, give moves a bias; a move model, if any, tells more of what experts play.
    Settings by name: chances in percent for the steps of a playout, visits for priors.

    What is not given has the value in DEFAULTS.
    """

    def __init__(self, Patterns patterns=None, MoveModel move_model=None, **settings):
        self.patterns = patterns
        self.has_patterns = patterns is not None and len(patterns) > 0
        self.steps, self.weights = steps_and_weights(settings, DEFAULTS)
        self.move_model = move_model
        self.has_model = move_model is not None and self.weights.expert > 0

    def suits(self, game):
        return isinstance(game, Go)

    cdef int playout(self, Game game, Rng* rng, int16_t* trace) noexcept nogil:
        cdef Board* board = &(<Go>game).board
        cdef int player = game.to_play, passes = (<Go>game).passes, cap = playout_cap(board)
        cdef int last = (<Go>game).last, moves = 0, point
        cdef Notes notes
        notes.count = 0
        if self.steps.capture:
            note_all(board, &notes)
        while passes < 2 and moves < cap:
            point = self.choose(board, player, last, &notes, rng)
            passes = 0 if point else passes + 1
            if trace != NULL:
                trace[moves] = <int16_t>point
            moves += 1
            player = 3 - player
            last = point
        game.ply += moves
        if trace != NULL:
            (<Go>game).name_moves(trace, moves)
        return game.leader()

    cdef int choose(self, Board* board, int player, int last, Notes* notes,
                    Rng* rng) noexcept nogil:
        """Play a move of a playout; returns its point, or 0 for a pass."""
        cdef Moves moves
        cdef Ring ring
        cdef int point, ko
        moves.count = 0
        if last:
            add_replies_to_atari(board, player, last, chance(rng, self.steps.ladder), notes,
                                 &moves)
            if moves.count and chance(rng, self.steps.save):
                point = pick(&moves, rng)
                play_stone(board, player, point)
                return point
            moves.count = 0
            if self.has_patterns and chance(rng, self.steps.biased):
                point = self.liked_point(board, player, last)
                if point:
                    play_stone(board, player, point)
                    return point
            see_ring(board, last, &ring)
            if chance(rng, self.steps.near):
                point = likely_point(board, player, &ring, rng)
                if point:
                    play_stone(board, player, point)
                    return point
            if chance(rng, self.steps.shape):
                add_shapes(board, player, &ring, &moves)
                if moves.count:
                    point = pick(&moves, rng)
                    play_stone(board, player, point)
                    return point
        if notes.count and chance(rng, self.steps.capture):
            point = noted_capture(board, player, notes)
            if point:
                play_stone(board, player, point)
                return point
        if chance(rng, self.steps.careful):
            ko = board.ko
            point = play_carefully(board, player, rng, 0)
            if point:
                return point
            # That was no pass, which would have lifted the ko.
            board.ko = ko
            return play_carefully(board, player, rng, 5)
        return play_at_random(board, player, rng)

    cdef int candidates(self, Game game, Candidate* candidates) noexcept nogil:
        cdef int count = Policy.candidates(self, game, candidates), i
        cdef double factors[MAX_POINTS]
        cdef double total = 0
        cdef Density density
        cdef View view
        cdef Neighbourhood around[MAX_POINTS]
        measure_density(&density, &(<Go>game).board)
        if self.has_model:
            view_position(&view, <Go>game)
            for i in range(count):
                if candidates[i].move != game.points:
                    self.move_model.look_at(&view, &(<Go>game).board,
                                            (<Go>game).at(candidates[i].move), &around[i])
        for i in range(count):
            factors[i] = 0
            if candidates[i].move == game.points:
                self.judge_pass(<Go>game, &candidates[i])
            else:
                factors[i] = self.judge(<Go>game, &candidates[i], &density, &view, &around[i])
                total += factors[i]
        # Where the pass is the only move there is no factor.
        if self.weights.expert and total > 0:
            for i in range(count):
                add_won(&candidates[i], <int>(self.weights.expert * sqrt(factors[i] / total)))
        if self.has_patterns:
            self.add_biases(<Go>game, candidates, count)
        return count

    cdef void add_biases(self, Go game, Candidate* candidates, int count) noexcept nogil:
        cdef int16_t points[MAX_POINTS]
        cdef float biases[MAX_POINTS]
        cdef int i, end = count
        # The pass is the last of the candidates, and no point.
        if end and candidates[end - 1].move == game.points:
            end -= 1
        for i in range(end):
            points[i] = <int16_t>game.at(candidates[i].move)
        self.patterns.biases(&game.board, game.to_play, points, end, biases)
        for i in range(end):
            candidates[i].bias = <int16_t>floor(
                0.5 + 1000 * max(-MOST_BIAS, min(<double>biases[i], MOST_BIAS)))

    cdef int liked_point(self, const Board* board, int player, int last) noexcept nogil:
        """Return the point at most two rows and columns away with the highest bias above 0."""
        cdef int16_t points[25]
        cdef float biases[25]
        cdef float highest = 0
        cdef int count = 0, best = 0, row, column, point, i
        for row in range(-2, 3):
            for column in range(-2, 3):
                point = last + row * board.stride + column
                # Two rows away there may be no frame any more, and two columns away it is another
                # row that begins or ends.
                if (0 < point < board.points and 0 < last % board.stride + column < board.stride
                        and board.at[point].color == EMPTY
                        and allowed(board, player, point)):
                    points[count] = <int16_t>point
                    count += 1
        self.patterns.biases(board, player, points, count, biases)
        for i in range(count):
            if biases[i] > highest and not atari_size(board, player, points[i]):
                highest = biases[i]
                best = points[i]
        return best

    cdef void judge_pass(self, Go game, Candidate* candidate) noexcept nogil:
        """A pass is no good, but where the other side has passed it may end the game."""
        candidate.visits = <uint16_t>self.weights.even
        candidate.wins = candidate.visits if game.passes else 0

    cdef double judge(self, Go game, Candidate* candidate, const Density* density,
                      const View* view, const Neighbourhood* around) noexcept nogil:
        """Return the factor by which experts play the move, and add what it is good or bad for."""
        cdef const Weights* weights = &self.weights
        cdef int point = game.at(candidate.move)
        cdef Tactics tactics = tactics_of(&game.board, game.to_play, point)
        candidate.visits = candidate.wins = <uint16_t>weights.even
        add_won(candidate, weights.capture * min(tactics.capture, 2)
                + weights.escape * max(0, tactics.escape - 1))
        add_lost(candidate, weights.ladder * (tactics.escape == 1)
                 + weights.atari * (tactics.peril > 0 and tactics.capture == 0))
        cdef int tenths = base_tenths(&game.board, game.to_play, point, game.last, game.before,
                                      &tactics, density)
        if self.has_model:
            tenths += self.move_model.tenths(view, &game.board, point, around)
        return factor(tenths)


cdef void note_all(const Board* board, Notes* notes) noexcept nogil:
    """Note all chains in atari."""
    cdef int point
    for point in range(board.points):
        if board.at[point].chain == point and point and only_liberty(board, point):
            note(notes, point)


DEFAULTS = {
    "playout_save": 90,
    "playout_ladder": 100,
    "playout_biased": 0,
    "playout_near": 0,
    "playout_shape": 95,
    "playout_capture": 90,
    "playout_careful": 95,
    "prior_even": 10,
    "prior_capture": 15,
    "prior_escape": 15,
    "prior_ladder": 10,
    "prior_atari": 10,
    "prior_expert": 140,
}
