"""What a GTP engine does in any game: the commands, the player's session, the clock, the analysis.

A command is a method with its name in a decorator. It gets its words and returns its answer, or
raises Failure; GoEngine and HavannahEngine have the commands of their games.

Players differ in what they can. Everyone chooses; a Thinker can also be held to a time, think
without deciding, and tell what it thinks; commands that need one are not there for others.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, TypeVar

import mcts_cluster
from cext import build_info
from mcts_cluster import games
from mcts_cluster.errors import UserError
from mcts_cluster.games import Game, IllegalMove
from mcts_cluster.gtp.analysis import AnalysedMove, Analyst
from mcts_cluster.gtp.arguments import Failure, number, one_player, shown, whole
from mcts_cluster.gtp.clock import LAG, MIN_SECONDS, Clock, Limits
from mcts_cluster.players.player import Player, Session, Watch
from mcts_cluster.seeds import seed

# Seconds of thought between two looks at the input.
SLICE = 0.05


@dataclass(frozen=True)
class Options:
    seed: int = 0
    resign_below: float | None = None
    lag: float = LAG


Handler = Callable[[Any, list[str]], str | Iterator[str]]


H = TypeVar("H", bound=Handler)


def command(name: str, needs: str = "") -> Callable[[H], H]:
    """Make a method the command of this name, for players who have the ability it needs."""

    def mark(handler: H) -> H:
        vars(handler).setdefault("commands", {})[name] = needs
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

    Public attributes: game; interrupted, which tells whether to end an analysis; report, which
    takes a line of an answer that is not complete; has_quit.
    """

    game_name: ClassVar[str]
    state: ClassVar[tuple[str, ...]] = ("settings", "setup", "game", "steps")
    handlers: ClassVar[dict[str, tuple[str, str]]]  # name: method and ability

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
        self.player = self.make_player(player)
        self.settings = dict(settings or {})
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
        if self.options.resign_below is not None and not isinstance(self.session, Analyst):
            raise UserError("--resign-below: this player does not tell what it expects")

    def __init_subclass__(cls) -> None:
        cls.handlers = {
            name: (method, needs)
            for base in reversed(cls.__mro__)
            for method, handler in vars(base).items()
            for name, needs in getattr(handler, "commands", {}).items()
        }

    def carry_out(self, name: str, words: list[str]) -> str | Iterator[str]:
        """Carry out a command; raises UserError with what is wrong."""
        if not name:
            raise Failure("syntax error: no command")
        if not self.knows(name):
            raise Failure("unknown command")
        answer: str | Iterator[str] = getattr(self, self.handlers[name][0])(words)
        return answer

    def knows(self, name: str) -> bool:
        needs = self.handlers[name][1] if name in self.handlers else ""
        return name in self.handlers and (needs != "think" or isinstance(self.session, Analyst))

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
        """The player's session at the game, taken when it is first wanted."""
        if self.open_session is None:
            self.open_session = self.player.session(self.game, self.seed("session"))
        return self.open_session

    def seed(self, *path: int | str) -> int:
        return seed(self.options.seed, self.number, *path)

    def give_turn(self, player: int, to_think: bool = True) -> Step:
        """Let it be this player's turn; what that took can be taken back.

        Who is to think about the position must not find a move in it that nobody has made.
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

    def expect(self, words: list[str], wanted: str) -> list[str]:
        """Check the number of words; `wanted` names them, optional ones in brackets."""
        names = wanted.split()
        least = sum(name[0] != "[" for name in names)
        if not least <= len(words) <= len(names):
            raise Failure(f"syntax error: {wanted or 'no argument'} is wanted")
        return words

    def color(self, word: str) -> int:
        """Return the number of a player by name or initial."""
        for player, name in enumerate(self.game.core.players, 1):
            if word.lower() in (name, name[0]):
                return player
        raise Failure(f"syntax error: color {shown(word)}: b or w is wanted")

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

    # About the program.

    @command("protocol_version")
    def protocol_version(self, words: list[str]) -> str:
        self.expect(words, "")
        return "2"

    @command("name")
    def name(self, words: list[str]) -> str:
        self.expect(words, "")
        return "mcts_cluster"

    @command("version")
    def version(self, words: list[str]) -> str:
        self.expect(words, "")
        return mcts_cluster.__version__

    @command("known_command")
    def known_command(self, words: list[str]) -> str:
        return str(self.knows(self.expect(words, "COMMAND")[0])).lower()

    @command("list_commands")
    def list_commands(self, words: list[str]) -> str:
        self.expect(words, "")
        return "\n".join(name for name in sorted(self.handlers) if self.knows(name))

    @command("quit")
    def quit(self, words: list[str]) -> str:
        self.expect(words, "")
        self.has_quit = True
        return ""

    @command("cputime")
    @command("gomill-cpu_time")
    def cputime(self, words: list[str]) -> str:
        """The processor time of this process so far, in seconds."""
        self.expect(words, "")
        return f"{time.process_time():.3f}"

    @command("gomill-describe_engine")
    def describe_engine(self, words: list[str]) -> str:
        self.expect(words, "")
        game = ", ".join(f"{key} {value}" for key, value in self.described_settings().items())
        return (
            f"mcts_cluster {mcts_cluster.__version__}, commit {build_info.commit()}\n"
            f"player: {self.player}\n"
            f"game: {self.game_name}, {game}\n"
            f"seed: {self.options.seed}, game {self.number} of the session"
        )

    def described_settings(self) -> dict[str, Any]:
        core = self.game.core
        return {key: getattr(core, key) for key in core.settings if hasattr(core, key)}

    @command("gomill-explain_last_move")
    def explain_last_move(self, words: list[str]) -> str:
        self.expect(words, "")
        return self.explanation

    # The game.

    @command("boardsize")
    def boardsize(self, words: list[str]) -> str:
        size = whole(self.expect(words, "SIZE")[0], "size")
        try:
            self.begin_again((), settings=self.settings | {"size": size}, setup=None)
        except UserError:
            raise Failure("unacceptable size") from None
        return ""

    @command("clear_board")
    def clear_board(self, words: list[str]) -> str:
        self.expect(words, "")
        self.number += 1
        self.clock.restart()
        self.start()
        return ""

    @command("play")
    def play(self, words: list[str]) -> str:
        color, vertex = self.expect(words, "COLOR VERTEX")
        player = self.color(color)
        resigns = vertex.lower() == "resign"
        self.play_number(player, None if resigns else self.vertex_number(vertex))
        return ""

    @command("undo")
    def undo(self, words: list[str]) -> str:
        self.expect(words, "")
        self.undo_steps(1)
        return ""

    def undo_steps(self, count: int) -> None:
        if not 0 <= count <= len(self.steps):
            raise Failure("cannot undo")
        for _ in range(count):
            self.take_back(self.steps.pop())

    @command("showboard")
    def showboard(self, words: list[str]) -> str:
        self.expect(words, "")
        return f"\n{self.game}"

    # Time.

    @command("time_settings")
    def time_settings(self, words: list[str]) -> str:
        names = ("main time", "byo-yomi time", "byo-yomi stones")
        values = map(number, self.expect(words, "MAIN BYO_YOMI STONES"), names)
        main, period, stones = (max(0.0, value) for value in values)
        if period > 0 and stones < 1:
            self.clock.set(None)  # as GTP says it
        elif main == period == 0:
            self.clock.set(None)  # as it is meant
        else:
            self.clock.set(Limits(main, period, max(1, int(stones))))
        return ""

    @command("time_left")
    def time_left(self, words: list[str]) -> str:
        color, seconds, stones = self.expect(words, "COLOR SECONDS STONES")
        count = max(0, int(number(stones, "stones")))
        self.clock.tell(self.color(color), number(seconds, "seconds"), count)
        return ""

    # Moves.

    @command("genmove")
    def genmove(self, words: list[str]) -> str:
        return self.generate(self.color(self.expect(words, "COLOR")[0]))

    @command("reg_genmove")
    def reg_genmove(self, words: list[str]) -> str:
        """A move that is only told: the board and the clock stay as they are."""
        player = self.color(self.expect(words, "COLOR")[0])
        with self.turn_of(player):
            return self.chosen_name(self.choose(player))

    def generate(self, player: int, choose: Callable[[int], int | None] | None = None) -> str:
        """Choose a move, play it, and return its name."""
        step = self.give_turn(player)
        try:
            began = self.now()
            move = (choose or self.choose)(player)
            self.clock.spend(player, self.now() - began)
            name = self.chosen_name(move)
        except BaseException:
            self.take_back(step)
            raise
        if move is None:
            self.take_back(step)
            self.play_number(player, None)
        else:
            self.game.play_number(move)
            self.count(step, player, move)
        return name

    def choose(self, player: int, seconds: float | None = None, watch: Watch = None) -> int | None:
        """Return a move for the player whose turn it is, None to resign."""
        session = self.session
        if not isinstance(session, Analyst):
            self.explanation = ""
            return session.choose()
        if seconds is None:
            seconds = self.clock.budget(player, self.moves_to_come())
        move = session.choose(seconds, watch)
        line = next((line for line in session.lines() if line.move == move), None)
        self.explanation = self.explained(line) if line else ""
        limit = self.options.resign_below
        # A pass may win, and ends a game that is lost as soon.
        if line and limit is not None and move != self.game.core.points and line.rate < limit:
            return None
        return move

    def moves_to_come(self) -> int:
        """Return how many moves of its own a player may expect: some points stay empty."""
        return max(10, int(0.4 * len(self.game.core.legal_moves())))

    def chosen_name(self, move: int | None) -> str:
        return "resign" if move is None else self.vertex(move)

    def explained(self, line: AnalysedMove) -> str:
        names = " ".join(self.variation(line))
        return f"{100 * line.rate:.1f} % expected, {line.visits} visits, variation {names}"

    def variation(self, line: AnalysedMove) -> list[str]:
        """Return the names of a line's moves, each as it is called where it would be played."""
        return [self.vertex(move) for move in line.moves]

    # Analysis.

    @command("lz-analyze", needs="think")
    def analyze(self, words: list[str]) -> Iterator[str]:
        player, interval = self.analysis(words)
        step = self.give_turn(player)
        return self.analyzed(step, interval)

    def analyzed(self, step: Step, interval: float) -> Iterator[str]:
        session = self.session
        assert isinstance(session, Analyst)
        try:
            ended = False
            while not ended:
                until = self.now() + interval
                session.think(min(SLICE, interval))
                while (
                    not (ended := self.interrupted()) and (rest := until - self.now()) > MIN_SECONDS
                ):
                    session.think(min(SLICE, rest))
                if info := self.info(session.lines()):
                    yield info
        finally:
            self.take_back(step)

    @command("lz-genmove_analyze", needs="think")
    def genmove_analyze(self, words: list[str]) -> Iterator[str]:
        """Generate a move, and tell what the player thinks of it and of the others.

        The move is that of genmove: the search goes on while a report is made of it.
        """
        player, interval = self.analysis(words)
        self.take_back(self.give_turn(player))
        return self.generated(player, interval)

    def generated(self, player: int, interval: float) -> Iterator[str]:
        due = self.now() + interval

        def watch() -> None:
            nonlocal due
            if self.now() >= due:
                due = self.now() + interval
                tell()

        def tell() -> None:
            # Taken anew where the turn has begun another game.
            session = self.session
            assert isinstance(session, Analyst)
            if info := self.info(session.lines()):
                self.report(info)

        def choose(player: int) -> int | None:
            move = self.choose(player, watch=watch)
            tell()
            return move

        yield f"play {self.generate(player, choose)}"

    def analysis(self, words: list[str]) -> tuple[int, float]:
        """Read the arguments of an analysis: [COLOR] [[interval] CENTISECONDS] [minmoves N]."""
        player, rest = self.color_and(words)
        centiseconds = 50.0
        rest = ["interval", *rest] if len(rest) % 2 else rest
        for key, value in zip(rest[::2], rest[1::2], strict=True):
            if key == "interval":
                centiseconds = number(value, "interval")
            elif key == "minmoves":
                whole(value, "minmoves")  # all moves that were looked at are told anyway
            else:
                raise Failure(f"syntax error: {shown(key)}: interval or minmoves is known")
        return player, min(max(centiseconds, 1.0), 360_000.0) / 100

    def info(self, lines: Sequence[AnalysedMove]) -> str:
        """Return what is thought of all moves, in a line as Leela Zero writes it."""
        return " ".join(
            f"info move {self.vertex(line.move)} visits {line.visits} "
            f"winrate {round(10000 * line.rate)} prior {round(10000 * line.prior)} "
            f"order {order} pv {' '.join(self.variation(line))}"
            for order, line in enumerate(line for line in lines if line.visits)
        )
