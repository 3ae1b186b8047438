"""The commands of every game: about the program, the game so far, time, moves."""

import time
from collections.abc import Callable
from typing import Any

import mcts_cluster
from cext import build_info
from mcts_cluster.errors import UserError
from mcts_cluster.gtp.arguments import Failure, number, whole
from mcts_cluster.gtp.clock import Limits
from mcts_cluster.gtp.engine import Engine, command
from mcts_cluster.players.player import MoveEstimate, Resigned, Watch, resigns


class CommonEngine(Engine):
    """An engine with the commands that are the same in every game."""

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
            self.clock.set(None)  # as in GTP's specification
        elif main == period == 0:
            self.clock.set(None)  # as programs mean it
        else:
            self.clock.set(Limits(main, period, max(1, int(stones))))
        return ""

    @command("time_left")
    def time_left(self, words: list[str]) -> str:
        color, seconds, stones = self.expect(words, "COLOR SECONDS STONES")
        count = max(0, int(number(stones, "stones")))
        self.clock.set_left(self.color(color), number(seconds, "seconds"), count)
        return ""

    # Moves.

    @command("genmove")
    def genmove(self, words: list[str]) -> str:
        return self.generate(self.color(self.expect(words, "COLOR")[0]))

    @command("reg_genmove")
    def reg_genmove(self, words: list[str]) -> str:
        """Return a move without playing it: the board and the clock stay as they are."""
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
        if seconds is None:
            seconds = self.clock.budget(player, self.moves_to_come())
        self.explanation = ""
        try:
            move = session.choose(seconds, watch)
        except Resigned:
            return None
        estimates = (one for one in session.estimates() if one.move == move)
        self.explanation = next(map(self.explained, estimates), "")
        return None if resigns(session, move, self.options.resign_below) else move

    def moves_to_come(self) -> int:
        """Return how many moves of its own a player may expect: some points stay empty."""
        return max(10, int(0.4 * len(self.game.core.legal_moves())))

    def chosen_name(self, move: int | None) -> str:
        return "resign" if move is None else self.vertex(move)

    def explained(self, estimate: MoveEstimate) -> str:
        names = " ".join(self.variation(estimate))
        return f"{100 * estimate.rate:.1f} % expected, {estimate.visits} visits, variation {names}"

    def variation(self, estimate: MoveEstimate) -> list[str]:
        """Return the names of a variation's moves, each by the position where it is played."""
        return [self.vertex(move) for move in estimate.moves]
