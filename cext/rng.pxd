"""The random generator of everything that plays: a small struct, passed by pointer, inlined.

xoroshiro128+ (Blackman and Vigna): two words of state, period 2^128 - 1, seven instructions a
number. Its lowest bits are its weakest, so a bounded number is made from the highest ones.
Only integers are involved: the same seed gives the same numbers on every machine.
"""
from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    /* The high 64 bits of a 128-bit product. */
    static inline uint64_t mcts_multiply_high(uint64_t a, uint64_t b) {
    #ifdef __SIZEOF_INT128__
        return (uint64_t)(((unsigned __int128)a * b) >> 64);
    #else
        uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
        uint64_t middle = a1 * b0 + ((a0 * b0) >> 32);
        uint64_t other = a0 * b1 + (uint32_t)middle;
        return a1 * b1 + (middle >> 32) + (other >> 32);
    #endif
    }
    """
    uint64_t multiply_high "mcts_multiply_high"(uint64_t a, uint64_t b) noexcept nogil


cdef struct Rng:
    uint64_t a
    uint64_t b      # a and b are never both zero: seed_rng() sees to it


cdef inline uint64_t splitmix(uint64_t* state) noexcept nogil:
    """Advance a 64-bit counter and return it well mixed (SplitMix64): turns any seed into state."""
    state[0] += 0x9E3779B97F4A7C15U
    cdef uint64_t z = state[0]
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU
    return z ^ (z >> 31)


cdef inline void seed_rng(Rng* rng, uint64_t seed) noexcept nogil:
    """Every seed is as good as every other; SplitMix64 never gives two zeros in a row."""
    rng.a = splitmix(&seed)
    rng.b = splitmix(&seed)


cdef inline uint64_t next_number(Rng* rng) noexcept nogil:
    cdef uint64_t a = rng.a, b = rng.b, number = a + b
    b ^= a
    rng.a = ((a << 24) | (a >> 40)) ^ b ^ (b << 16)
    rng.b = (b << 37) | (b >> 27)
    return number


cdef inline uint32_t below(Rng* rng, uint32_t bound) noexcept nogil:
    """A number in 0 .. bound-1, each equally likely to within bound / 2^64."""
    return <uint32_t>multiply_high(next_number(rng), bound)


cdef inline bint chance(Rng* rng, int percent) noexcept nogil:
    """True so often; no number is drawn for what is certain."""
    return percent >= 100 or (percent > 0 and <int>below(rng, 100) < percent)


cdef class Generator:
    cdef Rng rng
