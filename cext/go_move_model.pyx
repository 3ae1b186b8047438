"""The factors of go_move_model.pxd, and what is looked up in them."""
from libc.stdint cimport uint16_t, uint32_t
from libc.stdlib cimport abs, calloc, free
from libc.string cimport memcpy, memset

from math import prod

import numpy

from cext.go cimport Go
from cext.go_board cimport (
    BLACK, LOOKS, MAX_SIZE, Board, Look, allowed, atari_size, captured_by, column_of, only_liberty,
    own_eye, row_of, stones)
from cext.go_patterns3x3 import CELLS as CELLS_3X3
from cext.go_patterns3x3 cimport surroundings
from cext.go_tactics cimport caught_in_ladder, find_captures, find_liberties
from cext.intrinsics cimport lowest_bit, prefetch
from cext.symmetries import images_of, turned


# The base model

# For each 3x3 surrounding up to symmetry, X to move: a letter from '#' (-45 tenths) on, without the
# backslash. They are in the order of their codes, the lowest of the eight that a surrounding has.
BASE_SHAPES = "".join((
    "P8M'c008mJOL=g:VSMnLVJ1f3a`6-o/9^aQlVRYHBW[f6=9_VPgUS_DFQpqgFI>LYVNd8__0G?MS4bBK?Nm.alP4c;"
    "A>IVPM^nD]pO[lD;U<kOVB1p;1hdXh9A[UDhbeZ?:f;<_fWf>VUVKfhfjKEjLAg[ObLKtUP`N]{TLVcRpHRK7;QI3d"
    "8;DbkSbe^ReAF@YM3dNPM;DI@VTAMDmg`cedmk[QMJejfDEGQNZkfr?NOU_A_b^KXVUi0bkO;e-Zf[Wa@6cBRd@IdG"
    "QhBJSRYcBTRLJc:gkW8W?ugjW]P=WV1HOQXR68]VbV>]JV^VL;c<bgETB?UVNbbLe`hBVJVWqgVI7m9ae?=a8=Za^e"
    "_NjU=bghh?:YVNacIcQ@ajjlcXZQgUM^HfS?ISA8XTc`cf_S^`^jJCGMVPQfe^R^^kebcaKa^bRaICCJemUJUF?Lf"
    "haK?DIWmHKMKZcMVIW]RUZnCXc@jbVHMX7>CjlbQIgH5]ehbCBH;<EffUA=QCI@e]bF8]EVS_^eJJTDDFck]c[VTQ^"
    "gfXocg`[hef_PVHLQLZ_u[h6PcFSg<^cRS`T_^VP^BLbBAeLJb<FYBP`=G[LIPOQYNM^CRWGKhG^bPie^MiAqcdhfe"
    "b`OI^DW`NNbVD7pWIkcV^4<jBVcWSi^bVlYsFeWj>Sc9_ZcSgShIB[Y;W@FgQZVHVa^VZiKf[b_]gce_KRFKLQEZ>"
    "YQ_Sj[acQgegee]EFKQPVSa8aa6c`T]lcL^7=]9ObK<Y?XbP]XP]^Vb^fQ^I<W<^OV:j6N]STQIScaK[bhqZ:_<^dS"
    "KfV0HHVSVOFj?]^D@X]OdYjVVMVfYJ>V@`T?EI:0PPRRhf_acbgq_EGDVLLba]VYc`k^gV^fl}Ni<NXKWcGHXKV`N"
    "PUKLZ8GTBS[>HRIWZERcJhVXf`b`Z^Xgb_`]^iuQImGed7=cVRooidZib`^Y^VR]ZOhOc]XW`aeOVfcfnakZdGgYB"
    "U_Q_h^O[DPjAZVPC^GUTS^XGccXb_[R]JHV@N]VQbXM_Lfb^Ra_P^Xhaf[qP]fZ_d;CWV[Q]F^[;_VYWYLES@dXV"
    "YIVObGecE`dfehR;]=fbd<ED_eV"
))
NO_SHAPE = 45

# For each of the tactical features what it counts, from 0 on.
TACTICS = {
    "capture": (0, -3, -9, 22),
    "escape": (0, -17, 13, 23),
    "peril": (0, -7, -27),
    "attack": (0, 5),
}
# By dx + dy + the larger of them, at most 12; the first where there was a pass, or no move.
FROM_LAST_MOVE = (0, 0, 16, 13, 10, 8, 3, 2, 1, -2, -4, -6, -14)
FROM_MOVE_BEFORE = (0, -13, -5, -8, -6, -10, -12, -13, -14, -14, -15, -15, -18)
# By line from the edge, at most the fifth; on boards up to 13, where the middle is not far from the
# edge, at most the fourth. With stones within two lines; within three; with none.
FROM_EDGE = ((0, 7, 11, 7, 7), (-22, -33, 15, 6, -20), (-17, -37, 20, 16, -37))

cdef int CAPTURE[4]
cdef int ESCAPE[4]
cdef int PERIL[3]
cdef int ATTACK[2]
cdef int FROM_LAST[13]
cdef int FROM_BEFORE[13]
cdef int LINE[3][5]
CAPTURE[:] = TACTICS["capture"]
ESCAPE[:] = TACTICS["escape"]
PERIL[:] = TACTICS["peril"]
ATTACK[:] = TACTICS["attack"]
FROM_LAST[:] = FROM_LAST_MOVE
FROM_BEFORE[:] = FROM_MOVE_BEFORE
LINE[0][:], LINE[1][:], LINE[2][:] = FROM_EDGE

cdef enum:
    HIGHEST = 200               # of a logarithm; the lowest is as far below 0

cdef double FACTORS[2 * HIGHEST + 1]


def fill_base_shapes():
    """Read the letters in the order of the codes, each for its surrounding in all symmetries."""
    cdef int to[8][16]          # where a turn has the pair of bits that begins here
    cdef int turns[8]
    cdef int code, lowest, turn, cell, value
    for turn, cells in enumerate(turned("012345678")):
        for there, here in enumerate(map(int, cells)):
            if CELLS_3X3[here] is not None:
                to[turn][<int>CELLS_3X3[here]] = CELLS_3X3[there]
    # What may be off the board: nothing, all beyond an edge, or all around a corner.
    edges = {sum(1 << cell for cell, sign in zip(CELLS_3X3, drawing, strict=True) if sign == "#")
             for whole in (".........", "......###", "#..#..###") for drawing in turned(whole)}
    letters = iter(BASE_SHAPES)
    for code in range(65536):
        if code & code >> 1 & 0x5555 not in edges:
            continue
        lowest = code
        for turn in range(8):
            turns[turn] = 0
            for cell in range(0, 16, 2):
                turns[turn] |= (code >> cell & 3) << to[turn][cell]
            lowest = min(lowest, turns[turn])
        if code == lowest:
            letter = next(letters)
            value = ord(letter) - ord("#") - (letter > "\\") - NO_SHAPE
            for turn in range(8):
                SHAPE_TENTHS[1][turns[turn]] = value
                # The other player sees the two colours the other way round.
                SHAPE_TENTHS[2][(turns[turn] & 0x5555) << 1 | turns[turn] >> 1 & 0x5555] = value
    assert next(letters, None) is None


cdef void fill_factors() noexcept:
    # By products alone, which are the same everywhere.
    cdef int i
    FACTORS[HIGHEST] = 1
    for i in range(HIGHEST, 2 * HIGHEST):
        FACTORS[i + 1] = FACTORS[i] * 1.1051709180756477
        FACTORS[2 * HIGHEST - 1 - i] = 1 / FACTORS[i + 1]


cdef void fill_weights_near_last() noexcept:
    """A diagonal point counts as a shape by itself, one next to the last move for a little more."""
    cdef int next_to, tenths, nearer = FROM_LAST_MOVE[2] - FROM_LAST_MOVE[3]
    for next_to in range(2):
        for tenths in range(-128, 128):
            WEIGHTS_NEAR_LAST[next_to][128 + tenths] = <uint16_t>min(
                EVEN_WEIGHT * factor(tenths + next_to * nearer), 60000)


fill_base_shapes()
fill_factors()
fill_weights_near_last()


cdef double factor(int tenths) noexcept nogil:
    return FACTORS[HIGHEST + max(-HIGHEST, min(tenths, HIGHEST))]


cdef int distance(const Board* board, int point, int other) noexcept nogil:
    cdef int across = abs(column_of(board, point) - column_of(board, other))
    cdef int along = abs(row_of(board, point) - row_of(board, other))
    return min(across + along + max(across, along), 12) if other else 0


cdef void measure_density(Density* density, const Board* board) noexcept nogil:
    cdef uint32_t rows[MAX_SIZE + 6]
    cdef int size = board.size, row, column
    memset(rows, 0, sizeof(rows))
    for row in range(size):
        for column in range(size):
            # Beyond the board and on empty points there is no chain.
            if board.at[(row + 1) * board.stride + column + 1].chain:
                rows[row + 3] |= <uint32_t>1 << (column + 3)
    for row in range(size):
        density.two[row] = (rows[row + 1] | rows[row + 2] | rows[row + 3] | rows[row + 4]
                            | rows[row + 5])
        density.three[row] = density.two[row] | rows[row] | rows[row + 6]


cdef bint is_apart(const Board* board, int point, const Density* density) noexcept nogil:
    cdef int row = row_of(board, point) - 1, column = column_of(board, point) - 1
    return density.two[row] >> (column + 1) & 0b11111 == 0


cdef int line_of(const Board* board, int point) noexcept nogil:
    cdef int size = board.size, row = row_of(board, point) - 1, column = column_of(board, point) - 1
    return min(min(row, size - 1 - row), min(column, size - 1 - column))


cdef int line_tenths(const Board* board, int point, const Density* density) noexcept nogil:
    cdef int row = row_of(board, point) - 1, column = column_of(board, point) - 1
    cdef int line = min(line_of(board, point), 4 if board.size > 13 else 3)
    if not is_apart(board, point, density):
        return LINE[0][line]
    return LINE[2 - (density.three[row] >> column & 0b1111111 != 0)][line]


cdef int base_tenths(const Board* board, int player, int point, int last, int before,
                     const Tactics* tactics, const Density* density) noexcept nogil:
    return (SHAPE_TENTHS[player][surroundings(board, point)] + CAPTURE[tactics.capture]
            + ESCAPE[tactics.escape] + PERIL[tactics.peril] + ATTACK[tactics.attack]
            + FROM_LAST[distance(board, point, last)]
            + FROM_BEFORE[distance(board, point, before)] + line_tenths(board, point, density))


cdef Tactics tactics_of(const Board* board, int player, int point) noexcept nogil:
    """Tell what a move does; of several things of a kind, the greatest."""
    cdef Tactics tactics
    cdef const Look* look = &LOOKS[player][board.at[point].around]
    cdef unsigned int captured
    cdef int points[3]
    cdef int i, stone, many, size
    tactics.capture = tactics.escape = tactics.peril = tactics.attack = 0
    if not look.own and not look.enemy and look.empties > 1:
        return tactics
    captured = captured_by(board, player, point)
    size = atari_size(board, player, point)
    tactics.peril = min(size, 2)
    for i in range(4):
        stone = point + board.offset[i]
        many = stones(board.at[board.at[stone].chain].chain_counts) > 1
        if captured >> i & 1:
            tactics.capture = max(tactics.capture,
                                  3 if find_captures(board, stone, 1, points) else 1 + many)
        elif look.own >> i & 1 and only_liberty(board, board.at[stone].chain):
            if size == 0 and not caught_in_ladder(board, stone):
                tactics.escape = max(tactics.escape, 2 + many)
            else:
                tactics.escape = max(tactics.escape, 1)
        elif look.enemy >> i & 1 and find_liberties(board, stone, 3, points) == 2:
            tactics.attack = 1
    return tactics


# The model of a file

# The cells of a shape, from near to far: rows up and columns to the right.
CELLS = tuple(
    cell for row, column in ((0, 1), (1, 1), (0, 2), (1, 2), (2, 2), (0, 3), (1, 3))
    for cell in sorted(set(images_of(row, column)))
)

# How many factors there are of which kind, by their places in a file.
TABLES = {
    "board_zone": (COUNT_OF_ZONES, NEAREST, FARTHEST),
    "stone_distance": (STEPS, STEPS, LINES),
    "last_moves": (PLACES, PLACES),
    "contact_liberties": (NEAR_PLACES, LIBERTIES, CHAIN_LIBERTIES, CHAIN_LIBERTIES),
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


def fill_windows():
    cdef int i, symmetry, row, column, more
    for row in range(MAX_SIZE):
        for column in range(MAX_SIZE):
            more = max(row, column)
            SEEN[row][column] = (PLACES - 1 if more > 5
                                 else more * (more + 1) // 2 + min(row, column) + 1)
    for i, (row, column) in enumerate(CELLS):
        for symmetry, (up, right) in enumerate(images_of(row, column)):
            BITS[symmetry][i] = (
                64 * (up > 0) + 14 * ((up - 1) if up > 0 else up + 3) + 2 * (right + 3))
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


fill_windows()


cdef inline void look_through(const View* view, const Place* place,
                              uint64_t* window) noexcept nogil:
    """Cut out the seven rows and columns around a point: four rows to the south, three others."""
    cdef const uint64_t* rows = &view.rows[place.square.row]
    cdef int shift = 2 * place.square.column
    window[0] = ((rows[0] >> shift & 0x3FFF) | (rows[1] >> shift & 0x3FFF) << 14
                 | (rows[2] >> shift & 0x3FFF) << 28 | (rows[3] >> shift & 0x3FFF) << 42)
    window[1] = ((rows[4] >> shift & 0x3FFF) | (rows[5] >> shift & 0x3FFF) << 14
                 | (rows[6] >> shift & 0x3FFF) << 28)


cdef void view_position(View* view, Go game) noexcept nogil:
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
    """Whether there is no stone next to a point."""
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


cdef inline int last_moves_of(const View* view, const Place* place) noexcept nogil:
    """Return a number below PLACES * PLACES."""
    return (seen_from(&place.square, &view.last) * PLACES
            + seen_from(&place.square, &view.before))


cdef inline int contact_liberties_of(const View* view, const Board* board, const Place* place,
                                     int point) noexcept nogil:
    """Return a number below NEAR_PLACES * LIBERTIES * CHAIN_LIBERTIES * CHAIN_LIBERTIES.

    Liberties that chains share count for each of them, and of a chain that is captured as many as
    it has stones next to the point: to know better would take longer.
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


cdef inline int board_zone_of(const View* view, const Place* place) noexcept nogil:
    """Return a number below COUNT_OF_ZONES * NEAREST * FARTHEST."""
    cdef int steps = min(view.steps[1][place.at], view.steps[2][place.at])
    return ((min((steps - 1) // 2, COUNT_OF_ZONES - 1) * NEAREST
             + min(place.near_line, NEAREST - 1)) * FARTHEST + min(place.far_line, FARTHEST - 1))


cdef inline int stone_distance_of(const View* view, const Place* place) noexcept nogil:
    """Return a number below STEPS * STEPS * LINES."""
    return ((view.steps[1][place.at] * STEPS + view.steps[2][place.at]) * LINES
            + min(place.near_line, LINES - 1))


cdef class MoveModel:
    """Factors by the names in TABLES and their numbers, and shapes with theirs, in tenths.

    A table that is not there has no factors: all are 0.

    A shape is a drawing of 20 or 36 cells (CELLS): '.' empty, 'X' own, 'O' enemy, '#' off the
    board. A large one counts in addition to the small one within it, and only where that is known.
    """

    def __cinit__(self, *args, **kwargs):
        self.take_room(1)

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
        self.take_room(room)
        for drawing, value in drawn:
            for code in codes_of(drawing):
                self.put(code, value)
        self.shapes = len(drawn)

    def __dealloc__(self):
        free(self.entries)

    cdef int take_room(self, uint32_t room) except -1:
        free(self.entries)
        self.mask = room - 1
        self.entries = <Entry*>calloc(room, sizeof(Entry))
        if self.entries == NULL:
            raise MemoryError
        return 0

    cdef int8_t* table(self, name) except NULL:
        if name == "board_zone":
            return <int8_t*>self.board_zone
        if name == "stone_distance":
            return <int8_t*>self.stone_distance
        if name == "last_moves":
            return <int8_t*>self.last_moves
        if name == "contact_liberties":
            return <int8_t*>self.contact_liberties
        raise ValueError(f"{name}: must be one of {', '.join(TABLES)}")

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

    cdef void look_at(self, const View* view, const Board* board, int point,
                      Neighbourhood* around) noexcept nogil:
        """Have fetched what tenths() will look at: the table does not fit in a core's caches."""
        around.place = place_of(view, board, point)
        look_through(view, &around.place, around.window)
        around.code = code_of(around.window, SMALL_CELLS)
        prefetch(&self.entries[<uint32_t>around.code & self.mask])

    cdef int tenths(self, const View* view, const Board* board, int point,
                    const Neighbourhood* around) noexcept nogil:
        """Return the logarithm of the factor by which an expert plays an empty point."""
        cdef const Place* place = &around.place
        cdef int found = (
            (<const int8_t*>self.board_zone)[board_zone_of(view, place)]
            + (<const int8_t*>self.stone_distance)[stone_distance_of(view, place)]
            + (<const int8_t*>self.last_moves)[last_moves_of(view, place)]
            + (<const int8_t*>self.contact_liberties)[
                contact_liberties_of(view, board, place, point)])
        cdef const Entry* entry = self.find(around.code)
        if entry != NULL:
            found += entry.value
            entry = self.find(code_of(around.window, LARGE_CELLS))
            if entry != NULL:
                found += entry.value
        return found

    def factors(self, Go game not None):
        """Return the logarithms, in tenths, of all empty points, by point number."""
        cdef View view
        cdef Neighbourhood around
        cdef int move
        found = {}
        view_position(&view, game)
        for move in range(game.points):
            if game.color(move) == 0:
                self.look_at(&view, &game.board, game.at(move), &around)
                found[move] = self.tenths(&view, &game.board, game.at(move), &around)
        return found


def codes_of(const unsigned char[::1] drawing not None):
    """Return the codes of a shape in all its symmetries."""
    cdef uint64_t window[2]
    cdef int turn, i
    if drawing.shape[0] not in (SMALL, LARGE):
        raise ValueError(f"a shape of {drawing.shape[0]} cells: must have {SMALL} or {LARGE}")
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
    its number, what the base model says of it, its numbers in TABLES, and the codes of its
    shapes.
    """
    kind = [("move", "i2"), ("base", "i2"), *((name, "u2") for name in TABLES), ("small", "u8"),
            ("large", "u8")]
    cdef Board* board = &game.board
    cdef View view
    cdef Density density
    cdef Tactics tactics
    cdef Place place
    cdef uint64_t codes[2]
    cdef int move, point, player = game.to_play
    rows = []
    measure_density(&density, board)
    view_position(&view, game)
    for move in range(game.points):
        point = game.at(move)
        if allowed(board, player, point) and not own_eye(board, player, point):
            tactics = tactics_of(board, player, point)
            place = place_of(&view, board, point)
            lowest_codes(&view, &place, codes)
            rows.append((
                move,
                base_tenths(board, player, point, game.last, game.before, &tactics, &density),
                board_zone_of(&view, &place),
                stone_distance_of(&view, &place),
                last_moves_of(&view, &place),
                contact_liberties_of(&view, board, &place, point),
                codes[0],
                codes[1],
            ))
    return numpy.array(rows, kind)


def check_empty(Go game not None, int move):
    if game.color(move):
        raise ValueError(f"point {move} is not empty")


def codes_at(Go game not None, int move):
    """Return the codes of the shapes around an empty point, as observed() has them."""
    cdef View view
    cdef Place place
    cdef uint64_t codes[2]
    check_empty(game, move)
    view_position(&view, game)
    place = place_of(&view, &game.board, game.at(move))
    lowest_codes(&view, &place, codes)
    return codes[0], codes[1]


def drawn(Go game not None, int move):
    """Return the drawing of the large shape around an empty point."""
    cdef View view
    cdef Place place
    cdef uint64_t window[2]
    cdef int i
    check_empty(game, move)
    view_position(&view, game)
    place = place_of(&view, &game.board, game.at(move))
    look_through(&view, &place, window)
    return "".join(".XO#"[content_of(window, i)] for i in range(LARGE))
