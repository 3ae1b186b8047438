"""The shapes of MoGo's playouts: hane, cuts, and moves at the edge.

A drawing is seen from north. Its middle is the move; X and O are the two colours, x and o anything
but that colour, a dot an empty point, # off the board, and ? anything on it or off. Every shape is
good in all symmetries. It is good for both players, in either colour, or where a letter is added,
only for the player who is that colour.
"""
from libc.stdint cimport uint8_t

from cext.symmetries import turned

DRAWINGS = (
    # A hane from both sides; one that does not cut; one around a corner; one that caps.
    ("XOX", ".*.", "???", ""),
    ("XO.", ".*.", "?.?", ""),
    ("XO?", "X*.", "?.?", ""),
    ("XOO", ".*.", "?.?", "X"),
    # A cut or its prevention, where the cutting stone would not be surrounded already.
    ("XO?", "O*o", "?o?", ""),
    ("XO?", "O*X", "???", ""),
    # A push between two stones, or its prevention.
    ("?X?", "O*O", "xxx", ""),
    # At the edge: turning around, blocking, descending, cutting.
    ("X.?", "O*?", "###", ""),
    ("OX?", "X*O", "###", ""),
    ("?X?", "x*O", "###", "X"),
    ("?XO", "x*x", "###", ""),
    ("?OX", "X*O", "###", ""),
)

# Bit i of an entry: colour i is meant. In terms of X = 1 and O = 2.
MEANING = {"X": 2, "O": 4, "x": 13, "o": 11, ".": 1, "#": 8, "?": 15}

# Where a cell of a drawing, read row by row, has its two bits; the middle has none.
CELLS = (12, 6, 14, 2, None, 4, 8, 0, 10)


cdef void enter(uint8_t* shapes, const uint8_t* allowed, int cell,
                unsigned int code) noexcept nogil:
    """Enter every surrounding in which each pair of bits has one of its allowed colours."""
    cdef int color
    if cell == 8:
        shapes[code >> 3] |= 1 << (code & 7)
        return
    for color in range(4):
        if allowed[cell] >> color & 1:
            enter(shapes, allowed, cell + 1, code | color << 2 * cell)


def fill_shapes(drawings=DRAWINGS):
    """Make these the shapes; X is Black, and then White."""
    cdef uint8_t allowed[8]
    cdef int player, i, mask
    for player in (1, 2):
        for i in range(8192):
            SHAPES[player][i] = 0
    for *rows, who in drawings:
        for drawing in turned("".join(rows)):
            for black in "XO":
                for i in range(9):
                    if i == 4:
                        continue
                    mask = MEANING[drawing[i]]
                    if black == "O":
                        mask = mask & 9 | (mask & 2) << 1 | (mask & 4) >> 1
                    allowed[<int>(CELLS[i] // 2)] = mask
                # Black is colour 1, and is here what the drawing calls `black`.
                for player in (1, 2):
                    if not who or (who == black) == (player == 1):
                        enter(SHAPES[player], allowed, 0, 0)


fill_shapes()
