"""Fights in closed regions of positions, ladders and the last points of a game, read to the end.

Nothing here is known to the program: the rules are those of semeai_cases, or in plain sets.
"""

from functools import cached_property

from semeai_cases import BLACK, LOST, WHITE, WON, Corner, Outcomes

LETTERS = "ABCDEFGHJKLMNOPQRST"
FAR = 3  # liberties elsewhere that make a chain a wall


def points_of(diagram):
    """Return the colours of all points, by column and row, both from 0, None where it is empty."""
    rows = [line.split() for line in diagram.strip().splitlines()][::-1]
    colors = {"X": BLACK, "O": WHITE, ".": None}
    return {(x, y): colors[row[x]] for y, row in enumerate(rows) for x in range(len(row))}


def point(name):
    return LETTERS.index(name[0]), int(name[1:]) - 1


def name(point):
    return f"{LETTERS[point[0]]}{point[1] + 1}"


def around(point):
    x, y = point
    return (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)


def chain_of(board, stone):
    """Return the stones of a chain, and its liberties."""
    found, border, liberties = {stone}, [stone], set()
    while border:
        for near in around(border.pop()):
            if near not in board or near in found:
                continue
            if board[near] is None:
                liberties.add(near)
            elif board[near] == board[stone]:
                found.add(near)
                border.append(near)
    return found, liberties


def play(board, color, move):
    """Return the board after a move, None if it would leave its own chain without liberties."""
    after = {**board, move: color}
    for near in around(move):
        if after.get(near) == 1 - color:
            stones, liberties = chain_of(after, near)
            if not liberties:
                after |= dict.fromkeys(stones)
    return after if chain_of(after, move)[1] else None


# Closed fights


class ClosedFight(Corner):
    """The region around a chain: its stones and liberties, and what is enclosed with them.

    Chains with liberties elsewhere are walls, which nobody captures.
    """

    def __init__(self, diagram, target):
        self.board = points_of(diagram)
        self.target = point(target)
        super().__init__(rows=(), split=0, first_wall=0)

    @cached_property
    def cells(self):
        stones, liberties = chain_of(self.board, self.target)
        empty = self.spread(liberties)
        found, grown = stones | empty, True
        while grown:
            grown = False
            for cell in sorted(found):
                for near in around(cell):
                    if self.board.get(near) is None or near in found:
                        continue
                    weak, liberties = chain_of(self.board, near)
                    if len(liberties - found) < FAR:
                        found |= weak | self.spread(liberties - found)
                        grown = True
        return sorted(found)

    def spread(self, empty):
        """Return the empty points that are connected with some."""
        found, border = set(empty), list(empty)
        while border:
            for near in around(border.pop()):
                if near in self.board and self.board[near] is None and near not in found:
                    found.add(near)
                    border.append(near)
        return found

    @cached_property
    def wall(self):
        inside = set(self.cells)
        return {p: c for p, c in self.board.items() if c is not None and p not in inside}

    @cached_property
    def stones(self):
        return tuple(
            sum(1 << i for i, cell in enumerate(self.cells) if self.board[cell] == color)
            for color in (BLACK, WHITE)
        )

    def read(self, color):
        """Return what becomes of the chain, with a colour to play, and the moves that keep it."""
        owner = self.board[self.target]
        bits = self.chain(1 << self.number[self.target], self.stones[owner])
        racers = (bits, 0) if owner == BLACK else (0, bits)
        outcomes = Outcomes(self, *racers)
        assert outcomes.complete
        state = outcomes.starts()[color]
        found, cells = outcomes.outcome(state), outcomes.keeping(state)
        dead = LOST if owner == BLACK else WON
        moves = {None if cell is None else name(self.cells[cell]) for cell in cells}
        return "captured" if found == dead else "lives", moves


# Ladders


def is_caught(board, stone, deep=40):
    """Tell whether a chain with one liberty or two is caught, its own side to move."""
    color = board[stone]
    stones, liberties = chain_of(board, stone)
    if len(liberties) != 1 or not deep:
        return False
    beside = {near for one in stones for near in around(one) if board.get(near) == 1 - color}
    ataris = [chain_of(board, one)[1] for one in beside]
    escapes = liberties.union(*(one for one in ataris if len(one) == 1))
    return not any(
        (after := play(board, color, move)) and not catches(after, stone, deep - 1)
        for move in escapes
    )


def catches(board, stone, deep=40):
    """Return the moves that catch a chain in a ladder, by ataris only."""
    liberties = chain_of(board, stone)[1]
    if len(liberties) == 1:
        return liberties
    if len(liberties) > 2:
        return set()
    return {
        move
        for move in liberties
        if (after := play(board, 1 - board[stone], move)) and is_caught(after, stone, deep)
    }


# The last points of a game


def seen_from(board, start):
    """Return the empty points that are connected with one, and the colours around them."""
    found, border, colors = {start}, [start], set()
    while border:
        for near in around(border.pop()):
            if near not in board or near in found:
                continue
            if board[near] is None:
                found.add(near)
                border.append(near)
            else:
                colors.add(board[near])
    return found, colors


def area(board):
    """Return the points by which Black leads: stones, and empty points that see one colour."""
    total, seen = 0, set()
    for start, color in board.items():
        if color is not None:
            total += 1 if color == BLACK else -1
        elif start not in seen:
            found, colors = seen_from(board, start)
            seen |= found
            if len(colors) == 1:
                total += len(found) * (1 if colors == {BLACK} else -1)
    return total


def best_moves(board, color, open_points):
    """Return the most by which Black leads, if both play at these points only, and the best moves.

    Nobody takes back what was just taken: there must be no ko.
    """
    known = {}

    def value(board, color, passed):
        key = tuple(board[p] for p in sorted(board)), color, passed
        if key not in known:
            results = [area(board) if passed else value(board, 1 - color, True)]
            for p in open_points:
                after = play(board, color, p) if board[p] is None else None
                if after:
                    results.append(value(after, 1 - color, False))
            known[key] = (max if color == BLACK else min)(results)
        return known[key]

    most = value(board, color, False)
    found = {
        name(p)
        for p in open_points
        if board[p] is None
        and (after := play(board, color, p))
        and value(after, 1 - color, False) == most
    }
    return most, found
