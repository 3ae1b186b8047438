"""The answers to go_tactics.pxd."""
from cext.go_board cimport (
    EMPTY, SEALED, Board, allowed, copy_board, only_liberty, play_stone)

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


cdef bint runs_out(Board* board, int stone, int* positions, int depth) noexcept nogil:
    """Whether a chain in atari is caught, whatever it does; `board` is used up."""
    cdef Board scratch
    cdef int player = board.at[stone].color, point, count, i
    cdef int points[3]
    while True:
        if find_captures(board, stone, 1, points):
            return False
        point = only_liberty(board, board.at[stone].chain)
        if not allowed(board, player, point):
            return True
        play_stone(board, player, point)
        count = find_liberties(board, stone, 3, points)
        if count != 2:
            return count < 2
        positions[0] += 1
        depth += 2
        if positions[0] > WIDEST_LADDER or depth > LONGEST_LADDER:
            return False
        # The attacker may play at either liberty; the second is tried on this board.
        for i in range(2):
            if not allowed(board, 3 - player, points[i]):
                continue
            if i == 0:
                copy_board(&scratch, board)
                play_stone(&scratch, 3 - player, points[0])
                if (only_liberty(&scratch, scratch.at[stone].chain)
                        and runs_out(&scratch, stone, positions, depth)):
                    return True
            else:
                play_stone(board, 3 - player, points[1])
                break
        else:
            return False


cdef bint caught_in_ladder(const Board* board, int stone) noexcept nogil:
    cdef Board scratch
    cdef int positions = 0
    copy_board(&scratch, board)
    return runs_out(&scratch, stone, &positions, 0)


cdef bint caught_by(const Board* board, int stone, int liberty) noexcept nogil:
    cdef Board scratch
    cdef int positions = 0, enemy = 3 - board.at[stone].color
    if not allowed(board, enemy, liberty):
        return False
    copy_board(&scratch, board)
    play_stone(&scratch, enemy, liberty)
    return runs_out(&scratch, stone, &positions, 0)
