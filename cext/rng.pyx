"""The generator of rng.pxd as Python sees it."""
from libc.stdint cimport uint32_t, uint64_t

from cext.rng cimport below, next_number, seed_rng


cdef class Generator:
    """Gives the numbers that playouts and searches with the same seed draw."""

    def __cinit__(self, uint64_t seed):
        seed_rng(&self.rng, seed)

    def numbers(self, int count):
        """Return the next numbers, 64 bits each."""
        return [next_number(&self.rng) for _ in range(count)]

    def numbers_below(self, int count, uint32_t bound):
        """Return the next numbers in 0 .. bound-1."""
        return [below(&self.rng, bound) for _ in range(count)]
