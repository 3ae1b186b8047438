"""The matcher that go_bias_patterns.pxd explains, and what compiles patterns for it."""
from libc.math cimport llrint
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport abort, calloc, free, malloc
from libc.string cimport memset

from collections import Counter
from itertools import combinations
from math import isfinite

from cext.go cimport Go
from cext.go_board cimport MAX_POINTS, MAX_SIZE, Board
from cext.symmetries cimport Cell, turned_cell

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #include <string.h>

    /* Vectors that gcc and clang make of whatever the processor has; words at any address. */
    typedef uint64_t mcts_vector __attribute__((vector_size(32), aligned(1), may_alias));
    typedef uint64_t mcts_word __attribute__((aligned(1), may_alias));

    #define MCTS_ANY(v) ((v)[0] | (v)[1] | (v)[2] | (v)[3])

    /* AND a strip of 96 bytes, or of 192, with that of each cell's plane, and put it into `found`.
       Returns whether a bit is left; where none is, `found` may stay as it was. */
    static inline int mcts_match_3(const char* strip, const char* planes, const uint32_t* cells,
                                   uint32_t count, uint32_t row_bytes, char* found) {
        const mcts_vector* v = (const mcts_vector*)strip;
        mcts_vector a = v[0], b = v[1], c = v[2], any;
        uint32_t i;
        for (i = 0; i < count; i++) {
            v = (const mcts_vector*)(planes + (size_t)cells[i] * row_bytes);
            a &= v[0]; b &= v[1]; c &= v[2];
            if (i % 2) {
                any = a | b | c;
                if (!MCTS_ANY(any))
                    return 0;
            }
        }
        mcts_vector* to = (mcts_vector*)found;
        to[0] = a; to[1] = b; to[2] = c;
        any = a | b | c;
        return MCTS_ANY(any) != 0;
    }

    static inline int mcts_match_6(const char* strip, const char* planes, const uint32_t* cells,
                                   uint32_t count, uint32_t row_bytes, char* found) {
        const mcts_vector* v = (const mcts_vector*)strip;
        mcts_vector a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], any;
        uint32_t i;
        for (i = 0; i < count; i++) {
            v = (const mcts_vector*)(planes + (size_t)cells[i] * row_bytes);
            a &= v[0]; b &= v[1]; c &= v[2]; d &= v[3]; e &= v[4]; f &= v[5];
            if (i % 2) {
                any = a | b | c | d | e | f;
                if (!MCTS_ANY(any))
                    return 0;
            }
        }
        mcts_vector* to = (mcts_vector*)found;
        to[0] = a; to[1] = b; to[2] = c; to[3] = d; to[4] = e; to[5] = f;
        any = a | b | c | d | e | f;
        return MCTS_ANY(any) != 0;
    }

    /* The string of bits seen from dx bits further on, |dx| < 64, under a mask. A word before the
       string and one behind it are read, and up to seven bytes behind the plane are written. */
    static void mcts_shift(char* plane, const uint64_t* source, const uint64_t* mask, int words,
                           int dx, uint64_t flip) {
        mcts_word* to = (mcts_word*)plane;
        int i;
        if (dx > 0)
            for (i = 0; i < words; i++)
                to[i] = ((source[i] >> dx | source[i + 1] << (64 - dx)) & mask[i]) ^ flip;
        else if (dx < 0)
            for (i = 0; i < words; i++)
                to[i] = ((source[i] << -dx | source[i - 1] >> (64 + dx)) & mask[i]) ^ flip;
        else
            for (i = 0; i < words; i++)
                to[i] = (source[i] & mask[i]) ^ flip;
    }
    """
    bint match_3 "mcts_match_3"(const char* strip, const char* planes, const uint32_t* cells,
                                uint32_t count, uint32_t row_bytes, char* found) noexcept nogil
    bint match_6 "mcts_match_6"(const char* strip, const char* planes, const uint32_t* cells,
                                uint32_t count, uint32_t row_bytes, char* found) noexcept nogil
    void shift "mcts_shift"(char* plane, const uint64_t* source, const uint64_t* mask, int words,
                            int dx, uint64_t flip) noexcept nogil
    int lowest_bit "__builtin_ctzll"(uint64_t bits) noexcept nogil

cdef double UNIT = 2.0 ** -32      # of strengths
KINDS_OF_CELLS = "XOS.#"        # a letter for each kind

cdef enum:
    WORDS = 79                  # of the string of the largest board: 625 bytes
    STRIP = 192                 # bytes; half of it up to 9x9
    STRIP_WORDS = 24
    QUEUE = 256


# What only depends on a board's size.
cdef struct Shape:
    uint16_t* points            # the point that a bit of the string is about
    uint64_t* masks             # for dx from 1 - size to size - 1: the bits with a column dx away

cdef Shape SHAPES[MAX_SIZE + 1]


cdef int make_shapes() except -1:
    cdef int size, lane, row, column, row_there, column_there, dx, bit, words
    cdef Shape* shape
    cdef Cell cell
    for size in range(2, MAX_SIZE + 1):
        shape = &SHAPES[size]
        words = string_words(size)
        shape.points = <uint16_t*>reserve(64 * words, sizeof(uint16_t))
        shape.masks = <uint64_t*>reserve((2 * size - 1) * words, sizeof(uint64_t))
        for bit in range(8 * size * size):
            row, lane, column = bit // (8 * size), bit // size % 8, bit % size
            # Twice as far from the centre everything is a whole number.
            cell = turned_cell(lane, 2 * row - size + 1, 2 * column - size + 1)
            row_there, column_there = (cell.row + size - 1) // 2, (cell.column + size - 1) // 2
            shape.points[bit] = <uint16_t>((row_there + 1) * (size + 1) + column_there + 1)
            for dx in range(max(1 - size, -column), min(size - 1, size - 1 - column) + 1):
                shape.masks[(dx + size - 1) * words + bit // 64] |= <uint64_t>1 << (bit % 64)
    return 0


cdef inline int string_words(int size) noexcept nogil:
    return (size * size + 7) // 8


cdef struct Found:
    uint64_t bits
    int32_t word                # which word of the string
    int32_t pattern


cdef struct Sum:
    int64_t strength
    int32_t last                # the last pattern that was added here


# One position, while its patterns are looked for.
cdef struct Task:
    const Pattern* patterns
    const uint16_t* points
    int queued
    Found queue[QUEUE]
    uint8_t wanted[MAX_POINTS]
    Sum sums[MAX_POINTS]


cdef void add_found(Task* task) noexcept nogil:
    """Empty the queue into the sums."""
    cdef int i, pattern
    cdef uint64_t bits
    cdef int64_t strength
    cdef const uint16_t* points
    cdef Sum* sum
    for i in range(task.queued):
        bits = task.queue[i].bits
        pattern = task.queue[i].pattern
        strength = task.patterns[pattern].strength
        points = task.points + 64 * task.queue[i].word
        while True:
            sum = &task.sums[points[lowest_bit(bits)]]
            sum.strength += strength if sum.last != pattern else 0
            sum.last = pattern
            bits &= bits - 1
            if not bits:
                break
    task.queued = 0


cdef inline void queue_strip(Task* task, const uint64_t* words, int first_word, int count,
                             int pattern) noexcept nogil:
    """Queue the words of a strip that are not zero."""
    cdef int i, queued = task.queued
    for i in range(count):
        task.queue[queued].bits = words[i]
        task.queue[queued].word = first_word + i
        task.queue[queued].pattern = pattern
        queued += words[i] != 0
    task.queued = queued
    if queued >= QUEUE - STRIP_WORDS:
        add_found(task)


# The bits of one kind, as they lie and mirrored: rows, and columns taken for rows.
cdef struct Bits:
    uint32_t rows[MAX_SIZE]
    uint32_t mirrored_rows[MAX_SIZE]
    uint32_t columns[MAX_SIZE]
    uint32_t mirrored_columns[MAX_SIZE]


# The three that are read off the board.
cdef struct View:
    Bits own
    Bits enemy
    Bits candidates


cdef inline void read_row(Bits* bits, const uint32_t* row, int size, int y) noexcept nogil:
    """Take in a row of zeros and ones; each loop is one that compilers make vectors of."""
    cdef uint32_t as_it_lies = 0, mirrored = 0
    cdef int x
    for x in range(size):
        as_it_lies |= row[x] << x
    for x in range(size):
        mirrored |= row[x] << (size - 1 - x)
    for x in range(size):
        bits.columns[x] |= row[x] << y
    for x in range(size):
        bits.mirrored_columns[x] |= row[x] << (size - 1 - y)
    bits.rows[y] = as_it_lies
    bits.mirrored_rows[y] = mirrored


cdef void read_board(View* view, const Task* task, const Board* board, int player) noexcept nogil:
    cdef uint32_t own[MAX_SIZE]
    cdef uint32_t enemy[MAX_SIZE]
    cdef uint32_t candidates[MAX_SIZE]
    cdef int size = board.size, x, y, point
    memset(view, 0, sizeof(View))
    for y in range(size):
        for x in range(size):
            point = (y + 1) * board.stride + x + 1
            own[x] = board.at[point].color == player
            enemy[x] = board.at[point].color == 3 - player
            candidates[x] = task.wanted[point]
        read_row(&view.own, own, size, y)
        read_row(&view.enemy, enemy, size, y)
        read_row(&view.candidates, candidates, size, y)


cdef void write_string(uint64_t* string, const Bits* bits, int size) noexcept nogil:
    """Lay each row side by side in its eight symmetries, by their numbers in symmetries.pxd."""
    cdef int row, other, i, filled = 0
    cdef uint64_t word = 0
    cdef uint64_t lanes[8]
    for row in range(size):
        other = size - 1 - row
        lanes[0] = bits.rows[row]
        lanes[1] = bits.mirrored_rows[row]
        lanes[2] = bits.rows[other]
        lanes[3] = bits.mirrored_rows[other]
        lanes[4] = bits.columns[row]
        lanes[5] = bits.columns[other]
        lanes[6] = bits.mirrored_columns[row]
        lanes[7] = bits.mirrored_columns[other]
        for i in range(8):
            word |= lanes[i] << filled
            filled += size
            if filled >= 64:
                string[0] = word
                string += 1
                filled -= 64
                word = lanes[i] >> (size - filled)
    if filled:
        string[0] = word


cdef void make_planes(Patterns self, const View* view, int size, char* planes) noexcept nogil:
    """Row `margin` + r of a plane: what of its kind is dx columns away in row r.

    The margins above and below are off the board. What lies beyond the last row may be anything:
    the candidates have no bit there.
    """
    # With a word of zeros at either end.
    cdef uint64_t strings[KINDS][WORDS + 2]
    cdef uint64_t* own = strings[<int>OWN]
    cdef uint64_t* enemy = strings[<int>ENEMY]
    cdef uint64_t* plane_source
    cdef int words = string_words(size), i, dx
    cdef size_t margin = self.margin * size
    cdef const uint64_t* masks = SHAPES[size].masks
    cdef const uint64_t* everywhere = masks + (size - 1) * words
    cdef char* plane = planes
    cdef uint64_t flip
    for i in range(KINDS):
        strings[i][0] = strings[i][words + 1] = 0
    write_string(own + 1, &view.own, size)
    write_string(enemy + 1, &view.enemy, size)
    for i in range(words):
        strings[<int>STONE][1 + i] = own[1 + i] | enemy[1 + i]
        strings[<int>VACANT][1 + i] = everywhere[i] & ~(own[1 + i] | enemy[1 + i])
        strings[<int>OUTSIDE][1 + i] = everywhere[i]
    for i in range(self.plane_count):
        dx = self.planes[i].dx
        flip = 0
        if self.planes[i].kind == OUTSIDE:
            flip = ~flip
        plane_source = strings[self.planes[i].kind]
        memset(plane, <int>(flip & 255), margin)
        if -size < dx < size:
            shift(plane + margin, plane_source + 1, masks + (dx + size - 1) * words, words, dx,
                  flip)
        else:
            memset(plane + margin, <int>(flip & 255), size * size)
        memset(plane + margin + size * size, <int>(flip & 255), margin)
        plane += self.plane_rows * size


cdef void find_all(Patterns self, Task* task, const View* view, int size,
                   const char* planes) noexcept nogil:
    """Find all matches at the candidates."""
    cdef uint64_t candidates[WORDS + STRIP_WORDS]
    cdef uint64_t shared[WORDS + STRIP_WORDS]
    cdef uint64_t found[STRIP_WORDS]
    cdef int family_number, i, strip, strips, alive
    cdef const Family* family
    cdef const Pattern* pattern
    memset(candidates, 0, sizeof(candidates))
    write_string(candidates, &view.candidates, size)
    if size <= 9:
        for family_number in range(self.family_count):
            family = &self.families[family_number]
            if not match_3(<char*>candidates, planes, self.cells + family.first_cell, family.cells,
                           size, <char*>shared):
                continue
            for i in range(family.first_pattern, family.first_pattern + family.patterns):
                pattern = &self.patterns[i]
                if match_3(<char*>shared, planes, self.cells + pattern.first_cell, pattern.cells,
                           size, <char*>found):
                    queue_strip(task, found, 0, STRIP_WORDS // 2, i)
        add_found(task)
        return
    strips = (size * size + STRIP - 1) // STRIP
    for family_number in range(self.family_count):
        family = &self.families[family_number]
        alive = 0
        for strip in range(strips):
            alive |= match_6(
                <char*>candidates + strip * STRIP, planes + strip * STRIP,
                self.cells + family.first_cell, family.cells, size,
                <char*>shared + strip * STRIP) << strip
        if not alive:
            continue
        for i in range(family.first_pattern, family.first_pattern + family.patterns):
            pattern = &self.patterns[i]
            for strip in range(strips):
                if alive >> strip & 1 and match_6(
                        <char*>shared + strip * STRIP, planes + strip * STRIP,
                        self.cells + pattern.first_cell, pattern.cells, size, <char*>found):
                    queue_strip(task, found, strip * STRIP_WORDS, STRIP_WORDS, i)
    add_found(task)


cdef class Patterns:
    """Compiled patterns, read-only: a list of (strength, [(dx, dy, kind), ...]) makes them.

    dx counts columns to the right of the move and dy rows up; a kind is one of X own stone, O
    enemy stone, S any stone, . empty and # off the board. Raises ValueError for anything else.

    Public attributes (treat as read-only): count, reach.
    """

    def __cinit__(self, *args):
        if SHAPES[MAX_SIZE].masks == NULL:
            make_shapes()

    def __init__(self, patterns):
        if self.patterns != NULL:
            raise TypeError("patterns do not change")
        self.compile(list(patterns))

    def __dealloc__(self):
        free(self.planes)
        free(self.patterns)
        free(self.families)
        free(self.cells)

    def __len__(self):
        return self.count

    cdef void biases(self, const Board* board, int player, const int16_t* points, int count,
                     float* biases) noexcept nogil:
        cdef Task task
        cdef View view
        cdef int i, size = board.size
        cdef char* planes = <char*>malloc(self.plane_count * self.plane_rows * size + STRIP)
        if planes == NULL:
            abort()     # a few kilobytes could not be had, and no caller could go on
        task.patterns = self.patterns
        task.points = SHAPES[size].points
        task.queued = 0
        memset(task.wanted, 0, sizeof(task.wanted))
        for i in range(count):
            task.wanted[points[i]] = 1
            task.sums[points[i]].strength = 0
            task.sums[points[i]].last = -1
        read_board(&view, &task, board, player)
        make_planes(self, &view, size, planes)
        find_all(self, &task, &view, size, planes)
        for i in range(count):
            biases[i] = <float>(task.sums[points[i]].strength * UNIT)
        free(planes)

    def at(self, Go game not None, moves, int times=1):
        """Return the biases of some moves for the player to move; those of passes and stones are 0.

        All over again so many times, for measuring.
        """
        cdef int16_t points[MAX_POINTS]
        cdef float biases[MAX_POINTS]
        cdef int count = 0, move
        places = {}
        for move in moves:
            if not 0 <= move <= game.points:
                raise ValueError(f"move {move} is off the board")
            if move not in places and move < game.points and not game.color(move):
                places[move] = count
                points[count] = <int16_t>game.at(move)
                count += 1
        with nogil:
            for _ in range(times):
                self.biases(&game.board, game.to_play, points, count, biases)
        return [biases[<int>places[move]] if move in places else 0.0 for move in moves]

    cdef int compile(self, list patterns) except -1:
        if len(patterns) > MAX_PATTERNS:
            raise ValueError(f"{len(patterns)} patterns: {MAX_PATTERNS} at most are allowed")
        families = in_families([checked(strength, cells) for strength, cells in patterns])
        cells = [c for shared, _ in families for c in shared]
        cells += [c for _, members in families for _, rest in members for c in rest]
        columns = sorted({(kind, dx) for dx, _, kind in cells})
        number = {plane: i for i, plane in enumerate(columns)}
        self.count = len(patterns)
        self.reach = max((max(abs(dx), abs(dy)) for dx, dy, _ in cells), default=0)
        self.margin = max((abs(dy) for _, dy, _ in cells), default=0)
        self.plane_rows = MAX_SIZE + 2 * self.margin
        self.plane_count = len(columns)
        self.family_count = len(families)
        self.planes = <Plane*>reserve(len(columns), sizeof(Plane))
        self.patterns = <Pattern*>reserve(len(patterns), sizeof(Pattern))
        self.families = <Family*>reserve(len(families), sizeof(Family))
        self.cells = <uint32_t*>reserve(len(cells), sizeof(uint32_t))
        for i, (kind, dx) in enumerate(columns):
            self.planes[<int>i] = Plane(kind, dx)
        cdef uint32_t cell = 0, pattern = 0
        cdef int number_of_family = 0
        for shared, members in families:
            self.families[number_of_family] = Family(cell, len(shared), pattern, len(members))
            number_of_family += 1
            for dx, dy, kind in shared:
                self.cells[cell] = number[kind, dx] * self.plane_rows + self.margin + dy
                cell += 1
            for strength, rest in members:
                self.patterns[pattern] = Pattern(llrint(strength / UNIT), cell, len(rest))
                pattern += 1
                for dx, dy, kind in rest:
                    self.cells[cell] = number[kind, dx] * self.plane_rows + self.margin + dy
                    cell += 1
        return 0


cdef void* reserve(size_t count, size_t size) except NULL:
    cdef void* memory = calloc(count + 1, size)
    if memory == NULL:
        raise MemoryError
    return memory


def checked(strength, cells):
    """Return a pattern with kinds as numbers, what is rarest first; raises ValueError."""
    if not (isfinite(strength) and abs(strength) <= MAX_STRENGTH):
        raise ValueError(f"strength {strength}: -{MAX_STRENGTH} to {MAX_STRENGTH} is allowed")
    kinds = {}
    for dx, dy, kind in cells:
        if max(abs(dx), abs(dy)) > MAX_REACH:
            raise ValueError(f"cell ({dx}, {dy}): {MAX_REACH} at most is allowed")
        if (dx, dy) == (0, 0) or (dx, dy) in kinds:
            raise ValueError(f"cell ({dx}, {dy}): " + ("twice" if dx or dy else "the move itself"))
        if len(kind) != 1 or kind not in KINDS_OF_CELLS:
            raise ValueError(f"cell ({dx}, {dy}): kind {kind!r}: must be one of "
                             f"{' '.join(KINDS_OF_CELLS)}")
        kinds[dx, dy] = KINDS_OF_CELLS.index(kind)
    return float(strength), sorted(((*place, kind) for place, kind in kinds.items()), key=frequency)


def frequency(cell):
    """Guess how often a cell is as wanted, in the middle of a game on 13x13; and then the cell.

    Only speed depends on it.
    """
    dx, dy, kind = cell
    inside = max(0, 13 - abs(dx)) * max(0, 13 - abs(dy)) / 169
    return (inside * 0.22, inside * 0.22, inside * 0.44, inside * 0.56, 1 - inside)[kind], cell


def turned(cells, int symmetry):
    cdef Cell cell
    images = []
    for dx, dy, kind in cells:
        cell = turned_cell(symmetry, dy, dx)
        images.append((cell.column, cell.row, kind))
    return images


def in_families(patterns):
    """Return [(shared cells, [(strength, other cells), ...]), ...].

    Each pattern joins the family of that pair of its rarest cells, turned in whatever way, that
    most patterns have. Only speed depends on it.
    """
    options = [pairs_of(cells) for _, cells in patterns]
    popularity = Counter(pair for pairs in options for pair in pairs)
    families = {}
    for (strength, cells), pairs in zip(patterns, options, strict=True):
        shared = max(pairs, key=lambda pair: (popularity[pair], pair))
        rest = [cell for cell in turned(cells, pairs[shared]) if cell not in shared]
        families.setdefault(shared, []).append((strength, rest))
    return [(shared, sorted(members, key=lambda member: len(member[1])))
            for shared, members in sorted(families.items())]


def pairs_of(cells):
    """Return {pair of cells, as it looks in the first of its symmetries: that symmetry}."""
    pairs = {}
    for chosen in combinations(cells[:6], 2) if len(cells) > 1 else [cells]:
        pair, symmetry = min((tuple(sorted(turned(chosen, s))), s) for s in range(8))
        pairs.setdefault(pair, symmetry)
    return pairs
