"""The simulations of search.pxd, and what Python asks of a search."""
from libc.math cimport frexp, sqrt
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc

from cext.game cimport Game
from cext.rng cimport seed_rng
from cext.tree cimport Node, Tree


cdef double logarithm(double x) noexcept nogil:
    """The natural logarithm, to the last bit the same on every machine, as libm's need not be.

    With x = m * 2^e and m near 1, log m = 2 artanh(t) for t = (m-1) / (m+1), |t| < 0.172: eleven
    terms of its series are exact to a double's precision. Only sums, products and quotients are
    used, and the build keeps the compiler from contracting them.
    """
    cdef int exponent, i
    cdef double m = frexp(x, &exponent), t, square, total = 0
    if m < 0.7071067811865476:
        m *= 2
        exponent -= 1
    t = (m - 1) / (m + 1)
    square = t * t
    for i in range(21, 0, -2):
        total = total * square + 1.0 / i
    return 2 * t * total + exponent * 0.6931471805599453


def logarithm_of(double x):
    """Return the logarithm that scores are made of."""
    return logarithm(x)


cdef class Search:
    """A search from one position.

    Public attributes (treat as read-only): tree, widening.
    """

    def __cinit__(self, Game game not None, double widening=0, int nodes=1_000_000):
        if not 0 <= widening <= 1e9:
            raise ValueError(f"widening {widening}: 0 or more is wanted")
        self.tree = Tree(nodes)
        self.widening = widening
        self.root = game.copy()
        self.work = game.copy()
        self.moves = <int*>malloc((game.points + 1) * sizeof(int))
        if self.moves == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.moves)

    def run(self, int64_t simulations, uint64_t seed):
        """Add simulations to the tree, without the GIL; a seed decides what they find."""
        seed_rng(&self.rng, seed)
        with nogil:
            for _ in range(simulations):
                self.simulate()

    cdef void simulate(self) noexcept nogil:
        cdef Node* nodes = self.tree.nodes
        cdef int node = 0, depth = 0, winner, result, i
        self.work.copy_from(self.root)
        self.path[0] = 0
        while True:
            if self.work.over():
                winner = self.work.leader()
                break
            if nodes[node].visits == 0 or depth == LONGEST_PATH - 1 or not self.expand(node):
                winner = self.work.playout(&self.rng)
                break
            node = self.choose(&nodes[node])
            self.work.make(nodes[node].move)
            depth += 1
            self.path[depth] = node
        result = 2 if winner == 1 else 1 if winner == 0 else 0
        for i in range(depth + 1):
            nodes[self.path[i]].visits += 1
            nodes[self.path[i]].results += result

    cdef bint expand(self, int node) noexcept nogil:
        """Give a node its children, if it has none yet; returns whether it has some now."""
        cdef Node* nodes = self.tree.nodes
        cdef int count = 0, first, i
        if nodes[node].children:
            return nodes[node].children > 0
        count = self.work.ordered_moves(self.moves)
        first = self.tree.expand(node, count)
        if first == 0:
            return False
        for i in range(count):
            nodes[first + i].move = self.moves[i]
            nodes[first + i].player = self.work.to_play
        return True

    cdef int choose(self, const Node* node) noexcept nogil:
        """Return the child with the highest score, the first of equals."""
        cdef const Node* child
        cdef int pool = node.children, best = node.first_child, i
        cdef double exploration = 2 * logarithm(node.visits), score, highest = -1, won
        if self.widening:
            # n^(1/4) by two square roots, which are exact wherever arithmetic is.
            pool = max(1, min(pool, <int>min(1e9, self.widening * sqrt(sqrt(node.visits)))))
        for i in range(node.first_child, node.first_child + pool):
            child = &self.tree.nodes[i]
            if child.visits == 0:
                return i
            won = 0.5 * child.results
            if child.player == 2:
                won = child.visits - won
            score = won / child.visits + sqrt(exploration / child.visits)
            if score > highest:
                highest = score
                best = i
        return best

    def children(self):
        """Return the moves from the root as a NumPy record array, a part of the tree itself."""
        array = self.tree.array()
        root = array[0]
        first = int(root["first_child"])
        return array[first:first + max(0, int(root["children"]))] if first else array[:0]

    def best_move(self):
        """Return the move that was visited most, of equals the one with the lowest number.

        Before the second simulation, or where the game is over, there is none: raises ValueError.
        """
        children = self.children()
        if not len(children):
            raise ValueError("a search without moves: run() more simulations, or the game is over")
        most = children["visits"].max()
        return int(children["move"][children["visits"] == most].min())
