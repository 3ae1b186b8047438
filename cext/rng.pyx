"""What Python can see of the generator of rng.pxd."""
from libc.stdint cimport uint32_t, uint64_t

from cext.rng cimport Rng, below, next_number, seed_rng


def numbers(uint64_t seed, int count):
    """Return the first numbers, 64 bits each, that a seed gives."""
    cdef Rng rng
    seed_rng(&rng, seed)
    return [next_number(&rng) for _ in range(count)]


def numbers_below(uint64_t seed, int count, uint32_t bound):
    """Return the first numbers in 0 .. bound-1 that a seed gives."""
    cdef Rng rng
    seed_rng(&rng, seed)
    return [below(&rng, bound) for _ in range(count)]
