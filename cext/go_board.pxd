"""The Go board of the playouts: plain memory, copied by one memcpy, updated move by move.

Points lie in a frame of OFF points, row by row from the bottom left corner, one column of the frame
serving as the right edge of one row and the left edge of the next:

        +  +  +  +  +             point + stride   north      neighbours are numbered
        +  .  .  .  +                                         0 south, 1 west, 2 east, 3 north
        +  .  .  .  (+)           point - stride   south
        +  +  +  +  +

Point 0 is a corner of the frame. Its chain_counts are a bin: empty and OFF points name it as their
chain, so that a move may count down the chains of its four neighbours without asking what they are.

Three ideas make it fast (docs/performance.md has the measurements):

 * One byte a point codes the colours of its four neighbours; a table turns it into everything a
   move needs to know (how many are empty, which are mine, is this an eye).
 * A chain counts pseudo-liberties, one for each (stone, empty neighbour) pair. Playing next to it
   counts down before the legality is known: a chain that reaches zero is captured, or was the
   only hope of a suicide, which is then taken back.
 * Sealed eyes. A real eye is no move for its owner, and for the enemy it is suicide unless it
   captures. The first playout move that runs into one takes it off the list of empty points, and
   it comes back only when it may matter again: when a diagonal stone makes it false, or when it
   is the last liberty of a chain. So late in a game few draws fail.
"""
from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint16_t, uint64_t

from cext.rng cimport Rng

cdef enum:
    MAX_SIZE = 25
    MAX_POINTS = 703            # (MAX_SIZE + 2) * (MAX_SIZE + 1) + 1

# Colours of a point. Two bits each, so that OFF counts as both where neighbours are compared.
cdef enum:
    EMPTY = 0
    BLACK = 1
    WHITE = 2
    OFF = 3
    SEALED = 4                  # SEALED * owner: an empty point that is a sealed eye of the owner

cdef struct Point:
    # Of the chain that is named after this point, four 16-bit numbers in one word: see below
    uint64_t chain_counts
    uint16_t chain              # the name of this stone's chain: one of its points; 0 if no stone
    uint16_t next               # the next stone of the chain, in a ring; or a hint at the entry
    #                             of an empty point in the list
    uint16_t listed             # nothing to do with this point: entry i of the list of empty points
    uint8_t color
    uint8_t around              # colours of the neighbours, two bits each; sealed ones count EMPTY


cdef struct Board:
    int32_t size
    int32_t stride              # size + 1
    int32_t inverse             # of the stride, times 2 ** 16, rounded up
    int32_t points              # how many entries of `at` are in use
    int32_t empties             # how many entries of the list of empty points are in use
    int32_t ko                  # the point that may not be retaken now, or 0
    int32_t balance             # black stones and sealed eyes, less white ones
    int32_t offset[5]           # from a point to its four neighbours, and to itself
    Point at[MAX_POINTS]


cdef inline int row_of(const Board* board, int point) noexcept nogil:
    """From 1 on; without a division, which takes long."""
    return point * board.inverse >> 16

cdef inline int column_of(const Board* board, int point) noexcept nogil:
    return point - row_of(board, point) * board.stride


# What the colours around a point mean to the player to move.
cdef struct Look:
    uint8_t own         # bit i: neighbour i is a stone of mine
    uint8_t enemy       # bit i: neighbour i is an enemy stone
    uint8_t empties     # how many neighbours are empty
    uint8_t owner       # the colour of all stones around; 0 if they differ or a neighbour is empty
    uint8_t quick       # (my chains around without a liberty) < quick: allowed and no eye, surely
    uint8_t first_own   # the first neighbour that is mine; 4 if none is
    int8_t across       # empty neighbours to the east less those to the west
    int8_t along        # and to the north less those to the south

cdef Look LOOKS[3][256]     # by player to move and Point.around


# Point.chain_counts, from the low end, 16 bits each: liberties on listed points, stones, liberties
# on sealed eyes, and the sum of the points of all liberties of both kinds, each as often as it is
# one. The sum is modulo 2^16, and stands at the high end, where that harms nothing.
cdef enum:
    ONE_STONE = 0x10000

cdef inline uint64_t liberties(uint64_t counts) noexcept nogil:
    return counts & 0xFFFF

cdef inline uint64_t stones(uint64_t counts) noexcept nogil:
    return (counts >> 16) & 0xFFFF

cdef inline uint64_t sealed_liberties(uint64_t counts) noexcept nogil:
    return (counts >> 32) & 0xFFFF

cdef inline uint64_t liberty_sum(uint64_t counts) noexcept nogil:
    return counts >> 48

cdef inline uint64_t one_liberty(Py_ssize_t point) noexcept nogil:
    """What a listed liberty adds to the counts."""
    return 1 + (<uint64_t>point << 48)

cdef inline bint breathless(uint64_t counts) noexcept nogil:
    """No liberty of either kind."""
    return (counts & <uint64_t>0x0000FFFF0000FFFF) == 0


cdef inline int beside(const Board* board, int chain, int point) noexcept nogil:
    """How many stones of a chain are next to a point."""
    cdef const Point* at = board.at
    cdef int stride = board.stride
    return ((at[point - stride].chain == chain) + (at[point - 1].chain == chain)
            + (at[point + 1].chain == chain) + (at[point + stride].chain == chain))


cdef extern from *:
    """
    /* Of 2 ** 16, rounded up. */
    static const int mcts_reciprocals[5] = {0, 65536, 32768, 21846, 16384};
    """
    int RECIPROCALS "mcts_reciprocals"[5]


cdef inline int single_point(const Board* board, int chain, int count, int total) noexcept nogil:
    """Return the point where a chain has `count` liberties that sum up to `total`, or 0.

    If they are all at one point, it is their average, it is empty, and that many stones of the
    chain are beside it. So atari is seen without looking for liberties.
    """
    cdef int point
    if count == 0 or count > 4:
        return 0
    point = total * RECIPROCALS[count] >> 16        # a division where one is exact
    # The two low bits of a sealed eye's colour are those of EMPTY.
    if (point * count != total or board.at[point].color & 3 != EMPTY
            or beside(board, chain, point) != count):
        return 0
    return point


cdef inline int only_liberty(const Board* board, int chain) noexcept nogil:
    """Return the only liberty of a chain, or 0 if it has more."""
    cdef uint64_t counts = board.at[chain].chain_counts
    return single_point(board, chain, <int>(liberties(counts) + sealed_liberties(counts)),
                        <int>liberty_sum(counts))


# The part that is in use: 1.8 kB for 9x9, 6.8 kB for 19x19.
cdef void copy_board(Board* board, const Board* other) noexcept nogil
cdef void clear_board(Board* board, int size) noexcept nogil

# Whether the rules of a playout allow a stone: on an empty point, not the ko, no suicide.
cdef bint allowed(const Board* board, int player, int point) noexcept nogil
cdef bint suicide(const Board* board, int player, int point) noexcept nogil
# Whether an empty point is a real eye of the player's.
cdef bint own_eye(const Board* board, int player, int point) noexcept nogil
# Bit i: a stone here would capture the chain of neighbour i.
cdef unsigned int captured_by(const Board* board, int player, int point) noexcept nogil
# Play any allowed point.
cdef void play_stone(Board* board, int player, int point) noexcept nogil

# Take a chain off the board.
cdef void remove_chain(Board* board, int stone) noexcept nogil

# How many stones of the player's a stone here would leave in atari, itself included; 0 if none.
cdef int atari_size(const Board* board, int player, int point) noexcept nogil

# Play one of the allowed moves that fill no real eye of the player's own, each equally likely.
# Returns the point, or 0 for a pass, when there is none.
cdef int play_at_random(Board* board, int player, Rng* rng) noexcept nogil
# The same, among the moves that leave no more than `most` stones in atari. A point with one colour
# all around is played whatever it leaves in atari.
cdef int play_carefully(Board* board, int player, Rng* rng, int most) noexcept nogil

# A simple ko lets a playout go round for ever, so it is cut off (docs/performance.md: how rarely).
cdef inline int playout_cap(const Board* board) noexcept nogil:
    return 10 * board.size * board.size + 200

# Play at random until two passes, or the cap; `passes` is 1 just after a pass. Returns how many
# moves that were. `trace`, if not NULL, takes their points, 0 for a pass.
cdef int play_out(Board* board, int player, int passes, Rng* rng, int16_t* trace) noexcept nogil

# Black's area less White's: Tromp-Taylor, all stones alive.
cdef int area_balance(const Board* board) noexcept nogil
# The same by flooding every region, whatever the position.
cdef int area_by_flood(const Board* board) noexcept nogil
