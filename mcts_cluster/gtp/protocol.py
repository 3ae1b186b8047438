"""The Go Text Protocol, version 2: lines in, answers out.

    7 play b D4 # a comment         an id or none, a command, its arguments
    =7                              the answer: = or ?, the id, text; ended by an empty line

The commands are in engine.py, common.py and analysis.py, and in go.py and havannah.py, the
dialects of the two games. docs/gtp.md is the user's guide.
"""

import os
import select
from collections.abc import Callable
from typing import Any, NamedTuple

from mcts_cluster.errors import UserError
from mcts_cluster.gtp.engine import Engine

# Bytes of a line; what follows in it is not read.
MAX_LINE = 10**6


class Lines:
    """The lines that come in at a descriptor, and whether there is one already.

    Not sys.stdin: select does not see the lines that it has read ahead.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.read_ahead = b""
        self.ended = False

    def __iter__(self) -> "Lines":
        return self

    def __next__(self) -> str:
        while b"\n" not in self.read_ahead and not self.ended:
            self.read()
        line, _, self.read_ahead = self.read_ahead.partition(b"\n")
        if not line and not self.read_ahead and self.ended:
            raise StopIteration
        return line.decode(errors="replace")

    def are_waiting(self) -> bool:
        """Return at once whether another line has come, or the end of them."""
        while b"\n" not in self.read_ahead and not self.ended:
            if not select.select([self.descriptor], [], [], 0)[0]:
                return False
            self.read()
        return True

    def read(self) -> None:
        more = os.read(self.descriptor, 65536)
        self.read_ahead += more
        if len(self.read_ahead) > MAX_LINE and b"\n" not in self.read_ahead:
            self.read_ahead = self.read_ahead[:MAX_LINE]
        self.ended = not more


# Tabulators are spaces; other control characters are ignored, a carriage return too.
CONTROL = dict.fromkeys((*range(32), 127)) | {ord("\t"): " "}


class Command(NamedTuple):
    id: str
    name: str
    words: list[str]


def parse(line: str) -> Command | None:
    """Return the command in a line; None where there is none, as in a comment."""
    words = line.translate(CONTROL).partition("#")[0].split()
    if not words:
        return None
    number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
    return Command(number, words[0] if words else "", words[1:])


def serve(engine: Engine, source: Any, write: Callable[[str], None]) -> None:
    """Answer the lines of a source until they end, or until the command to quit.

    The source also knows whether another line has come: that ends an analysis.
    """
    engine.interrupted = source.are_waiting
    engine.report = lambda line: write(f"{line}\n")
    for line in source:
        if command := parse(line):
            answer(engine, command, write)
        if engine.has_quit:
            break


def answer(engine: Engine, command: Command, write: Callable[[str], None]) -> None:
    """Carry out one command and write its answer, which is always one and ends in an empty line."""
    try:
        result = engine.carry_out(command.name, command.words)
    except UserError as error:
        write(f"?{command.id} {tidy(str(error))}\n\n")
        return
    if isinstance(result, str):
        write(f"={command.id} {tidy(result)}\n\n")
        return
    # An answer that grows while the player thinks.
    write(f"={command.id}\n")
    for line in result:
        write(f"{line}\n")
    write("\n")


def tidy(text: str) -> str:
    """Leave out empty lines but the first one, because an empty line ends an answer."""
    first, *rest = (line.rstrip() for line in text.split("\n"))
    return "\n".join([first, *filter(None, rest)])
