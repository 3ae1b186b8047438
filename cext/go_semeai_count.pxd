"""Capturing races that counting decides: Müller's classes 0 and 1, and big eyes.

Each side has outside liberties, at most one eye, and the sides share liberties. A move takes one
of the enemy's outside liberties, or a shared one where he has no other, or fills his eye; or it
captures the stones in one's own eye, when they leave one point, and the eye is then as large as
they were. The last point of an eye is taken when no other liberty is left. All that is played out
here, which takes no longer than formulas, and is right by construction.
"""
from libc.stdint cimport uint32_t, uint64_t


cdef enum:
    MAX_OUTSIDE = 31
    MAX_SHARED = 31
    MAX_EYE = 7
    SLOTS = 1 << 15


# What becomes of the first side's chain: it is captured; neither is; it captures the other's.
cdef enum Outcome:
    LOST
    SEKI
    WON


cdef struct Count:
    int outside[2]
    int eye[2]          # points of the eye, 0 for none
    int filled[2]       # the enemy's stones in it
    bint alive[2]
    int shared


# Remembers outcomes, by all that is in a Count.
cdef struct CountTable:
    uint64_t slots[SLOTS]


cdef Outcome count_race(CountTable* table, const Count* count, int to_play,
                        bint passed) noexcept nogil
