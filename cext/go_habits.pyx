"""The table of go_habits.pxd, and what is looked up in it."""
from libc.stdint cimport uint16_t, uint32_t
from libc.stdlib cimport abs
from libc.string cimport memset

from cext.go_board cimport (
    LOOKS, MAX_SIZE, Board, Look, atari_size, captured_by, column_of, only_liberty, row_of,
    stones)
from cext.go_patterns3x3 import CELLS
from cext.go_patterns3x3 cimport surroundings
from cext.go_tactics cimport caught_in_ladder, find_captures, find_liberties
from cext.symmetries import turned

# For each 3x3 surrounding up to symmetry, X to move: a letter from '#' (-45 tenths) on, without the
# backslash. They are in the order of their codes, the lowest of the eight that a surrounding has.
SHAPES = "".join((
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

# For each of Deeds what it counts, from 0 on.
DEEDS = {
    "capture": (0, -3, -9, 22),
    "escape": (0, -17, 13, 23),
    "peril": (0, -7, -27),
    "attack": (0, 5),
}
# By dx + dy + the larger of them, at most 12; the first where there was a pass, or no move.
LAST = (0, 0, 16, 13, 10, 8, 3, 2, 1, -2, -4, -6, -14)
BEFORE = (0, -13, -5, -8, -6, -10, -12, -13, -14, -14, -15, -15, -18)
# By line from the edge, at most the fifth; on boards up to 13, where the middle is not far from the
# edge, at most the fourth. With stones within two lines; within three; with none.
LINES = ((0, 7, 11, 7, 7), (-22, -33, 15, 6, -20), (-17, -37, 20, 16, -37))

cdef int CAPTURE[4]
cdef int ESCAPE[4]
cdef int PERIL[3]
cdef int ATTACK[2]
cdef int FROM_LAST[13]
cdef int FROM_BEFORE[13]
cdef int LINE[3][5]
CAPTURE[:] = DEEDS["capture"]
ESCAPE[:] = DEEDS["escape"]
PERIL[:] = DEEDS["peril"]
ATTACK[:] = DEEDS["attack"]
FROM_LAST[:] = LAST
FROM_BEFORE[:] = BEFORE
LINE[0][:], LINE[1][:], LINE[2][:] = LINES

cdef enum:
    HIGHEST = 200               # of a logarithm; the lowest is as far below 0

cdef double FACTORS[2 * HIGHEST + 1]


def fill_habits():
    """Read the letters in the order of the codes, each for its surrounding in all symmetries."""
    cdef int to[8][16]          # where a turn has the pair of bits that begins here
    cdef int turns[8]
    cdef int code, lowest, turn, cell, value
    for turn, cells in enumerate(turned("012345678")):
        for there, here in enumerate(map(int, cells)):
            if CELLS[here] is not None:
                to[turn][<int>CELLS[here]] = CELLS[there]
    # What may be off the board: nothing, all beyond an edge, or all around a corner.
    edges = {sum(1 << cell for cell, letter in zip(CELLS, drawing, strict=True) if letter == "#")
             for whole in (".........", "......###", "#..#..###") for drawing in turned(whole)}
    letters = iter(SHAPES)
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
                SHAPE[1][turns[turn]] = value
                # The other player sees the two colours the other way round.
                SHAPE[2][(turns[turn] & 0x5555) << 1 | turns[turn] >> 1 & 0x5555] = value
    assert next(letters, None) is None


cdef void fill_factors() noexcept:
    # By products alone, which are the same everywhere.
    cdef int i
    FACTORS[HIGHEST] = 1
    for i in range(HIGHEST, 2 * HIGHEST):
        FACTORS[i + 1] = FACTORS[i] * 1.1051709180756477
        FACTORS[2 * HIGHEST - 1 - i] = 1 / FACTORS[i + 1]


cdef void fill_beside() noexcept:
    """A diagonal point counts as a shape by itself, one next to the last move for a little more."""
    cdef int tenths, nearer = LAST[2] - LAST[3]
    for tenths in range(-128, 128):
        BESIDE[0][128 + tenths] = <uint16_t>min(NO_HABIT * factor(tenths), 60000)
        BESIDE[1][128 + tenths] = <uint16_t>min(NO_HABIT * factor(tenths + nearer), 60000)


fill_habits()
fill_factors()
fill_beside()


cdef double factor(int tenths) noexcept nogil:
    return FACTORS[HIGHEST + max(-HIGHEST, min(tenths, HIGHEST))]


cdef int distance(const Board* board, int point, int other) noexcept nogil:
    cdef int across = abs(column_of(board, point) - column_of(board, other))
    cdef int along = abs(row_of(board, point) - row_of(board, other))
    return min(across + along + max(across, along), 12) if other else 0


cdef void see_crowds(Crowds* crowds, const Board* board) noexcept nogil:
    cdef uint32_t rows[MAX_SIZE + 6]
    cdef int size = board.size, row, column
    memset(rows, 0, sizeof(rows))
    for row in range(size):
        for column in range(size):
            # Beyond the board and on empty points there is no chain.
            if board.at[(row + 1) * board.stride + column + 1].chain:
                rows[row + 3] |= <uint32_t>1 << (column + 3)
    for row in range(size):
        crowds.two[row] = (rows[row + 1] | rows[row + 2] | rows[row + 3] | rows[row + 4]
                           | rows[row + 5])
        crowds.three[row] = crowds.two[row] | rows[row] | rows[row + 6]


cdef int line_habit(const Board* board, int point, const Crowds* crowds) noexcept nogil:
    cdef int size = board.size, row = row_of(board, point) - 1, column = column_of(board, point) - 1
    cdef int line = min(min(row, size - 1 - row), min(column, size - 1 - column))
    line = min(line, 4 if size > 13 else 3)
    if crowds.two[row] >> (column + 1) & 0b11111:
        return LINE[0][line]
    return LINE[2 - (crowds.three[row] >> column & 0b1111111 != 0)][line]


cdef int habit(const Board* board, int player, int point, int last, int before,
               const Deeds* deeds, const Crowds* crowds) noexcept nogil:
    return (SHAPE[player][surroundings(board, point)] + CAPTURE[deeds.capture]
            + ESCAPE[deeds.escape] + PERIL[deeds.peril] + ATTACK[deeds.attack]
            + FROM_LAST[distance(board, point, last)]
            + FROM_BEFORE[distance(board, point, before)] + line_habit(board, point, crowds))


cdef Deeds deeds_of(const Board* board, int player, int point) noexcept nogil:
    """Tell what a move does; of several things of a kind, the greatest."""
    cdef Deeds deeds
    cdef const Look* look = &LOOKS[player][board.at[point].around]
    cdef unsigned int captured
    cdef int points[3]
    cdef int i, stone, many, size
    deeds.capture = deeds.escape = deeds.peril = deeds.attack = 0
    if not look.own and not look.enemy and look.empties > 1:
        return deeds
    captured = captured_by(board, player, point)
    size = atari_size(board, player, point)
    deeds.peril = min(size, 2)
    for i in range(4):
        stone = point + board.offset[i]
        many = stones(board.at[board.at[stone].chain].chain_counts) > 1
        if captured >> i & 1:
            deeds.capture = max(deeds.capture, 3 if find_captures(board, stone, 1, points)
                                else 1 + many)
        elif look.own >> i & 1 and only_liberty(board, board.at[stone].chain):
            if size == 0 and not caught_in_ladder(board, stone):
                deeds.escape = max(deeds.escape, 2 + many)
            else:
                deeds.escape = max(deeds.escape, 1)
        elif look.enemy >> i & 1 and find_liberties(board, stone, 3, points) == 2:
            deeds.attack = 1
    return deeds
