"""One simulation on a tree: descent, scores, expansion, proofs and backup, without the GIL.

A simulation starts at the root. At a node that has children it goes on to one of them; at one that
has been visited often enough it first gives it children; elsewhere, and where the arena is full, it
plays out. Then every node on its way learns the result.

Of the children, the first K n^(1/4) in the order of the policy's heuristic are looked at (all, if K
is 0), where n counts the parent's visits. The one with the highest score is chosen:

        (1 - b) W/N + b R/M + c sqrt(2 log(n) / N) + d B/log(2 + N)

        N, W    visits and what they won for the player to move, the policy's prior among them if
                the setting `priors` says so
        M, R    the same of RAVE: simulations in which the move came later
        b       M / (M + N + M N / k): RAVE counts as much as the visits when N is about k
        c, k    the settings exploration and rave
        B, d    the policy's bias, and the setting bias

A child with neither visits nor prior nor RAVE scores the first-play urgency. With c = 1, no RAVE,
no prior and an infinite urgency this is Algorithm 1 of the scalability paper, which is the default:
without `priors` a policy's heuristic orders its moves, and does nothing else. MoGo's is c = 0, with
RAVE and a policy that has priors.

That alone may never try a move that RAVE dislikes. So one simulation in `explore_every` explores:
at one node of its way it goes to the child with the highest

        (W + 2 p) / (V + 2) + 0.05 sqrt(n) / (V + 1)

        V, W    visits of the child and what they won, without its prior
        p       the mean result of its prior, 1/2 if it has none

Half of these simulations do so at the root, a quarter of them a ply deeper, and so on. So every
move is tried again and again, and a search of more simulations is right in the end; all others go
their way undisturbed.

With the setting `solve` a node at which the game is over, or of which the policy knows who wins,
is proven; so is one with a move to a proven win, and one all of whose moves are proven. A
simulation ends at a proven node with its value instead of a playout, and prefers no proven loss to
anything; the move returned is a proven win if there is one.

While a thread is on its way, the nodes behind it count as visited and lost, once or as often as the
setting virtual_loss says, so that others look elsewhere. That is taken back when the result is
known, so statistics are exact as soon as all threads are done.

Visits and results of a tree are counted in units, `unit` of them for one simulation, and so are
those of RAVE. A team of p machines whose trees receive the mean counts p units, so that the mean of
their counts is whole.
"""
from libc.stdint cimport int16_t, uint8_t, uint32_t

from cext.game cimport Game
from cext.policy cimport Candidate, Policy
from cext.rng cimport Rng
from cext.tree cimport Node, Tree


cdef enum:
    LONGEST_PATH = 4096         # plies in the tree; what is deeper is played out


cdef class SearchState:
    """The tree, the position at its root, and how to search it."""
    cdef readonly Tree tree
    cdef readonly Policy policy
    cdef readonly double exploration        # c
    cdef readonly double rave               # k; 0 for no RAVE
    cdef readonly double widening           # K; 0 considers every move
    cdef readonly double bias               # d
    cdef readonly double first_play_urgency
    cdef readonly int expand_at             # the visit at which a node gets its children
    cdef readonly int virtual_loss
    cdef readonly bint solve
    cdef readonly bint priors               # whether a policy's priors count as visits
    cdef readonly int explore_every         # simulations; 0 for never
    cdef readonly int unit                  # what one simulation adds to the visits of a node
    cdef Game root                          # the position that is searched
    cdef bint plain                         # visits and results are all there is to a score
    cdef bint shared                        # by several threads, just now

    cdef int explored(self, uint32_t simulations) noexcept nogil
    cdef int child_of(self, int node, int move) noexcept
    cdef int check_root(self) except -1


cdef class Worker:
    """One thread's share of a search: its position, its generator, its way through the tree."""
    cdef SearchState search
    cdef Policy policy
    cdef Game game                          # the position of the current simulation
    cdef Rng rng
    cdef bint eager                         # expands a node however rarely it was visited
    cdef Candidate* candidates              # room for the moves of one position
    # Of each move, whether it was made first at an even ply (1) or an odd one (2); 0 for neither.
    cdef uint8_t* parity
    cdef int16_t* trace                     # the moves of the playout
    cdef int path[LONGEST_PATH]
    cdef int depth                          # where the path ends

    cdef void simulate(self) noexcept nogil
    cdef int descend(self) noexcept nogil
    cdef void learn_all(self, int winner, int plies) noexcept nogil
    cdef void learn(self, int depth, int result) noexcept nogil
    cdef void learn_rave(self, int depth, int plies, int result) noexcept nogil
    cdef int open(self, moves) except -1
    cdef bint expand(self, int depth) noexcept nogil
    cdef void prove(self, int depth) noexcept nogil
    cdef int choose(self, const Node* node, bint exploring) noexcept nogil
    cdef int choose_plain(self, const Node* node, int pool, double exploration) noexcept nogil
    cdef int explore(self, const Node* node, int pool) noexcept nogil
