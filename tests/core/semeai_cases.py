"""Capturing races in a corner, made at random, and their outcomes by looking at every line of play.

A corner of the board is enclosed by two safe walls, one black and one white, with nothing behind
them; what is in it is up to chance. Nothing here is known to the solver but the board itself.
"""

from dataclasses import dataclass
from functools import cached_property

LOST, SEKI, WON = "lost", "seki", "won"
BLACK, WHITE = 0, 1


class Enclosure:
    """Cells enclosed by safe walls: rows of `X`, `O` and `.`, and the colours of the walls."""

    rows: tuple  # south first
    size: int  # of the board

    @cached_property
    def cells(self):
        rows = enumerate(self.rows)
        return [(x, y) for y, row in rows for x in range(len(row)) if row[x] in "XO."]

    @cached_property
    def number(self):
        return {cell: i for i, cell in enumerate(self.cells)}

    @cached_property
    def around(self):
        """Return the neighbours of each cell, as bits."""
        masks = []
        for x, y in self.cells:
            near = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
            masks.append(sum(1 << self.number[p] for p in near if p in self.number))
        return masks

    @cached_property
    def walled(self):
        """Return the cells next to the walls of each colour, as bits."""
        found = [0, 0]
        for i, (x, y) in enumerate(self.cells):
            for point in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if point in self.wall:
                    found[self.wall[point]] |= 1 << i
        return found

    @cached_property
    def stones(self):
        """Return the stones of each colour, as bits."""
        return tuple(
            sum(1 << self.number[x, y] for x, y in self.cells if self.rows[y][x] == letter)
            for letter in "XO"
        )

    def chain(self, stone, stones):
        found = border = stone
        while border:
            low = border & -border
            border ^= low
            new = self.around[low.bit_length() - 1] & stones & ~found
            found |= new
            border |= new
        return found

    def breathes(self, chain, color, empty):
        if chain & self.walled[color]:
            return True
        return self.beside(chain) & empty != 0

    def beside(self, cells):
        found = 0
        while cells:
            low = cells & -cells
            cells ^= low
            found |= self.around[low.bit_length() - 1]
        return found

    def play(self, stones, color, cell):
        """Return the stones after a move, what was captured, and the ko; None if it is illegal."""
        bit, other = 1 << cell, 1 - color
        own, enemy = stones[color] | bit, stones[other]
        everything = (1 << len(self.cells)) - 1
        empty = everything & ~(own | enemy)
        captured, left = 0, self.around[cell] & enemy
        while left:
            chain = self.chain(left & -left, enemy)
            left &= ~chain
            if not self.breathes(chain, other, empty):
                captured |= chain
        enemy &= ~captured
        chain = self.chain(bit, own)
        empty = everything & ~(own | enemy)
        if not self.breathes(chain, color, empty):
            return None
        ko = -1
        if (
            captured.bit_count() == 1
            and chain == bit
            and not bit & self.walled[color]
            and self.around[cell] & empty == captured
        ):
            ko = captured.bit_length() - 1
        after = (own, enemy) if color == BLACK else (enemy, own)
        return after, captured, ko

    def sound(self):
        """Tell whether every chain breathes."""
        empty = ((1 << len(self.cells)) - 1) & ~(self.stones[0] | self.stones[1])
        for color in (BLACK, WHITE):
            left = self.stones[color]
            while left:
                chain = self.chain(left & -left, self.stones[color])
                left &= ~chain
                if not self.breathes(chain, color, empty):
                    return False
        return True

    def races(self):
        """Yield pairs of adjacent chains, as bits, the first black; of two stones or more each."""
        seen = set()
        left = self.stones[BLACK]
        while left:
            black = self.chain(left & -left, self.stones[BLACK])
            left &= ~black
            others = self.beside(black) & self.stones[WHITE]
            while others:
                white = self.chain(others & -others, self.stones[WHITE])
                others &= ~white
                if black.bit_count() < 2 or white.bit_count() < 2 or (black, white) in seen:
                    continue
                if black & self.walled[BLACK] or white & self.walled[WHITE]:
                    continue
                seen.add((black, white))
                yield black, white

    def text(self, stones=None):
        """Return the whole board, north first, with other stones on the cells if need be."""
        black, white = stones or self.stones
        lines = []
        for y in range(self.size - 1, -1, -1):
            line = ""
            for x in range(self.size):
                if (x, y) in self.number:
                    cell = self.number[x, y]
                    line += "X" if black >> cell & 1 else "O" if white >> cell & 1 else "."
                elif (x, y) in self.wall:
                    line += "XO"[self.wall[x, y]]
                else:
                    line += "."
            lines.append(" ".join(line))
        return "\n".join(lines)


@dataclass
class Corner(Enclosure):
    """What is in the corner, all of it cells."""

    rows: tuple
    split: int  # how many points of the wall, from the left edge on, are of the first colour
    first_wall: int
    size = 13

    @cached_property
    def wall(self):
        """Return the points of the walls with their colours."""
        width, height = len(self.rows[0]), len(self.rows)
        path = [(x, height) for x in range(width + 1)] + [(width, y) for y in range(height)][::-1]
        return {
            point: self.first_wall if i < self.split else 1 - self.first_wall
            for i, point in enumerate(path)
        }


@dataclass
class Drawing(Enclosure):
    """A part of a board as drawn, with walls in small letters."""

    rows: tuple
    size = 19

    @cached_property
    def wall(self):
        return {
            (x, y): "xo".index(row[x])
            for y, row in enumerate(self.rows)
            for x in range(len(row))
            if row[x] in "xo"
        }


class Outcomes:
    """The outcome of every position that can come of a race, for Black's chain.

    A side has won where it can force the other's capture, whatever that one does; where neither
    can, it is seki. Nobody has to move, and a ko may be taken back after a move elsewhere.

    Of cells that are alike, such as outside liberties, it matters only how many are taken. They
    come as pairs of a colour and of some cells: that colour seems to have taken the first ones.
    """

    def __init__(self, corner, black, white, most=60_000, alike=()):
        self.corner, self.racers = corner, (black, white)
        self.most = most
        self.alike = [(color, cells, first_ones(cells)) for color, cells in alike]
        self.outcomes = {}
        self.moves = {}
        self.complete = self.explore(self.starts())
        if self.complete:
            self.conclude()

    def reduced(self, stones):
        found = list(stones)
        for color, cells, firsts in self.alike:
            taken = (stones[0] | stones[1]) & cells
            for one in (BLACK, WHITE):
                found[one] &= ~cells
            found[color] |= firsts[taken.bit_count()]
        return tuple(found)

    def after(self, state, cell):
        """Return the state after a move, None for a pass; an outcome; or None if it is illegal."""
        stones, ko, color = state
        if cell is None:
            return stones, -1, 1 - color
        if cell == ko:
            return None
        played = self.corner.play(stones, color, cell)
        if played is None:
            return None
        after, captured, new_ko = played
        if captured & self.racers[1 - color]:
            return WON if color == BLACK else LOST
        return self.reduced(after), new_ko, 1 - color

    def explore(self, states):
        border = list(states)
        known = set(states)
        while border:
            state = border.pop()
            stones = state[0]
            empty = [
                i for i in range(len(self.corner.cells)) if not (stones[0] | stones[1]) >> i & 1
            ]
            nexts = {}
            for cell in [None, *empty]:
                after = self.after(state, cell)
                if after is None:
                    continue
                nexts[cell] = after
                if not isinstance(after, str) and after not in known:
                    known.add(after)
                    border.append(after)
            self.moves[state] = nexts
            if len(known) > self.most:
                return False
        return True

    def conclude(self):
        """Go back from the captures: who can force one has won."""
        before = {}
        for state, nexts in self.moves.items():
            for after in nexts.values():
                before.setdefault(after, []).append(state)
        for outcome, winner in ((WON, BLACK), (LOST, WHITE)):
            missing = {
                state: len(nexts) for state, nexts in self.moves.items() if state[2] != winner
            }
            border = [outcome]
            while border:
                for state in before.get(border.pop(), ()):
                    if state in self.outcomes:
                        continue
                    if state[2] != winner:
                        missing[state] -= 1
                        if missing[state]:
                            continue
                    self.outcomes[state] = outcome
                    border.append(state)

    def outcome(self, state):
        return state if isinstance(state, str) else self.outcomes.get(state, SEKI)

    def keeping(self, state):
        """Return the cells that keep the outcome, None for a pass."""
        outcome = self.outcome(state)
        return {cell for cell, after in self.moves[state].items() if self.outcome(after) == outcome}

    def starts(self):
        """Return the first position, with each colour to play."""
        stones = self.reduced(self.corner.stones)
        return [(stones, -1, color) for color in (BLACK, WHITE)]

    def positions(self):
        """Return all that can come of the first one, but for those with a ko just taken."""
        return sorted(state for state in self.moves if state[1] < 0)


def first_ones(cells):
    """Return the first none, one, two and so on of some cells, as bits."""
    found = [0]
    while cells:
        found.append(found[-1] | cells & -cells)
        cells &= cells - 1
    return found


def random_corner(random, width, height, empty):
    """Return a corner with about so many empty cells, or None if that came out unsound."""
    letters = ["."] * empty
    letters += [random.choice("XO") for _ in range(width * height - empty)]
    random.shuffle(letters)
    # Stones like to stand beside their own.
    for _ in range(2 * width * height):
        i = random.randrange(width * height)
        j = i + random.choice((1, width))
        if j < width * height and letters[i] != "." and letters[j] != ".":
            letters[i] = letters[j]
    rows = tuple("".join(letters[i * width : i * width + width]) for i in range(height))
    corner = Corner(rows, random.randint(3, width + height - 2), random.randint(0, 1))
    return corner if corner.sound() else None
