"""What a player knows about a game: how to play out, and which moves to look at first.

A game has rules; a policy has knowledge. This one has none: it plays out uniformly and finds all
moves alike, in any game. A game's own policies are subclasses (go_policy, havannah_policy). Threads
share a policy: nothing in it changes but what it knows of the root of a search.
"""
from libc.stdint cimport int16_t, uint16_t

from cext.game cimport Game
from cext.rng cimport Rng


cdef struct Candidate:
    int16_t move
    int16_t heuristic           # the papers' H: the higher, the earlier a search looks at it
    uint16_t visits             # the prior: as if it had been played so many times
    uint16_t wins               # with so many wins, in halves, for the player to move
    int16_t bias                # added to its score, in thousandths; fades as visits come in
    int16_t proven              # 1 if it wins for sure, -1 if it loses


cdef inline void add_won(Candidate* candidate, int visits) noexcept nogil:
    candidate.heuristic += <int16_t>visits
    candidate.visits += <uint16_t>visits
    candidate.wins += <uint16_t>(2 * visits)


cdef inline void add_lost(Candidate* candidate, int visits) noexcept nogil:
    candidate.heuristic -= <int16_t>visits
    candidate.visits += <uint16_t>visits


cdef class Policy:
    # Learn what is worth knowing of the root of a search, before any thread asks.
    cdef void prepare(self, Game root) noexcept nogil
    # As Game.playout(), from a game's position.
    cdef int playout(self, Game game, Rng* rng, int16_t* trace) noexcept nogil
    # The moves that a tree should consider: the legal and sensible ones, and the pass. Returns how
    # many; there is room for game.points + 1.
    cdef int candidates(self, Game game, Candidate* candidates) noexcept nogil
