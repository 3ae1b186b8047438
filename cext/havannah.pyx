"""Havannah for the search (the seam) and for Python: rules, notation, how it ended, and check()."""
from libc.stdint cimport int16_t, uint64_t

from cext.game cimport Game, copy_base
from cext.havannah_board cimport (
    BRIDGE, FORK, MAX_SIZE, RING, Board, clear_board, color_at, copy_board, on_board,
    play_at_random, play_out, play_stone, reach_of, root_of, swap_stone)
from cext.rng cimport Rng, splitmix

from collections import deque
from numbers import Integral

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDE"
STEPS = ((-1, -1), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 0))     # in cyclic order


cdef class Havannah(Game):
    """A game of Havannah. Moves are numbers here; mcts_cluster.games has names for them.

    Public attributes (treat as read-only): size, points, to_play, ply, swap.
    """

    players = ("white", "black")
    settings = {"size": Integral, "swap": bool}

    def __cinit__(self, *args, **kwargs):
        # A game of the smallest size, for whoever asks before there is another one.
        self.start(2)

    def __init__(self, size=8, bint swap=False):
        if not isinstance(size, Integral):
            raise TypeError(f"size {size!r}: must be a whole number")
        if not 2 <= size <= MAX_SIZE:
            raise ValueError(f"size {size}: a Havannah board has 2 to {MAX_SIZE} cells a side")
        self.swap = swap
        self.start(size)

    cdef void start(self, int size) noexcept:
        self.size = size
        self.points = (2 * size - 1) * (2 * size - 1)
        self.to_play = 1
        self.ply = self.ending = self.victor = 0
        self.last_move = -1
        clear_board(&self.board, size)

    # The seam.

    cdef void copy_from(self, Game other) noexcept nogil:
        self.copy_havannah(<Havannah>other)

    cdef void copy_havannah(self, Havannah other) noexcept nogil:
        copy_base(self, other)
        self.swap = other.swap
        self.last_move = other.last_move
        self.ending = other.ending
        self.victor = other.victor
        copy_board(&self.board, &other.board)

    cdef bint legal(self, int move) noexcept nogil:
        if not on_board(&self.board, move):
            return False
        return color_at(&self.board, move) == 0 or self.swaps(move)

    cdef bint swaps(self, int move) noexcept nogil:
        return self.swap and self.ply == 1 and move == self.last_move

    cdef void make(self, int move) noexcept nogil:
        if self.swaps(move):
            swap_stone(&self.board, move)
        else:
            self.ending = play_stone(&self.board, self.to_play, move)
            if self.ending:
                self.victor = self.to_play
        self.last_move = move
        self.to_play = 3 - self.to_play
        self.ply += 1

    cdef bint over(self) noexcept nogil:
        return self.victor != 0 or self.board.empties == 0

    cdef int leader(self) noexcept nogil:
        return self.victor

    cdef int owner(self, int point) noexcept nogil:
        return color_at(&self.board, point)

    cdef uint64_t key(self) noexcept nogil:
        """Mix the bit maps, who is to move, and whether the swap rule may still be used."""
        cdef uint64_t state = 2 + (self.to_play == 2) + 2 * (self.swap and self.ply < 2)
        cdef uint64_t key = splitmix(&state)
        cdef int row
        for row in range(1, self.board.width + 1):
            state ^= self.board.rows[0][row] | <uint64_t>self.board.rows[1][row] << 32
            key ^= splitmix(&state)
            state = key
        return key | 1

    cdef int playout(self, Rng* rng, int16_t* trace) noexcept nogil:
        if not self.over():
            self.ply += play_out(&self.board, self.to_play, rng, &self.victor, trace)
        return self.victor

    cdef int playout_move(self, Rng* rng) noexcept nogil:
        if self.over():
            return -1
        self.last_move = play_at_random(&self.board, self.to_play, rng, &self.ending)
        if self.ending:
            self.victor = self.to_play
        self.to_play = 3 - self.to_play
        self.ply += 1
        return self.last_move

    # For Python.

    def copy(self):
        cdef Havannah other = Havannah.__new__(Havannah)
        other.copy_from(self)
        return other

    def color(self, int move):
        """Return 0 for an empty cell, 1 for a white stone, 2 for a black one."""
        if not on_board(&self.board, move):
            raise ValueError(f"cell {move} is off the board")
        return color_at(&self.board, move)

    def cells(self):
        """Return the numbers of the cells in ascending order."""
        return [move for move in range(self.points) if on_board(&self.board, move)]

    def why_illegal(self, int move):
        """Return the rule that forbids a move, or None."""
        if not on_board(&self.board, move):
            return "off the board"
        if self.over():
            return "the game is over"
        return None if self.legal(move) else "occupied"

    def name(self, int move, bint little_golem=False):
        """Return "e5": a letter for x and a number for y, from 1.

        Little Golem's numbers count from the first cell of a column, wherever that lies.
        """
        if not on_board(&self.board, move):
            raise ValueError(f"cell {move} is off the board")
        x, y = self.place(move)
        return f"{LETTERS[x]}{y + 1 - (self.skipped(x) if little_golem else 0)}"

    def number(self, str name not None, bint little_golem=False):
        """Return the number of "e5", or of "swap" where that is allowed; raises ValueError."""
        text = name.strip()
        if text.lower() == "swap":
            if not (self.swap and self.ply == 1):
                raise ValueError("swap is allowed as the second move only, where the rule is on")
            return self.last_move
        letter, digits = text[:1], text[1:]
        # Beyond z the letters begin again as capitals; before that a capital is as good.
        x = LETTERS.find(letter if self.size > 13 else letter.lower()) if letter else -1
        if x < 0 or not (name.isascii() and digits.isdigit() and len(digits) < 4):
            raise ValueError(f"{name!r} is not a cell, must be a letter and a number, like e5")
        y = int(digits) - 1 + (self.skipped(x) if little_golem else 0)
        if not (0 <= x <= 2 * self.size - 2 and 0 <= y <= 2 * self.size - 2
                and abs(x - y) < self.size):
            raise ValueError(f"{name!r} is off the board")
        return y * (2 * self.size - 1) + x

    def place(self, int move):
        """Return the (x, y) of a cell."""
        return move % (2 * self.size - 1), move // (2 * self.size - 1)

    def skipped(self, int x):
        """Return how many rows lie before the first cell of a column."""
        return max(0, x - self.size + 1)

    def how(self):
        """Return how the game was won: some of "ring", "bridge", "fork"; empty if it was not."""
        names = (("ring", RING), ("bridge", BRIDGE), ("fork", FORK))
        return [name for name, bit in names if self.ending & bit]

    def result(self):
        """Return the outcome in words: who has won, how, and by which cells."""
        if not self.victor:
            return "a draw" if self.over() else "undecided"
        cells = " ".join(self.name(cell) for cell in self.winning_cells())
        return f"{self.players[self.victor - 1]} wins by {' and '.join(self.how())}: {cells}"

    def winning_cells(self):
        """Return the cells of a structure that won, in ascending order; of each, if several did.

        They are shortest paths from the last stone, which every structure needs.
        """
        found = set()
        if self.ending & RING:
            found.update(self.ring_through(self.last_move))
        for bit, bits, wanted in ((BRIDGE, 0xFC0, 2), (FORK, 0x03F, 3)):
            if self.ending & bit:
                found.update(self.shortest_paths(bits, wanted))
        return sorted(found)

    def neighbours(self, int move):
        """Return the cells around one, in cyclic order; None where the board ends."""
        x, y = self.place(move)
        last = 2 * self.size - 2
        return [(y + dy) * (last + 1) + x + dx
                if 0 <= x + dx <= last and 0 <= y + dy <= last
                and abs(x + dx - y - dy) < self.size else None
                for dx, dy in STEPS]

    def steps_from(self, int start, without=()):
        """Return, for each cell of a stone's chain, the one before it on a shortest path."""
        color = self.color(start)
        before = {start: None}
        border = deque([start])
        while border:
            cell = border.popleft()
            for other in self.neighbours(cell):
                if (other is not None and other not in before and other not in without
                        and self.color(other) == color):
                    before[other] = cell
                    border.append(other)
        return before

    def shortest_paths(self, int bits, int wanted):
        """Return the cells from the last stone to the nearest edges or corners in `bits`."""
        before = self.steps_from(self.last_move)
        reached, cells = 0, set()
        # A dict keeps its order, and that is the order of distance.
        for cell in before:
            reach = reach_of(&self.board, cell) & bits
            if reach & ~reached and count_bits(reached) < wanted:
                reached |= reach
                while cell is not None:
                    cells.add(cell)
                    cell = before[cell]
        return cells

    def ring_through(self, int stone):
        """Return the cells of a shortest ring that a stone closes."""
        color = self.color(stone)
        around = [cell if cell is not None and self.color(cell) == color else None
                  for cell in self.neighbours(stone)]
        best = None
        for i, cell in enumerate(around):
            if cell is None:
                continue
            # The run of neighbours that this one belongs to makes no ring with it.
            run = run_of(around, i)
            before = self.steps_from(cell, without=(stone,))
            ends = [other for other in around if other in before and other not in run]
            for end in ends:
                path = [stone]
                while end is not None:
                    path.append(end)
                    end = before[end]
                if best is None or len(path) < len(best):
                    best = path
        if best is not None:
            return best
        for centre in around:
            if centre is not None:
                ring = self.neighbours(centre)
                if None not in ring and all(self.color(cell) == color for cell in ring):
                    return ring
        return []

    def draw(self, last=None):
        """Return the board as text: columns run down to the left; the last move in brackets."""
        size = self.size
        lines = ["   " + " " * size + "".join(f" {letter}" for letter in LETTERS[:size])]
        for y in range(2 * size - 1):
            line = f"{y + 1:2} " + " " * abs(size - 1 - y)
            row = [y * (2 * size - 1) + x
                   for x in range(max(0, y - size + 1), min(2 * size - 1, y + size))]
            for i, move in enumerate(row):
                before = "(" if move == last else ")" if i and row[i - 1] == last else " "
                line += before + ".OX"[self.color(move)]
            line += ")" if row[len(row) - 1] == last else " "
            lines.append(line + (LETTERS[size + y] if y < size - 1 else ""))
        return "\n".join(line.rstrip() for line in lines)

    def check(self):
        """Recompute every incremental quantity from the colours and assert that nothing differs."""
        cdef Board* board = &self.board
        cdef int i
        cells = self.cells()
        colors = {cell: color_at(board, cell) for cell in cells}
        assert board.width == 2 * self.size - 1
        assert len(cells) == 3 * self.size * (self.size - 1) + 1
        assert all(color in (0, 1, 2) for color in colors.values())
        stones = [cell for cell in cells if colors[cell]]
        # No stray bit: not in the frame, and not of both colours in one cell.
        assert len(stones) == sum(
            count_bits(board.rows[i // 33][i % 33]) for i in range(66))
        listed = [board.listed[i] for i in range(board.empties)]
        assert sorted(listed) == [cell for cell in cells if not colors[cell]]

        unseen = set(stones)
        while unseen:
            chain = set(self.steps_from(next(iter(unseen))))
            unseen -= chain
            roots = {root_of(board, cell) for cell in chain}
            assert len(roots) == 1 and roots <= chain
            reach = 0
            for cell in chain:
                reach |= reach_of(board, cell)
            assert board.at[<int>roots.pop()].reach == reach
        assert (self.victor != 0) == (self.ending != 0)
        if self.victor:
            assert colors[self.last_move] == self.victor == 3 - self.to_play
            assert self.winning_cells()


def run_of(around, int start):
    """Return the neighbours that lie side by side with one of them; `around` is cyclic."""
    run = [around[start]]
    for step in (1, -1):
        i = (start + step) % 6
        while around[i] is not None and around[i] not in run:
            run.append(around[i])
            i = (i + step) % 6
    return run


def count_bits(bits):
    return int(bits).bit_count()
