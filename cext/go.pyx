"""Go for the search (the seam) and for Python: rules, notation, and check()."""
from libc.stdint cimport int16_t, uint64_t
from libc.stdlib cimport abort, free, malloc, realloc
from libc.string cimport memcpy, memset

from numbers import Integral, Real

from cext.game cimport Game, copy_base
from cext.go_board cimport (
    BLACK, EMPTY, LOOKS, MAX_POINTS, MAX_SIZE, OFF, SEALED, WHITE, Board, Point, allowed,
    area_balance, area_by_flood, captured_by, clear_board, copy_board, own_eye, play_at_random,
    play_out, play_stone, playout_cap, suicide)
from cext.rng cimport Rng, splitmix

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
SUPERKO = {"simple": SIMPLE, "positional": POSITIONAL, "situational": SITUATIONAL}

cdef enum:
    MARKS = 64                  # words of Go.marks

# A number for each stone on each point, and one for White to move; the same in every run.
cdef uint64_t ZOBRIST[3][MAX_POINTS]
cdef uint64_t WHITE_TO_PLAY

# By size of the board: from its points to the numbers of moves, from point 0 to that of the pass;
# and back.
cdef int16_t MOVE_AT[MAX_SIZE + 1][MAX_POINTS]
cdef int16_t POINT_AT[MAX_SIZE + 1][MAX_SIZE * MAX_SIZE]

cdef void fill_moves() noexcept:
    cdef int size, row, column, point
    for size in range(2, MAX_SIZE + 1):
        MOVE_AT[size][0] = size * size
        for row in range(size):
            for column in range(size):
                point = (row + 1) * (size + 1) + column + 1
                MOVE_AT[size][point] = row * size + column
                POINT_AT[size][row * size + column] = point

fill_moves()


cdef void fill_zobrist() noexcept:
    global WHITE_TO_PLAY
    cdef uint64_t state = 0
    cdef int color, point
    for color in range(BLACK, WHITE + 1):
        for point in range(MAX_POINTS):
            ZOBRIST[color][point] = splitmix(&state)
    WHITE_TO_PLAY = splitmix(&state)

fill_zobrist()


cdef class Go(Game):
    """A game of Go by area scoring. Moves are numbers here; mcts_cluster.games has names for them.

    Public attributes (treat as read-only): size, points, to_play, ply, passes, komi, superko.
    """

    def __cinit__(self, *args, **kwargs):
        self.capacity = 64
        self.history = <uint64_t*>malloc(self.capacity * sizeof(uint64_t))
        self.marks = <uint64_t*>malloc(MARKS * sizeof(uint64_t))
        if self.history == NULL or self.marks == NULL:
            raise MemoryError
        # A game of the smallest size, for whoever asks before there is another one.
        self.size = 2
        self.points = 4
        self.clear(BLACK)

    players = ("black", "white")
    settings = {"size": Integral, "komi": Real, "superko": str, "handicap": Integral}
    superko_rules = tuple(SUPERKO)

    def __init__(self, size=9, komi=7.5, str superko="positional", handicap=0):
        for name, count in (("size", size), ("handicap", handicap)):
            if not isinstance(count, Integral):
                raise TypeError(f"{name} {count!r}: must be a whole number")
        if not 2 <= size <= MAX_SIZE:
            raise ValueError(f"size {size}: a Go board has 2 to {MAX_SIZE} rows")
        if not abs(komi) <= 1000 or 2 * komi != int(2 * komi):
            raise ValueError(f"komi {komi}: a multiple of 0.5 up to 1000 is allowed")
        if superko not in SUPERKO:
            raise ValueError(f"superko {superko!r}: allowed are {', '.join(SUPERKO)}")
        self.size = size
        self.points = size * size
        self.twice_komi = int(2 * komi)
        self.superko = SUPERKO[superko]
        stones = handicap_points(size, handicap) if handicap else ()
        self.set_up(stones, (), WHITE if handicap else BLACK)

    def __dealloc__(self):
        free(self.history)
        free(self.marks)

    # The seam.

    cdef void copy_from(self, Game other) noexcept nogil:
        self.copy_go(<Go>other)

    cdef void copy_go(self, Go other) noexcept nogil:
        copy_base(self, other)
        self.passes = other.passes
        self.last = other.last
        self.before = other.before
        self.twice_komi = other.twice_komi
        self.superko = other.superko
        self.hash = other.hash
        copy_board(&self.board, &other.board)
        self.reserve(other.recorded)
        self.recorded = other.recorded
        memcpy(self.history, other.history, self.recorded * sizeof(uint64_t))
        memcpy(self.marks, other.marks, MARKS * sizeof(uint64_t))

    cdef bint legal(self, int move) noexcept nogil:
        if move == self.points:
            return True
        cdef int point = self.at(move)
        if not allowed(&self.board, self.to_play, point):
            return False
        return self.superko == SIMPLE or not self.repeats(point)

    cdef bint sensible(self, int move) noexcept nogil:
        return move == self.points or not own_eye(&self.board, self.to_play, self.at(move))

    cdef void make(self, int move) noexcept nogil:
        cdef int point = 0
        if move == self.points:
            self.passes += 1
            self.board.ko = 0
        else:
            point = self.at(move)
            self.passes = 0
            self.hash = self.hash_after(point)
            play_stone(&self.board, self.to_play, point)
        self.before = self.last
        self.last = point
        self.to_play = 3 - self.to_play
        self.ply += 1
        self.record()

    cdef bint over(self) noexcept nogil:
        return self.passes >= 2

    cdef int leader(self) noexcept nogil:
        cdef int lead = 2 * area_balance(&self.board) - self.twice_komi
        return BLACK if lead > 0 else WHITE if lead < 0 else 0

    cdef int owner(self, int point) noexcept nogil:
        """A stone's colour, or that of all stones around: after a playout no point has others."""
        cdef const Point* at = &self.board.at[self.at(point)]
        if at.color >= SEALED:
            return at.color // SEALED
        return LOOKS[BLACK][at.around].owner if at.color == EMPTY else at.color

    cdef int playout(self, Rng* rng, int16_t* trace) noexcept nogil:
        cdef int plies = play_out(&self.board, self.to_play, self.passes, rng, trace)
        self.ply += plies
        if trace != NULL:
            self.name_moves(trace, plies)
        return self.leader()

    cdef void name_moves(self, int16_t* trace, int plies) noexcept nogil:
        """Turn the points of a playout into moves."""
        cdef const int16_t* moves = MOVE_AT[self.size]
        cdef int i
        for i in range(plies):
            trace[i] = moves[trace[i]]

    cdef int playout_move(self, Rng* rng) noexcept nogil:
        cdef int point
        # A playout leaves no record, so the record's length tells where this one began.
        if self.passes >= 2 or self.ply - self.recorded + 1 >= playout_cap(&self.board):
            return -1
        point = play_at_random(&self.board, self.to_play, rng)
        self.passes = 0 if point else self.passes + 1
        self.to_play = 3 - self.to_play
        self.ply += 1
        return self.move_at(point)

    # Superko.

    cdef void reserve(self, int count) noexcept nogil:
        if count > self.capacity:
            self.capacity = 2 * count
            self.history = <uint64_t*>realloc(self.history, self.capacity * sizeof(uint64_t))
            if self.history == NULL:
                abort()     # a few kilobytes could not be had, and no caller could go on

    cdef void record(self) noexcept nogil:
        cdef uint64_t now = self.situation(self.hash, self.to_play)
        self.reserve(self.recorded + 1)
        if self.recorded == 0:
            memset(self.marks, 0, MARKS * sizeof(uint64_t))
        self.marks[now >> 6 & 63] |= <uint64_t>1 << (now & 63)
        self.history[self.recorded] = now
        self.recorded += 1

    cdef uint64_t situation(self, uint64_t hash, int to_play) noexcept nogil:
        """What must not come back: the position, and under situational superko who is to move."""
        if self.superko == SITUATIONAL and to_play == WHITE:
            return hash ^ WHITE_TO_PLAY
        return hash

    cdef uint64_t hash_after(self, int point) noexcept nogil:
        cdef uint64_t hash = self.hash ^ ZOBRIST[self.to_play][point]
        cdef unsigned int captured = captured_by(&self.board, self.to_play, point)
        cdef int i, j, stone, first
        cdef int chains[4]
        for i in range(4):
            chains[i] = 0
            if not captured >> i & 1:
                continue
            first = stone = point + self.board.offset[i]
            chains[i] = self.board.at[first].chain
            for j in range(i):
                if chains[j] == chains[i]:
                    break
            else:
                while True:
                    hash ^= ZOBRIST[3 - self.to_play][stone]
                    stone = self.board.at[stone].next
                    if stone == first:
                        break
        return hash

    cdef bint repeats(self, int point) noexcept nogil:
        cdef uint64_t after = self.situation(self.hash_after(point), 3 - self.to_play)
        cdef int i
        if not self.marks[after >> 6 & 63] >> (after & 63) & 1:
            return False
        for i in range(self.recorded):
            if self.history[i] == after:
                return True
        return False

    cdef int at(self, int move) noexcept nogil:
        return POINT_AT[self.size][move]

    cdef int move_at(self, int point) noexcept nogil:
        return MOVE_AT[self.size][point]

    # For Python.

    @property
    def komi(self):
        return self.twice_komi / 2.0

    @property
    def superko(self):
        return next(name for name, rule in SUPERKO.items() if rule == self.superko)

    def copy(self):
        cdef Go other = Go.__new__(Go)
        other.copy_from(self)
        return other

    def set_up(self, black, white, int to_play=BLACK):
        """Start a game from stones on given points; raises ValueError if it cannot be.

        The board is empty then, with Black to play. The order of the stones makes no difference,
        not even to playouts.
        """
        if to_play not in (BLACK, WHITE):
            raise ValueError(f"player {to_play} is to move: must be 1 or 2")
        stones = [(BLACK, move) for move in sorted(black)]
        stones += [(WHITE, move) for move in sorted(white)]
        self.clear(to_play)
        try:
            taken = set()
            for color, move in stones:
                # Asking the board is not enough: a stone that was captured leaves its point empty.
                if move in taken:
                    raise ValueError(f"two stones on {self.name(move)}")
                self.set_stone(color, move)
                taken.add(move)
            for _, move in stones:
                if not self.breathes(move):
                    raise ValueError(f"the stone on {self.name(move)} has no liberty")
        except BaseException:
            self.clear(BLACK)
            raise
        self.recorded = 0
        self.record()

    cdef void clear(self, int to_play) noexcept nogil:
        clear_board(&self.board, self.size)
        self.hash = self.ply = self.passes = self.recorded = self.last = self.before = 0
        self.to_play = to_play
        self.record()

    cdef int set_stone(self, int color, int move) except -1:
        if not 0 <= move < self.points:
            raise ValueError(f"point {move} is off the board")
        play_stone(&self.board, color, self.at(move))
        self.hash ^= ZOBRIST[color][self.at(move)]
        return 0

    cdef bint breathes(self, int move) noexcept:
        """Whether a stone stands there with a liberty; setting up may have captured it."""
        cdef int point = self.at(move)
        return (self.board.at[point].color != EMPTY
                and self.board.at[self.board.at[point].chain].chain_counts & 0xFFFF)

    def color(self, int move):
        """Return 0 for an empty point, 1 for a black stone, 2 for a white one."""
        if not 0 <= move < self.points:
            raise ValueError(f"point {move} is off the board")
        cdef int color = self.board.at[self.at(move)].color
        return EMPTY if color >= SEALED else color

    def area(self):
        """Return Black's area less White's, all stones alive, komi not counted."""
        return area_balance(&self.board)

    def score(self):
        """Return by how much Black leads, komi counted."""
        return self.area() - self.komi

    def result(self):
        """Return the outcome in words, of the position as it stands."""
        lead = self.score()
        return f"{self.players[lead < 0]} wins by {abs(lead):g}" if lead else "a draw"

    def why_illegal(self, int move):
        """Return the rule that forbids a move, or None."""
        if not 0 <= move <= self.points:
            return "off the board"
        if self.over():
            return "the game is over"
        if self.legal(move):
            return None
        cdef int point = self.at(move)
        if self.color(move) != EMPTY:
            return "occupied"
        if suicide(&self.board, self.to_play, point):
            return "suicide"
        return "ko" if point == self.board.ko else "superko"

    @property
    def ko(self):
        """The point that may not be retaken just now, or None."""
        return self.move_at(self.board.ko) if self.board.ko else None

    def name(self, int move):
        """Return "E5" for a point, "pass" for the pass."""
        if move == self.points:
            return "pass"
        if not 0 <= move < self.points:
            raise ValueError(f"point {move} is off the board")
        return f"{COLUMNS[move % self.size]}{move // self.size + 1}"

    def number(self, str name not None):
        """Return the number of "E5", "e5" or "pass"; raises ValueError for anything else."""
        text = name.strip().upper()
        if text == "PASS":
            return self.points
        column, row = COLUMNS.find(text[:1]), text[1:]
        if column < 0 or not (name.isascii() and row.isdigit() and len(row) < 4):
            raise ValueError(f"{name!r} is not a point, must be a letter and a number, like E5")
        if column >= self.size or not 1 <= int(row) <= self.size:
            last = self.name(self.points - 1)
            raise ValueError(f"{name!r} is off the board: its points are A1 to {last}")
        return int(row) * self.size - self.size + column

    def draw(self, last=None):
        """Return the board as text, north up; the last move in brackets."""
        letters = "  " + "".join(f" {letter}" for letter in COLUMNS[:self.size])
        lines = [f"   {letters[2:]}"]
        stars = set(star_points(self.size))
        for row in range(self.size - 1, -1, -1):
            line = f"{row + 1:2} "
            for column in range(self.size):
                move = row * self.size + column
                mark = ".XO"[self.color(move)]
                if mark == "." and (column, row) in stars:
                    mark = "+"
                before = "(" if move == last else ")" if column and move - 1 == last else " "
                line += before + mark
            line += ")" if last == row * self.size + self.size - 1 else " "
            lines.append(f"{line} {row + 1}")
        return "\n".join([*lines, lines[0]])

    def check(self):
        """Recompute every incremental quantity from the colours and assert that nothing differs."""
        cdef Board* board = &self.board
        cdef int stride = board.stride, i, color
        colors = [board.at[i].color for i in range(board.points)]
        inside = [self.at(i) for i in range(self.points)]
        offsets = (-stride, -1, 1, stride)
        assert stride == self.size + 1 and board.points == (self.size + 2) * stride + 1
        assert [board.offset[i] for i in range(5)] == [*offsets, 0]
        assert {i for i, color in enumerate(colors) if color != OFF} == set(inside)
        around = {p: [p + offset for offset in offsets] for p in inside}
        stone = {p for p in inside if colors[p] in (BLACK, WHITE)}
        sealed = {p for p in inside if colors[p] >= SEALED}
        listed = [board.at[i].listed for i in range(board.empties)]

        # The list holds the empty points that are not sealed, each once.
        assert sorted(listed) == sorted(set(inside) - stone - sealed)
        assert all(board.at[p].chain == 0 for p in range(board.points) if p not in stone)
        for p in inside:
            seen = [0 if q in sealed else colors[q] for q in around[p]]
            assert board.at[p].around == sum(c << 2 * i for i, c in enumerate(seen))

        # Chains are what flooding finds, each in one ring, with the counts that counting gives.
        unseen = set(stone)
        hash = 0
        while unseen:
            first = next(iter(unseen))
            chain = self.flood(first, around, colors)
            unseen -= chain
            ring, p = set(), first
            while p not in ring:
                ring.add(p)
                p = board.at[<int>p].next
            assert p == first and ring == chain
            names = {board.at[p].chain for p in chain}
            assert len(names) == 1 and names <= chain
            beside = [q for p in chain for q in around[p]]
            open_ = [q for q in beside if colors[q] == EMPTY]
            eyes = [q for q in beside if q in sealed]
            assert open_ or eyes, "a chain without a liberty"
            assert board.at[names.pop()].chain_counts == (
                len(open_) | len(chain) << 16 | len(eyes) << 32
                | (sum(open_ + eyes) & 0xFFFF) << 48)
            # An eye that is a chain's only liberty must not be sealed: the enemy may take it.
            assert open_ or len(set(eyes)) > 1, "a sealed eye is a last liberty"
            for p in chain:
                hash ^= ZOBRIST[<int>colors[p]][<int>p]

        # A sealed eye is a real eye, so neither player has a use for it.
        for p in sealed:
            owner = colors[p] // SEALED
            assert {colors[q] for q in around[p]} <= {owner, OFF}
            diagonals = [colors[p + i + j] for i in (-stride, stride) for j in (-1, 1)]
            assert diagonals.count(3 - owner) + (OFF in diagonals) < 2
        assert board.balance == sum(
            3 - 2 * (c // SEALED if c >= SEALED else c) for c in colors if c not in (EMPTY, OFF))

        if board.ko:
            assert colors[board.ko] == EMPTY
            enemies = [q for q in around[board.ko] if colors[q] != OFF]
            assert all(colors[q] == 3 - self.to_play for q in enemies)
        assert area_balance(board) == area_by_flood(board)
        if self.recorded == self.ply + 1:       # a real game, not a playout, which keeps no record
            assert not sealed and self.hash == hash
            assert self.history[self.recorded - 1] == self.situation(hash, self.to_play)

    def flood(self, first, around, colors):
        """Return the chain of a stone, by definition."""
        chain, border = {first}, [first]
        while border:
            for q in around[border.pop()]:
                if colors[q] == colors[first] and q not in chain:
                    chain.add(q)
                    border.append(q)
        return chain


def handicap_points(int size, stones):
    """Return the points of a fixed handicap, in the order that GTP prescribes."""
    most = 0 if size < 7 else 4 if size % 2 == 0 or size == 7 else 9
    if not 2 <= stones <= most:
        raise ValueError(f"handicap {stones}: size {size} allows "
                         + (f"2 to {most} stones" if most else "none"))
    low, middle, high = line_of_stars(size), size // 2, size - 1 - line_of_stars(size)
    corners = [(low, low), (high, high), (low, high), (high, low)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    chosen = (corners + sides)[:stones - (stones % 2 if stones > 4 else 0)]
    if stones > 4 and stones % 2:
        chosen.append((middle, middle))
    return [row * size + column for column, row in chosen]


def line_of_stars(int size):
    """Return how far the marked points lie from the edge."""
    return 2 if size < 13 else 3


def star_points(int size):
    """Return the (column, row) of the marked points."""
    if size < 7:
        return []
    low = line_of_stars(size)
    lines = [low, size - 1 - low] + ([size // 2] if size % 2 and size > 7 else [])
    return [(column, row) for column in lines for row in lines]
