"""The games by name, and one game in progress: moves as people write them, undo, a printed board.

    >>> game = new("go", size=9, komi=7.5)
    >>> game.play("E5")
    >>> print(game)

The rules live in cext; a new game is one .pyx/.pxd pair there, a line in GAMES, and its settings in
game_settings.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Self

import cext.game
from cext.game import Playouts
from cext.go import Go
from cext.havannah import Havannah
from mcts_cluster.errors import UserError

GAMES: dict[str, type[cext.game.Game]] = {"go": Go, "havannah": Havannah}


class IllegalMove(UserError):
    """A move that the rules or the notation forbid; the message says which and why."""


class Game:
    """A game in progress, from a start position through its moves.

    Public attributes (treat as read-only): core, the game of cext, whose moves are numbers.
    """

    def __init__(self, core: cext.game.Game) -> None:
        self.core = core
        self._start = core.copy()
        self._moves: list[int] = []

    @property
    def size(self) -> int:
        return self.core.size

    @property
    def start(self) -> cext.game.Game:
        """The position that the game began from, a copy of it."""
        return self._start.copy()

    @property
    def to_play(self) -> str:
        """The player to move: "black" or "white"."""
        return self.core.players[self.core.to_play - 1]

    @property
    def moves(self) -> list[str]:
        """The moves so far, by name."""
        return [self.core.name(move) for move in self._moves]

    @property
    def numbers(self) -> list[int]:
        """The moves so far, by number."""
        return self._moves.copy()

    @property
    def is_over(self) -> bool:
        return self.core.is_over

    def play(self, move: str) -> None:
        """Play "E5" or "pass"; raises IllegalMove with the reason, and then nothing has changed."""
        try:
            number = self.core.number(move)
        except ValueError as error:
            raise IllegalMove(f"move {len(self._moves) + 1}: {error}") from None
        self.play_number(number)

    def play_number(self, number: int) -> None:
        """Play a move by its number; raises IllegalMove."""
        reason = self.core.why_illegal(number)
        if reason:
            where = f"move {len(self._moves) + 1}"
            name = number if reason == "off the board" else self.core.name(number)
            raise IllegalMove(f"{where}: {self.to_play} cannot play {name}: {reason}")
        self.core.play(number)
        self._moves.append(number)

    def pass_(self) -> None:
        self.play("pass")

    def undo(self) -> None:
        """Take the last move back; raises IllegalMove where there is none."""
        if not self._moves:
            raise IllegalMove("there is no move to undo")
        self._moves.pop()
        self.core = self._start.copy()
        for move in self._moves:
            self.core.play(move)

    def legal_moves(self) -> list[str]:
        """Return the names of the legal moves, "pass" last; none once the game is over."""
        return [self.core.name(move) for move in self.core.legal_moves()]

    def winner(self) -> str | None:
        """Return who has won, of the position as it stands; None for a draw."""
        number = self.core.winner()
        return self.core.players[number - 1] if number else None

    def score(self) -> float:
        """Return by how much the first player leads, komi counted.

        In Havannah 1 when White has won, -1 when Black has, else 0.
        """
        return self.core.score()

    def playouts(self, count: int, seed: int) -> Playouts:
        """Play `count` random games to the end from here; this game stays as it is."""
        return self.core.playouts(count, seed)

    def copy(self) -> Self:
        other = type(self)(self.core.copy())
        other._start = self._start
        other._moves = self._moves.copy()
        return other

    def __str__(self) -> str:
        board = self.core.draw(self._moves[-1] if self._moves else None)
        if self.is_over:
            return f"{board}\nthe game is over: {self.core.result()}"
        return f"{board}\n{self.to_play} to play"


def new(game: str = "go", **settings: Any) -> Game:
    """Start a game of Go or Havannah.

    Go takes size, komi, superko (simple, positional, situational) and handicap; Havannah takes
    size and swap (whether the second player may take over the first stone).
    """
    # Imported only here: a process that plays a job has settings that were checked.
    from mcts_cluster.games.game_settings import checked

    return from_checked(game, checked(game, settings))


def from_checked(game: str, settings: Mapping[str, Any]) -> Game:
    """Start a game from settings that were checked when they were read, such as those of a job."""
    return Game(GAMES[game](**settings))


def set_up(
    black: Iterable[str], white: Iterable[str], to_play: str = "black", **settings: Any
) -> Game:
    """Start a game of Go from stones on the board."""
    if "handicap" in settings:
        raise UserError("go: handicap: a position has its stones already")
    core = go_of(new("go", **settings))
    if to_play not in core.players:
        raise UserError(f"to_play {to_play!r}: allowed are {' and '.join(core.players)}")
    try:
        black_stones, white_stones = ([core.number(name) for name in s] for s in (black, white))
        core.set_up(black_stones, white_stones, core.players.index(to_play) + 1)
    except ValueError as error:
        raise UserError(f"position: {error}") from None
    return Game(core)


def packed(game: Game) -> dict[str, Any]:
    """Return what a game began from as plain data, for another process: all but its moves."""
    start = game.start
    if not isinstance(start, Go):
        return {"game": "havannah", "size": start.size, "swap": havannah_of(game).swap}
    stones = [[m for m in range(start.points) if start.color(m) == color] for color in (1, 2)]
    names = [list(map(start.name, moves)) for moves in stones]
    return {
        "black": names[0],
        "white": names[1],
        "to_play": start.players[start.to_play - 1],
        "size": start.size,
        "komi": start.komi,
        "superko": start.superko,
    }


def unpacked(data: Mapping[str, Any], moves: Iterable[int] = ()) -> Game:
    """Return the game of packed(), after some moves."""
    game = new(**data) if "game" in data else set_up(**data)
    for move in moves:
        game.play_number(move)
    return game


def go_of(game: Game) -> Go:
    """Return the core of a game of Go; raises UserError for another game."""
    if not isinstance(game.core, Go):
        raise UserError(f"{type(game.core).__name__} is not Go")
    return game.core


def havannah_of(game: Game) -> Havannah:
    """Return the core of a game of Havannah; raises UserError for another game."""
    if not isinstance(game.core, Havannah):
        raise UserError(f"{type(game.core).__name__} is not Havannah")
    return game.core
