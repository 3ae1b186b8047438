"""The eye spaces of go_eye_spaces.pxd."""
from libc.stdint cimport uint64_t
from libc.string cimport memset

from cext.go_board cimport EMPTY, OFF, SEALED, Board, stones


cdef bint is_narrow(int wall, int code) noexcept nogil:
    """A point of a space has not much besides walls around it, and room next to it."""
    cdef int i, color, inside = 0, next_to = 0
    for i in range(8):
        color = code >> 2 * i & 3
        if color != wall and color != OFF:
            inside += 1
            next_to += i < 4
    return next_to and inside < MOST_SPACE - 1


cdef void fill_narrow() noexcept:
    cdef int wall, code
    for wall in range(1, 3):
        for code in range(65536):
            NARROW[wall][code >> 3] |= is_narrow(wall, code) << (code & 7)

fill_narrow()


cdef enum:
    WORDS = 11                  # of a bit for each of MAX_POINTS


# How the points of a space lie.
cdef struct Shape:
    int pairs                   # of neighbours
    bint corner                 # has one of the board
    int most                    # neighbours of the point that has most
    int middle                  # and that point, of equals one at the edge


cdef inline bint holds(const Space* space, int point) noexcept nogil:
    cdef int i
    for i in range(space.count):
        if space.points[i] == point:
            return True
    return False


cdef bint find_space(const Board* board, int wall, int start, Space* space) noexcept nogil:
    cdef uint64_t seen[WORDS]
    cdef int i = 0, j, point, color
    memset(seen, 0, sizeof(seen))
    seen[start >> 6] = <uint64_t>1 << (start & 63)
    space.count = 1
    space.points[0] = start
    while i < space.count:
        for j in range(4):
            point = space.points[i] + board.offset[j]
            color = board.at[point].color
            if color == wall or color == OFF or seen[point >> 6] >> (point & 63) & 1:
                continue
            if space.count == MOST_SPACE or (color != EMPTY and (
                    color >= SEALED
                    or stones(board.at[board.at[point].chain].chain_counts) >= MOST_SPACE)):
                return False
            seen[point >> 6] |= <uint64_t>1 << (point & 63)
            space.points[space.count] = point
            space.count += 1
        i += 1
    return True


cdef inline int lines_beside(const Board* board, int point) noexcept nogil:
    cdef int j, lines = 0
    for j in range(4):
        lines += board.at[point + board.offset[j]].color == OFF
    return lines


cdef Shape shape_of(const Board* board, const Space* space) noexcept nogil:
    cdef Shape shape
    cdef int i, j, neighbours, edges, best = 0
    shape.pairs = shape.most = shape.middle = 0
    shape.corner = False
    for i in range(space.count):
        neighbours = 0
        for j in range(4):
            neighbours += holds(space, space.points[i] + board.offset[j])
        shape.pairs += neighbours
        edges = lines_beside(board, space.points[i])
        shape.corner = shape.corner or edges > 1
        if 4 * neighbours + edges > best:
            best = 4 * neighbours + edges
            shape.most = neighbours
            shape.middle = space.points[i]
    shape.pairs //= 2
    return shape


cdef inline bint has_middle(int count, const Shape* shape) noexcept nogil:
    """Tell the drawn shapes from others by their pairs, and by what is around the middle."""
    if count == 3:
        return True
    if count == 4:
        return shape.most == 3
    if count == 5:
        return shape.most == 4 or shape.pairs == 5
    # Six in a flower, or as a rectangle in the corner.
    return count == 6 and (shape.most == 4 and shape.pairs == 6
                           or shape.pairs == 7 and shape.corner)


cdef int vital_point(const Board* board, int wall, const Space* space) noexcept nogil:
    cdef Shape shape
    cdef int i, empties = 0
    if space.count < 3:
        return 0
    shape = shape_of(board, space)
    if has_middle(space.count, &shape) and board.at[shape.middle].color == EMPTY:
        return shape.middle
    for i in range(space.count):
        empties += board.at[space.points[i]].color == EMPTY
    if empties == 2 and space.count > 3:
        for i in range(space.count):
            if (board.at[space.points[i]].color == EMPTY
                    and deadly_size(board, 3 - wall, space.points[i]) == space.count - 1):
                return space.points[i]
    return 0


cdef int deadly_size(const Board* board, int player, int point) noexcept nogil:
    cdef Space chain
    cdef Shape shape
    cdef int i = 0, j, neighbour
    chain.count = 1
    chain.points[0] = point
    while i < chain.count:
        for j in range(4):
            neighbour = chain.points[i] + board.offset[j]
            if board.at[neighbour].color != player or holds(&chain, neighbour):
                continue
            if chain.count == MOST_SPACE - 1:
                return 0
            chain.points[chain.count] = neighbour
            chain.count += 1
        i += 1
    if chain.count < 3:
        return chain.count
    shape = shape_of(board, &chain)
    # A square of four needs two moves to become two eyes.
    if has_middle(chain.count, &shape) or (chain.count == 4 and shape.pairs == 4):
        return chain.count
    return 0
