"""The regions of go_semeai_region.pxd."""
from libc.stdint cimport int16_t, uint8_t, uint64_t
from libc.string cimport memset

from cext.go_board cimport BLACK, MAX_POINTS, OFF, WHITE, Board
from cext.go_tactics cimport find_liberties, runs_to_three


# What a point is while a region is looked for.
cdef enum Role:
    UNKNOWN
    FREE                # an empty cell
    STONE               # a stone that may be captured
    EDGE                # an empty cell with open space behind it, where every stone is safe
    RACER               # a stone of the two chains


cdef enum:
    MANY = 64           # liberties are counted so far
    MANY_OUTSIDE = 8


cdef struct Finder:
    const Board* board
    uint8_t role[MAX_POINTS]
    int16_t cells[MAX_CELLS]
    int count
    bint strict


cdef inline bint is_stone(int color) noexcept nogil:
    return color == BLACK or color == WHITE


cdef bint add_cell(Finder* finder, int point, Role role) noexcept nogil:
    """Tells whether there was room."""
    if finder.role[point] in (FREE, STONE, EDGE):
        return True
    if finder.count == USED_CELLS:
        return False
    finder.role[point] = <uint8_t>role
    finder.cells[finder.count] = <int16_t>point
    finder.count += 1
    return True


cdef void mark_chain(Finder* finder, int stone, Role role) noexcept nogil:
    cdef int at = stone
    while True:
        finder.role[at] = <uint8_t>role
        at = finder.board.at[at].next
        if at == stone:
            return


cdef bint add_chain(Finder* finder, int stone) noexcept nogil:
    """Add the stones of a chain and its liberties."""
    cdef int points[MANY]
    cdef int at = stone, i
    while True:
        if not add_cell(finder, at, STONE):
            return False
        at = finder.board.at[at].next
        if at == stone:
            break
    for i in range(find_liberties(finder.board, stone, MANY, points)):
        if not add_cell(finder, points[i], FREE if finder.strict or not is_open(finder, points[i])
                        else EDGE):
            return False
    return True


cdef bint is_open(const Finder* finder, int start) noexcept nogil:
    """Whether many empty points outside are connected with one."""
    cdef int found[MANY_OUTSIDE]
    cdef int count = 1, i = 0, j, k, point
    found[0] = start
    while i < count:
        for j in range(4):
            point = found[i] + finder.board.offset[j]
            if (is_stone(finder.board.at[point].color) or finder.board.at[point].color == OFF
                    or finder.role[point] != UNKNOWN):
                continue
            for k in range(count):
                if found[k] == point:
                    break
            else:
                if count == MANY_OUTSIDE:
                    return True
                found[count] = point
                count += 1
        i += 1
    return False


cdef bint has_two_eyes(const Board* board, int stone, const int* points, int count) noexcept nogil:
    """Whether two of the liberties of a chain have nothing but its stones around them."""
    cdef int eyes = 0, i, j, neighbour
    for i in range(count):
        for j in range(4):
            neighbour = points[i] + board.offset[j]
            if (board.at[neighbour].color != OFF
                    and board.at[neighbour].chain != board.at[stone].chain):
                break
        else:
            eyes += 1
    return eyes > 1


cdef bint is_wall(Finder* finder, int stone) noexcept nogil:
    cdef int points[MANY]
    cdef int i, outside = 0, count = find_liberties(finder.board, stone, MANY, points)
    cdef bint runs = False
    for i in range(count):
        if finder.role[points[i]] != FREE and finder.role[points[i]] != EDGE:
            outside += 1
            runs = runs or not finder.strict and runs_to_three(
                finder.board, finder.board.at[stone].color, points[i])
    return (outside > 2 or outside == 2 and runs
            or has_two_eyes(finder.board, stone, points, count))


cdef bint spread_free(Finder* finder) noexcept nogil:
    """Add all that is empty and connected to the cells; tells whether there was room."""
    cdef int i = 0, j, point
    while i < finder.count:
        if finder.role[finder.cells[i]] == FREE:
            for j in range(4):
                point = finder.cells[i] + finder.board.offset[j]
                if (not is_stone(finder.board.at[point].color)
                        and finder.board.at[point].color != OFF
                        and not add_cell(finder, point, FREE)):
                    return False
        i += 1
    return True


cdef bint add_weak_chains(Finder* finder) noexcept nogil:
    """Add the chains beside the cells that are no walls; tells whether there was room."""
    cdef int i = 0, j, point
    while i < finder.count:
        for j in range(4):
            point = finder.cells[i] + finder.board.offset[j]
            if not is_stone(finder.board.at[point].color):
                continue
            if finder.role[point] == RACER or finder.role[point] == STONE:
                continue
            if is_wall(finder, point):
                continue
            if not add_chain(finder, point):
                return False
        i += 1
    return True


cdef bint add_weak_neighbours(Finder* finder, const int* racers) noexcept nogil:
    """Add the chains that touch the racing ones and are no walls, with or without a liberty here.
    """
    cdef int i, j, at, point
    for i in range(2):
        at = racers[i]
        while True:
            for j in range(4):
                point = at + finder.board.offset[j]
                if (is_stone(finder.board.at[point].color) and finder.role[point] != RACER
                        and finder.role[point] != STONE and not is_wall(finder, point)
                        and not add_chain(finder, point)):
                    return False
            at = finder.board.at[at].next
            if at == racers[i]:
                break
    return True


cdef bint find_region(const Board* board, int first, int second, bint strict, Region* region,
                      Stones* stones) noexcept nogil:
    cdef Finder finder
    cdef int racers[2]
    cdef int points[MANY]
    cdef int i, j, count, before = 0
    racers[0] = first
    racers[1] = second
    finder.board = board
    finder.count = 0
    finder.strict = strict
    memset(finder.role, 0, board.points)
    for i in range(2):
        mark_chain(&finder, racers[i], RACER)
        # A chain of one stone might be captured back.
        if board.at[racers[i]].next == racers[i]:
            return False
    for i in range(2):
        count = find_liberties(board, racers[i], MANY, points)
        if count == MANY:
            return False
        for j in range(count):
            if not add_cell(&finder, points[j], FREE):
                return False
    if not spread_free(&finder):
        return False
    # What joins the region may weaken other walls, so again until nothing changes.
    while finder.count > before:
        before = finder.count
        if (not add_weak_neighbours(&finder, racers) or not add_weak_chains(&finder)
                or not spread_free(&finder)):
            return False
    fill_region(&finder, racers, region, stones)
    return True


cdef void fill_region(Finder* finder, const int* racers, Region* region,
                      Stones* stones) noexcept nogil:
    cdef const Board* board = finder.board
    cdef uint8_t number[MAX_POINTS]
    cdef int i, j, point, color, side
    cdef uint64_t bit
    memset(region, 0, sizeof(Region))
    memset(stones, 0, sizeof(Stones))
    region.cells = finder.count
    for i in range(2):
        region.colors[i] = board.at[racers[i]].color
    for i in range(finder.count):
        region.points[i] = finder.cells[i]
        number[finder.cells[i]] = <uint8_t>i
    for i in range(finder.count):
        bit = <uint64_t>1 << i
        region.all |= bit
        if finder.role[finder.cells[i]] == EDGE:
            region.wall[0] |= bit
            region.wall[1] |= bit
        color = board.at[finder.cells[i]].color
        if is_stone(color):
            stones.of[color == region.colors[1]] |= bit
        for j in range(4):
            point = finder.cells[i] + board.offset[j]
            color = board.at[point].color
            side = color == region.colors[1]
            if finder.role[point] in (FREE, STONE, EDGE):
                region.around[i] |= <uint64_t>1 << number[point]
            elif finder.role[point] == RACER:
                region.chain[side] |= bit
            elif is_stone(color):
                region.wall[side] |= bit


cdef uint64_t spread(const Region* region, uint64_t seeds, uint64_t within) noexcept nogil:
    """Return the cells of a set that are connected with the seeds, themselves in it."""
    cdef uint64_t found = seeds & within, border = found, more
    while border:
        more = region.around[first_of(border)] & within & ~found
        border &= border - 1
        found |= more
        border |= more
    return found


cdef uint64_t beside(const Region* region, uint64_t cells) noexcept nogil:
    """Return the cells next to others."""
    cdef uint64_t found = 0
    while cells:
        found |= region.around[first_of(cells)]
        cells &= cells - 1
    return found


cdef uint64_t racing(const Region* region, const Stones* stones, int side) noexcept nogil:
    """Return the stones that are connected with a side's racing chain."""
    return spread(region, stones.of[side] & region.chain[side], stones.of[side])


cdef uint64_t liberties_of(const Region* region, const Stones* stones, int side) noexcept nogil:
    """The liberties of a side's racing chain."""
    return ((region.chain[side] | beside(region, racing(region, stones, side)))
            & ~(stones.of[0] | stones.of[1]) & region.all)


cdef Move play_cell(const Region* region, Stones* stones, int side, int cell) noexcept nogil:
    cdef int other = 1 - side
    cdef uint64_t bit = <uint64_t>1 << cell, empty, racers, chain, captured = 0, left, liberties
    cdef Stones before = stones[0]
    stones.of[side] |= bit
    empty = region.all & ~(stones.of[0] | stones.of[1])
    racers = racing(region, stones, other)
    if ((region.chain[other] & bit or region.around[cell] & racers)
            and not racers & region.wall[other]
            and not (region.chain[other] | beside(region, racers)) & empty):
        return CAPTURES
    left = region.around[cell] & stones.of[other] & ~racers
    while left:
        chain = spread(region, left & -left, stones.of[other])
        left &= ~chain
        if not chain & region.wall[other] and not beside(region, chain) & empty:
            captured |= chain
    stones.of[other] &= ~captured
    empty |= captured
    chain = spread(region, bit, stones.of[side])
    if chain & region.chain[side]:
        chain = racing(region, stones, side)
    liberties = beside(region, chain) & empty
    if chain & region.chain[side]:
        liberties |= region.chain[side] & empty
    if chain & region.wall[side]:
        return PLAYED
    if not liberties:
        stones[0] = before
        return REFUSED
    if (chain == bit and not bit & region.chain[side] and captured and liberties == captured
            and captured & (captured - 1) == 0):
        return TAKES_KO
    return PLAYED


cdef void add_part(Surroundings* around, uint64_t part, bint eye, uint64_t* rest) noexcept nogil:
    if around.count == MAX_PARTS:
        rest[0] |= part
        return
    around.own[around.count] = part
    around.eye[around.count] = eye
    around.count += 1


cdef void find_parts(const Region* region, const Stones* stones, Parts* parts) noexcept nogil:
    cdef uint64_t racers[2]
    cdef uint64_t near[2]               # next to the racing chains
    cdef uint64_t near_wall[2]
    cdef int eyes[2]
    cdef uint64_t empty = region.all & ~(stones.of[0] | stones.of[1])
    cdef uint64_t within = region.all, left, part, walls
    cdef int side
    cdef bint eye
    memset(parts, 0, sizeof(Parts))
    for side in range(2):
        racers[side] = racing(region, stones, side)
        walls = spread(region, stones.of[side] & region.wall[side], stones.of[side])
        near[side] = region.chain[side] | beside(region, racers[side])
        near_wall[side] = region.wall[side] | beside(region, walls)
        eyes[side] = 0
        within &= ~(racers[side] | walls)
    left = within
    while left:
        part = spread(region, left & -left, within)
        left &= ~part
        if not part & (near[0] | near[1]):
            continue
        for side in range(2):
            if part & (near[1 - side] | near_wall[side]):
                continue
            if not part & ~(near[side] & near_wall[1 - side] & empty):
                parts.side[side].outside |= part
                break
            eye = not part & (stones.of[side] | near_wall[1 - side])
            add_part(&parts.side[side], part, eye, &parts.rest)
            # An eye for sure, if all its empty points are liberties.
            eyes[side] += eye and not part & empty & ~near[side]
            break
        else:
            if part & ~(near[0] & near[1] & empty) or part & (near_wall[0] | near_wall[1]):
                parts.rest |= part
            else:
                parts.shared |= part
    for side in range(2):
        parts.side[side].alive = racers[side] & region.wall[side] != 0 or eyes[side] > 1


cdef void cut_out(const Region* region, const Stones* stones, int side, uint64_t cells,
                  bint others, bint eye, Region* part, Stones* inside) noexcept nogil:
    cdef uint64_t more = <uint64_t>others << (MAX_CELLS - 1)
    cdef uint64_t another = <uint64_t>eye << (MAX_CELLS - 2)
    cdef uint64_t racers = racing(region, stones, side), left = cells
    cdef int i, other = 1 - side
    while left:
        i = first_of(left)
        left &= left - 1
        part.around[i] = region.around[i] & cells
    part.around[MAX_CELLS - 1] = part.around[MAX_CELLS - 2] = 0
    part.all = cells | more | another
    part.chain[side] = (region.chain[side] | beside(region, racers)) & cells | more | another
    part.chain[other] = 0
    part.wall[side] = 0
    part.wall[other] = (region.wall[other] | beside(region, spread(
        region, stones.of[other] & region.wall[other], stones.of[other]))) & cells | more
    inside.of[0] = stones.of[0] & cells
    inside.of[1] = stones.of[1] & cells
