"""The solver of go_semeai.pxd."""
from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from cext.go cimport Go
from cext.go_board cimport Board
from cext.go_semeai_count cimport (
    LOST, MAX_EYE, MAX_OUTSIDE, MAX_SHARED, SEKI, WON, Count, CountTable, Outcome, count_race)
from cext.go_semeai_region cimport (
    CAPTURES, MAX_CELLS, PLAYED, REFUSED, TAKES_KO, Move, Parts, Region, Stones, Surroundings,
    cut_out, find_parts, find_region, first_of, liberties_of, play_cell, size_of)

OUTCOMES = {LOST: "lost", SEKI: "seki", WON: "won"}

cdef enum:
    PASS = MAX_CELLS            # as the number of a cell
    DEEPEST = 60
    LONGEST_STAND = 50
    LARGEST_OWN = 9
    MOST_READ = 10000           # positions in some cells
    FEW = 3                     # liberties


# The liberties of an eye of so many points, without stones in it.
cdef int EYE_LIBERTIES[8]
EYE_LIBERTIES[:] = [0, 1, 2, 3, 5, 8, 12, 17]


cdef inline uint64_t mix(uint64_t number) noexcept nogil:
    number *= <uint64_t>0x9E3779B97F4A7C15
    return number ^ number >> 32


cdef class Semeai:
    """Reads races on boards of Go; gives up a question after so many nodes.

    Public attributes (treat as read-only): nodes, of the last question; most_nodes.
    """

    def __cinit__(self, long most_nodes=50_000):
        self.most_nodes = most_nodes
        self.entries = <Entry*>calloc(ENTRIES, sizeof(Entry))
        self.stands = <Stand*>calloc(STANDS, sizeof(Stand))
        self.counts = <CountTable*>calloc(1, sizeof(CountTable))
        if self.entries == NULL or self.stands == NULL or self.counts == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.entries)
        free(self.stands)
        free(self.counts)

    def read(self, Go game not None, int own, int enemy, bint enemy_first=False):
        """Return the outcome for the chain of a stone, in a race with another chain, and the moves.

        The outcome is "won", "seki", "lost", "ko" or, where it is silent, "unsure"; the moves are
        all that keep it, for the side to play: the pass first, then the best.
        """
        cdef Verdict verdict
        cdef int i
        check_chains(game, own, enemy)
        self.judge(&game.board, game.at(own), game.at(enemy), enemy_first, True, &verdict)
        if not verdict.sure:
            return "ko" if verdict.ko else "unsure", []
        moves = [game.move_at(self.region.points[i])
                 for i in self.best_first(&game.board, game.at(own), game.at(enemy), enemy_first,
                                          &verdict)]
        return OUTCOMES[verdict.outcome], [game.points] * verdict.pass_keeps + moves

    cdef list best_first(self, const Board* board, int first, int second, int to_play,
                         const Verdict* verdict):
        """Return the cells that keep an outcome, in the order in which one would play them.

        That is first where the other side would like to be, too; then liberties of no other use,
        no shared ones, those of the enemy's chain, and cells next to stones.
        """
        cdef Verdict reply
        cdef Parts parts
        cdef int i
        cdef uint64_t vital = 0, near, stones = verdict.stones.of[0] | verdict.stones.of[1]
        if not verdict.pass_keeps and self.judge_within(board, first, second, verdict.strict,
                                                        1 - to_play, False, &reply):
            vital = 0 if reply.pass_keeps else reply.moves
        find_parts(&self.region, &verdict.stones, &parts)
        near = liberties_of(&self.region, &verdict.stones, 1 - to_play)

        def rank(int i):
            return (not vital >> i & 1, not parts.side[1 - to_play].outside >> i & 1,
                    parts.shared >> i & 1, not near >> i & 1,
                    -size_of(self.region.around[i] & stones),
                    self.region.points[i])

        return sorted([i for i in range(self.region.cells) if verdict.moves >> i & 1], key=rank)

    def cells(self, Go game not None, int own, int enemy):
        """Return the points of the region of a race, none where it is not closed."""
        cdef Region region
        cdef Stones stones
        cdef int i
        check_chains(game, own, enemy)
        for strict in (True, False):
            if find_region(&game.board, game.at(own), game.at(enemy), strict, &region, &stones):
                return {game.move_at(region.points[i]) for i in range(region.cells)}
        return set()

    cdef bint judge(self, const Board* board, int first, int second, int to_play, bint all_moves,
                    Verdict* verdict) noexcept nogil:
        return (self.judge_within(board, first, second, True, to_play, all_moves, verdict)
                or not verdict.ko
                and self.judge_within(board, first, second, False, to_play, all_moves, verdict))

    cdef bint judge_within(self, const Board* board, int first, int second, bint strict,
                           int to_play, bint all_moves, Verdict* verdict) noexcept nogil:
        cdef int outcomes[2]
        cdef int cell, kept
        cdef uint64_t empty
        memset(verdict, 0, sizeof(Verdict))
        verdict.strict = strict
        if not find_region(board, first, second, strict, &self.region, &verdict.stones):
            return False
        self.race += 1
        self.nodes = 0
        memset(self.history, 0, sizeof(self.history))
        for self.master in range(2):
            outcomes[self.master] = self.outcome(&verdict.stones, to_play)
            if outcomes[self.master] < 0:
                return False
        verdict.ko = outcomes[0] != outcomes[1]
        if verdict.ko:
            return False
        verdict.outcome = <Outcome>outcomes[0]
        kept = self.keeps(&verdict.stones, to_play, PASS, verdict.outcome)
        if kept == OPEN:
            return False
        verdict.pass_keeps = kept == YES
        empty = self.region.all & ~(verdict.stones.of[0] | verdict.stones.of[1])
        if verdict.pass_keeps and not all_moves:
            empty = 0
        while empty:
            cell = first_of(empty)
            empty &= empty - 1
            kept = self.keeps(&verdict.stones, to_play, cell, verdict.outcome)
            if kept == OPEN:
                return False
            verdict.moves |= <uint64_t>(kept == YES) << cell
        # Where each move is right only for one winner of the kos, it hangs on them as well.
        verdict.ko = not verdict.pass_keeps and verdict.moves == 0
        verdict.sure = not verdict.ko
        return verdict.sure

    cdef int outcome(self, const Stones* stones, int to_play) noexcept nogil:
        """Return what becomes of the first side's chain, or -1 where that stays open."""
        cdef int answer
        self.target = WON
        answer = self.ask(stones, to_play)
        if answer == NO:
            self.target = SEKI
            answer = self.ask(stones, to_play)
            return SEKI if answer == YES else LOST if answer == NO else -1
        return WON if answer == YES else -1

    cdef int keeps(self, const Stones* stones, int to_play, int cell,
                   Outcome outcome) noexcept nogil:
        """Whether a move leaves the outcome as it is, whoever wins the kos."""
        cdef Stones after = stones[0]
        cdef Move move
        cdef int answer
        if outcome == (LOST if to_play == 0 else WON) and cell == PASS:
            return YES
        self.target = outcome if to_play == 0 else <Outcome>(outcome + 1)
        for self.master in range(2):
            after = stones[0]
            if cell != PASS:
                move = play_cell(&self.region, &after, to_play, cell)
                if move == CAPTURES:
                    return YES
                if move == REFUSED or move == TAKES_KO and self.master != to_play:
                    return NO
            if self.target == LOST or self.target > WON:
                continue
            answer = self.ask(&after, 1 - to_play)
            if answer == OPEN:
                return OPEN
            if (answer == YES) != (to_play == 0):
                return NO
        return YES

    cdef int ask(self, const Stones* stones, int to_play) noexcept nogil:
        """Whether the first side reaches the target: deeper and deeper, until that is known."""
        cdef int depth = 2, answer = OPEN
        while answer == OPEN and depth <= DEEPEST and self.nodes < self.most_nodes:
            answer = self.reaches(stones, to_play, False, depth, 0)
            depth += 2
        return answer

    cdef int reaches(self, const Stones* stones, int to_play, bint passed, int depth,
                     int ply) noexcept nogil:
        cdef Parts parts
        cdef uint64_t left
        cdef int answer = self.decide(stones, to_play, passed, &parts), good, bad, found, cell
        cdef int best = PASS, first = PASS
        cdef Entry* entry
        cdef uint8_t question
        if answer != OPEN or depth == 0 or ply == MAX_PATH or self.nodes >= self.most_nodes:
            return answer
        self.nodes += 1 + (self.region.cells >> 3)
        question = <uint8_t>(to_play | passed << 1 | self.master << 2 | <int>self.target << 3)
        entry = &self.entries[mix(stones.of[0] ^ mix(stones.of[1] + question)) % ENTRIES]
        if (entry.race == self.race and entry.question == question
                and entry.stones[0] == stones.of[0] and entry.stones[1] == stones.of[1]):
            if entry.answer != OPEN or entry.depth >= depth:
                return entry.answer
            first = entry.move
        if self.repeated(stones, ply):
            return OPEN
        self.path[ply] = stones[0]

        # The side to move looks for a good answer; all bad, and it is bad.
        good = YES if to_play == 0 else NO
        bad = NO if to_play == 0 else YES
        answer = bad
        left = self.moves(stones, &parts, to_play)
        if first != PASS:
            left |= <uint64_t>1 << first
        else:
            first = -1
        while answer != good:
            cell = self.next_cell(left, first, to_play)
            first = -1
            if cell != PASS:
                left &= ~(<uint64_t>1 << cell)
            found = self.try_move(stones, to_play, cell, passed, depth, ply)
            if found == good:
                answer = good
                best = cell
                if cell != PASS:
                    self.history[to_play][cell] += depth * depth
            elif found == OPEN:
                answer = OPEN
            if cell == PASS:
                break
        entry.stones[0] = stones.of[0]
        entry.stones[1] = stones.of[1]
        entry.race = self.race
        entry.question = question
        entry.answer = <uint8_t>answer
        entry.depth = <int8_t>depth
        entry.move = <int8_t>best
        return answer

    cdef int next_cell(self, uint64_t left, int first, int to_play) noexcept nogil:
        """Return the cell to try next: what was best before, then by history; the pass last."""
        cdef int cell, best = PASS
        if first >= 0:
            return first
        while left:
            cell = first_of(left)
            left &= left - 1
            if best == PASS or self.history[to_play][cell] > self.history[to_play][best]:
                best = cell
        return best

    cdef int try_move(self, const Stones* stones, int to_play, int cell, bint passed, int depth,
                      int ply) noexcept nogil:
        cdef Stones after = stones[0]
        cdef Move move
        if cell == PASS:
            if passed:
                return YES if SEKI >= self.target else NO
            return self.reaches(stones, 1 - to_play, True, depth - 1, ply + 1)
        move = play_cell(&self.region, &after, to_play, cell)
        if move == CAPTURES:
            return YES if to_play == 0 else NO
        if move == REFUSED or move == TAKES_KO and self.master != to_play:
            return NO if to_play == 0 else YES
        return self.reaches(&after, 1 - to_play, False, depth - 1, ply + 1)

    cdef bint repeated(self, const Stones* stones, int ply) noexcept nogil:
        """Whether the position was there before, with the same side to move."""
        cdef int i = ply - 2
        while i >= 0:
            if (self.path[i].of[0] == stones.of[0] and self.path[i].of[1] == stones.of[1]):
                return True
            i -= 2
        return False

    cdef int decide(self, const Stones* stones, int to_play, bint passed,
                    Parts* parts) noexcept nogil:
        """Answer at once where both live, or counting knows."""
        cdef Count count
        cdef Outcome outcome
        cdef int side
        cdef bint closed
        find_parts(&self.region, stones, parts)
        closed = parts.rest == 0
        count.shared = size_of(parts.shared)
        for side in range(2):
            count.outside[side] = size_of(parts.side[side].outside)
            count.eye[side] = count.filled[side] = 0
            if parts.side[side].count and not parts.side[side].alive:
                self.count_own(stones, side, closed, parts, &count)
            count.alive[side] = parts.side[side].alive or parts.side[side].safe
        if count.alive[0] and count.alive[1]:
            return YES if SEKI >= self.target else NO
        if count.alive[0] and self.target == SEKI:
            return YES
        if count.alive[1] and self.target == WON:
            return NO
        if (parts.rest or count.shared > MAX_SHARED or count.outside[0] > MAX_OUTSIDE
                or count.outside[1] > MAX_OUTSIDE):
            return OPEN
        outcome = count_race(self.counts, &count, to_play, passed)
        return YES if outcome >= self.target else NO

    cdef void count_own(self, const Stones* stones, int side, bint closed, Parts* parts,
                        Count* count) noexcept nogil:
        """Count what a side's own parts are worth, or leave them to the search.

        Where all else is closed, no other eye comes of that.
        """
        cdef Surroundings* around = &parts.side[side]
        cdef uint64_t eyes = 0, part
        cdef uint64_t liberties = liberties_of(&self.region, stones, side)
        cdef bint others, sure = True
        cdef int i, worth, with_eye, last = 0
        for i in range(around.count):
            part = around.own[i]
            others = liberties & ~part != 0
            worth = self.worth(stones, side, part, others, False)
            if worth == SAFE:
                around.safe = True
                return
            with_eye = self.worth(stones, side, part, others, True)
            if worth != HOT and with_eye == worth + 1:
                # No eye comes of it.
                count.outside[side] += worth
            else:
                eyes |= part
                last = i
                sure = sure and with_eye == SAFE
        if not eyes:
            return
        others = liberties & ~eyes != 0
        worth = self.worth(stones, side, eyes, others, False)
        if worth == SAFE:
            around.safe = True
        elif worth == HOT or not (closed or sure):
            parts.rest |= eyes
        elif not parts.shared:
            count.outside[side] += worth
        elif (eyes == around.own[last] and around.eye[last] and size_of(eyes) <= MAX_EYE
              and worth == EYE_LIBERTIES[size_of(eyes)] - size_of(eyes & stones.of[1 - side])):
            count.eye[side] = size_of(eyes)
            count.filled[side] = size_of(eyes & stones.of[1 - side])
        else:
            parts.rest |= eyes

    cdef uint64_t moves(self, const Stones* stones, const Parts* parts,
                        int to_play) noexcept nogil:
        """Return the cells that are worth a try: of liberties that are alike only one."""
        cdef int other = 1 - to_play
        cdef uint64_t empty = self.region.all & ~(stones.of[0] | stones.of[1])
        cdef uint64_t found = parts.rest & empty
        cdef int i
        if not parts.side[other].alive:
            if parts.side[other].outside:
                found |= parts.side[other].outside & -parts.side[other].outside
            else:
                found |= parts.shared & -parts.shared
                found |= self.fills(stones, other, parts)
        # More liberties of its own let a side approach that has few.
        if size_of(liberties_of(&self.region, stones, to_play)) <= FEW:
            for i in range(parts.side[to_play].count):
                found |= parts.side[to_play].own[i] & empty
        return found

    cdef uint64_t fills(self, const Stones* stones, int side,
                        const Parts* parts) noexcept nogil:
        """Return cells where the enemy takes a liberty of a side's own parts, one of each if
        possible.
        """
        cdef const Surroundings* around = &parts.side[side]
        cdef uint64_t liberties = liberties_of(&self.region, stones, side)
        cdef bint others
        cdef uint64_t empty, left, found = 0
        cdef int i, cell, worth
        cdef Stones after
        for i in range(around.count):
            if around.own[i] & parts.rest:
                continue
            empty = left = around.own[i] & ~(stones.of[0] | stones.of[1])
            others = liberties & ~around.own[i] != 0
            worth = self.worth(stones, side, around.own[i], others, False)
            while left:
                cell = first_of(left)
                left &= left - 1
                after = stones[0]
                if (play_cell(&self.region, &after, 1 - side, cell) == PLAYED
                        and self.worth(&after, side, around.own[i], others, False) == worth - 1):
                    empty = <uint64_t>1 << cell
                    break
            found |= empty
        return found

    cdef int worth(self, const Stones* stones, int side, uint64_t cells, bint others,
                   bint eye) noexcept nogil:
        """Return how many liberties a side's own cells are worth, which has others or not, and
        another eye or not.

        That is one more than the moves it makes elsewhere, if the enemy begins, before it is
        captured. Where beginning itself is worth more than a move, that is no number.
        """
        cdef Region part
        cdef Stones inside
        cdef int found
        cdef uint8_t question = <uint8_t>(8 | side << 1 | self.master << 2)
        cdef Stand* entry
        if size_of(cells) > LARGEST_OWN:
            return HOT
        cut_out(&self.region, stones, side, cells, others, eye, &part, &inside)
        # The same cells may have other stones around them, or other liberties elsewhere.
        cells = mix(mix(mix(part.all) + part.chain[side]) + part.wall[1 - side])
        entry = self.entry_of(&inside, cells, question)
        if self.is_of(entry, &inside, cells, question):
            return entry.moves - 1
        if self.nodes >= self.most_nodes:
            return HOT
        self.tangled = False
        self.reads = 0
        found = self.stand(&part, &inside, side, cells, 1 - side, 0)
        if found < SAFE:
            if self.stand(&part, &inside, side, cells, side, 0) != found + 1:
                found = HOT
            elif not others:
                found += 1
        if self.tangled:
            found = HOT
        self.nodes += self.reads >> 2
        self.keep(entry, &inside, cells, question, found + 1)
        return found

    cdef Stand* entry_of(self, const Stones* stones, uint64_t cells,
                         uint8_t question) noexcept nogil:
        return &self.stands[mix(mix(mix(cells ^ stones.of[0]) + stones.of[1]) + question) % STANDS]

    cdef bint is_of(self, const Stand* entry, const Stones* stones, uint64_t cells,
                    uint8_t question) noexcept nogil:
        return (entry.race == self.race and entry.cells == cells and entry.question == question
                and entry.stones[0] == stones.of[0] and entry.stones[1] == stones.of[1])

    cdef void keep(self, Stand* entry, const Stones* stones, uint64_t cells, uint8_t question,
                   int moves) noexcept nogil:
        entry.cells = cells
        entry.stones[0] = stones.of[0]
        entry.stones[1] = stones.of[1]
        entry.race = self.race
        entry.question = question
        entry.moves = <uint8_t>moves

    cdef int stand(self, const Region* part, const Stones* stones, int side, uint64_t cells,
                   int to_play, int depth) noexcept nogil:
        """Return how many moves a side makes elsewhere before it is captured; SAFE if it is not."""
        cdef uint8_t question = <uint8_t>(to_play | side << 1 | self.master << 2)
        cdef Stand* entry = self.entry_of(stones, cells, question)
        cdef int moves
        if self.is_of(entry, stones, cells, question):
            return entry.moves
        moves = self.read_stand(part, stones, side, cells, to_play, depth)
        if not self.tangled:
            self.keep(entry, stones, cells, question, moves)
        return moves

    cdef int read_stand(self, const Region* part, const Stones* stones, int side, uint64_t cells,
                        int to_play, int depth) noexcept nogil:
        cdef uint64_t left = part.all & ~(stones.of[0] | stones.of[1])
        cdef bint defends = to_play == side
        cdef Stones after
        cdef Move move
        cdef int cell, moves, best = SAFE
        self.reads += 1
        if depth == LONGEST_STAND or self.reads > MOST_READ:
            self.tangled = True
        if self.tangled:
            return 0
        if defends:
            best = min(SAFE, 1 + self.stand(part, stones, side, cells, 1 - side, depth + 1))
            left &= ~(<uint64_t>3 << (MAX_CELLS - 2))
        # A pass of the enemy is a move elsewhere for nothing: where he has no move, he never wins.
        while left and not (defends and best == SAFE):
            cell = first_of(left)
            left &= left - 1
            after = stones[0]
            move = play_cell(part, &after, to_play, cell)
            if move == CAPTURES:
                return 0
            if move == REFUSED or move == TAKES_KO and self.master != to_play:
                continue
            moves = self.stand(part, &after, side, cells, 1 - to_play, depth + 1)
            best = max(best, moves) if defends else min(best, moves)
        return best


def check_chains(Go game not None, int own, int enemy):
    """Raise ValueError where these are no stones of both sides."""
    cdef int stone
    for stone in (own, enemy):
        if not game.color(stone):
            raise ValueError(f"no stone on {game.name(stone)}")
    if game.color(own) == game.color(enemy):
        raise ValueError("two chains of one side do not race")
