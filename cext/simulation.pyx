"""The simulations of simulation.pxd."""
from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int8_t, int16_t, uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from cext.atomic cimport add_count, claim, look, publish
from cext.exact_math cimport logarithm
from cext.game cimport LONGEST_PLAYOUT, Game
from cext.policy cimport Candidate, Policy
from cext.rng cimport Generator
from cext.tree cimport DRAWN, EXPANDING, UNEXPANDED, Node, Tree


cdef enum:
    LOST = 1000000              # what makes a proven loss worse than every other move


# Of the visits that explore, in simulation.pxd.
cdef double OPENNESS = 0.05


# Of 2 + N, for the bias; computing it would take as long as the rest of a score.
cdef double INVERSE_LOG[4096]

cdef void fill_logarithms() noexcept:
    cdef int visits
    for visits in range(4096):
        INVERSE_LOG[visits] = 1 / logarithm(2 + visits)

fill_logarithms()


cdef inline double certainty(const Node* child) noexcept nogil:
    """What a proof adds to the score of a move: a win is above all others, a loss below."""
    if child.proven == DRAWN:
        return 0
    return INFINITY if child.proven == child.player else -LOST


cdef inline double inverse_log(uint32_t visits) noexcept nogil:
    return INVERSE_LOG[visits] if visits < 4096 else 1 / logarithm(2.0 + visits)


cdef class SearchState:
    """What the simulations of a search have in common.

    Public attributes (treat as read-only): tree, policy, and the settings of simulation.pxd.
    """

    def __cinit__(self, Game game not None, Policy policy=None, *, double exploration=1,
                  double rave=0, double widening=0, double bias=0,
                  double first_play_urgency=INFINITY, int expand_at=2, int virtual_loss=1,
                  bint solve=False, bint priors=True, int explore_every=0, int unit=1,
                  int nodes=1_000_000):
        check_setting("exploration", exploration, 1e9)
        check_setting("rave", rave, 1e9)
        check_setting("widening", widening, 1e9)
        check_setting("bias", bias, 1e9)
        check_setting("first_play_urgency", first_play_urgency, INFINITY)
        check_setting("virtual_loss", virtual_loss, 1000)
        check_setting("explore_every", explore_every, 1e6)
        check_setting("expand_at", expand_at, 1e6, least=1)
        check_setting("unit", unit, 1e6, least=1)
        self.policy = Policy() if policy is None else policy
        self.policy.check_suits(game)
        self.tree = Tree(nodes)
        self.exploration = exploration
        self.rave = rave
        self.widening = widening
        self.bias = bias
        self.first_play_urgency = first_play_urgency
        self.expand_at = expand_at
        self.virtual_loss = virtual_loss
        self.solve = solve
        self.priors = priors
        self.explore_every = explore_every
        self.unit = unit
        self.plain = type(self.policy) is Policy and not rave and not solve and unit == 1
        self.root = game.copy()

    cdef int explored(self, uint32_t simulations) noexcept nogil:
        """Return the depth at which the next simulation explores, or -1: 0 - 1 - 0 - 2 - 0 - ..."""
        cdef uint32_t turn
        cdef int depth = 0
        if not self.explore_every or simulations == 0 or simulations % self.explore_every:
            return -1
        turn = simulations // self.explore_every
        while turn & 1 == 0:
            turn >>= 1
            depth += 1
        return depth

    cdef int check_root(self) except -1:
        """Raise RuntimeError where the moves of the tree are those of another position."""
        if self.tree.cut:
            raise RuntimeError("the tree has another root than its search: clear() the tree")
        return 0

    cdef int child_of(self, int node, int move) noexcept:
        """Return the node that a move leads to, or -1."""
        cdef const Node* parent = &self.tree.nodes[node]
        cdef int i
        for i in range(parent.first_child, parent.first_child + max(0, parent.children)):
            if self.tree.nodes[i].move == move:
                return i
        return -1


def check_setting(name, value, most, least=0):
    if not least <= value <= most:
        wanted = f"{least} to {most:g}" if value > most else f"{least} or more"
        raise ValueError(f"{name} {value}: must be {wanted}")


cdef class Worker:
    def __cinit__(self, SearchState search not None):
        self.search = search
        self.policy = search.policy
        self.game = search.root.copy()
        self.candidates = <Candidate*>malloc((self.game.points + 1) * sizeof(Candidate))
        self.parity = <uint8_t*>malloc(self.game.points + 1)
        self.trace = <int16_t*>malloc(LONGEST_PLAYOUT * sizeof(int16_t))
        if self.candidates == NULL or self.parity == NULL or self.trace == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.candidates)
        free(self.parity)
        free(self.trace)

    # The parts of a simulation, for those who play out elsewhere.

    def seek(self, bint shared):
        """Go down to a leaf; returns the moves that lead there, and who has won, -1 if unknown.

        Where others are under way too, this way counts as visited and lost until learn_from().
        """
        self.search.check_root()
        self.search.shared = shared
        winner = self.descend()
        return [self.search.tree.nodes[self.path[i + 1]].move for i in range(self.depth)], winner

    def play_out(self, moves, Generator generator not None):
        """Play moves from the root and then a playout; returns its winner and its moves."""
        cdef int ply
        self.game.copy_from(self.search.root)
        for move in moves:
            self.game.play(move)
        ply = self.game.ply
        winner = self.policy.playout(self.game, &generator.rng,
                                     self.trace if self.search.rave > 0 else NULL)
        return winner, ([self.trace[i] for i in range(self.game.ply - ply)]
                        if self.search.rave > 0 else [])

    def learn_from(self, int winner, moves):
        """Tell the nodes on the way of the last seek() who has won a playout, and by what moves."""
        cdef int i, move
        if winner not in (0, 1, 2):
            raise ValueError(f"player {winner} has won: 1, 2, or 0 for a draw is allowed")
        if len(moves) > LONGEST_PLAYOUT:
            raise ValueError(f"{len(moves)} moves: a playout has {LONGEST_PLAYOUT} at most")
        for i, move in enumerate(moves):
            if not 0 <= move <= self.game.points:
                raise ValueError(f"move {move} is off the board")
            self.trace[i] = <int16_t>move
        self.learn_all(winner, len(moves))

    cdef int open(self, moves) except -1:
        """Give the node that the moves lead to its children, however rarely it was visited."""
        cdef int depth = 0
        self.path[0] = 0
        for move in moves:
            self.game.make(move)
            self.path[depth + 1] = self.search.child_of(self.path[depth], move)
            depth += 1
        if not self.game.over():
            self.eager = True
            self.expand(depth)
        return 0

    cdef void simulate(self) noexcept nogil:
        cdef int winner = self.descend(), ply = self.game.ply
        if winner < 0:
            winner = self.policy.playout(self.game, &self.rng,
                                         self.trace if self.search.rave > 0 else NULL)
        self.learn_all(winner, self.game.ply - ply)

    cdef int descend(self) noexcept nogil:
        """Go down the tree to a leaf; returns who has won there, or -1 where playouts must tell."""
        cdef Node* nodes = self.search.tree.nodes
        cdef int node = 0, depth = 0, winner = -1
        cdef int loss = self.search.unit * self.search.virtual_loss
        cdef int explored = self.search.explored(nodes[0].visits // self.search.unit)
        cdef bint inside
        self.game.copy_from(self.search.root)
        self.path[0] = 0
        while True:
            if self.game.over():
                winner = self.game.leader()
                if self.search.solve:
                    nodes[node].proven = <int8_t>winner if winner else DRAWN
                    self.prove(depth - 1)
                break
            inside = depth < LONGEST_PATH - 1 and self.expand(depth)
            # A search of a proven position goes on: it still has to choose a move.
            if depth and nodes[node].proven:
                winner = nodes[node].proven if nodes[node].proven != DRAWN else 0
                break
            if not inside:
                break
            node = self.choose(&nodes[node], depth == explored)
            self.game.make(nodes[node].move)
            depth += 1
            self.path[depth] = node
            if self.search.shared:
                add_count(&nodes[node].visits, loss)
                if nodes[node].player == 2:
                    add_count(&nodes[node].results, 2 * loss)
        self.depth = depth
        return winner

    cdef void learn_all(self, int winner, int plies) noexcept nogil:
        """Tell the nodes on the way who has won, after a playout of so many plies."""
        cdef int result = self.search.unit * (2 if winner == 1 else 1 if winner == 0 else 0)
        self.learn(self.depth, result)
        if self.search.rave > 0:
            self.learn_rave(self.depth, plies, result)

    cdef void learn(self, int depth, int result) noexcept nogil:
        cdef Node* nodes = self.search.tree.nodes
        cdef Node* node
        cdef int i, unit = self.search.unit, loss = unit * self.search.virtual_loss
        if not self.search.shared:
            for i in range(depth + 1):
                nodes[self.path[i]].visits += unit
                nodes[self.path[i]].results += result
            return
        add_count(&nodes[0].visits, unit)
        add_count(&nodes[0].results, result)
        for i in range(1, depth + 1):
            node = &nodes[self.path[i]]
            add_count(&node.visits, unit - loss)
            add_count(&node.results, result - 2 * loss * (node.player == 2))

    cdef void learn_rave(self, int depth, int plies, int result) noexcept nogil:
        """Tell the children of every node on the way which of them came later, from the end on."""
        cdef Node* nodes = self.search.tree.nodes
        cdef Node* child
        cdef uint8_t* parity = self.parity
        cdef bint shared = self.search.shared
        cdef int i, ply, first, count, later, unit = self.search.unit
        memset(parity, 0, self.game.points + 1)
        for i in range(plies - 1, -1, -1):
            parity[self.trace[i]] = 1 << (depth + i & 1)
        parity[self.game.points] = 0
        for ply in range(depth, -1, -1):
            if ply < depth:
                parity[nodes[self.path[ply + 1]].move] = 1 << (ply & 1)
                parity[self.game.points] = 0
            # Looked at first: only where there is a number is there a first child for sure. A
            # number below 0 is a state.
            count = look(&nodes[self.path[ply]].children)
            first = nodes[self.path[ply]].first_child
            for i in range(first, first + count):
                child = &nodes[i]
                # The players alternate, so the parity of a ply tells who moved.
                later = parity[child.move] >> (ply & 1) & 1
                if not shared:
                    # A branch would be guessed wrong half of the time.
                    child.rave_visits += later * unit
                    child.rave_results += later * result
                elif later:
                    add_count(&child.rave_visits, unit)
                    add_count(&child.rave_results, result)

    cdef void prove(self, int depth) noexcept nogil:
        """Draw conclusions from the children of a node on the way, and of those before it."""
        cdef Node* nodes = self.search.tree.nodes
        cdef int8_t value
        while depth >= 0:
            value = value_of(nodes, self.path[depth])
            if not value:
                return
            nodes[self.path[depth]].proven = value
            depth -= 1

    cdef bint expand(self, int depth) noexcept nogil:
        """Give the node at the end of the way its children, if it is time and nobody did.

        Tells whether it has some.
        """
        cdef Node* nodes = self.search.tree.nodes
        cdef int node = self.path[depth]
        cdef bint proven = False
        cdef Node* child
        cdef const Candidate* candidate
        cdef int count, first, i
        cdef int16_t children = look(&nodes[node].children)
        if children != UNEXPANDED:
            return children > 0
        # The visit under way is not counted, but for a virtual loss.
        count = <int>(nodes[node].visits // self.search.unit) + 1
        if self.search.shared and node:
            count -= self.search.virtual_loss
        # The root is never worth less than its moves.
        if count < (self.search.expand_at if node else min(2, self.search.expand_at)):
            if not self.eager:
                return False
        if depth and nodes[node].proven:
            return False
        if not claim(&nodes[node].children, UNEXPANDED, EXPANDING):
            return False
        count = self.policy.candidates(self.game, self.candidates)
        first = self.search.tree.expand(node, count)
        if first == 0:
            return False
        if self.search.widening:
            sort_by_heuristic(self.candidates, count)
        for i in range(count):
            child = &nodes[first + i]
            candidate = &self.candidates[i]
            child.move = candidate.move
            child.player = self.game.to_play
            child.bias = candidate.bias
            if self.search.priors:
                child.prior_visits = candidate.visits
                child.prior_results = candidate.wins
                if self.game.to_play == 2:
                    child.prior_results = 2 * candidate.visits - candidate.wins
            if candidate.proven and self.search.solve:
                child.proven = <int8_t>(child.player if candidate.proven > 0 else 3 - child.player)
                proven = True
        publish(&nodes[node].children, count)
        if proven:
            self.prove(depth)
        return True

    cdef int choose(self, const Node* node, bint exploring) noexcept nogil:
        """Return the child with the highest score, the first of equals."""
        cdef const Node* child = &self.search.tree.nodes[node.first_child]
        cdef int pool = node.children, best = 0, i, unit = self.search.unit
        cdef uint32_t parent_visits = node.visits // unit
        # In units, as the counts of the tree are.
        cdef double k = unit * self.search.rave
        cdef double constant = self.search.exploration, exploration = 0
        cdef double bias = 0.001 * self.search.bias
        cdef double score, highest = -INFINITY, visits, rave
        if self.search.widening:
            # n^(1/4) by two square roots, which are exact wherever arithmetic is.
            pool = max(1, min(pool, <int>min(1e9, self.search.widening
                                             * sqrt(sqrt(parent_visits)))))
        if exploring:
            return self.explore(node, pool)
        if constant:
            # Where nodes expand at their first visit, that one is not counted yet.
            exploration = 2 * logarithm(max(1, parent_visits))
        if self.search.plain:
            return self.choose_plain(node, pool, exploration)
        exploration *= unit
        for i in range(pool):
            visits = child.visits + <double>unit * child.prior_visits
            rave = child.rave_visits if k else 0
            if visits + rave == 0:
                score = self.search.first_play_urgency
            elif rave:
                # Half the results, which are twice the wins, or what they leave to player 2.
                score = (0.5 * (k + rave) * (child.results + <double>unit * child.prior_results)
                         + 0.5 * k * child.rave_results)
                score /= k * (rave + visits) + rave * visits
                if child.player == 2:
                    score = 1 - score
            else:
                score = 0.5 * (child.results + <double>unit * child.prior_results)
                if child.player == 2:
                    score = visits - score
                score /= visits
            if constant and visits:
                score += constant * sqrt(exploration / visits)
            if child.bias:
                score += bias * child.bias * inverse_log(child.visits // unit)
            if child.proven:
                score += certainty(child)
            if score > highest:
                highest = score
                best = i
            child += 1
        return node.first_child + best

    cdef int choose_plain(self, const Node* node, int pool, double exploration) noexcept nogil:
        """The same where a score is made of visits and results alone."""
        cdef const Node* child = &self.search.tree.nodes[node.first_child]
        cdef double constant = self.search.exploration, score, highest = -INFINITY, visits
        cdef int best = 0, i
        for i in range(pool):
            visits = child.visits
            if child.visits == 0:
                score = self.search.first_play_urgency
            else:
                score = 0.5 * child.results
                if child.player == 2:
                    score = visits - score
                score /= visits
                if constant:
                    score += constant * sqrt(exploration / visits)
            if score > highest:
                highest = score
                best = i
            child += 1
        return node.first_child + best

    cdef int explore(self, const Node* node, int pool) noexcept nogil:
        """Return the child whose visits leave most open, whatever RAVE says of it."""
        cdef const Node* child = &self.search.tree.nodes[node.first_child]
        cdef int best = 0, i, unit = self.search.unit
        cdef double openness = OPENNESS * unit * sqrt(node.visits // unit)
        cdef double score, highest = -INFINITY, visits, prior
        for i in range(pool):
            visits = child.visits + 2.0 * unit
            prior = 0.5
            if child.prior_visits:
                prior = 0.5 * child.prior_results / child.prior_visits
            score = 0.5 * child.results + 2.0 * unit * prior
            if child.player == 2:
                score = visits - score
            score = score / visits + openness / (child.visits + <double>unit)
            if child.proven:
                score += certainty(child)
            if score > highest:
                highest = score
                best = i
            child += 1
        return node.first_child + best


cdef int8_t value_of(const Node* nodes, int node) noexcept nogil:
    """Return what the children of a node prove of it, or 0."""
    cdef int count = look(&nodes[node].children), i
    cdef int8_t value
    cdef const Node* child = &nodes[nodes[node].first_child]
    cdef bint unknown = False
    if count <= 0:
        return 0
    value = <int8_t>(3 - child.player)
    for i in range(count):
        if child[i].proven == child.player:
            return child.player
        if child[i].proven == DRAWN:
            value = DRAWN
        unknown = unknown or not child[i].proven
    return 0 if unknown else value


cdef void sort_by_heuristic(Candidate* candidates, int count) noexcept nogil:
    """The highest heuristic first, equals as they were."""
    cdef Candidate moved
    cdef int i, j
    for i in range(1, count):
        moved = candidates[i]
        j = i
        while j and candidates[j - 1].heuristic < moved.heuristic:
            candidates[j] = candidates[j - 1]
            j -= 1
        candidates[j] = moved
