"""The counting of go_semeai_count.pxd."""
from libc.stdint cimport uint64_t


cdef inline uint64_t key_of(const Count* count, int to_play, bint passed) noexcept nogil:
    """All that matters in 33 bits, and one that is always set."""
    cdef uint64_t key = 1
    cdef int side
    for side in range(2):
        key = key << 5 | <uint64_t>count.outside[side]
        key = key << 3 | <uint64_t>count.eye[side]
        key = key << 3 | <uint64_t>count.filled[side]
        key = key << 1 | <uint64_t>count.alive[side]
    key = key << 5 | <uint64_t>count.shared
    return key << 2 | <uint64_t>(2 * to_play + passed)


cdef inline int total(const Count* count, int side) noexcept nogil:
    """The liberties of a side."""
    return count.outside[side] + count.shared + count.eye[side] - count.filled[side]


cdef Outcome count_race(CountTable* table, const Count* count, int to_play,
                        bint passed) noexcept nogil:
    cdef uint64_t key = key_of(count, to_play, passed), slot
    cdef int index = <int>((key * <uint64_t>0x9E3779B97F4A7C15) >> 49)
    cdef Outcome outcome
    slot = table.slots[index]
    if slot >> 2 == key:
        return <Outcome>(slot & 3)
    outcome = play_on(table, count, to_play, passed)
    table.slots[index] = key << 2 | <uint64_t>outcome
    return outcome


cdef Outcome play_on(CountTable* table, const Count* count, int to_play,
                     bint passed) noexcept nogil:
    """Try every move, and the pass."""
    cdef int other = 1 - to_play
    cdef Outcome win = WON if to_play == 0 else LOST, best
    cdef Count after
    best = SEKI if passed else count_race(table, count, other, True)
    if best == win:
        return best
    if not count.alive[other]:
        if total(count, other) == 1:
            return win
        if count.outside[other]:
            after = count[0]
            after.outside[other] -= 1
            best = better(to_play, best, count_race(table, &after, other, False))
        else:
            if count.shared and (count.alive[to_play] or total(count, to_play) > 1):
                after = count[0]
                after.shared -= 1
                best = better(to_play, best, count_race(table, &after, other, False))
            if count.filled[other] < count.eye[other] - 1:
                after = count[0]
                after.filled[other] += 1
                best = better(to_play, best, count_race(table, &after, other, False))
    if count.filled[to_play] and count.filled[to_play] == count.eye[to_play] - 1:
        after = count[0]
        after.eye[to_play] -= 1
        after.filled[to_play] = 0
        best = better(to_play, best, count_race(table, &after, other, False))
    return best


cdef inline Outcome better(int side, Outcome one, Outcome other) noexcept nogil:
    if side == 0:
        return one if one > other else other
    return one if one < other else other
