"""The search for threats of havannah_threats.pxd."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from cext.havannah_board cimport (
    CYCLE, GEOMETRY, LOOKS, MAX_SIZE, MAX_WIDTH, REACHED, RING, Board, Geometry, Look, add_stone,
    closes_filled_ring, copy_board, pattern_at, root_of)
from cext.intrinsics cimport lowest_bit

# The cells of a board, as in Board.rows.
cdef uint32_t CELLS[MAX_SIZE + 1][MAX_WIDTH + 2]
# A pattern without the stones that are side by side with one of it, nor that one.
cdef uint8_t WITHOUT_RUN[64][6]
# Of a pattern: how many stones, and whether two are side by side.
cdef uint8_t STONES[64]
cdef uint8_t PAIRED[64]


cdef int without_run(int pattern, int member) noexcept:
    cdef int position = 0, step, i
    while CYCLE[position] != member:
        position += 1
    for step in (1, 5):
        i = (position + step) % 6
        while pattern >> CYCLE[i] & 1 and i != position:
            pattern &= ~(1 << CYCLE[i])
            i = (i + step) % 6
    return pattern & ~(1 << member)


cdef void fill_tables() noexcept:
    cdef int pattern, i, size, y
    for pattern in range(64):
        STONES[pattern] = <uint8_t>((pattern & 1) + STONES[pattern >> 1])
        for i in range(6):
            PAIRED[pattern] |= pattern >> CYCLE[i] & pattern >> CYCLE[(i + 1) % 6] & 1
            WITHOUT_RUN[pattern][i] = <uint8_t>without_run(pattern, i)
    for size in range(2, MAX_SIZE + 1):
        for y in range(2 * size - 1):
            for i in range(max(0, y - size + 1), min(2 * size - 1, y + size)):
                CELLS[size][y + 1] |= <uint32_t>2 << i

fill_tables()


cdef inline uint32_t beside(const uint32_t* rows, int y) noexcept nogil:
    """Return the cells of a row with stones around them, as a map."""
    return (rows[y] | rows[y] << 1 | rows[y + 1] << 1 | rows[y + 1] >> 1
            | rows[y + 2] | rows[y + 2] >> 1)


cdef inline int look_around(const Board* board, const Geometry* geometry, const uint32_t* rows,
                            int cell, Spot* spot) noexcept nogil:
    """Fill in a spot, and return how a stone there wins, or 0."""
    cdef uint32_t pattern = pattern_at(rows, geometry.at[cell].x, geometry.at[cell].y)
    cdef const Look* look = &LOOKS[pattern]
    cdef int i, root, ending = 0, joined = 0
    cdef uint32_t reach = geometry.at[cell].reach
    for i in range(look.runs):
        root = root_of(board, cell + geometry.offset[look.first[i]])
        reach |= board.at[root].reach
        if (joined and spot.roots[0] == root) or (joined > 1 and spot.roots[1] == root):
            ending = RING
        else:
            spot.roots[joined] = <int16_t>root
            joined += 1
    if look.dense and closes_filled_ring(rows, geometry, cell, pattern):
        ending = RING
    spot.cell = <int16_t>cell
    spot.reach = <uint16_t>reach
    spot.joined = <int16_t>joined
    return ending | REACHED[reach]


cdef void find_wins(const Board* board, int player, Threats* found) noexcept nogil:
    cdef const Geometry* geometry = &GEOMETRY[board.size]
    cdef const uint32_t* rows = board.rows[player - 1]
    cdef int y, cell
    cdef uint32_t left
    found.wins = found.spots = 0
    for y in range(board.width):
        left = (beside(rows, y) & CELLS[board.size][y + 1]
                & ~(board.rows[0][y + 1] | board.rows[1][y + 1]))
        found.near[y + 1] = left
        while left:
            cell = y * board.width + lowest_bit(left) - 1
            left &= left - 1
            found.spot_at[cell] = <int16_t>found.spots
            if look_around(board, geometry, rows, cell, &found.at[found.spots]):
                if found.wins < 2:
                    found.winning[found.wins] = <int16_t>cell
                found.wins += 1
            found.spots += 1


cdef inline void note(Threats* found, int cell, int reply) noexcept nogil:
    cdef int pairs = found.pairs[cell]
    if pairs == 0:
        found.listed[found.cells] = <int16_t>cell
        found.cells += 1
    elif found.replies[cell][0] == reply or (pairs > 1 and found.replies[cell][1] == reply):
        return
    if pairs < 2:
        found.replies[cell][pairs] = <int16_t>reply
    if pairs < 3:
        found.pairs[cell] = <uint8_t>(pairs + 1)


cdef inline void note_pair(Threats* found, int cell, int other) noexcept nogil:
    note(found, cell, other)
    note(found, other, cell)


cdef inline bint joins(const Spot* spot, int root) noexcept nogil:
    return ((spot.joined and spot.roots[0] == root) or (spot.joined > 1 and spot.roots[1] == root)
            or (spot.joined > 2 and spot.roots[2] == root))


cdef inline int shared_chains(const Spot* spot, const Spot* other) noexcept nogil:
    cdef int i, count = 0
    for i in range(other.joined):
        count += joins(spot, other.roots[i])
    return count


cdef bint ring_side_by_side(const Board* board, const uint32_t* rows, const Spot* spot,
                            int other, int side) noexcept nogil:
    """Whether a stone on a spot and one beside it close a ring; `side` leads back to the spot."""
    cdef const Geometry* geometry = &GEOMETRY[board.size]
    cdef uint32_t pattern = pattern_at(rows, geometry.at[other].x, geometry.at[other].y)
    cdef const Look* rest = &LOOKS[WITHOUT_RUN[pattern | 1 << side][side]]
    cdef int i
    for i in range(rest.runs):
        if joins(spot, root_of(board, other + geometry.offset[rest.first[i]])):
            return True
    return False


cdef void pair_with_neighbours(const Board* board, const Geometry* geometry, const uint32_t* rows,
                               const Spot* spot, Threats* found) noexcept nogil:
    cdef uint32_t empty = 63 & ~(pattern_at(board.rows[0], geometry.at[spot.cell].x,
                                            geometry.at[spot.cell].y)
                                 | pattern_at(board.rows[1], geometry.at[spot.cell].x,
                                              geometry.at[spot.cell].y)
                                 | geometry.outside[spot.cell])
    cdef int i, other
    cdef bint near
    cdef uint32_t reach
    while empty:
        i = lowest_bit(empty)
        empty &= empty - 1
        other = spot.cell + geometry.offset[i]
        near = found.near[geometry.at[other].y + 1] >> (geometry.at[other].x + 1) & 1
        if near and other < spot.cell:
            continue
        reach = found.at[found.spot_at[other]].reach if near else geometry.at[other].reach
        if (REACHED[spot.reach | reach]
                or (near and ring_side_by_side(board, rows, spot, other, 5 - i))):
            note_pair(found, spot.cell, other)


cdef void pair_in_filled_rings(const Board* board, const Geometry* geometry, const uint32_t* rows,
                               const Spot* spot, uint32_t pattern, Threats* found) noexcept nogil:
    """Find the other cell where a spot is one of the last two around an own stone."""
    cdef int i, stone, other
    cdef uint32_t missing
    for i in range(6):
        stone = spot.cell + geometry.offset[i]
        if pattern >> i & 1 and not geometry.outside[stone]:
            missing = 63 & ~pattern_at(rows, geometry.at[stone].x, geometry.at[stone].y)
            if STONES[missing] == 2:
                other = stone + geometry.offset[lowest_bit(missing & ~<uint32_t>(1 << (5 - i)))]
                if found.near[geometry.at[other].y + 1] >> (geometry.at[other].x + 1) & 1:
                    note_pair(found, spot.cell, other)


cdef inline bint side_by_side(const Board* board, int cell, int other) noexcept nogil:
    """Whether two cells touch; `other` has the higher number."""
    cdef int distance = other - cell
    return distance == 1 or distance == board.width or distance == board.width + 1


cdef void find_pairs(const Board* board, int player, Threats* found) noexcept nogil:
    cdef const Geometry* geometry = &GEOMETRY[board.size]
    cdef const uint32_t* rows = board.rows[player - 1]
    cdef const Spot* spot
    cdef const Spot* other
    cdef int i, j, shared, joining = 0
    cdef int16_t joiners[MOST_SPOTS]
    cdef uint32_t pattern
    found.cells = 0
    memset(found.pairs, 0, board.width * board.width)
    for i in range(found.spots):
        spot = &found.at[i]
        pair_with_neighbours(board, geometry, rows, spot, found)
        pattern = pattern_at(rows, geometry.at[spot.cell].x, geometry.at[spot.cell].y)
        if PAIRED[pattern]:
            pair_in_filled_rings(board, geometry, rows, spot, pattern, found)
        # Any other makes a chain longer, and nothing else.
        if spot.joined < 2 and not geometry.at[spot.cell].reach:
            continue
        for j in range(joining):
            other = &found.at[joiners[j]]
            shared = shared_chains(spot, other)
            if shared and (REACHED[spot.reach | other.reach]
                           or (shared > 1 and not side_by_side(board, other.cell, spot.cell))):
                note_pair(found, spot.cell, other.cell)
        joiners[joining] = <int16_t>i
        joining += 1


cdef inline void add_to_line(Line* line, const Threats* found, int cell) noexcept nogil:
    """Put a cell and those that it threatens in front of a line."""
    cdef int i
    if line.count + 3 <= LONGEST_LINE:
        line.cells[line.count] = <int16_t>cell
        line.count += 1
        for i in range(min(2, found.pairs[cell])):
            line.cells[line.count] = found.replies[cell][i]
            line.count += 1


cdef int winning_threat(const Board* board, int player, const Threats* found, int depth,
                        int* budget, Line* line) noexcept nogil:
    cdef int i
    line.count = 0
    for i in range(found.cells):
        if found.pairs[found.listed[i]] > 1:
            add_to_line(line, found, found.listed[i])
            return found.listed[i]
    if depth:
        for i in range(found.cells):
            if budget[0] <= 0:
                break
            budget[0] -= 1
            if wins_after(board, player, found.listed[i], found.replies[found.listed[i]][0], depth,
                          budget, line):
                add_to_line(line, found, found.listed[i])
                return found.listed[i]
    return -1


cdef bint wins_after(const Board* board, int player, int threat, int reply, int depth,
                     int* budget, Line* line) noexcept nogil:
    """Whether a player goes on to win after a threat and its only answer."""
    cdef Board after
    cdef Threats found
    copy_board(&after, board)
    add_stone(&after, player, threat)
    add_stone(&after, 3 - player, reply)
    find_wins(&after, 3 - player, &found)
    if found.wins:
        # The answer is a threat itself.
        return False
    find_wins(&after, player, &found)
    if found.wins:
        return True
    find_pairs(&after, player, &found)
    return winning_threat(&after, player, &found, depth - 1, budget, line) >= 0


cdef int answers_to_double_threats(const Threats* found, int16_t* answers) noexcept nogil:
    cdef int i, j, kept, cell, count = -1
    for i in range(found.cells):
        cell = found.listed[i]
        if found.pairs[cell] < 2:
            continue
        if count < 0:
            answers[0] = <int16_t>cell
            answers[1] = found.replies[cell][0]
            answers[2] = found.replies[cell][1]
            count = 1 if found.pairs[cell] > 2 else 3
            continue
        kept = 0
        for j in range(count):
            # Of two threats the one is taken away, and the other answered; of three, one is left.
            if answers[j] == cell or (found.pairs[cell] == 2 and (
                    answers[j] == found.replies[cell][0] or answers[j] == found.replies[cell][1])):
                answers[kept] = answers[j]
                kept += 1
        count = kept
    return count
