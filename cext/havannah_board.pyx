"""The hot loop of Havannah. havannah_board.pxd says what the fields mean and why it is fast."""
from libc.stdint cimport int16_t, uint16_t, uint32_t
from libc.string cimport memcpy, memset

from cext.rng cimport Rng, below

cdef extern from *:
    # Macros that Cython puts at the head of every C file.
    bint likely(bint condition) noexcept nogil
    bint unlikely(bint condition) noexcept nogil


CYCLE[:] = [0, 1, 3, 5, 4, 2]

# The neighbours' steps in x and y; the seventh is the cell itself.
cdef int STEP_X[7]
cdef int STEP_Y[7]
STEP_X[:] = [-1, 0, -1, 1, 0, 1, 0]
STEP_Y[:] = [-1, -1, 0, 0, 1, 1, 0]

cdef Look look_at(int pattern) noexcept:
    cdef Look look
    cdef int i
    cdef bint here, before, after
    memset(&look, 0, sizeof(look))
    look.first[0] = look.first[1] = look.first[2] = 6
    for i in range(6):
        here = pattern >> CYCLE[i] & 1
        before = pattern >> CYCLE[(i + 5) % 6] & 1
        after = pattern >> CYCLE[(i + 1) % 6] & 1
        if here and not before:
            look.first[look.runs] = CYCLE[i]
            look.runs += 1
        look.dense |= here and before and after
    if pattern == 63:
        # A ring: only where a playout goes on in spite of it.
        look.runs = 1
        look.first[0] = CYCLE[0]
    return look


cdef int count_bits(int bits) noexcept:
    cdef int count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


cdef int reach_at(int size, int x, int y) noexcept:
    """Return the edges and corners that a cell is part of: a corner, or at most one edge."""
    cdef int last = 2 * size - 2, middle = size - 1, i
    corners = [(0, 0), (middle, 0), (last, middle), (last, last), (middle, last), (0, middle)]
    if (x, y) in corners:
        return 64 << corners.index((x, y))
    edges = [y == 0, x - y == middle, x == last, y == last, y - x == middle, x == 0]
    return sum(1 << i for i in range(6) if edges[i])


cdef bint on_size(int size, int x, int y) noexcept nogil:
    return 0 <= x < 2 * size - 1 and 0 <= y < 2 * size - 1 and -size < x - y < size


cdef void fill_geometry(int size) noexcept:
    cdef Geometry* geometry = &GEOMETRY[size]
    cdef int width = 2 * size - 1, cell, i
    for i in range(7):
        geometry.offset[i] = STEP_Y[i] * width + STEP_X[i]
    for cell in range(width * width):
        geometry.at[cell].x = cell % width
        geometry.at[cell].y = cell // width
        geometry.at[cell].reach = reach_at(size, cell % width, cell // width)
        for i in range(6):
            if not on_size(size, cell % width + STEP_X[i], cell // width + STEP_Y[i]):
                geometry.outside[cell] |= 1 << i


cdef void fill_tables() noexcept:
    cdef int i
    for i in range(64):
        LOOKS[i] = look_at(i)
    for i in range(4096):
        REACHED[i] = BRIDGE * (count_bits(i >> 6) >= 2) + FORK * (count_bits(i & 63) >= 3)
    for i in range(2, MAX_SIZE + 1):
        fill_geometry(i)

fill_tables()


cdef inline Py_ssize_t find_root(Cell* at, Py_ssize_t cell) noexcept nogil:
    """Follow the parents, and let every other one on the way skip the next."""
    cdef Py_ssize_t parent = at[cell].parent, grandparent
    while unlikely(at[parent].parent != parent):
        grandparent = at[parent].parent
        at[cell].parent = <uint16_t>grandparent
        cell = parent
        parent = grandparent
    return parent


cdef bint filled_ring(const uint32_t* rows, Py_ssize_t x, Py_ssize_t y,
                      uint32_t pattern) noexcept nogil:
    """Whether a stone beside a new one has only its own colour around."""
    cdef int i
    for i in range(6):
        if pattern >> i & 1 and pattern_at(rows, x + STEP_X[i], y + STEP_Y[i]) == 63:
            return True
    return False


cdef inline int put_stone(Board* board, const Geometry* geometry, int player,
                          Py_ssize_t cell) noexcept nogil:
    """Put a stone down, join it to its chains, and return how that wins."""
    cdef Cell* at = board.at
    cdef uint32_t* rows = board.rows[player - 1]
    cdef Py_ssize_t x = geometry.at[cell].x, y = geometry.at[cell].y, root, second, third
    cdef uint32_t pattern = pattern_at(rows, x, y), reach
    cdef const Look* look = &LOOKS[pattern]
    cdef int ending = 0
    rows[y + 1] |= <uint32_t>2 << x
    # A stone alone is its own parent; else the first run's root becomes it: the same code.
    at[cell].parent = <uint16_t>cell
    at[cell].reach = 0
    root = find_root(at, cell + geometry.offset[look.first[0]])
    at[cell].parent = <uint16_t>root
    reach = at[root].reach | geometry.at[cell].reach
    if unlikely(look.runs > 1):
        second = find_root(at, cell + geometry.offset[look.first[1]])
        if second == root:
            ending = RING
        reach |= at[second].reach
        at[second].parent = <uint16_t>root
        if look.runs > 2:
            third = find_root(at, cell + geometry.offset[look.first[2]])
            if third == root:
                ending = RING
            reach |= at[third].reach
            at[third].parent = <uint16_t>root
    at[root].reach = <uint16_t>reach
    ending |= REACHED[reach]
    if unlikely(look.dense) and filled_ring(rows, x, y, pattern):
        ending |= RING
    return ending


cdef inline Py_ssize_t draw(Board* board, Rng* rng) noexcept nogil:
    """Take a random cell off the list."""
    cdef Py_ssize_t index = below(rng, board.empties), cell = board.listed[index]
    board.empties -= 1
    board.listed[index] = board.listed[board.empties]
    return cell


cdef int play_at_random(Board* board, int player, Rng* rng, int* ending) noexcept nogil:
    cdef Py_ssize_t cell = draw(board, rng)
    ending[0] = put_stone(board, &GEOMETRY[board.size], player, cell)
    return cell


cdef int play_out(Board* board, int player, Rng* rng, int* winner, int16_t* trace) noexcept nogil:
    cdef const Geometry* geometry = &GEOMETRY[board.size]
    cdef int plies = 0
    cdef Py_ssize_t cell
    winner[0] = 0
    while likely(board.empties != 0):
        cell = draw(board, rng)
        if trace != NULL:
            trace[plies] = <int16_t>cell
        plies += 1
        if unlikely(put_stone(board, geometry, player, cell)):
            winner[0] = player
            break
        player = 3 - player
    return plies


cdef void copy_board(Board* board, const Board* other) noexcept nogil:
    cdef Py_ssize_t cells = other.width * other.width
    memcpy(board, other, <const char*>&other.at[cells] - <const char*>other)


cdef void clear_board(Board* board, int size) noexcept nogil:
    cdef int cell
    memset(board, 0, sizeof(Board))
    board.size = size
    board.width = 2 * size - 1
    for cell in range(board.width * board.width):
        if on_board(board, cell):
            board.listed[board.empties] = <uint16_t>cell
            board.empties += 1


cdef bint on_board(const Board* board, int cell) noexcept nogil:
    return cell >= 0 and on_size(board.size, cell % board.width, cell // board.width)


cdef int color_at(const Board* board, int cell) noexcept nogil:
    cdef int row = cell // board.width + 1, bit = cell % board.width + 1
    return (board.rows[0][row] >> bit & 1) + 2 * (board.rows[1][row] >> bit & 1)


cdef int reach_of(const Board* board, int cell) noexcept nogil:
    return GEOMETRY[board.size].at[cell].reach


cdef int stones_around(const Board* board, int player, int cell) noexcept nogil:
    cdef const Place* place = &GEOMETRY[board.size].at[cell]
    return pattern_at(board.rows[player - 1], place.x, place.y)


cdef int would_win(const Board* board, int player, int cell) noexcept nogil:
    cdef const Geometry* geometry = &GEOMETRY[board.size]
    cdef const uint32_t* rows = board.rows[player - 1]
    cdef uint32_t pattern = pattern_at(rows, geometry.at[cell].x, geometry.at[cell].y)
    cdef uint32_t reach = geometry.at[cell].reach
    cdef const Look* look = &LOOKS[pattern]
    cdef int roots[3]
    cdef int i, ending = 0
    if pattern == 0:
        return 0
    for i in range(look.runs):
        roots[i] = root_of(board, cell + geometry.offset[look.first[i]])
        reach |= board.at[roots[i]].reach
    if look.runs > 1 and roots[0] == roots[1]:
        ending = RING
    if look.runs > 2 and (roots[2] == roots[0] or roots[2] == roots[1]):
        ending = RING
    if look.dense and closes_filled_ring(rows, geometry, cell, pattern):
        ending = RING
    return ending | REACHED[reach]


cdef bint closes_filled_ring(const uint32_t* rows, const Geometry* geometry, int cell,
                             uint32_t pattern) noexcept nogil:
    cdef int i
    for i in range(6):
        # Its neighbours but one, which is the cell: opposite neighbours' numbers add up to 5.
        if pattern >> i & 1 and pattern_at(rows, geometry.at[cell].x + STEP_X[i],
                                           geometry.at[cell].y + STEP_Y[i]) | 1 << (5 - i) == 63:
            return True
    return False


cdef int would_reach(const Board* board, int player, int cell) noexcept nogil:
    cdef const Geometry* geometry = &GEOMETRY[board.size]
    cdef const Look* look = &LOOKS[stones_around(board, player, cell)]
    cdef uint32_t reach = geometry.at[cell].reach
    cdef int i
    for i in range(look.runs):
        reach |= board.at[root_of(board, cell + geometry.offset[look.first[i]])].reach
    return reach


cdef int add_stone(Board* board, int player, int cell) noexcept nogil:
    return put_stone(board, &GEOMETRY[board.size], player, cell)


cdef int play_stone(Board* board, int player, int cell) noexcept nogil:
    cdef int index = 0
    while board.listed[index] != cell:
        index += 1
    board.empties -= 1
    board.listed[index] = board.listed[board.empties]
    return add_stone(board, player, cell)


cdef void swap_stone(Board* board, int cell) noexcept nogil:
    cdef int row = cell // board.width + 1
    cdef uint32_t first = board.rows[0][row]
    board.rows[0][row] = board.rows[1][row]
    board.rows[1][row] = first
