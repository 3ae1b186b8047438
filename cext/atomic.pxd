"""Counters that several threads share without a lock; nothing else is promised than that no count
is lost, and that what was written before a publish() is seen after a look() at it.
"""
from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t


cdef extern from *:
    """
    #define mcts_add(counter, amount) __atomic_fetch_add(counter, amount, __ATOMIC_RELAXED)
    #define mcts_look(value) __atomic_load_n(value, __ATOMIC_ACQUIRE)
    #define mcts_publish(place, value) __atomic_store_n(place, value, __ATOMIC_RELEASE)
    static inline int mcts_claim(short *place, short before, short after) {
        return __atomic_compare_exchange_n(place, &before, after, 0, __ATOMIC_ACQUIRE,
                                           __ATOMIC_RELAXED);
    }
    """
    # Each returns what was there before.
    uint32_t add_count "mcts_add"(uint32_t* counter, uint32_t amount) noexcept nogil
    int32_t add_int "mcts_add"(int32_t* counter, int32_t amount) noexcept nogil
    int64_t add_long "mcts_add"(int64_t* counter, int64_t amount) noexcept nogil
    int16_t look "mcts_look"(const int16_t* value) noexcept nogil
    void publish "mcts_publish"(int16_t* place, int16_t value) noexcept nogil
    # Change a value, if it still is what one thinks; tells whether it was.
    bint claim "mcts_claim"(int16_t* place, int16_t before, int16_t after) noexcept nogil
