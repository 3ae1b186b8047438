"""The views and the table of go_database.pxd."""
from libc.stdlib cimport abs, calloc, free
from libc.string cimport memcpy, memset

from math import prod

import numpy

from cext.go cimport Go
from cext.go_board cimport (
    BLACK, LOOKS, MAX_SIZE, Board, Look, allowed, column_of, own_eye, row_of)
from cext.go_habits cimport Crowds, Deeds, deeds_of, habit, see_crowds
from cext.intrinsics cimport lowest_bit, prefetch
from cext.symmetries cimport Cell, turned_cell

# The cells of a shape, from near to far: rows up and columns to the right.
CELLS = tuple(
    (row, column)
    for distances in (((0, 1),), ((1, 1),), ((0, 2),), ((1, 2),), ((2, 2),), ((0, 3),), ((1, 3),))
    for row, column in sorted(
        {(a * i, b * j) for x, y in distances for a, b in ((x, y), (y, x))
         for i in (1, -1) for j in (1, -1)})
)

# How many factors there are of which kind, by their places in a file.
TABLES = {
    "zones": (COUNT_OF_ZONES, NEAREST, FARTHEST),
    "distances": (STEPS, STEPS, LINES),
    "answers": (PLACES, PLACES),
    "fights": (NEAR_PLACES, LIBERTIES, CHAIN_LIBERTIES, CHAIN_LIBERTIES),
}

# By symmetry and cell: the bit of a window at which its two bits begin, from 64 on in the north.
cdef int BITS[8][LARGE]
# By how many rows and columns two points are apart: PLACES but the first.
cdef int SEEN[MAX_SIZE][MAX_SIZE]
# Odd numbers with nothing special about them.
cdef uint64_t SOUTH = 0x9E3779B97F4A7C15
cdef uint64_t NORTH = 0xC2B2AE3D27D4EB4F
cdef uint64_t MIXING = 0xBF58476D1CE4E5B9
# The bits of a window that are a shape's, to the south and to the north.
cdef uint64_t SMALL_CELLS[2]
cdef uint64_t LARGE_CELLS[2]


def fill():
    cdef int i, symmetry, row, column, more, row_bits
    cdef Cell cell
    for row in range(MAX_SIZE):
        for column in range(MAX_SIZE):
            more = max(row, column)
            SEEN[row][column] = (PLACES - 1 if more > 5
                                 else more * (more + 1) // 2 + min(row, column) + 1)
    for i, (row, column) in enumerate(CELLS):
        for symmetry in range(8):
            cell = turned_cell(symmetry, row, column)
            row_bits = 64 + 14 * (cell.row - 1) if cell.row > 0 else 14 * (cell.row + 3)
            BITS[symmetry][i] = row_bits + 2 * (cell.column + 3)
    for i in range(LARGE):
        if i < SMALL:
            put_cell(SMALL_CELLS, BITS[0][i], 3)
        put_cell(LARGE_CELLS, BITS[0][i], 3)


cdef inline void put_cell(uint64_t* window, int bit, uint64_t content) noexcept nogil:
    window[bit >> 6] |= content << (bit & 63)


cdef inline uint64_t code_of(const uint64_t* window, const uint64_t* cells) noexcept nogil:
    """Return a number for what is on some cells of a window: of two shapes hardly ever the same."""
    cdef uint64_t code = (window[0] & cells[0]) * SOUTH + (window[1] & cells[1]) * NORTH + cells[0]
    code = (code ^ code >> 29) * MIXING
    return code ^ code >> 32


fill()


cdef inline void look_through(const View* view, const Place* place,
                              uint64_t* window) noexcept nogil:
    """Cut out the seven rows and columns around a point: four rows to the south, three others."""
    cdef const uint64_t* rows = &view.rows[place.square.row]
    cdef int shift = 2 * place.square.column
    window[0] = ((rows[0] >> shift & 0x3FFF) | (rows[1] >> shift & 0x3FFF) << 14
                 | (rows[2] >> shift & 0x3FFF) << 28 | (rows[3] >> shift & 0x3FFF) << 42)
    window[1] = ((rows[4] >> shift & 0x3FFF) | (rows[5] >> shift & 0x3FFF) << 14
                 | (rows[6] >> shift & 0x3FFF) << 28)


cdef void see(View* view, Go game) noexcept nogil:
    cdef const Board* board = &game.board
    cdef int size = board.size, player = game.to_play, row, column, side, step
    cdef uint32_t all_columns = (<uint32_t>1 << size) - 1, fresh, any_fresh
    cdef uint64_t content, blank = ~(((<uint64_t>1 << 2 * size) - 1) << 2 * BEYOND)
    # By side and row, a bit a column: where its stones are, and what is so many steps from them.
    cdef uint32_t reached[3][MAX_SIZE + 2]
    cdef uint32_t grown[MAX_SIZE + 2]
    view.size = size
    view.player = player
    view.last = square_of(board, game.last)
    view.before = square_of(board, game.before)
    count_liberties(view, board)
    memset(view.rows, 0xFF, sizeof(view.rows))
    memset(view.steps, STEPS - 1, sizeof(view.steps))
    memset(reached, 0, sizeof(reached))
    for row in range(size):
        view.rows[row + BEYOND] = blank
        for column in range(size):
            # A sealed eye counts as empty: its two low bits are.
            content = board.at[(row + 1) * board.stride + column + 1].color & 3
            if content:
                content = 1 if <int>content == player else 2
                view.rows[row + BEYOND] |= content << 2 * (column + BEYOND)
                reached[content][row + 1] |= <uint32_t>1 << column
    for side in range(1, 3):
        for step in range(1, STEPS - 1):
            any_fresh = 0
            for row in range(1, size + 1):
                fresh = reached[side][row]
                grown[row] = all_columns & (fresh | fresh << 1 | fresh >> 1
                                            | reached[side][row - 1] | reached[side][row + 1])
                fresh ^= grown[row]
                any_fresh |= fresh
                while fresh:
                    view.steps[side][(row - 1) * MAX_SIZE + lowest_bit(fresh)] = <uint8_t>step
                    fresh &= fresh - 1
            if not any_fresh:
                break
            memcpy(&reached[side][1], &grown[1], size * sizeof(uint32_t))


cdef inline bint is_alone(const Board* board, int point) noexcept nogil:
    """Whether there is no stone beside a point."""
    cdef const Look* look = &LOOKS[BLACK][board.at[point].around]
    return look.own | look.enemy == 0


cdef void count_liberties(View* view, const Board* board) noexcept nogil:
    cdef int row, column, point, i, j, chain
    memset(view.liberties, 0, board.points * sizeof(view.liberties[0]))
    for row in range(1, board.size + 1):
        for column in range(1, board.size + 1):
            point = row * board.stride + column
            # A sealed eye is a liberty, too.
            if board.at[point].color & 3 or is_alone(board, point):
                continue
            for i in range(4):
                chain = board.at[point + board.offset[i]].chain
                for j in range(i):
                    if board.at[point + board.offset[j]].chain == chain:
                        break
                else:
                    # What has no chain is counted as well, as number 0.
                    view.liberties[chain] += 1


cdef inline Square square_of(const Board* board, int point) noexcept nogil:
    cdef Square square
    # Row 0 is the frame, where point 0 is.
    square.row = row_of(board, point) - 1
    square.column = column_of(board, point) - 1
    return square


cdef inline int seen_from(const Square* square, const Square* other) noexcept nogil:
    """Return where a point lies as seen from another, however turned: a number below PLACES."""
    if other.row < 0:
        return 0
    return SEEN[abs(square.row - other.row)][abs(square.column - other.column)]


cdef inline int answer_of(const View* view, const Place* place) noexcept nogil:
    """Return a number below PLACES * PLACES."""
    return (seen_from(&place.square, &view.last) * PLACES
            + seen_from(&place.square, &view.before))


cdef inline int fight_of(const View* view, const Board* board, const Place* place,
                         int point) noexcept nogil:
    """Return a number below NEAR_PLACES * LIBERTIES * CHAIN_LIBERTIES * CHAIN_LIBERTIES.

    Liberties that chains share count for each of them, and of a chain that is captured as many as
    it has stones beside the point: to know better would take longer.
    """
    cdef int own = CHAIN_LIBERTIES, enemy = CHAIN_LIBERTIES, after = 0
    cdef int near = min(seen_from(&place.square, &view.last), NEAR_PLACES - 1)
    cdef int i, j, neighbour, chain, count
    # Most points are out in the open.
    if is_alone(board, point):
        after = LOOKS[BLACK][board.at[point].around].empties
        return (near * LIBERTIES + after) * CHAIN_LIBERTIES * CHAIN_LIBERTIES
    for i in range(4):
        neighbour = point + board.offset[i]
        chain = board.at[neighbour].chain
        if not chain:
            after += board.at[neighbour].color & 3 == 0
            continue
        count = min(<int>view.liberties[chain], LIBERTIES)
        if board.at[neighbour].color != view.player:
            enemy = min(enemy, min(count, CHAIN_LIBERTIES - 1))
            after += count == 1
            continue
        own = min(own, min(count, CHAIN_LIBERTIES - 1))
        for j in range(i):
            if board.at[point + board.offset[j]].chain == chain:
                break
        else:
            after += count - 1
    return (((near * LIBERTIES + min(after, LIBERTIES - 1)) * CHAIN_LIBERTIES
             + enemy % CHAIN_LIBERTIES) * CHAIN_LIBERTIES + own % CHAIN_LIBERTIES)


cdef inline Place place_of(const View* view, const Board* board, int point) noexcept nogil:
    cdef Place place
    place.square = square_of(board, point)
    cdef int row = place.square.row, column = place.square.column
    cdef int across = min(row, view.size - 1 - row)
    cdef int along = min(column, view.size - 1 - column)
    place.at = row * MAX_SIZE + column
    place.near_line = min(across, along)
    place.far_line = max(across, along)
    return place


cdef inline int zone_of(const View* view, const Place* place) noexcept nogil:
    """Return a number below COUNT_OF_ZONES * NEAREST * FARTHEST."""
    cdef int steps = min(view.steps[1][place.at], view.steps[2][place.at])
    return ((min((steps - 1) // 2, COUNT_OF_ZONES - 1) * NEAREST
             + min(place.near_line, NEAREST - 1)) * FARTHEST + min(place.far_line, FARTHEST - 1))


cdef inline int distances_of(const View* view, const Place* place) noexcept nogil:
    """Return a number below STEPS * STEPS * LINES."""
    return ((view.steps[1][place.at] * STEPS + view.steps[2][place.at]) * LINES
            + min(place.near_line, LINES - 1))


cdef class Database:
    """Factors by the names in TABLES and their numbers, and shapes with theirs, in tenths.

    A table that is not there has no factors: all are 0.

    A shape is a drawing of 20 or 36 cells (CELLS): '.' empty, 'X' own, 'O' enemy, '#' off the
    board. A large one counts beside the small one within it, and only where that is known, too.
    """

    def __init__(self, tables, shapes):
        cdef uint32_t room = 64
        cdef int i
        cdef int8_t* table
        for name, factors in tables.items():
            table = self.table(name)
            for i, factor in zip(range(prod(TABLES[name])), factors, strict=True):
                table[i] = factor
        drawn = [(drawing.encode(), value) for drawing, value in shapes]
        while room < 16 * len(drawn):
            room *= 2
        self.mask = room - 1
        self.entries = <Entry*>calloc(room, sizeof(Entry))
        if self.entries == NULL:
            raise MemoryError()
        for drawing, value in drawn:
            for code in codes_of(drawing):
                self.put(code, value)
        self.shapes = len(drawn)

    def __dealloc__(self):
        free(self.entries)

    cdef int8_t* table(self, name) except NULL:
        if name == "zones":
            return <int8_t*>self.zones
        if name == "distances":
            return <int8_t*>self.distances
        if name == "answers":
            return <int8_t*>self.answers
        if name == "fights":
            return <int8_t*>self.fights
        raise ValueError(f"{name}: {', '.join(TABLES)} are wanted")

    cdef void put(self, uint64_t code, int value):
        cdef uint32_t i = <uint32_t>code & self.mask, key = <uint32_t>(code >> 32) | 1
        while self.entries[i].key and self.entries[i].key != key:
            i = (i + 1) & self.mask
        self.entries[i].key = key
        self.entries[i].value = <int8_t>value

    cdef const Entry* find(self, uint64_t code) noexcept nogil:
        cdef uint32_t i = <uint32_t>code & self.mask, key = <uint32_t>(code >> 32) | 1
        while self.entries[i].key:
            if self.entries[i].key == key:
                return &self.entries[i]
            i = (i + 1) & self.mask
        return NULL

    cdef void expect(self, const View* view, const Board* board, int point,
                     Sight* sight) noexcept nogil:
        """Have fetched what tenths() will look at: the table does not fit in a core's caches."""
        sight.place = place_of(view, board, point)
        look_through(view, &sight.place, sight.window)
        sight.code = code_of(sight.window, SMALL_CELLS)
        prefetch(&self.entries[<uint32_t>sight.code & self.mask])

    cdef int tenths(self, const View* view, const Board* board, int point,
                    const Sight* sight) noexcept nogil:
        """Return the logarithm of the factor by which people play an empty point."""
        cdef const Place* place = &sight.place
        cdef int found = ((<const int8_t*>self.zones)[zone_of(view, place)]
                          + (<const int8_t*>self.distances)[distances_of(view, place)]
                          + (<const int8_t*>self.answers)[answer_of(view, place)]
                          + (<const int8_t*>self.fights)[fight_of(view, board, place, point)])
        cdef const Entry* entry = self.find(sight.code)
        if entry != NULL:
            found += entry.value
            entry = self.find(code_of(sight.window, LARGE_CELLS))
            if entry != NULL:
                found += entry.value
        return found

    def factors(self, Go game not None):
        """Return the logarithms, in tenths, of all empty points, by point number."""
        cdef View view
        cdef Sight sight
        cdef int move
        found = {}
        see(&view, game)
        for move in range(game.points):
            if game.color(move) == 0:
                self.expect(&view, &game.board, game.at(move), &sight)
                found[move] = self.tenths(&view, &game.board, game.at(move), &sight)
        return found


def codes_of(const unsigned char[::1] drawing not None):
    """Return the codes of a shape in all its symmetries."""
    cdef uint64_t window[2]
    cdef int turn, i
    if drawing.shape[0] not in (SMALL, LARGE):
        raise ValueError(f"a shape of {drawing.shape[0]} cells: {SMALL} or {LARGE} are wanted")
    contents = [b".XO#".index(letter) for letter in drawing]
    codes = []
    for turn in range(8):
        window[0] = window[1] = 0
        for i, content in enumerate(contents):
            put_cell(window, BITS[turn][i], content)
        codes.append(code_of(window, &LARGE_CELLS[0] if len(contents) == LARGE
                             else &SMALL_CELLS[0]))
    return codes


cdef inline uint64_t content_of(const uint64_t* window, int cell) noexcept nogil:
    return window[BITS[0][cell] >> 6] >> (BITS[0][cell] & 63) & 3


cdef void lowest_codes(const View* view, const Place* place, uint64_t* lowest) noexcept nogil:
    """Return the lowest codes of the small and the large shape in all their symmetries."""
    cdef uint64_t window[2]
    cdef uint64_t other[2]
    cdef int turn, i
    look_through(view, place, window)
    lowest[0] = lowest[1] = 0xFFFFFFFFFFFFFFFF
    for turn in range(8):
        other[0] = other[1] = 0
        for i in range(LARGE):
            put_cell(other, BITS[turn][i], content_of(window, i))
        lowest[0] = min(lowest[0], code_of(other, SMALL_CELLS))
        lowest[1] = min(lowest[1], code_of(other, LARGE_CELLS))


def observed(Go game not None):
    """Return what is to be learnt from: of each move that is neither forbidden nor into an own eye
    its number, what go_habits says of it, its numbers in TABLES, and the codes of its shapes."""
    kind = [("move", "i2"), ("habit", "i2"), *((name, "u2") for name in TABLES), ("small", "u8"),
            ("large", "u8")]
    cdef Board* board = &game.board
    cdef View view
    cdef Crowds crowds
    cdef Deeds deeds
    cdef Place place
    cdef uint64_t codes[2]
    cdef int move, point, player = game.to_play
    rows = []
    see_crowds(&crowds, board)
    see(&view, game)
    for move in range(game.points):
        point = game.at(move)
        if allowed(board, player, point) and not own_eye(board, player, point):
            deeds = deeds_of(board, player, point)
            place = place_of(&view, board, point)
            lowest_codes(&view, &place, codes)
            rows.append((
                move,
                habit(board, player, point, game.last, game.before, &deeds, &crowds),
                zone_of(&view, &place),
                distances_of(&view, &place),
                answer_of(&view, &place),
                fight_of(&view, board, &place, point),
                codes[0],
                codes[1],
            ))
    return numpy.array(rows, kind)


def codes_at(Go game not None, int move):
    """Return the codes of the shapes around an empty point, as observed() has them."""
    cdef View view
    cdef Place place
    cdef uint64_t codes[2]
    see(&view, game)
    place = place_of(&view, &game.board, game.at(move))
    lowest_codes(&view, &place, codes)
    return codes[0], codes[1]


def drawn(Go game not None, int move):
    """Return the drawing of the large shape around an empty point."""
    cdef View view
    cdef Place place
    cdef uint64_t window[2]
    cdef int i
    see(&view, game)
    place = place_of(&view, &game.board, game.at(move))
    look_through(&view, &place, window)
    return "".join(".XO#"[content_of(window, i)] for i in range(LARGE))
