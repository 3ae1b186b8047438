"""The answers to go_tactics.pxd."""
from libc.stdint cimport uint64_t

from cext.go_board cimport (
    BLACK, EMPTY, LOOKS, SEALED, Board, allowed, copy_board, liberties, only_liberty, play_stone,
    sealed_liberties)

cdef enum:
    LONGEST_LADDER = 200        # plies
    WIDEST_LADDER = 60          # positions


cdef int find_liberties(const Board* board, int stone, int most, int* points) noexcept nogil:
    cdef int count = 0, at = stone, i, j, point, color
    while True:
        for i in range(4):
            point = at + board.offset[i]
            color = board.at[point].color
            if color != EMPTY and color < SEALED:
                continue
            for j in range(count):
                if points[j] == point:
                    break
            else:
                points[count] = point
                count += 1
                if count == most:
                    return count
        at = board.at[at].next
        if at == stone:
            return count


cdef int find_captures(const Board* board, int stone, int most, int* points) noexcept nogil:
    cdef int count = 0, at = stone, i, j, neighbour, point, enemy = 3 - board.at[stone].color
    while True:
        for i in range(4):
            neighbour = at + board.offset[i]
            if board.at[neighbour].color != enemy:
                continue
            point = only_liberty(board, board.at[neighbour].chain)
            if not point:
                continue
            for j in range(count):
                if points[j] == point:
                    break
            else:
                points[count] = point
                count += 1
                if count == most:
                    return count
        at = board.at[at].next
        if at == stone:
            return count


cdef inline int room(const Board* board, int point) noexcept nogil:
    """How many liberties a stone has at a point, at least, whatever it joins."""
    return LOOKS[BLACK][board.at[point].around].empties


cdef inline bint adjacent(const Board* board, int point, int other) noexcept nogil:
    cdef int distance = point - other if point > other else other - point
    return distance == 1 or distance == board.stride


cdef bint runs_to_three(const Board* board, int player, int point) noexcept nogil:
    """Whether a stone has three liberties at a point, with those of the chains that it joins."""
    cdef int found[3]
    cdef int points[4]
    cdef int count = 0, known, neighbour, color, i, j, k
    if room(board, point) > 2:
        return True
    for i in range(4):
        neighbour = point + board.offset[i]
        color = board.at[neighbour].color
        points[0] = neighbour
        if color == player:
            known = find_liberties(board, neighbour, 4, points)
        else:
            known = color == EMPTY or color >= SEALED
        for j in range(known):
            for k in range(count):
                if found[k] == points[j]:
                    break
            else:
                if points[j] != point:
                    if count == 2:
                        return True
                    found[count] = points[j]
                    count += 1
    return False


cdef inline bint joins_others(const Board* board, int player, int stone, int point) noexcept nogil:
    """Whether a stone would join more than the chain of another one, to which it is next."""
    cdef int i
    for i in range(4):
        if (board.at[point + board.offset[i]].color == player
                and board.at[point + board.offset[i]].chain != board.at[stone].chain):
            return True
    return False


cdef int find_new_liberties(const Board* board, int run, int* points) noexcept nogil:
    """Like find_liberties, up to three, of a chain that has just run to a point from atari.

    Unless it captured something on the way, all of them are beside that point.
    """
    cdef uint64_t counts = board.at[board.at[run].chain].chain_counts
    cdef int count = 0, i, color
    if <int>(liberties(counts) + sealed_liberties(counts)) != room(board, run):
        return find_liberties(board, run, 3, points)
    for i in range(4):
        color = board.at[run + board.offset[i]].color
        if count < 3 and (color == EMPTY or color >= SEALED):
            points[count] = run + board.offset[i]
            count += 1
    return count


cdef bint has_captures(const Board* board, int run, int attack) noexcept nogil:
    """Whether a chain that ran, and was put in atari again, can now capture what attacks it.

    As it could not before: then only the stones beside its last move have lost a liberty since,
    and those that the attacker has joined.
    """
    cdef int i, neighbour, enemy = 3 - board.at[run].color
    if only_liberty(board, board.at[attack].chain):
        return True
    for i in range(4):
        neighbour = run + board.offset[i]
        if board.at[neighbour].color == enemy and only_liberty(board, board.at[neighbour].chain):
            return True
    return False


cdef bint runs_out(Board* board, int stone, int run, int attack, int* positions,
                   int depth) noexcept nogil:
    """Whether a chain in atari is caught, whatever it does; `board` is used up.

    `run` and `attack` are the last two moves, if before these it could capture nothing; or 0.
    """
    cdef Board scratch
    cdef int player = board.at[stone].color, point, count, i
    cdef int points[3]
    while True:
        if (has_captures(board, run, attack) if run
                else find_captures(board, stone, 1, points) > 0):
            return False
        point = only_liberty(board, board.at[stone].chain)
        if not allowed(board, player, point):
            return True
        run = 0 if joins_others(board, player, stone, point) else point
        play_stone(board, player, point)
        count = (find_new_liberties(board, run, points) if run
                 else find_liberties(board, stone, 3, points))
        if count != 2:
            return count < 2
        positions[0] += 1
        depth += 2
        if positions[0] > WIDEST_LADDER or depth > LONGEST_LADDER:
            return False
        # The attacker may play at either liberty. It helps nobody if the chain then runs to three.
        attack = 0
        for i in range(2):
            if (room(board, points[1 - i]) - adjacent(board, points[0], points[1]) > 2
                    or not allowed(board, 3 - player, points[i])):
                continue
            if attack:
                copy_board(&scratch, board)
                play_stone(&scratch, 3 - player, attack)
                if (only_liberty(&scratch, scratch.at[stone].chain)
                        and runs_out(&scratch, stone, run, attack, positions, depth)):
                    return True
            attack = points[i]
        if not attack:
            return False
        # What is tried last is tried on this board.
        play_stone(board, 3 - player, attack)


cdef bint caught_in_ladder(const Board* board, int stone) noexcept nogil:
    cdef Board scratch
    cdef int positions = 0
    if runs_to_three(board, board.at[stone].color, only_liberty(board, board.at[stone].chain)):
        return False
    copy_board(&scratch, board)
    return runs_out(&scratch, stone, 0, 0, &positions, 0)
