"""The playouts of go_playouts.pxd."""
from libc.stdint cimport int16_t, uint16_t
from libc.string cimport memmove

from cext.go_bias_patterns cimport Patterns
from cext.go_board cimport (
    EMPTY, LOOKS, Board, allowed, atari_size, only_liberty, own_eye, play_at_random,
    play_carefully, play_stone, playout_cap, suicide)
from cext.go_eye_spaces cimport Space, deadly_size, find_space, maybe_space, vital_point
from cext.go_move_model cimport EVEN_WEIGHT, weight_near_last
from cext.go_patterns3x3 cimport is_shape, surroundings
from cext.go_tactics cimport caught_in_ladder, find_captures
from cext.rng cimport Rng, below, chance


cdef enum:
    MOST_MOVES = 40
    MOST_GIVEN = 5              # own stones put in atari where nothing else is left
    NEXT_TO = 0b01011010        # of the points of a ring; the others are diagonal


cdef struct Moves:
    int count
    uint16_t at[MOST_MOVES]


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


cdef void note_all(const Board* board, Notes* notes) noexcept nogil:
    """Note all chains in atari."""
    cdef int point
    for point in range(board.points):
        if board.at[point].chain == point and point and only_liberty(board, point):
            note(notes, point)


cdef int liked_point(const Board* board, int player, int last, Patterns patterns) noexcept nogil:
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
    patterns.biases(board, player, points, count, biases)
    for i in range(count):
        if biases[i] > highest and not atari_size(board, player, points[i]):
            highest = biases[i]
            best = points[i]
    return best


cdef int vital_near(const Board* board, int player, const Ring* ring) noexcept nogil:
    """Return the vital point of an enemy's eye space beside its last move, or 0."""
    cdef Space space
    cdef int i, point
    cdef unsigned int starts = NEXT_TO & ring.empties
    for i in range(1, 7):
        if (not starts >> i & 1 or not maybe_space(ring.codes[i], 3 - player)
                or LOOKS[player][ring.codes[i] & 0xFF].own):
            continue
        if find_space(board, 3 - player, ring.points[i], &space):
            point = vital_point(board, 3 - player, &space)
            if point and allowed(board, player, point):
                return point
    return 0


cdef int answer(const Board* board, int player, int last, const Steps* steps, Patterns patterns,
                Notes* notes, Rng* rng) noexcept nogil:
    """Return a point that answers the last move, or 0."""
    cdef Moves moves
    cdef Ring ring
    cdef int point
    moves.count = 0
    add_replies_to_atari(board, player, last, chance(rng, steps.ladder), notes, &moves)
    if moves.count and chance(rng, steps.save):
        return pick(&moves, rng)
    if chance(rng, steps.biased):
        point = liked_point(board, player, last, patterns)
        if point:
            return point
    see_ring(board, last, &ring)
    if notes.captured and chance(rng, steps.nakade):
        point = vital_near(board, player, &ring)
        if point:
            return point
    if chance(rng, steps.near):
        point = likely_point(board, player, &ring, rng)
        if point:
            return point
    if chance(rng, steps.shape):
        moves.count = 0
        add_shapes(board, player, &ring, &moves)
        if moves.count:
            return pick(&moves, rng)
    return 0


cdef int give_away(Board* board, int player, const Steps* steps, Rng* rng) noexcept nogil:
    """Put own stones in atari; returns 0 for a pass."""
    cdef Moves moves
    cdef int i, point, size
    if not chance(rng, steps.seki):
        return play_carefully(board, player, rng, MOST_GIVEN)
    moves.count = 0
    for i in range(board.empties):
        point = board.at[i].listed
        if own_eye(board, player, point) or not allowed(board, player, point):
            continue
        size = atari_size(board, player, point)
        if size <= MOST_GIVEN and deadly_size(board, player, point):
            add(&moves, point)
    board.ko = 0
    if not moves.count:
        return 0
    point = pick(&moves, rng)
    play_stone(board, player, point)
    return point


cdef int play_step(Board* board, int player, int last, const Steps* steps, Patterns patterns,
                   Notes* notes, Rng* rng) noexcept nogil:
    cdef int ko, empties = board.empties
    cdef int point = answer(board, player, last, steps, patterns, notes, rng) if last else 0
    if not point and notes.count and chance(rng, steps.capture):
        point = noted_capture(board, player, notes)
    if point:
        play_stone(board, player, point)
    elif chance(rng, steps.careful):
        ko = board.ko
        point = play_carefully(board, player, rng, 0)
        if not point:
            # That was no pass, which would have lifted the ko.
            board.ko = ko
            point = give_away(board, player, steps, rng)
    else:
        point = play_at_random(board, player, rng)
    notes.captured = board.empties > empties
    return point


cdef int play_informed(Board* board, int player, int last, int passes, const Steps* steps,
                       Patterns patterns, Rng* rng, int16_t* trace) noexcept nogil:
    cdef int moves = 0, cap = playout_cap(board), point
    cdef Notes notes
    clear_notes(&notes)
    if steps.capture:
        note_all(board, &notes)
    while passes < 2 and moves < cap:
        point = play_step(board, player, last, steps, patterns, &notes, rng)
        passes = 0 if point else passes + 1
        if trace != NULL:
            trace[moves] = <int16_t>point
        moves += 1
        player = 3 - player
        last = point
    return moves
