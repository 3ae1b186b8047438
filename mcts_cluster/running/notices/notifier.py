"""Tells the command of --notify what becomes of a run, and bears whatever that command does.

It is started without a shell and never waited for while games are played. It has a limit of time;
what goes wrong with it is a line of the log.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from tempfile import TemporaryFile
from typing import IO

from mcts_cluster.errors import UserError, one_line, warn
from mcts_cluster.running.notices.notice import Notice

# For the command, and for the run to end after it is over itself.
SECONDS_TO_TELL = 10.0
SECONDS_IF_URGENT = 1.0  # after a second signal
SECONDS_BETWEEN_LOOKS = 0.05
MAX_ERRORS = 2000
# What stands in the words of the command for parts of the notice.
PLACES = re.compile(r"\{(event|text|file)\}")
# A run is silent after so many times its longest game, too.
GAMES_OF_SILENCE = 5.0


def words_of(command: str) -> list[str]:
    """Return the words of a command as a shell would have them; raises UserError."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UserError(f"--notify {command}: {str(error).lower()}") from None
    if not words:
        raise UserError("--notify: must be a command")
    return words


@dataclass
class Telling:
    """A command that is under way, and what it has said of mistakes."""

    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    deadline: float

    def last_words(self) -> str:
        self.errors.seek(0)
        lines = self.errors.read(MAX_ERRORS).decode(errors="replace").split("\n")
        said = [line for line in lines if line.strip()]
        return "".join(c for c in one_line(said[-1]) if c.isprintable()) if said else ""


class Notifier:
    """The command of a run, if it has one, and when the run was last heard of."""

    def __init__(
        self,
        words: Sequence[str] = (),
        seconds_of_silence: float = inf,
        say: Callable[[str], None] = warn,
    ) -> None:
        self.words = words
        self.seconds_of_silence = seconds_of_silence
        self.say = say
        self.began = self.heard = time.monotonic()
        self.longest = 0.0
        self.is_silent = self.is_over = False
        self.tellings: list[Telling] = []
        # A node may lack it; that is no reason not to play.
        if words and not shutil.which(words[0]):
            self.complain("no such program here, so that it will not be told what becomes of this")

    def hear(self, seconds: float) -> None:
        """Take in that a game has ended, which took so long."""
        self.heard = time.monotonic()
        self.longest = max(self.longest, seconds)
        self.is_silent = False

    def tick(self, silent: Callable[[str], Notice]) -> None:
        """Tell of a silence once, by the notice that is made with a reason; end what is late."""
        if not self.words:
            return
        quiet = time.monotonic() - self.heard
        if not self.is_silent and quiet > self.limit:
            self.is_silent = True
            self.tell(silent(f"no game has ended for {quiet:.0f} s"))
        self.look()

    @property
    def limit(self) -> float:
        return max(self.seconds_of_silence, GAMES_OF_SILENCE * self.longest)

    def end(self, notice: Notice, is_urgent: Callable[[], bool] = lambda: False) -> None:
        """Tell how the run has ended, once, and wait until that is told or takes too long."""
        if self.is_over:
            return
        self.is_over = True
        self.tell(notice)
        soon = time.monotonic() + SECONDS_IF_URGENT
        while self.tellings:
            if is_urgent():
                for one in self.tellings:
                    one.deadline = min(one.deadline, soon)
            self.look()
            if self.tellings:
                time.sleep(SECONDS_BETWEEN_LOOKS)

    def tell(self, notice: Notice) -> None:
        """Start the command; never raises."""
        if not self.words:
            return
        parts = {"event": notice.event, "text": notice.text, "file": notice.file}
        words = [PLACES.sub(lambda place: parts[place[1]], word) for word in self.words]
        try:
            self.tellings.append(started(words, notice.json))
        except (OSError, ValueError) as error:
            self.complain(f"cannot be started: {error}")

    def look(self) -> None:
        """Take away the commands that have ended, and end those that take too long."""
        for one in self.tellings.copy():
            status = one.process.poll()
            if status is None and time.monotonic() < one.deadline:
                continue
            self.tellings.remove(one)
            if status is None:
                kill(one.process)
                self.complain("took too long, and was ended")
            elif status:
                said = one.last_words()
                self.complain(f"ended with status {status}" + (f": {said}" if said else ""))
            one.errors.close()

    def complain(self, text: str) -> None:
        self.say(f"--notify {self.words[0]}: {text}")


def started(words: list[str], content: str) -> Telling:
    """Start a command that reads a text; raises OSError, ValueError."""
    errors = TemporaryFile()  # noqa: SIM115
    try:
        # From a file: one that does not read must not be waited for.
        with TemporaryFile() as text:
            text.write(content.encode("utf-8", "replace"))
            text.seek(0)
            process = subprocess.Popen(
                words,
                stdin=text,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
    except BaseException:
        errors.close()
        raise
    return Telling(process, errors, time.monotonic() + SECONDS_TO_TELL)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a command with all that it has started in its session."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
