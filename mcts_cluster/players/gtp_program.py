"""A player that is another program, which plays in GTP over its standard input and output.

    boardsize 9, clear_board, komi 7.5      the game; stones of its start position are played
    play b E5                               the moves since its last answer
    genmove w                               its answer: a move, pass or resign
    final_score                             after the passes: the result without dead stones

Handicap stones are played too. After set_free_handicap GNU Go, for one, pays White a point for
each of them, and the program would aim at another score than the one that decides the game.

Programs for Havannah know its start and its names of cells; Castro is one. A program
may break the protocol or never end. So it is read without threads and never longer than it may
think; it has a process group of its own, and a shell that waits for the end of this process kills
that group where this process no longer can.
"""

import os
import re
import selectors
import shlex
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, time_ns

from cext.go import Go
from mcts_cluster.errors import one_line
from mcts_cluster.games import Game
from mcts_cluster.players.player import (
    EngineError,
    NoProgram,
    Player,
    Resigned,
    Session,
    Watch,
)
from mcts_cluster.players.programs import place_of, why_missing, without_launcher
from mcts_cluster.settings.declaration import FREE, setting
from mcts_cluster.settings.words import beginning

# For each of the steps that end a program: quit, then a signal.
SECONDS_TO_END = 2
# Of a program's other output, for the message when it fails.
LAST_WORDS = 300
# Bytes of an answer, and of what stands before it.
MAX_ANSWER = 10**6
# The variable by which those are known that a program has started, whatever groups they are in.
MARK = "MCTS_CLUSTER_PROGRAM"

# A line is the end of its work; the end of its input means that this process is gone.
GUARD = 'read pid && { read line || kill -s KILL -- "-$pid"; }'


@dataclass(frozen=True)
class Program(Player):
    """A program that speaks GTP, by its command; "{seed}" in it becomes the seed of a game."""

    command: str = setting(
        meaning="another program that speaks GTP, split as by a shell; `{seed}` becomes the "
        "seed of the game",
    )
    seconds_to_answer: float = setting(
        600.0,
        least=0.1,
        most=1e6,
        continued=FREE,
        meaning="time limit of that program for an answer, also for its start",
    )

    @property
    def goes_by_clock(self) -> bool:
        return True

    @property
    def why_not_repeatable(self) -> str:
        return "is another program"

    @property
    def starts(self) -> str:
        return self.command

    @property
    def lacks(self) -> str:
        return why_missing(self.words()[0])

    def session(self, game: Game, game_seed: int) -> "GtpSession":
        # GTP programs take a seed for a positive int.
        words = [word.replace("{seed}", str(game_seed % 2**31)) for word in self.words()]
        session = GtpSession(game, words, self.seconds_to_answer)
        try:
            session.set_up()
        except BaseException:
            session.close()
            raise
        return session

    def words(self) -> list[str]:
        """Return the command as a shell would split it; raises ValueError."""
        return shlex.split(self.command)


class GtpSession(Session):
    """A running program at a game; it receives the moves before it has to choose one."""

    def __init__(self, game: Game, words: list[str], seconds_to_answer: float) -> None:
        self.game = game
        self.name = shlex.join(words)
        self.seconds_to_answer = seconds_to_answer
        self.sent: list[int] = []  # the moves that the program has on its board
        self.process = Process(words)

    def choose(self, seconds: float | None = None, watch: Watch = None) -> int:
        self.catch_up()
        core = self.game.core
        command = f"genmove {self.color(core.to_play)}"
        answer = self.order(command)
        if answer.lower() == "resign":
            raise Resigned
        try:
            move = core.number(answer)
        except ValueError as error:
            raise self.error(command, f"{beginning(answer)!r}: {beginning(str(error))}") from None
        if reason := core.why_illegal(move):
            raise self.error(command, f"{beginning(answer)!r}, which is illegal: {reason}")
        self.sent.append(move)
        return move

    def final_score(self) -> float | None:
        """Return by how much Black leads, dead stones counted as such; None if it has no answer."""
        if not isinstance(self.game.core, Go):
            return None
        self.catch_up()
        if not self.knows("final_score"):
            return None
        done, answer = self.ask("final_score")
        if done and answer == "0":
            return 0.0
        found = re.match(r"([BW])\+(\d+(\.\d+)?)(\s|$)", answer, re.IGNORECASE)
        if not done or not found:
            return None
        return float(found[2]) * (1 if found[1] in "Bb" else -1)

    def close(self) -> None:
        self.process.end()

    # The board of the program.

    def set_up(self) -> None:
        """Put the start position on the program's board."""
        core, start = self.game.core, self.game.start
        self.sent = []
        self.order(f"boardsize {core.size}")
        self.order("clear_board")
        if isinstance(core, Go):
            self.order(f"komi {core.komi:g}")
            assert isinstance(start, Go)
            for move in range(start.points):
                if color := start.color(move):
                    self.order(f"play {self.color(color)} {start.name(move)}")
        elif self.knows("hguicoords"):
            self.order("hguicoords")

    def catch_up(self) -> None:
        """Play on the program's board what has been played since, or all of it after an undo."""
        moves = self.game.numbers
        if moves[: len(self.sent)] != self.sent:
            self.set_up()
        first = self.game.start.to_play - 1
        for ply in range(len(self.sent), len(moves)):
            color = self.color((first + ply) % 2 + 1)
            # In Havannah the first stone played again is taken over.
            swap = ply == 1 and moves[1] == moves[0] < self.game.core.points
            self.order(f"play {color} {'swap' if swap else self.game.core.name(moves[ply])}")
            self.sent.append(moves[ply])

    def color(self, player: int) -> str:
        """Return "b" or "w": some programs know the letters only."""
        return self.game.core.players[player - 1][0]

    # Commands and answers.

    def knows(self, command: str) -> bool:
        done, answer = self.ask(f"known_command {command}")
        if done:
            return answer.lower() == "true"
        done, answer = self.ask("list_commands")
        return done and command in answer.split()

    def order(self, command: str) -> str:
        """Return the answer to a command that must not fail; raises EngineError."""
        done, answer = self.ask(command)
        if not done:
            raise self.error(command, f"'? {beginning(one_line(answer))}'")
        return answer

    def ask(self, command: str) -> tuple[bool, str]:
        """Return whether a command succeeded, and what was answered; raises EngineError."""
        self.process.say(command)
        self.process.heard = 0
        lines: list[str] = []
        deadline = monotonic() + self.seconds_to_answer
        try:
            # An answer ends with an empty line. What stands before it is no part of it.
            while (line := self.process.line(deadline)) or not lines:
                if lines or line.startswith(("=", "?")):
                    lines.append(line)
                else:
                    self.process.note(f"{line}\n".encode())
        except TimeoutError:
            raise self.error(command, f"nothing for {self.seconds_to_answer:g} s") from None
        except TooMuch:
            raise self.error(command, f"more than {MAX_ANSWER:,} bytes") from None
        except EOFError:
            raise self.error(command, f"nothing and {self.process.end()}") from None
        answer = "\n".join(lines)
        return answer.startswith("="), answer[1:].strip()

    def error(self, command: str, answer: str) -> EngineError:
        """End the program, so that all of its output is read, and return the exception to raise."""
        self.process.end()
        words = one_line(self.process.last_words.decode(errors="replace"))
        # It may say anything, also what would change a terminal.
        words = "".join(c if c.isprintable() else "?" for c in words)
        last = f"; its last output: {words}" if words else ""
        return EngineError(f"{self.name}: to {command!r} it answered {answer}{last}")


class TooMuch(Exception):
    """A program answers with more than any answer needs."""


class Process:
    """A process that reads and writes lines, until it is made to end.

    Public attributes: heard, the bytes of its output so far, to be set to 0 for another answer; and
    to be treated as read-only last_words, the end of its other output.
    """

    def __init__(self, words: list[str]) -> None:
        self.heard = 0
        self.last_words = b""
        self.unread = bytearray()
        self.mark = f"{os.getpid()}-{time_ns()}"
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        self.guard = subprocess.Popen(
            ["/bin/sh", "-c", GUARD],
            bufsize=0,
            stdin=pipe,
            stdout=nothing,
            stderr=nothing,
            start_new_session=True,
        )
        try:
            self.process = subprocess.Popen(
                [place_of(words[0]) or words[0], *words[1:]],
                bufsize=0,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                start_new_session=True,
                env=without_launcher(os.environ) | {MARK: self.mark},
            )
        except OSError as error:
            self.guard.communicate()
            raise NoProgram(f"{words[0]}: cannot be started: {error.strerror}") from None
        assert self.guard.stdin
        self.guard.stdin.write(f"{self.process.pid}\n".encode())
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.input = self.process.stdin
        self.output = self.process.stdout
        self.errors = self.process.stderr
        # Both are read together: a program whose output is not read would wait, and so would we.
        self.streams = selectors.DefaultSelector()
        self.streams.register(self.output, selectors.EVENT_READ)
        self.streams.register(self.errors, selectors.EVENT_READ)

    def say(self, line: str) -> None:
        # If it is gone, that will be seen when its answer is read.
        with suppress(BrokenPipeError):
            self.input.write(f"{line}\n".encode())

    def line(self, deadline: float) -> str:
        """Return the next line of its output; raises TimeoutError, EOFError and TooMuch."""
        while b"\n" not in self.unread:
            if self.heard > MAX_ANSWER:
                raise TooMuch
            if self.output not in self.streams.get_map():
                raise EOFError
            self.hear(deadline)
        end = self.unread.index(b"\n")
        line = self.unread[:end]
        # Of a bytearray that takes no time, however much is left.
        del self.unread[: end + 1]
        return line.decode(errors="replace").strip()

    def hear(self, deadline: float) -> None:
        """Read the next output; raises TimeoutError."""
        seconds = deadline - monotonic()
        if seconds <= 0 or not (ready := self.streams.select(seconds)):
            raise TimeoutError
        for key, _ in ready:
            read = os.read(key.fd, 65536)
            if not read:
                self.streams.unregister(key.fileobj)
            if key.fileobj is self.output:
                self.unread += read
                self.heard += len(read)
            else:
                self.note(read)

    def note(self, words: bytes) -> None:
        """Keep the end of its output that is no answer."""
        self.last_words = (self.last_words + words)[-LAST_WORDS:]

    def end(self) -> str:
        """Make it end, with whatever it has started; return how it ended."""
        if self.process.returncode is None:
            self.say("quit")
            self.input.close()
            if not self.is_silent(SECONDS_TO_END):
                self.kill(signal.SIGTERM)
                self.is_silent(SECONDS_TO_END)
            # Before it is waited for: after that its number may be that of another process.
            self.kill(signal.SIGKILL)
            self.process.wait()
            kill_marked(f"{MARK}={self.mark}".encode())
            self.guard.communicate(b"\n")
            self.streams.close()
            self.output.close()
            self.errors.close()
        status = self.process.returncode
        return f"ended with status {status}" if status >= 0 else f"was ended by signal {-status}"

    def is_silent(self, seconds: float) -> bool:
        """Listen for a while; return whether it has closed its output, as it does at its end."""
        deadline = monotonic() + seconds
        try:
            while self.streams.get_map():
                self.hear(deadline)
        except TimeoutError:
            return False
        return True

    def kill(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


def kill_marked(mark: bytes) -> None:
    """Kill the processes that have this in their environment, where the system shows them."""
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark in path.read_bytes():
                os.kill(int(path.parent.name), signal.SIGKILL)
