"""Mutations of a player of Go: what a campaign may add to it, proposed from seeds.

A mutation is some patterns with their biases. A proposer is a function that makes one of the seed
of its place in the campaign, or of its number: the same everywhere and at any time, so only
the place is sent to a worker. Each proposer documents what the papers leave open.

    random      cells anywhere around the move, of any kind
    seen        cells of a position that occurs when the player plays against itself
    listed      patterns of a file, one after another
    empty       none: nothing changes, and no race should accept it
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cext.go import Go
from mcts_cluster import games
from mcts_cluster.players.bias_patterns import (
    KINDS,
    MAX_REACH,
    MAX_STRENGTH,
    Cell,
    Pattern,
)
from mcts_cluster.players.mcts import Mcts, patterns_of
from mcts_cluster.seeds import seed
from mcts_cluster.settings.declaration import setting

Mutation = tuple[Pattern, ...]

OWN, ENEMY, STONE, VACANT, OUTSIDE = tuple(KINDS)
SIGNS = ("positive", "negative", "either")
# Of four stones one may be of either colour, in patterns of positions that occur.
ANY_STONE = 4


@dataclass(frozen=True)
class Proposing:
    """How to propose: the settings of a job, and the board and the player concerned."""

    proposer: str = setting(
        "random", choices=lambda: PROPOSERS, meaning="how mutations are made, below"
    )
    sign: str = setting(
        "positive",
        choices=SIGNS,
        meaning='"positive" biases encourage a move, "negative" ones discourage it; "either" draws '
        "one of the two",
    )
    strength: float = setting(
        0.1,
        least=1e-9,
        most=MAX_STRENGTH,
        meaning="of the bias, whatever its sign: what a pattern adds to a move "
        "([search.md](search.md))",
    )
    extent: int = setting(
        8,
        least=1,
        most=MAX_REACH,
        usual="the whole board",
        meaning="the farthest row or column of a cell from the move",
    )
    cells: int = setting(8, least=1, most=100, meaning="the most cells of a pattern")
    simulations: int = setting(
        20,
        least=2,
        most=10**6,
        meaning="a move, where positions are played that a proposer looks at",
    )
    listed: Mutation = setting(
        "",
        key="patterns",
        kind=str,
        load=patterns_of,
        usual="none",
        meaning='a file of patterns, for "listed"',
    )
    board: Mapping[str, Any] = field(default_factory=dict)  # the settings of the game
    player: Mcts = field(default_factory=Mcts)

    @property
    def size(self) -> int:
        return int(self.board.get("size", 9))

    def propose(self, path: int, number: int) -> Mutation:
        """Return the mutation of a place: its seed, and its number in the campaign from 0."""
        return PROPOSERS[self.proposer](self, path, number)


class Draws:
    """Whole numbers drawn one after another, the same on any machine and with any Python."""

    def __init__(self, path: int) -> None:
        self.path = path
        self.drawn = 0

    def below(self, limit: int) -> int:
        self.drawn += 1
        return seed(self.path, self.drawn) % limit

    def one_of(self, things: list[Any] | str) -> Any:
        return things[self.below(len(things))]

    def some_of(self, count: int, things: list[Any]) -> Iterator[Any]:
        """Yield so many different ones, or all."""
        left = things.copy()
        for _ in range(min(count, len(left))):
            yield left.pop(self.below(len(left)))


def signed(proposing: Proposing, draws: Draws) -> float:
    sign = proposing.sign
    is_negative = sign == "negative" or (sign == "either" and draws.below(2) == 1)
    return -proposing.strength if is_negative else proposing.strength


def square(reach: int) -> list[tuple[int, int]]:
    """Return the places around a move, up to so many rows and columns away."""
    side = range(-reach, reach + 1)
    return [(dx, dy) for dy in side for dx in side if dx or dy]


# The proposers


def random_cells(proposing: Proposing, path: int, number: int) -> Mutation:
    """Draw the reach up to the extent, the number of cells, their places and their kinds.

    All are uniform; what matches nowhere on this board, as most that is drawn wide does, is drawn
    again. Places that are not drawn are jokers.
    """
    draws = Draws(path)
    strength = signed(proposing, draws)
    while True:
        reach = 1 + draws.below(proposing.extent)
        places = draws.some_of(1 + draws.below(proposing.cells), square(reach))
        cells = tuple((dx, dy, draws.one_of(KINDS)) for dx, dy in places)
        if fits(cells, proposing.size):
            return (Pattern(cells, strength),)


def fits(cells: tuple[Cell, ...], size: int) -> bool:
    """Tell whether there is a point of the board from which what is outside lies outside."""
    board = range(size)
    return any(
        all((x + dx in board and y + dy in board) == (kind != OUTSIDE) for dx, dy, kind in cells)
        for y in board
        for x in board
    )


def seen_cells(proposing: Proposing, path: int, number: int) -> Mutation:
    """Draw cells around a move of a game that the player plays against itself, as they are there.

    The move is the next one of that game where the bias is positive, another one where it is
    negative. The game is quick, and its ply drawn up to the points of the board.
    """
    draws = Draws(path)
    strength = signed(proposing, draws)
    moves: list[int] = []
    while not moves:
        core, played = position(proposing, path, draws.below(proposing.size**2))
        points = [move for move in core.sensible_moves() if move != core.points]
        moves = [move for move in points if (move == played) == (strength > 0)]
    y, x = divmod(draws.one_of(moves), proposing.size)
    reach = 1 + draws.below(proposing.extent)
    # The edge is enough of what lies outside the board.
    around = range(-1, proposing.size + 1)
    places = [(dx, dy) for dx, dy in square(reach) if x + dx in around and y + dy in around]
    drawn = draws.some_of(1 + draws.below(proposing.cells), places)
    cells = tuple((dx, dy, kind_at(core, x + dx, y + dy, draws)) for dx, dy in drawn)
    return (Pattern(cells, strength),)


def position(proposing: Proposing, path: int, ply: int) -> tuple[Go, int]:
    """Play a quick game up to this ply, or to its end; return where it is and the next move."""
    player = replace(
        proposing.player,
        simulations=proposing.simulations,
        seconds=0.0,
        threads=1,
        megabytes=min(proposing.player.megabytes or 10, 10),
    )
    game = games.new("go", **proposing.board)
    session = player.session(game, path)
    while True:
        move = session.choose()
        before = game.core.copy()
        game.play_number(move)
        if before.ply >= ply or game.is_over:
            assert isinstance(before, Go)
            return before, move


def kind_at(core: Go, x: int, y: int, draws: Draws) -> str:
    board = range(core.size)
    if x not in board or y not in board:
        return OUTSIDE
    color = core.color(y * core.size + x)
    if not color:
        return VACANT
    if not draws.below(ANY_STONE):
        return STONE
    return OWN if color == core.to_play else ENEMY


def listed(proposing: Proposing, path: int, number: int) -> Mutation:
    return (proposing.listed[number],)


def empty(proposing: Proposing, path: int, number: int) -> Mutation:
    return ()


Proposer = Callable[[Proposing, int, int], Mutation]
PROPOSERS: Mapping[str, Proposer] = {
    "random": random_cells,
    "seen": seen_cells,
    "listed": listed,
    "empty": empty,
}
