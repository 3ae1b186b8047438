"""Which stones on a Go board are dead, and by how much Black leads without them.

The owner of a point at the end of playouts is its likely owner at the end of the game. A chain is
dead where its points are mostly the enemy's then. A living chain whose liberties all lie in small
neutral regions, between chains that live too, is in seki.
"""

from collections.abc import Iterable, Sequence

from cext.go import Go
from mcts_cluster.seeds import seed

Chain = list[int]
SIGNS = (0, 1, -1)  # of empty points, Black and White
# The most neutral points that a seki shares; where there are more, the board is not settled.
SEKI_POINTS = 4
# Three of four playouts.
LIKELY = 0.5


def owners_by_playouts(core: Go, count: int, owner_seed: int) -> list[float]:
    """Return for each point its mean owner after uniform playouts: from 1, Black, to -1, White."""
    black, white = stones_of(core)
    totals = [0] * core.points
    for number in range(count):
        # Each player begins in half of them. Playouts know no superko.
        board = Go(core.size, core.komi, "simple")
        board.set_up(black, white, 1 + number % 2)
        for move in board.playout_moves(seed(owner_seed, number)):
            board.play(move)
        for move, sign in enumerate(owned(core.size, colors_of(board))):
            totals[move] += sign
    return [total / count for total in totals]


def stones_of(core: Go) -> tuple[list[int], list[int]]:
    """Return Black's stones and White's."""
    colors = colors_of(core)
    black, white = ([m for m, color in enumerate(colors) if color == player] for player in (1, 2))
    return black, white


def colors_of(core: Go) -> list[int]:
    return [core.color(move) for move in range(core.points)]


def neighbours(size: int, move: int) -> list[int]:
    y, x = divmod(move, size)
    around = ((y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x))
    return [b * size + a for b, a in around if 0 <= a < size and 0 <= b < size]


def regions(size: int, colors: Sequence[int], color: int) -> list[Chain]:
    """Return the connected sets of points of one color."""
    found, seen = [], set()
    for first in range(len(colors)):
        if colors[first] != color or first in seen:
            continue
        seen.add(first)
        region = [first]
        for move in region:
            for other in neighbours(size, move):
                if colors[other] == color and other not in seen:
                    seen.add(other)
                    region.append(other)
        found.append(region)
    return found


def adjacent(size: int, chain: Iterable[int], colors: Sequence[int], color: int) -> set[int]:
    """Return the points of one color next to some points: a chain's liberties, with color 0."""
    return {p for move in chain for p in neighbours(size, move) if colors[p] == color}


def owned(size: int, colors: Sequence[int]) -> list[int]:
    """Return the owner of each point, with all stones alive: 1, -1, or 0 between both."""
    owners = [SIGNS[color] for color in colors]
    for region in regions(size, colors, 0):
        near = [bool(adjacent(size, region, colors, color)) for color in (1, 2)]
        for move in region:
            owners[move] = near[0] - near[1]
    return owners


class Status:
    """The chains of a position by their fate.

    Public attributes (treat as read-only): dead, alive and seki, lists of chains.
    """

    def __init__(self, core: Go, owners: Iterable[float]) -> None:
        self.size = core.size
        self.komi = core.komi
        self.owners = list(owners)
        colors = colors_of(core)
        chains = [chain for color in (1, 2) for chain in regions(self.size, colors, color)]
        self.dead = [
            chain
            for chain in chains
            if sum(self.owners[move] for move in chain) * SIGNS[colors[chain[0]]] < 0
        ]
        self.colors = colors.copy()
        for move in (move for chain in self.dead for move in chain):
            self.colors[move] = 0
        living = [chain for chain in chains if self.colors[chain[0]]]
        shared = self.shared_points()
        self.seki = [
            chain for chain in living if adjacent(self.size, chain, self.colors, 0) <= shared
        ]
        self.alive = [chain for chain in living if chain not in self.seki]

    def shared_points(self) -> set[int]:
        """Return the points of all small regions between both colors."""
        owners = owned(self.size, self.colors)
        return {
            move
            for region in regions(self.size, self.colors, 0)
            if len(region) <= SEKI_POINTS and owners[region[0]] == 0
            for move in region
        }

    def lead(self, is_settled: bool) -> float:
        """Return by how much Black leads, komi counted and dead stones removed.

        A point between the colors counts for neither; or, in a position that is not settled, for
        its likely owner.
        """
        owners = owned(self.size, self.colors)
        if not is_settled:
            owners = [
                owner or (expected > LIKELY) - (expected < -LIKELY)
                for owner, expected in zip(owners, self.owners, strict=True)
            ]
        return sum(owners) - self.komi


def attacks(core: Go, chains: Iterable[Chain]) -> list[int]:
    """Return moves towards the capture of some chains of the enemy, the best ones first.

    That is a liberty of the chain that has the fewest, and rather not one where the move itself
    can be captured at once; inside of a big eye there may be no other.
    """
    colors = colors_of(core)
    sensible = set(core.sensible_moves())
    found: dict[int, tuple[bool, int]] = {}
    for chain in chains:
        liberties = adjacent(core.size, chain, colors, 0)
        for move in sorted(liberties & sensible):
            rank = (is_capturable(core, move), len(liberties))
            found[move] = min(rank, found.get(move, rank))
    return sorted(found, key=lambda move: (found[move], move))


def is_capturable(core: Go, move: int) -> bool:
    """Return whether a stone played there could be captured at once."""
    after = core.copy()
    after.play(move)
    colors = colors_of(after)
    chain = next(c for c in regions(core.size, colors, core.to_play) if move in c)
    return len(adjacent(core.size, chain, colors, 0)) == 1
