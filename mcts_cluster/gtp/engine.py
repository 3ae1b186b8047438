"""A GTP engine without its commands: a game in progress, the player's session, turns, words.

A command is a method with its name in a decorator. It takes its words and returns its answer, or
raises Failure. common.py has the commands of every game, analysis.py those that show a search,
go.py and havannah.py those of one game; each engine adds its commands to those of its base.

Commands marked `needs_search` are known only where the session can think.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, TypeVar

from mcts_cluster import games
from mcts_cluster.errors import UserError
from mcts_cluster.games import Game, IllegalMove, game_settings
from mcts_cluster.gtp.arguments import Failure, one_player, shown
from mcts_cluster.gtp.clock import LAG, Clock
from mcts_cluster.players.player import Player, Session
from mcts_cluster.seeds import seed


@dataclass(frozen=True)
class Options:
    seed: int = 0
    resign_below: float | None = None
    lag: float = LAG


Handler = Callable[[Any, list[str]], str | Iterator[str]]
H = TypeVar("H", bound=Handler)


def command(name: str, needs_search: bool = False) -> Callable[[H], H]:
    """Make a method the command of this name, if need be for sessions that can think only."""

    def mark(handler: H) -> H:
        vars(handler).setdefault("commands", {})[name] = needs_search
        return handler

    return mark


Move = tuple[int, int | None]  # a player and a move; None is a resignation


@dataclass
class Step:
    """A move as GTP counts them, and what it took: passes of the other side are moves too."""

    plies: int = 0
    new_game: bool = False
    move: Move = (0, None)


class Engine:
    """A game in progress, the player at it, and the commands about them.

    Public attributes: game; interrupted, which returns whether to end an analysis; report, which
    takes a line of an answer that is not complete; has_quit.
    """

    game_name: ClassVar[str]
    state: ClassVar[tuple[str, ...]] = ("settings", "setup", "game", "steps")
    handlers: ClassVar[dict[str, tuple[str, bool]]]  # name: method and whether it needs a search

    def __init__(
        self,
        player: Mapping[str, Any],
        settings: Mapping[str, Any] | None = None,
        options: Options | None = None,
        make_player: Callable[[Mapping[str, Any]], Player] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.player_settings = dict(player)
        self.make_player = make_player or partial(one_player, game=self.game_name)
        self.settings = dict(settings or {})
        mistakes = []
        try:
            self.player = self.make_player(player)
        except UserError as error:
            mistakes.append(str(error))
        try:
            game_settings.checked(self.game_name, self.settings)
        except UserError as error:
            mistakes.append(str(error))
        if mistakes:
            raise UserError("\n".join(mistakes))
        self.options = options or Options()
        self.now = now
        self.interrupted: Callable[[], bool] = lambda: True
        self.report: Callable[[str], None] = lambda line: None
        self.has_quit = False
        self.clock = Clock(self.options.lag)
        self.number = 0  # of the game in this session: no two are alike, and all can be repeated
        self.open_session: Session | None = None
        self.setup: Any = None  # what stands on the board before the first move, if not nothing
        self.start()
        if self.options.resign_below is not None and not self.session.can_think:
            raise UserError("--resign-below: this player does not estimate its moves")

    def __init_subclass__(cls) -> None:
        cls.handlers = {
            name: (method, needs_search)
            for base in reversed(cls.__mro__)
            for method, handler in vars(base).items()
            for name, needs_search in getattr(handler, "commands", {}).items()
        }

    def carry_out(self, name: str, words: list[str]) -> str | Iterator[str]:
        """Carry out a command; raises UserError."""
        if not name:
            raise Failure("syntax error: no command")
        if not self.knows(name):
            raise Failure("unknown command")
        answer: str | Iterator[str] = getattr(self, self.handlers[name][0])(words)
        return answer

    def knows(self, name: str) -> bool:
        if name not in self.handlers:
            return False
        _, needs_search = self.handlers[name]
        return self.session.can_think if needs_search else True

    def close(self) -> None:
        self.leave()

    # The game and the session.

    def start(self) -> None:
        """Begin the game anew, by the settings."""
        self.setup = None
        self.set_out()

    def set_out(self) -> None:
        self.begin(games.new(self.game_name, **self.settings))

    def begin(self, game: Game) -> None:
        self.leave()
        self.game = game
        self.steps: list[Step] = []
        self.explanation = ""

    def begin_again(self, moves: Iterable[Move], **changes: Any) -> None:
        """Begin with other settings or another set-up, and play some moves.

        Raises UserError where it cannot be, and then nothing has changed.
        """
        before = {name: getattr(self, name) for name in self.state}
        vars(self).update(changes)
        try:
            self.set_out()
            for player, move in moves:
                self.play_number(player, move)
        except UserError:
            self.leave()
            vars(self).update(before)
            raise

    def leave(self) -> None:
        if self.open_session:
            self.open_session.close()
        self.open_session = None

    @property
    def session(self) -> Session:
        """The player's session at the game, begun when it is first used."""
        if self.open_session is None:
            self.open_session = self.player.session(self.game, self.seed("session"))
        return self.open_session

    def seed(self, *path: int | str) -> int:
        return seed(self.options.seed, self.number, *path)

    def give_turn(self, player: int, to_think: bool = True) -> Step:
        """Let it be this player's turn; the step for it can be taken back.

        Where the player is to think, the position must have no move that was not played.
        """
        if self.game.is_over:
            raise Failure("the game is over")
        if player != self.game.core.to_play:
            raise Failure(f"it is the turn of {self.game.to_play}")
        return Step()

    def take_back(self, step: Step) -> None:
        for _ in range(step.plies):
            self.game.undo()

    @contextmanager
    def turn_of(self, player: int) -> Iterator[None]:
        """Let it be this player's turn for a while."""
        step = self.give_turn(player)
        try:
            yield
        finally:
            self.take_back(step)

    def play_number(self, player: int, move: int | None) -> None:
        """Play a move, None for a resignation, which changes nothing and can be undone."""
        if move is None:
            self.steps.append(Step(move=(player, None)))
            return
        step = self.give_turn(player, to_think=False)
        try:
            self.game.play_number(move)
        except IllegalMove:
            self.take_back(step)
            raise Failure("illegal move") from None
        self.count(step, player, move)

    def count(self, step: Step, player: int, move: int) -> None:
        step.plies += 1
        step.move = (player, move)
        self.steps.append(step)

    # Words.

    def expect(self, words: list[str], arguments: str) -> list[str]:
        """Check the number of words; `arguments` names them, optional ones in brackets."""
        names = arguments.split()
        least = sum(name[0] != "[" for name in names)
        if not least <= len(words) <= len(names):
            raise Failure(f"syntax error: must be {arguments or 'without arguments'}")
        return words

    def color(self, word: str) -> int:
        """Return the number of a player by name or initial."""
        for player, name in enumerate(self.game.core.players, 1):
            if word.lower() in (name, name[0]):
                return player
        raise Failure(f"syntax error: color {shown(word)} must be b or w")

    def color_and(self, words: list[str]) -> tuple[int, list[str]]:
        """Take a color from the front of some words, if there is one; else whose turn it is."""
        if words and words[0].lower() in ("b", "w", "black", "white"):
            return self.color(words[0]), words[1:]
        return self.game.core.to_play, words

    def vertex_number(self, word: str) -> int:
        return self.checked(word, lambda: self.game.core.number(word))

    def checked(self, word: str, number: Callable[[], int]) -> int:
        if len(word) > 20:
            raise Failure(f"syntax error: vertex {shown(word)}")
        try:
            return number()
        except ValueError as error:
            raise Failure(f"syntax error: {error}") from None

    def vertex(self, move: int) -> str:
        return self.game.core.name(move)
