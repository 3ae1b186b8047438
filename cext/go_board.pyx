"""The hot loop of Go. go_board.pxd says what the fields mean and why it is fast."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from cext.intrinsics cimport lowest_bit
from cext.rng cimport Rng, below

cdef extern from *:
    # Macros that Cython puts at the head of every C file.
    bint likely(bint condition) noexcept nogil
    bint unlikely(bint condition) noexcept nogil


# What judge() says of a point.
cdef enum Verdict:
    REFUSED
    ALLOWED
    SEALABLE        # a real eye, of no use to either player as things stand


cdef Look look_at(int player, int around) noexcept nogil:
    cdef Look look
    cdef int i, color, common = OFF
    memset(&look, 0, sizeof(look))
    look.first_own = 4
    for i in range(3, -1, -1):
        color = (around >> (2 * i)) & 3
        common &= color
        if color == EMPTY:
            look.empties += 1
            look.across += (i == 2) - (i == 1)
            look.along += (i == 3) - (i == 0)
        if color == player:
            look.own |= 1 << i
            look.first_own = i
        elif color == 3 - player:
            look.enemy |= 1 << i
    look.owner = common
    # With an empty neighbour any bits of `own` will do, and 16 exceeds them all. Among stones only,
    # all my chains must keep a liberty. Eyes, mine or the enemy's, are for judge() to decide.
    look.quick = 16 if look.empties else (look.own != 0 and common != player)
    return look


cdef void fill_looks() noexcept:
    cdef int player, around
    for player in range(1, 3):
        for around in range(256):
            LOOKS[player][around] = look_at(player, around)

fill_looks()


cdef inline bint real_eye(const Board* board, int point, int enemy) noexcept nogil:
    """Where all neighbours are one colour: at most one enemy diagonal, none at an edge."""
    cdef int stride = board.stride
    cdef int a = board.at[point - stride - 1].color, b = board.at[point - stride + 1].color
    cdef int c = board.at[point + stride - 1].color, d = board.at[point + stride + 1].color
    cdef int enemies = (a == enemy) + (b == enemy) + (c == enemy) + (d == enemy)
    return enemies + ((a == OFF) | (b == OFF) | (c == OFF) | (d == OFF)) < 2


cdef int judge(Board* board, int point, const Look* look, int zero) noexcept nogil:
    """Decide where one glance did not, which is only where no neighbour is empty.

    Bit i of `zero`: with a stone here, neighbour i's chain would have no liberty left.
    """
    cdef int captures = look.enemy & zero, alive = look.own & ~zero
    cdef bint eye
    if not look.owner:
        return (captures | alive) != 0
    eye = real_eye(board, point, 3 - look.owner)
    if look.enemy:
        if captures:
            return point != board.ko
        return SEALABLE if eye else REFUSED
    if eye:
        return REFUSED if look.own & zero else SEALABLE
    return alive != 0


cdef inline void add_around(Board* board, Py_ssize_t point, uint64_t counts) noexcept nogil:
    """Add to the counts of the chains of all four neighbours, once for each stone."""
    cdef Point* at = board.at
    cdef Py_ssize_t stride = board.stride
    at[at[point - stride].chain].chain_counts += counts
    at[at[point - 1].chain].chain_counts += counts
    at[at[point + 1].chain].chain_counts += counts
    at[at[point + stride].chain].chain_counts += counts


cdef inline void list_at(Board* board, Py_ssize_t index, Py_ssize_t point) noexcept nogil:
    """Enter a point in the list, so that play_stone() finds it there."""
    board.at[index].listed = <uint16_t>point
    board.at[point].next = <uint16_t>index


cdef inline bint last_liberty(const Board* board, int point, int neighbour) noexcept nogil:
    """Whether the chain of a neighbouring stone has no liberty but this point."""
    cdef int chain = board.at[neighbour].chain
    cdef uint64_t counts = board.at[chain].chain_counts
    return <int>(liberties(counts) + sealed_liberties(counts)) == beside(board, chain, point)


cdef inline uint64_t sealing() noexcept nogil:
    """What sealing an eye adds to the counts, for each stone beside it: the sum stays."""
    return (<uint64_t>1 << 32) - 1


cdef void seal(Board* board, int point, int owner) noexcept nogil:
    """Mark an eye that is off the list already."""
    board.at[point].color = <uint8_t>(SEALED * owner)
    board.balance += 3 - 2 * owner
    add_around(board, point, sealing())


cdef void unseal(Board* board, int point) noexcept nogil:
    """Put an eye back on the list."""
    board.balance -= 3 - 2 * (board.at[point].color // SEALED)
    board.at[point].color = EMPTY
    list_at(board, board.empties, point)
    board.empties += 1
    add_around(board, point, -sealing())


cdef void unseal_last_liberty(Board* board, int chain) noexcept nogil:
    """Unseal the eye that is the only liberty of a chain; with two eyes nothing happens."""
    cdef int point = only_liberty(board, chain)
    if point and board.at[point].color >= SEALED:
        unseal(board, point)


cdef void unseal_false_eyes(Board* board, int stone, int player) noexcept nogil:
    """Unseal those of the enemy's eyes that the new stone makes false."""
    cdef int stride = board.stride, enemy = 3 - player, row, column, point
    for row in range(-1, 2, 2):
        for column in range(-1, 2, 2):
            point = stone + row * stride + column
            if board.at[point].color == SEALED * enemy and not real_eye(board, point, player):
                unseal(board, point)


cdef inline void count_neighbours(Board* board, Py_ssize_t point, int color) noexcept nogil:
    """Tell the neighbours that a stone appears; a negative colour tells that it goes."""
    cdef Point* at = board.at
    cdef Py_ssize_t stride = board.stride
    at[point - stride].around += <uint8_t>(color * 64)
    at[point - 1].around += <uint8_t>(color * 16)
    at[point + 1].around += <uint8_t>(color * 4)
    at[point + stride].around += <uint8_t>color


cdef inline void capture(Board* board, Py_ssize_t first) noexcept nogil:
    """Take the chain of a stone off the board."""
    cdef Point* at = board.at
    cdef Py_ssize_t stone = first, empties = board.empties, after
    cdef int color = at[first].color
    while True:
        at[stone].color = EMPTY
        at[stone].chain = 0
        after = at[stone].next
        list_at(board, empties, stone)
        empties += 1
        count_neighbours(board, stone, -color)
        add_around(board, stone, one_liberty(stone))
        stone = after
        if stone == first:
            break
    board.balance -= (3 - 2 * color) * (empties - board.empties)
    board.empties = empties


cdef void remove_chain(Board* board, int stone) noexcept nogil:
    capture(board, stone)


cdef inline Py_ssize_t merge(Board* board, Py_ssize_t chain, Py_ssize_t other) noexcept nogil:
    """Make one chain of two and return its name; the stones of the smaller one are renamed."""
    cdef Point* at = board.at
    cdef uint64_t counts = at[chain].chain_counts, others = at[other].chain_counts
    cdef Py_ssize_t small = other, stone
    cdef uint16_t after
    if stones(others) > stones(counts):
        small = chain
        chain = other
    at[chain].chain_counts = counts + others
    stone = small
    while True:
        at[stone].chain = <uint16_t>chain
        stone = at[stone].next
        if stone == small:
            break
    after = at[chain].next
    at[chain].next = at[small].next
    at[small].next = after
    return chain


cdef inline void put_stone(Board* board, int player, Py_ssize_t point, const Look* look,
                           int zero, Py_ssize_t south, Py_ssize_t west, Py_ssize_t east,
                           Py_ssize_t north) noexcept nogil:
    """Put down a stone that is off the list and whose neighbours' liberties are counted down.

    `look` is what lay around it; bit i of `zero`: the chain of neighbour i, one of south .. north,
    has no listed liberty left.
    """
    cdef Point* at = board.at
    cdef Py_ssize_t stride = board.stride, chain, other, neighbour
    cdef int enemy = 3 - player, empties, captured = 0
    cdef uint64_t counts
    cdef unsigned int bits
    at[point].color = <uint8_t>player
    count_neighbours(board, point, player)
    board.balance += 3 - 2 * player

    # Join the first chain of my own, or the chain of one stone made here: no branch to mispredict.
    at[point].chain_counts = 0
    at[point].next = <uint16_t>point
    at[point].chain = <uint16_t>point
    chain = at[point + board.offset[look.first_own]].chain
    at[point].chain = <uint16_t>chain
    at[chain].chain_counts += (<unsigned int>(ONE_STONE + look.empties) + (
        <uint64_t>(look.empties * point + look.along * stride + look.across) << 48))
    at[point].next = at[chain].next
    at[chain].next = <uint16_t>point
    bits = look.own & ((south != chain) | (west != chain) << 1 | (east != chain) << 2
                       | (north != chain) << 3)
    if unlikely(bits != 0):
        while bits:
            other = at[point + board.offset[lowest_bit(bits)]].chain
            bits &= bits - 1
            if other != chain:
                chain = merge(board, chain, other)

    board.ko = 0
    bits = zero & look.enemy
    if unlikely(bits != 0):
        while bits:
            neighbour = point + board.offset[lowest_bit(bits)]
            bits &= bits - 1
            counts = at[at[neighbour].chain].chain_counts
            # What was done for another neighbour may have taken this one too, or given it a liberty
            # back: the eye that was the last liberty of both.
            if at[neighbour].color != enemy or liberties(counts):
                continue
            if sealed_liberties(counts):
                unseal_last_liberty(board, at[neighbour].chain)
            else:
                empties = board.empties
                capture(board, neighbour)
                captured += board.empties - empties
                board.ko = neighbour
        # The ko: a lone stone without a liberty took a single one.
        if captured != 1 or look.empties + look.own:
            board.ko = 0
    if unlikely(liberties(at[chain].chain_counts) == 0):
        unseal_last_liberty(board, chain)

    if unlikely((at[point - stride - 1].color | at[point - stride + 1].color
                 | at[point + stride - 1].color | at[point + stride + 1].color)
                & (SEALED * enemy)):
        unseal_false_eyes(board, point, player)


cdef int atari_size(const Board* board, int player, int point) noexcept nogil:
    cdef const Look* look = &LOOKS[player][board.at[point].around]
    cdef int liberty = 0, size = 1, i, neighbour, chain, rest, there, other
    cdef uint64_t counts
    cdef unsigned int bits
    if look.empties > 1:
        return 0
    if look.empties:
        # Alone among the neighbours it is their weighted sum.
        liberty = point + look.along * board.stride + look.across
    bits = look.own
    while bits:
        i = lowest_bit(bits)
        bits &= bits - 1
        chain = board.at[point + board.offset[i]].chain
        counts = board.at[chain].chain_counts
        there = beside(board, chain, point)
        rest = <int>(liberties(counts) + sealed_liberties(counts)) - there
        if rest:
            other = single_point(board, chain, rest,
                                 (<int>liberty_sum(counts) - there * point) & 0xFFFF)
            # The average of others may be the point itself.
            if other == 0 or other == point or (liberty and liberty != other):
                return 0
            liberty = other
        # A chain that is met from several sides is counted as often; large it is anyway.
        size += <int>stones(counts)
    bits = look.enemy
    while bits:
        i = lowest_bit(bits)
        bits &= bits - 1
        neighbour = point + board.offset[i]
        if last_liberty(board, point, neighbour):
            # Where more than one stone is captured there is room enough.
            if (liberty and liberty != neighbour
                    or stones(board.at[board.at[neighbour].chain].chain_counts) > 1):
                return 0
            liberty = neighbour
    return size


cdef inline int draw_and_play(Board* board, int player, Rng* rng, int most) noexcept nogil:
    """Draw without replacement: what is refused is set aside, behind the `left` ones.

    With `most`, moves that put more than so many stones of one's own in atari are refused too, and
    the places in the list are kept up to date.
    """
    cdef Point* at = board.at
    cdef Py_ssize_t stride = board.stride, left = board.empties
    cdef Py_ssize_t index, point, south, west, east, north
    cdef int verdict, zero
    cdef uint64_t here
    cdef const Look* looks = LOOKS[player]
    cdef const Look* look
    while likely(left != 0):
        index = below(rng, left)
        point = at[index].listed
        look = &looks[at[point].around]
        left -= 1
        if most >= 0 and look.empties < 2 and not look.owner:
            if atari_size(board, player, point) > most:
                list_at(board, index, at[left].listed)
                list_at(board, left, point)
                continue
        south = at[point - stride].chain
        west = at[point - 1].chain
        east = at[point + 1].chain
        north = at[point + stride].chain
        here = one_liberty(point)
        at[south].chain_counts -= here
        zero = liberties(at[south].chain_counts) == 0
        at[west].chain_counts -= here
        zero |= (liberties(at[west].chain_counts) == 0) << 1
        at[east].chain_counts -= here
        zero |= (liberties(at[east].chain_counts) == 0) << 2
        at[north].chain_counts -= here
        zero |= (liberties(at[north].chain_counts) == 0) << 3
        verdict = ALLOWED
        if unlikely((zero & look.own) >= look.quick):
            verdict = judge(board, point, look,
                            breathless(at[south].chain_counts)
                            | breathless(at[west].chain_counts) << 1
                            | breathless(at[east].chain_counts) << 2
                            | breathless(at[north].chain_counts) << 3)
        if most >= 0:
            list_at(board, index, at[left].listed)
        else:
            at[index].listed = at[left].listed
        if likely(verdict == ALLOWED):
            board.empties -= 1
            if most >= 0:
                list_at(board, left, at[board.empties].listed)
            else:
                at[left].listed = at[board.empties].listed
            put_stone(board, player, point, look, zero, south, west, east, north)
            return point
        at[south].chain_counts += here
        at[west].chain_counts += here
        at[east].chain_counts += here
        at[north].chain_counts += here
        if verdict == SEALABLE:
            board.empties -= 1
            if most >= 0:
                list_at(board, left, at[board.empties].listed)
            else:
                at[left].listed = at[board.empties].listed
            seal(board, point, look.owner)
        elif most >= 0:
            list_at(board, left, point)
        else:
            at[left].listed = <uint16_t>point
    board.ko = 0
    return 0


cdef int play_at_random(Board* board, int player, Rng* rng) noexcept nogil:
    return draw_and_play(board, player, rng, -1)


cdef int play_carefully(Board* board, int player, Rng* rng, int most) noexcept nogil:
    return draw_and_play(board, player, rng, most)


cdef int play_out(Board* board, int player, int passes, Rng* rng, int16_t* trace) noexcept nogil:
    cdef int moves = 0, cap = playout_cap(board), point
    while passes < 2 and likely(moves < cap):
        point = play_at_random(board, player, rng)
        passes = 0 if likely(point != 0) else passes + 1
        if trace != NULL:
            trace[moves] = <int16_t>point
        moves += 1
        player = 3 - player
    return moves


cdef void copy_board(Board* board, const Board* other) noexcept nogil:
    memcpy(board, other, <const char*>&other.at[other.points] - <const char*>other)


cdef void clear_board(Board* board, int size) noexcept nogil:
    cdef Point* at = board.at
    cdef int row, column, point, i
    memset(board, 0, sizeof(Board))
    board.size = size
    board.stride = size + 1
    board.inverse = 65536 // board.stride + 1
    board.points = (size + 2) * (size + 1) + 1
    board.offset[0] = -board.stride
    board.offset[1] = -1
    board.offset[2] = 1
    board.offset[3] = board.stride
    for point in range(board.points):
        at[point].color = OFF
    for row in range(1, size + 1):
        for column in range(1, size + 1):
            point = row * board.stride + column
            at[point].color = EMPTY
            list_at(board, board.empties, point)
            board.empties += 1
    for i in range(board.empties):
        point = at[i].listed
        for row in range(4):
            at[point].around |= <uint8_t>(at[point + board.offset[row]].color << (2 * row))
    # Of the frame below and above, what is to the left and right: the diagonals of the edges.
    for column in range(1, size + 1):
        at[column].around = at[(size + 1) * board.stride + column].around = 0x3C


cdef bint allowed(const Board* board, int player, int point) noexcept nogil:
    cdef int color = board.at[point].color
    return ((color == EMPTY or color >= SEALED) and point != board.ko
            and not suicide(board, player, point))


cdef bint suicide(const Board* board, int player, int point) noexcept nogil:
    cdef int i, neighbour, color
    # Where there are many to ask about, this answers for most.
    if LOOKS[player][board.at[point].around].empties:
        return False
    for i in range(4):
        neighbour = point + board.offset[i]
        color = board.at[neighbour].color
        if color == EMPTY or color >= SEALED:
            return False
        if color != OFF and last_liberty(board, point, neighbour) == (color != player):
            return False
    return True


cdef bint own_eye(const Board* board, int player, int point) noexcept nogil:
    return (LOOKS[player][board.at[point].around].owner == player
            and real_eye(board, point, 3 - player))


cdef unsigned int captured_by(const Board* board, int player, int point) noexcept nogil:
    cdef unsigned int captured = 0
    cdef int i, neighbour
    for i in range(4):
        neighbour = point + board.offset[i]
        if board.at[neighbour].color == 3 - player and last_liberty(board, point, neighbour):
            captured |= 1 << i
    return captured


cdef void play_stone(Board* board, int player, int point) noexcept nogil:
    cdef Point* at = board.at
    cdef int index = 0, i, zero = 0
    cdef int chains[4]
    if at[point].color != EMPTY:
        unseal(board, point)
    # Uniform playouts do not keep the places up to date: it may be elsewhere.
    index = at[point].next
    if index >= board.empties or at[index].listed != point:
        index = 0
        while at[index].listed != point:
            index += 1
    board.empties -= 1
    list_at(board, index, at[board.empties].listed)
    for i in range(4):
        chains[i] = at[point + board.offset[i]].chain
        at[chains[i]].chain_counts -= one_liberty(point)
    for i in range(4):
        zero |= (liberties(at[chains[i]].chain_counts) == 0) << i
    put_stone(board, player, point, &LOOKS[player][at[point].around], zero,
              chains[0], chains[1], chains[2], chains[3])


cdef int area_by_flood(const Board* board) noexcept nogil:
    """By definition: an empty region belongs to the only colour that it reaches."""
    cdef uint8_t seen[MAX_POINTS]
    cdef uint16_t stack[MAX_POINTS]
    cdef int balance = 0, point, start, neighbour, color, i, depth, region, reached
    memset(seen, 0, sizeof(seen))
    for start in range(board.points):
        color = board.at[start].color
        if color == BLACK or color == WHITE:
            balance += 3 - 2 * color
        if color == BLACK or color == WHITE or color == OFF or seen[start]:
            continue
        seen[start] = True
        stack[0] = <uint16_t>start
        depth = 1
        region = reached = 0
        while depth:
            depth -= 1
            point = stack[depth]
            region += 1
            for i in range(4):
                neighbour = point + board.offset[i]
                color = board.at[neighbour].color
                if color == BLACK or color == WHITE:
                    reached |= color
                elif color != OFF and not seen[neighbour]:
                    seen[neighbour] = True
                    stack[depth] = <uint16_t>neighbour
                    depth += 1
        if reached == BLACK or reached == WHITE:
            balance += (3 - 2 * reached) * region
    return balance


cdef int area_balance(const Board* board) noexcept nogil:
    """At the end of a playout empty points stand alone, and their neighbours say whose they are."""
    cdef int balance = board.balance, i
    cdef const Look* look
    for i in range(board.empties):
        look = &LOOKS[BLACK][board.at[board.at[i].listed].around]
        if look.empties:
            return area_by_flood(board)
        balance += (look.owner == BLACK) - (look.owner == WHITE)
    return balance
