"""The playouts and priors of havannah_policy.pxd."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

from cext.game cimport Game
from cext.havannah cimport Havannah
from cext.havannah_board cimport (
    BRIDGE, FORK, GEOMETRY, RING, Board, Geometry, add_stone, color_at, stones_around, would_reach,
    would_win)
from cext.havannah_threats cimport (
    Line, Threats, answers_to_double_threats, find_pairs, find_wins, winning_threat)
from cext.policy cimport Candidate, Policy, add_lost, add_won
from cext.policy import steps_and_weights
from cext.rng cimport Rng, below, chance


# By which neighbours of a cell are walls for one colour, stones or border, and which are empty: the
# empty ones with a wall on both sides. Bits 0 to 5 are the empty ones, 6 to 11 the walls.
cdef uint8_t BETWEEN[4096]
# The neighbours before and after one, around the cell.
cdef int CYCLE[6]
CYCLE[:] = [0, 1, 3, 5, 4, 2]
# Of each set of neighbours: how many, and which, in order.
cdef uint8_t MEMBERS[64][7]
# How many edges and corners there are in a reach.
cdef uint8_t BITS[4096]


cdef void fill_tables() noexcept:
    cdef int i, bits, walls, here
    for bits in range(4096):
        BITS[bits] = <uint8_t>((bits & 1) + BITS[bits >> 1])
        walls = bits >> 6
        for i in range(6):
            here = CYCLE[i]
            if (bits >> here & 1 and walls >> CYCLE[(i + 1) % 6] & 1
                    and walls >> CYCLE[(i + 5) % 6] & 1):
                BETWEEN[bits] |= 1 << here
    for bits in range(64):
        for i in range(6):
            if bits >> i & 1:
                MEMBERS[bits][0] += 1
                MEMBERS[bits][MEMBERS[bits][0]] = i

fill_tables()


cdef inline int one_of(int members, Rng* rng) noexcept nogil:
    return MEMBERS[members][1 + below(rng, MEMBERS[members][0])]


cdef inline int empties_around(const Board* board, int cell) noexcept nogil:
    return 63 & ~(stones_around(board, 1, cell) | stones_around(board, 2, cell)
                  | GEOMETRY[board.size].outside[cell])


cdef inline int broken_bridges(const Board* board, int player, int last) noexcept nogil:
    """Return the neighbours of the other side's last stone that make up for it, as bits."""
    cdef int walls = (stones_around(board, player, last)
                      | GEOMETRY[board.size].outside[last])
    cdef int empties = 63 & ~(walls | stones_around(board, 3 - player, last))
    return BETWEEN[walls << 6 | empties]


cdef int winning_cell(const Board* board, int player, int stone, int endings) noexcept nogil:
    """Return a cell next to a stone on which a player wins, or -1."""
    cdef const Geometry* geometry = &GEOMETRY[board.size]
    cdef const uint8_t* members = MEMBERS[empties_around(board, stone)]
    cdef int i, cell
    for i in range(1, members[0] + 1):
        cell = stone + geometry.offset[members[i]]
        if would_win(board, player, cell) & endings:
            return cell
    return -1


cdef inline int only(int move, int proven, Candidate* candidates) noexcept nogil:
    candidates[0] = Candidate(<int16_t>move, 0, 0, 0, 0, <int16_t>proven)
    return 1


cdef inline bint is_one_of(int move, const int16_t* moves, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        if moves[i] == move:
            return True
    return False


cdef class HavannahPolicy(Policy):
    """Settings by name: chances in percent for the steps of a playout, visits for priors.

    What is not given has the value in DEFAULTS.
    """

    def __init__(self, **settings):
        self.steps, self.weights = steps_and_weights(settings, DEFAULTS)

    def suits(self, game):
        return isinstance(game, Havannah)

    cdef int playout(self, Game game, Rng* rng, int16_t* trace) noexcept nogil:
        cdef Board* board = &(<Havannah>game).board
        cdef int player = game.to_play, last = (<Havannah>game).last_move, before = -1
        cdef int endings = BRIDGE | FORK, plies = 0, left = board.empties, cell, index
        if game.over():
            return game.leader()
        if chance(rng, self.steps.rings):
            endings |= RING
        while left:
            cell = self.choose(board, player, last, before, endings, rng)
            while cell < 0:
                # Cells that were chosen are still on the list.
                index = below(rng, board.empties)
                board.empties -= 1
                cell = board.listed[index]
                board.listed[index] = board.listed[board.empties]
                if color_at(board, cell):
                    cell = -1
            if trace != NULL:
                trace[plies] = <int16_t>cell
            plies += 1
            left -= 1
            if add_stone(board, player, cell) & endings:
                (<Havannah>game).victor = player
                break
            player = 3 - player
            before = last
            last = cell
        game.ply += plies
        return (<Havannah>game).victor

    cdef int choose(self, const Board* board, int player, int last, int before, int endings,
                    Rng* rng) noexcept nogil:
        """Return a cell for a move of a playout, or -1 for any."""
        cdef const Geometry* geometry = &GEOMETRY[board.size]
        cdef int cell, members
        if last < 0:
            return -1
        if chance(rng, self.steps.win):
            if before >= 0:
                cell = winning_cell(board, player, before, endings)
                if cell >= 0:
                    return cell
            cell = winning_cell(board, 3 - player, last, endings)
            if cell >= 0:
                return cell
        if chance(rng, self.steps.bridge):
            members = broken_bridges(board, player, last)
            if members:
                return last + geometry.offset[one_of(members, rng)]
        return -1

    cdef int candidates(self, Game game, Candidate* candidates) noexcept nogil:
        if (<Havannah>game).swap and game.ply < 2:
            # Taking over the first stone is a move like no other.
            return Policy.candidates(self, game, candidates)
        cdef int count = 0
        if self.weights.decisive:
            count = self.decide(<Havannah>game, candidates)
        return count if count else self.judge_all(<Havannah>game, candidates)

    cdef int decide(self, Havannah game, Candidate* candidates) noexcept nogil:
        """Find the only moves that count, if there are such; returns how many, or 0."""
        cdef Threats own, enemy
        cdef Line line
        cdef int player = game.to_play, move, budget = self.weights.positions
        find_wins(&game.board, player, &own)
        if own.wins:
            return only(own.winning[0], 1, candidates)
        find_wins(&game.board, 3 - player, &enemy)
        if enemy.wins:
            return only(enemy.winning[0], -(enemy.wins > 1), candidates)
        # On size 2 two stones win that touch no other, and pairs are looked for beside stones.
        if self.weights.decisive < 2 or game.size < 3:
            return 0
        find_pairs(&game.board, player, &own)
        move = winning_threat(&game.board, player, &own, self.weights.decisive - 2, &budget,
                              &line)
        if move >= 0:
            return only(move, 1, candidates)
        find_pairs(&game.board, 3 - player, &enemy)
        if self.weights.line and self.weights.decisive > 2:
            budget = self.weights.positions
            move = winning_threat(&game.board, 3 - player, &enemy, self.weights.decisive - 2,
                                  &budget, &line)
            if move >= 0 and line.count > 3:
                return self.interrupt(game, &own, &line, candidates)
        return self.defend(game, &own, &enemy, candidates)

    cdef int interrupt(self, Havannah game, const Threats* own, const Line* line,
                       Candidate* candidates) noexcept nogil:
        """Judge the moves where the enemy has a line of threats that wins."""
        cdef int count = self.judge_all(game, candidates), i, move
        for i in range(count):
            move = candidates[i].move
            if not own.pairs[move] and not is_one_of(move, line.cells, line.count):
                add_lost(&candidates[i], self.weights.line)
        return count

    cdef int defend(self, Havannah game, const Threats* own, const Threats* enemy,
                    Candidate* candidates) noexcept nogil:
        """Return how many moves there are against double threats of the enemy, 0 without such."""
        cdef int16_t answers[3]
        cdef int count = answers_to_double_threats(enemy, answers), i, left = 0, all
        cdef int16_t move
        if count < 0:
            return 0
        all = self.judge_all(game, candidates)
        for i in range(all):
            move = candidates[i].move
            if own.pairs[move] or is_one_of(move, answers, count):
                candidates[left] = candidates[i]
                left += 1
        return left if left else only(enemy.listed[0], -1, candidates)

    cdef int judge_all(self, Havannah game, Candidate* candidates) noexcept nogil:
        cdef Board* board = &game.board
        cdef const Geometry* geometry = &GEOMETRY[board.size]
        cdef int size = board.size, player = game.to_play, last = game.last_move
        cdef int count = 0, bridges = 0, x, y, won, i, cell
        cdef uint32_t taken
        for y in range(board.width):
            taken = (board.rows[0][y + 1] | board.rows[1][y + 1]) >> 1
            for x in range(max(0, y - size + 1), min(board.width, y + size)):
                if not taken >> x & 1:
                    cell = y * board.width + x
                    won = self.weights.reach * BITS[would_reach(board, player, cell)]
                    candidates[count] = Candidate(
                        <int16_t>cell, <int16_t>won, <uint16_t>(self.weights.even + won),
                        <uint16_t>(self.weights.even + 2 * won), 0, 0)
                    count += 1
        if last >= 0:
            bridges = broken_bridges(board, player, last)
        for i in range(6):
            if bridges >> i & 1:
                add_won(find_candidate(candidates, count, last + geometry.offset[i]),
                        self.weights.bridge)
        return count


cdef Candidate* find_candidate(Candidate* candidates, int count, int move) noexcept nogil:
    """Candidates stand in the order of their numbers."""
    cdef int low = 0, high = count - 1, middle
    while low < high:
        middle = (low + high) // 2
        if candidates[middle].move < move:
            low = middle + 1
        else:
            high = middle
    return &candidates[low]


DEFAULTS = {
    "playout_win": 0,
    "playout_bridge": 100,
    "playout_rings": 100,
    "prior_decisive": 3,
    "prior_positions": 20,
    "prior_line": 30,
    "prior_even": 10,
    "prior_reach": 20,
    "prior_bridge": 10,
}
