"""The views and the table of go_database.pxd."""
from itertools import product

from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy

from cext.go cimport Go
from cext.go_board cimport MAX_POINTS, Board, allowed, column_of, own_eye, row_of
from cext.go_habits cimport Crowds, Deeds, deeds_of, habit, see_crowds
from cext.rng cimport Rng, next_number, seed_rng

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define mcts_prefetch(address) __builtin_prefetch(address)
    #else
    #define mcts_prefetch(address) ((void)(address))
    #endif
    """
    void prefetch "mcts_prefetch"(const void* address) noexcept nogil

# The cells of a shape, from near to far: rows up and columns to the right.
CELLS = tuple(
    (row, column)
    for distances in (((0, 1),), ((1, 1),), ((0, 2),), ((1, 2),), ((2, 2),), ((0, 3),), ((1, 3),))
    for row, column in sorted(
        {(a * i, b * j) for x, y in distances for a, b in ((x, y), (y, x))
         for i in (1, -1) for j in (1, -1)})
)

# How many there are, of which kind: by their places in a file.
ZONES = (COUNT_OF_ZONES, NEAREST, FARTHEST)
DISTANCES = (STEPS, STEPS, LINES)

cdef int OFFSETS[LARGE]
# By symmetry, cell and what is on it; 0 where that is nothing.
cdef uint64_t NUMBERS[8][LARGE][4]
# What tells a large shape from the small one within it, if nothing is around that.
cdef uint64_t LARGER = 0x9E3779B97F4A7C15
# What lies beyond the edge, by the points that there are before it to the south, west, east and
# north, and whether of the small shape or around it.
cdef uint64_t EDGES[BEYOND + 1][BEYOND + 1][BEYOND + 1][BEYOND + 1][2]


def turned(row, column):
    """Return where a cell goes in each symmetry."""
    return [(a, b) for x, y in ((row, column), (column, row))
            for a in (x, -x) for b in (y, -y)]


def fill():
    cdef Rng rng
    cdef int i, content, turn
    seed_rng(&rng, 1)
    numbers = {cell: [0, *(next_number(&rng) for _ in range(3))] for cell in CELLS}
    for i, (row, column) in enumerate(CELLS):
        OFFSETS[i] = row * WIDTH + column
        for turn, cell in enumerate(turned(row, column)):
            for content in range(4):
                NUMBERS[turn][i][content] = numbers[cell][content]
    for south, west, east, north in product(range(BEYOND + 1), repeat=4):
        EDGES[south][west][east][north][1] = LARGER
        for i, (row, column) in enumerate(CELLS):
            if not (-south <= row <= north and -west <= column <= east):
                EDGES[south][west][east][north][i >= SMALL] ^= NUMBERS[0][i][3]


fill()


cdef void see(View* view, const Board* board, int player) noexcept nogil:
    cdef int size = board.size, row, column, place, side, read, end, i, neighbour
    cdef uint8_t content
    cdef const uint64_t* edge
    cdef uint16_t queue[MAX_POINTS]
    cdef int beside[4]
    beside[0], beside[1], beside[2], beside[3] = -WIDTH, -1, 1, WIDTH
    view.size = size
    memset(view.cells, 3, sizeof(view.cells))
    memset(view.steps, STEPS - 1, sizeof(view.steps))
    for row in range(size):
        for column in range(size):
            edge = EDGES[min(row, BEYOND)][min(column, BEYOND)][min(size - 1 - column, BEYOND)][
                min(size - 1 - row, BEYOND)]
            place = (row + BEYOND) * WIDTH + column + BEYOND
            view.codes[0][place] = edge[0]
            view.codes[1][place] = edge[1]
    # A stone is in the shapes of all points around it; there are fewer stones than empty points.
    for row in range(size):
        for column in range(size):
            place = (row + BEYOND) * WIDTH + column + BEYOND
            # A sealed eye counts as empty: its two low bits are.
            content = board.at[(row + 1) * board.stride + column + 1].color & 3
            if content:
                content = 1 if content == player else 2
                for i in range(LARGE):
                    view.codes[i >= SMALL][place - OFFSETS[i]] ^= NUMBERS[0][i][content]
            view.cells[place] = content
    for side in range(1, 3):
        read = end = 0
        for row in range(BEYOND, size + BEYOND):
            for place in range(row * WIDTH + BEYOND, row * WIDTH + BEYOND + size):
                if view.cells[place] == side:
                    view.steps[side][place] = 0
                    queue[end] = <uint16_t>place
                    end += 1
        while read < end:
            place = queue[read]
            read += 1
            if view.steps[side][place] == STEPS - 2:
                break
            for i in range(4):
                neighbour = place + beside[i]
                if view.cells[neighbour] != 3 and view.steps[side][neighbour] == STEPS - 1:
                    view.steps[side][neighbour] = view.steps[side][place] + 1
                    queue[end] = <uint16_t>neighbour
                    end += 1


cdef inline Place place_of(const View* view, const Board* board, int point) noexcept nogil:
    cdef Place place
    cdef int row = row_of(board, point) - 1, column = column_of(board, point) - 1
    cdef int across = min(row, view.size - 1 - row), along = min(column, view.size - 1 - column)
    place.at = (row + BEYOND) * WIDTH + column + BEYOND
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


cdef inline uint64_t code_of(const View* view, int place, int first, int last,
                             int turn) noexcept nogil:
    cdef uint64_t code = LARGER if first else 0
    cdef int i
    for i in range(first, last):
        code ^= NUMBERS[turn][i][view.cells[place + OFFSETS[i]]]
    return code


cdef class Database:
    """Factors of zones and distances by their numbers, and shapes with theirs, in tenths.

    A shape is a drawing of 20 or 36 cells (CELLS): '.' empty, 'X' own, 'O' enemy, '#' off the
    board. A large one counts beside the small one within it, and only where that is known, too.
    """

    def __init__(self, zones, distances, shapes):
        cdef uint32_t room = 64
        cdef int i
        for i, value in zip(range(COUNT_OF_ZONES * NEAREST * FARTHEST), zones, strict=True):
            (<int8_t*>self.zones)[i] = value
        for i, value in zip(range(STEPS * STEPS * LINES), distances, strict=True):
            (<int8_t*>self.distances)[i] = value
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

    cdef void expect(self, const View* view, const Board* board, int point) noexcept nogil:
        """Let a processor fetch what tenths() will look at: the table does not fit in its caches."""
        cdef Place place = place_of(view, board, point)
        prefetch(&self.entries[<uint32_t>view.codes[0][place.at] & self.mask])

    cdef int tenths(self, const View* view, const Board* board, int point) noexcept nogil:
        """Return the logarithm of the factor by which people play an empty point."""
        cdef Place place = place_of(view, board, point)
        cdef int found = ((<const int8_t*>self.zones)[zone_of(view, &place)]
                          + (<const int8_t*>self.distances)[distances_of(view, &place)])
        cdef uint64_t code = view.codes[0][place.at]
        cdef const Entry* entry = self.find(code)
        if entry != NULL:
            found += entry.value
            entry = self.find(code ^ view.codes[1][place.at])
            if entry != NULL:
                found += entry.value
        return found

    def factors(self, Go game not None):
        """Return the logarithms, in tenths, of all empty points, by point number."""
        cdef View view
        cdef int move
        see(&view, &game.board, game.to_play)
        return {move: self.tenths(&view, &game.board, game.at(move)) for move in range(game.points)
                if game.color(move) == 0}


def codes_of(const unsigned char[::1] drawing not None):
    """Return the codes of a shape in all its symmetries."""
    cdef int turn, i
    cdef uint64_t code
    if drawing.shape[0] not in (SMALL, LARGE):
        raise ValueError(f"a shape of {drawing.shape[0]} cells: {SMALL} or {LARGE} are wanted")
    contents = [b".XO#".index(letter) for letter in drawing]
    codes = []
    for turn in range(8):
        code = LARGER if len(contents) == LARGE else 0
        for i, content in enumerate(contents):
            code ^= NUMBERS[turn][i][<int>content]
        codes.append(code)
    return codes


cdef uint64_t lowest_code(const View* view, int place, int first, int last,
                          const uint64_t* before, uint64_t* after) noexcept nogil:
    """Return the lowest code of a shape in all its symmetries, of which some cells are known."""
    cdef uint64_t lowest = 0xFFFFFFFFFFFFFFFF
    cdef int turn
    for turn in range(8):
        after[turn] = before[turn] ^ code_of(view, place, first, last, turn)
        lowest = min(lowest, after[turn])
    return lowest


def observed(Go game not None):
    """Return what is to be learnt from: of each move that is neither forbidden nor into an own eye
    its number, what go_habits says of it, its zone and distances, and the codes of its shapes."""
    kind = [("move", "i2"), ("habit", "i2"), ("zone", "u2"), ("distances", "u2"), ("small", "u8"),
            ("large", "u8")]
    cdef Board* board = &game.board
    cdef View view
    cdef Crowds crowds
    cdef Deeds deeds
    cdef Place place
    cdef uint64_t codes[8]
    cdef uint64_t nothing[8]
    cdef int move, point, player = game.to_play
    rows = []
    memset(nothing, 0, sizeof(nothing))
    see_crowds(&crowds, board)
    see(&view, board, player)
    for move in range(game.points):
        point = game.at(move)
        if allowed(board, player, point) and not own_eye(board, player, point):
            deeds = deeds_of(board, player, point)
            place = place_of(&view, board, point)
            rows.append((
                move,
                habit(board, player, point, game.last, game.before, &deeds, &crowds),
                zone_of(&view, &place),
                distances_of(&view, &place),
                lowest_code(&view, place.at, 0, SMALL, nothing, codes),
                lowest_code(&view, place.at, SMALL, LARGE, codes, codes),
            ))
    return numpy.array(rows, kind)


def codes_at(Go game not None, int move):
    """Return the codes of the shapes around an empty point, as observed() has them."""
    cdef View view
    cdef uint64_t codes[8]
    cdef uint64_t small
    cdef int place
    memset(codes, 0, sizeof(codes))
    see(&view, &game.board, game.to_play)
    place = place_of(&view, &game.board, game.at(move)).at
    small = lowest_code(&view, place, 0, SMALL, codes, codes)
    return small, lowest_code(&view, place, SMALL, LARGE, codes, codes)


def drawn(Go game not None, int move):
    """Return the drawing of the large shape around an empty point."""
    cdef View view
    cdef int i, place
    see(&view, &game.board, game.to_play)
    place = place_of(&view, &game.board, game.at(move)).at
    return "".join(".XO#"[view.cells[place + OFFSETS[i]]] for i in range(LARGE))
