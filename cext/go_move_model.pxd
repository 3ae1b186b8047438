"""The expert move model: how likely an expert plays each move of a position.

A move is chosen with a probability that is proportional to the product of its factors, as in
Coulom's model of 2007. Their logarithms are integers, in tenths, learnt from 4,000 games on 19x19
by maximum likelihood. The base model is a part of the program, for boards of all sizes:

    shape       the 3x3 surroundings of the point
    tactics     what the move captures, saves, attacks, or puts in atari
    distances   from the last two moves
    line        from the edge; one kind for each density of the stones around

On large boards a MoveModel, which is read from a file, corrects it. It sees farther than the eight
points around a move:

    board_zone          where on a large board a point is, and how far from any stone
    stone_distance      how far it is from the nearest stones of either side
    last_moves          where it lies as seen from the last two moves
    contact_liberties   the liberties that a stone would have there, and those of the weakest chains
                        of either side next to it; by where it lies as seen from the last move
    shape               what is on the 20 or 36 points around it, where experts often play that
"""
from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t

from cext.go cimport Go
from cext.go_board cimport MAX_POINTS, MAX_SIZE, Board


# Tactical features: what a move does, besides making a shape.
cdef struct Tactics:
    int capture             # 0 nothing, 1 a stone, 2 more, 3 stones that had one's own in atari
    int escape              # from atari: 0 no, 1 in vain, 2 with a stone, 3 with more
    int peril               # own stones put in atari: 0 none, 1 the move alone, 2 more
    int attack              # puts stones in atari: 0 no, 1 yes


# Where stones are near, row by row: a bit for each column, from the fourth on.
cdef struct Density:
    uint32_t two[MAX_SIZE]      # of this row and two on either side
    uint32_t three[MAX_SIZE]


cdef void measure_density(Density* density, const Board* board) noexcept nogil
cdef Tactics tactics_of(const Board* board, int player, int point) noexcept nogil
# Rows and columns between two points, and the larger of both again, at most 12; 0 without another.
cdef int distance(const Board* board, int point, int other) noexcept nogil
# Whether there is no stone within two lines.
cdef bint is_apart(const Board* board, int point, const Density* density) noexcept nogil
# The lines between a point and the nearest edge.
cdef int line_of(const Board* board, int point) noexcept nogil
# The logarithm of the product of the base model's factors, in tenths.
cdef int base_tenths(const Board* board, int player, int point, int last, int before,
                     const Tactics* tactics, const Density* density) noexcept nogil
# And back: e to a tenth of a number.
cdef double factor(int tenths) noexcept nogil


cdef enum:
    EVEN_WEIGHT = 20        # what weight_near_last says where every factor is 1

cdef int8_t SHAPE_TENTHS[3][65536]      # by player to move and surroundings
# By whether a point is next to the last move, and by its shape's tenths, from -128 on.
cdef uint16_t WEIGHTS_NEAR_LAST[2][256]


cdef inline int weight_near_last(unsigned int code, int player, bint next_to) noexcept nogil:
    """The factors of surroundings and of a place around the last move, next to it or diagonal, as a
    whole number to draw by.
    """
    return WEIGHTS_NEAR_LAST[next_to][128 + SHAPE_TENTHS[player][code]]


cdef enum:
    BEYOND = 3                  # rows and columns of a shape that may be off the board
    WIDTH = 31                  # of a board with these, the largest one
    SMALL = 20                  # cells of a shape that is known, and of one around it
    LARGE = 36
    COUNT_OF_ZONES = 4          # by distance from the nearest stone
    NEAREST = 6                 # lines from the nearer edge
    FARTHEST = 8                # and from the farther one
    STEPS = 10                  # from the nearest own and enemy stones
    LINES = 5
    PLACES = 23                 # from another move: none, up to five rows and columns away, farther
    NEAR_PLACES = 12            # up to three
    LIBERTIES = 7               # of a stone
    CHAIN_LIBERTIES = 6         # of a chain next to it; 0 where there is none


cdef struct Square:
    int row                     # from 0 on; -1 for none
    int column


# A position as one side sees it, to be looked at point by point.
cdef struct View:
    int size
    uint64_t rows[WIDTH]                        # two bits a cell: 0 empty, 1 own, 2 enemy, 3 off
    uint8_t steps[3][MAX_SIZE * MAX_SIZE]       # to the nearest stone of a side, up to STEPS - 1
    uint16_t liberties[MAX_POINTS]              # of chains
    int player
    Square last                                 # where the last moves were
    Square before


cdef struct Place:
    Square square
    int at                      # in steps
    int near_line               # from the nearer edge, from 0 on
    int far_line


# A point with what is around it, and the code of the small shape that this is.
cdef struct Neighbourhood:
    Place place
    uint64_t window[2]
    uint64_t code


cdef struct Entry:
    uint32_t key                # 0 where there is none
    int8_t value


cdef void view_position(View* view, Go game) noexcept nogil


cdef class MoveModel:
    cdef int8_t board_zone[COUNT_OF_ZONES][NEAREST][FARTHEST]
    cdef int8_t stone_distance[STEPS][STEPS][LINES]
    cdef int8_t last_moves[PLACES][PLACES]
    cdef int8_t contact_liberties[NEAR_PLACES][LIBERTIES][CHAIN_LIBERTIES][CHAIN_LIBERTIES]
    cdef Entry* entries
    cdef uint32_t mask
    cdef readonly int shapes

    cdef int take_room(self, uint32_t room) except -1
    cdef int8_t* table(self, name) except NULL
    cdef void put(self, uint64_t code, int value)
    cdef const Entry* find(self, uint64_t code) noexcept nogil
    cdef void look_at(self, const View* view, const Board* board, int point,
                      Neighbourhood* around) noexcept nogil
    cdef int tenths(self, const View* view, const Board* board, int point,
                    const Neighbourhood* around) noexcept nogil
