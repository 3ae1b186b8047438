"""Playouts of Go as MoGo has them: moves that answer the last one.

A move of a playout is the first of these that there is, each tried with its own chance:

    save        the last move put stones in atari: run away with them, or capture what attacks them;
                or it left its own in atari: capture it
    ladder      whether to save leaves out running into a ladder
    biased      the point near the last move that the patterns like best, if they like any
    nakade      the vital point of the enemy's eye space where the last move has captured
                (go_eye_spaces)
    near        around the last move as experts do (go_move_model): one of its eight points, as
                likely as the factors of shape and place say, or none, as if that had a factor of 1
    shape       a good 3x3 shape next to the last move (go_patterns3x3)
    capture     anything that was left in atari anywhere
    random      any other move; if possible, none that puts its own stones in atari (careful), or
                else only such that leave the enemy one eye if they are captured (seki)
"""
from libc.stdint cimport int16_t, uint16_t

from cext.go_bias_patterns cimport Patterns
from cext.go_board cimport Board
from cext.rng cimport Rng


# Chances of a playout's steps, in percent.
cdef struct Steps:
    int save
    int ladder
    int biased              # 0 where there are no patterns
    int nakade
    int near
    int shape
    int capture
    int careful
    int seki
    int settle              # of settling races before it begins (go_policy)
    # No chances:
    int replay              # how often a playout is replayed that contradicts the solver of races
    int semeai              # stones of each chain of a race, at least


cdef enum:
    MOST_NOTES = 64


# What a playout remembers: stones that were seen in atari, the last one on top.
cdef struct Notes:
    bint captured           # whether the last move took two stones or more, or it is not known
    int count
    uint16_t at[MOST_NOTES]


cdef inline void clear_notes(Notes* notes) noexcept nogil:
    notes.captured = True
    notes.count = 0


# Play to the end after so many passes; returns how many moves, and `trace`, if not NULL, takes
# their points, 0 for a pass. `last` is the point of the last move, or 0.
cdef int play_informed(Board* board, int player, int last, int passes, const Steps* steps,
                       Patterns patterns, Rng* rng, int16_t* trace) noexcept nogil
# Play one move of a playout; returns its point, or 0 for a pass.
cdef int play_step(Board* board, int player, int last, const Steps* steps, Patterns patterns,
                   Notes* notes, Rng* rng) noexcept nogil
