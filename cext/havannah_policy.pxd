"""What a Havannah player knows: playouts that answer threats, and priors for the tree.

A move of a playout is the first of these that there is, each tried with its own chance:

    win         a cell next to one's own last stone that wins, or next to the other side's last
                stone that would win for the other side
    bridge      the last stone stands on one of the two cells of a bridge, between two own stones
                or an own stone and the border: the other cell
    random      any other

In some playouts rings count as wins, in others they do not: the chance is a setting too.

For the tree, a move that wins is the only one worth a thought, and so is one that keeps the other
side from winning (decisive and anti-decisive moves). The same goes for wins by two threats at once,
or by a line of threats (havannah_threats). Otherwise a move begins with visits it never had, won
according to what it does: the edges and corners its chain would reach, bridges it saves. Where the
other side has a line of threats, moves that do nothing about it begin with lost visits.
"""
from cext.havannah cimport Havannah
from cext.havannah_board cimport Board
from cext.havannah_threats cimport Line, Threats
from cext.policy cimport Candidate, Policy
from cext.rng cimport Rng


# Chances in percent, but for the last ones.
cdef struct Steps:
    int win
    int bridge
    int rings


# Visits of the priors, but for the first two.
cdef struct Weights:
    int decisive            # how many own moves deep wins are looked for
    int positions           # at most how many positions, where that is more than two moves
    int line                # lost, for doing nothing about a line of threats
    int even                # half won, of every move
    int reach               # won, for each edge and corner that a chain would reach
    int bridge              # won, for saving a bridge


cdef class HavannahPolicy(Policy):
    cdef Steps steps
    cdef Weights weights

    cdef int choose(self, const Board* board, int player, int last, int before, int endings,
                    Rng* rng) noexcept nogil
    cdef int decide(self, Havannah game, Candidate* candidates) noexcept nogil
    cdef int defend(self, Havannah game, const Threats* own, const Threats* enemy,
                    Candidate* candidates) noexcept nogil
    cdef int interrupt(self, Havannah game, const Threats* own, const Line* line,
                       Candidate* candidates) noexcept nogil
    cdef int judge_all(self, Havannah game, Candidate* candidates) noexcept nogil
