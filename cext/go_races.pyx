"""The readers of go_races.pxd."""
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from cext.go cimport Go
from cext.go_board cimport (
    BLACK, EMPTY, LOOKS, MAX_POINTS, OFF, SEALED, WHITE, Board, allowed, play_stone, remove_chain,
    stones)
from cext.go_semeai cimport Semeai, Verdict
from cext.go_semeai_count cimport LOST, SEKI, WON, Outcome
from cext.go_semeai_region cimport Region, Stones, find_region, first_of
from cext.go_tactics cimport find_liberties


cdef enum:
    MOST_LIBERTIES = 10         # of a chain that races
    MOST_OPEN = 12              # empty points that its liberties are connected with
    MOST_NODES = 1000
    MEETINGS = 8                # before a race is read that is not the root's any more
    LONGEST_WAIT = 255


cdef inline uint64_t mix(uint64_t number) noexcept nogil:
    number = (number ^ number >> 29) * <uint64_t>0x9E3779B97F4A7C15
    return number ^ number >> 32


cdef uint64_t key_of(const Region* region, const Stones* inside) noexcept nogil:
    """All that a solver sees of a race."""
    cdef uint64_t key = mix(inside.of[0]) ^ mix(inside.of[1] + 1)
    cdef int i
    key = mix(key ^ region.chain[0]) + region.chain[1]
    key = mix(key ^ region.wall[0]) + region.wall[1]
    for i in range(region.cells):
        key = mix(key + <uint64_t>region.points[i])
    return mix(key ^ <uint64_t>region.colors[0]) | 1


cdef inline bint is_stone(int color) noexcept nogil:
    return color == BLACK or color == WHITE


cdef bint is_open(const Board* board, int stone) noexcept nogil:
    """Whether the liberties of a chain are many, or connected with many empty points."""
    cdef int points[MOST_OPEN + 1]
    cdef int count = find_liberties(board, stone, MOST_LIBERTIES + 1, points), i = 0, j, k, point
    if count > MOST_LIBERTIES:
        return True
    while i < count:
        for j in range(4):
            point = points[i] + board.offset[j]
            if is_stone(board.at[point].color) or board.at[point].color == OFF:
                continue
            for k in range(count):
                if points[k] == point:
                    break
            else:
                if count == MOST_OPEN:
                    return True
                points[count] = point
                count += 1
        i += 1
    return False


cdef inline int size_of_chain(const Board* board, int point) noexcept nogil:
    return <int>stones(board.at[board.at[point].chain].chain_counts)


cdef bint is_in(const Region* region, int point) noexcept nogil:
    cdef int i
    for i in range(region.cells):
        if region.points[i] == point:
            return True
    return False


cdef bint would_live(const Board* board, const Region* region, int side, int stone,
                     int captured) noexcept nogil:
    """Whether a chain that captures the other one can then be connected to a wall of its side.

    Where it cannot, what it captures may be no more than one eye.
    """
    cdef int at = captured, i, point
    if region.wall[side]:
        return True
    while True:
        for i in range(4):
            point = at + board.offset[i]
            if (board.at[point].color == board.at[stone].color
                    and board.at[point].chain != board.at[stone].chain
                    and not is_in(region, point)):
                return True
        at = board.at[at].next
        if at == captured:
            return False


cdef inline int color_at(const Board* board, int point) noexcept nogil:
    cdef int color = board.at[point].color
    return EMPTY if color >= SEALED else color


cdef bint is_untouched(const Board* board, const RootRace* race) noexcept nogil:
    cdef int i
    for i in range(race.cells):
        if color_at(board, race.points[i]) != race.colors[i]:
            return False
    return True


cdef class RaceReader:
    def __cinit__(self):
        self.solver = Semeai(MOST_NODES)
        self.answers = <Answer*>calloc(REMEMBERED, sizeof(Answer))
        self.doubts = <Doubt*>calloc(DOUBTS, sizeof(Doubt))
        if self.answers == NULL or self.doubts == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.answers)
        free(self.doubts)

    def races(self, Go game not None, int smallest=2, moves=()):
        """Return the races on a board, for the side to play.

        Each is a stone of either chain, the outcome for the side to play and if it passes, and the
        moves that keep the outcome, where a pass does not. With some moves, these are the races of
        the board that a search from there knows after them.
        """
        cdef Go later = game.copy()
        cdef RootRaces root
        cdef Races races
        cdef Race* race
        cdef int i, j
        names = {LOST: "lost", SEKI: "seki", WON: "won"}
        found = []
        self.read_root(&game.board, smallest, &root)
        for move in moves:
            later.play(move)
        self.find(&later.board, later.to_play, &root, &races)
        for i in range(races.count):
            race = &races.races[i]
            needed = [game.move_at(race.points[j]) for j in range(race.cells)
                      if race.needed >> j & 1]
            found.append((game.move_at(race.stones[0]), game.move_at(race.stones[1]),
                          names[race.outcome], names[race.after_pass], sorted(needed)))
        return found

    cdef void read_root(self, const Board* board, int smallest, RootRaces* root) noexcept nogil:
        cdef int point, at, i, j, neighbour, white
        cdef bint open_chain
        root.count = 0
        for point in range(board.points):
            if (board.at[point].color != BLACK or board.at[point].chain != point
                    or size_of_chain(board, point) < smallest):
                continue
            open_chain = is_open(board, point)
            at = point
            while not open_chain:
                for i in range(4):
                    neighbour = at + board.offset[i]
                    if board.at[neighbour].color != WHITE:
                        continue
                    white = board.at[neighbour].chain
                    for j in range(root.count):
                        if root.races[j].stones[0] == point and root.races[j].stones[1] == white:
                            break
                    else:
                        if size_of_chain(board, white) >= smallest and not is_open(board, white):
                            self.add_race(board, point, white, root)
                            if root.count == MOST_RACES:
                                return
                at = board.at[at].next
                if at == point:
                    break

    cdef void add_race(self, const Board* board, int black, int white,
                       RootRaces* root) noexcept nogil:
        cdef RootRace* race = &root.races[root.count]
        cdef Region region
        cdef Stones inside
        cdef int i
        if not find_region(board, black, white, True, &region, &inside):
            return
        race.stones[0] = black
        race.stones[1] = white
        race.cells = region.cells
        for i in range(region.cells):
            race.points[i] = region.points[i]
            race.colors[i] = <uint8_t>color_at(board, region.points[i])
        self.read(board, black, white, 0, &race.with_move[0])
        self.read(board, white, black, 0, &race.with_move[1])
        if race.with_move[0].size or race.with_move[1].size:
            root.count += 1

    cdef void find(self, const Board* board, int to_play, const RootRaces* root,
                   Races* races) noexcept nogil:
        cdef const RootRace* known
        cdef Race* race
        cdef int i, own, enemy
        races.count = 0
        for i in range(root.count):
            known = &root.races[i]
            race = &races.races[races.count]
            if is_untouched(board, known):
                race[0] = known.with_move[to_play == WHITE]
            else:
                own = known.stones[to_play == WHITE]
                enemy = known.stones[to_play == BLACK]
                if board.at[own].color != to_play or board.at[enemy].color != 3 - to_play:
                    continue
                self.read(board, board.at[own].chain, board.at[enemy].chain, MEETINGS, race)
            races.count += race.size > 0

    cdef void read(self, const Board* board, int own, int enemy, int meetings,
                   Race* race) noexcept nogil:
        """Read a race; its size is 0 if nothing is sure of it."""
        cdef Region region
        cdef Answer answer
        cdef int i
        race.stones[0] = own
        race.stones[1] = enemy
        race.size = 0
        if not self.ask(board, own, enemy, meetings, &region, &answer):
            return
        race.size = min(size_of_chain(board, own), size_of_chain(board, enemy))
        race.settled = answer.settled
        race.outcome = answer.outcome
        race.after_pass = answer.after_pass
        race.needed = answer.needed
        race.useless = answer.useless
        race.cells = region.cells
        for i in range(region.cells):
            race.points[i] = region.points[i]

    cdef bint ask(self, const Board* board, int own, int enemy, int meetings, Region* region,
                  Answer* answer) noexcept nogil:
        """Tell whether the solver is sure, whoever moves first."""
        cdef Stones inside
        cdef Verdict verdict, reply
        cdef Answer* place
        cdef uint64_t key
        if not find_region(board, own, enemy, True, region, &inside):
            return False
        key = key_of(region, &inside)
        place = &self.answers[key % REMEMBERED]
        if place.key != key:
            memset(place, 0, sizeof(Answer))
            place.key = key
        if not place.is_read:
            place.met += 1
            if place.met < meetings or self.waits(own, enemy):
                return False
            place.is_read = True
            if (self.solver.judge_within(board, own, enemy, True, 0, False, &verdict)
                    and self.solver.judge_within(board, own, enemy, True, 1, False, &reply)):
                place.sure = True
                place.settled = verdict.pass_keeps
                place.outcome = verdict.outcome
                place.after_pass = reply.outcome
                place.needed = 0 if place.settled else verdict.moves
                place.useless = self.useless(board, own, enemy, &verdict)
            self.learn(own, enemy, place.sure)
        answer[0] = place[0]
        # What is beside the region is not remembered.
        return (place.sure
                and (place.outcome != WON or would_live(board, region, 0, own, enemy))
                and (place.after_pass != LOST or would_live(board, region, 1, enemy, own)))

    cdef uint64_t useless(self, const Board* board, int own, int enemy,
                          const Verdict* verdict) noexcept nogil:
        """Return the moves that a race does not need, or that spoil it."""
        cdef Verdict every
        cdef uint64_t taken = verdict.stones.of[0] | verdict.stones.of[1]
        cdef uint64_t empty = self.solver.region.all & ~taken
        if not verdict.pass_keeps:
            return empty & ~verdict.moves
        if verdict.outcome == WON:
            return empty
        if (verdict.outcome == SEKI
                and self.solver.judge_within(board, own, enemy, True, 0, True, &every)):
            return empty & ~every.moves
        # A chain that is lost may be a sacrifice.
        return 0

    cdef Doubt* doubt_of(self, int own, int enemy) noexcept nogil:
        cdef uint64_t key = <uint64_t>own << 16 | <uint64_t>enemy
        cdef Doubt* doubt = &self.doubts[mix(key) % DOUBTS]
        if doubt.key != key:
            doubt.key = key
            doubt.wait = doubt.next = 0
        return doubt

    cdef bint waits(self, int own, int enemy) noexcept nogil:
        """Whether it is too early to ask again of two chains that were too much for the solver."""
        cdef Doubt* doubt = self.doubt_of(own, enemy)
        if doubt.wait == 0:
            return False
        doubt.wait -= 1
        return True

    cdef void learn(self, int own, int enemy, bint sure) noexcept nogil:
        """After each failure wait twice as long."""
        cdef Doubt* doubt = self.doubt_of(own, enemy)
        doubt.next = 0 if sure else min(2 * doubt.next + 1, LONGEST_WAIT)
        doubt.wait = doubt.next


cdef int most_urgent(const Races* races) noexcept nogil:
    """Return the number of the largest race that is not settled, or -1."""
    cdef int i, best = -1
    for i in range(races.count):
        if not races.races[i].settled and (
                best < 0 or races.races[i].size > races.races[best].size):
            best = i
    return best


cdef inline Outcome predicted(const Races* races, int i) noexcept nogil:
    """Return the outcome of a race for the side to play, who moves in the most urgent one first."""
    if races.races[i].settled or i == most_urgent(races):
        return races.races[i].outcome
    return races.races[i].after_pass


cdef inline int owner_of(const Board* board, int point) noexcept nogil:
    cdef int color = board.at[point].color
    if color == EMPTY:
        return LOOKS[BLACK][board.at[point].around].owner
    return color // SEALED if color >= SEALED else color


cdef bint as_predicted(const Board* board, int to_play, const Races* races) noexcept nogil:
    cdef const Race* race
    cdef Outcome outcome
    cdef int i
    for i in range(races.count):
        race = &races.races[i]
        outcome = predicted(races, i)
        if ((owner_of(board, race.stones[0]) == to_play) != (outcome != LOST)
                or (owner_of(board, race.stones[1]) == to_play) != (outcome == WON)):
            return False
    return True


cdef int settle(Board* board, int to_play, const Races* races) noexcept nogil:
    cdef int urgent = most_urgent(races), point = 0, i
    cdef Outcome outcome
    for i in range(races.count):
        outcome = predicted(races, i)
        if outcome == WON:
            hand_over(board, races.races[i].stones[1], to_play)
        elif outcome == LOST:
            hand_over(board, races.races[i].stones[0], 3 - to_play)
    if urgent >= 0:
        point = races.races[urgent].points[first_of(races.races[urgent].needed)]
        if not allowed(board, to_play, point):
            return 0
        play_stone(board, to_play, point)
    return point


cdef void hand_over(Board* board, int stone, int winner) noexcept nogil:
    """Replace a chain by stones of the winner of its race, but for two points: eyes, as it were."""
    cdef int points[MAX_POINTS]
    cdef int count = 0, at = stone, i, kept = 0, distance
    if board.at[stone].color != 3 - winner:
        # Another race has settled this one.
        return
    while True:
        points[count] = at
        count += 1
        at = board.at[at].next
        if at == stone:
            break
    remove_chain(board, stone)
    board.ko = 0
    for i in range(count):
        distance = abs(points[i] - points[0])
        if i == 0 or kept == 0 and distance != 1 and distance != board.stride:
            kept += i > 0
        elif allowed(board, winner, points[i]):
            play_stone(board, winner, points[i])
