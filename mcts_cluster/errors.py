"""The exceptions that are told in a line: mistakes of the user, and failures of the machine."""

import re
import sys

# What is no text, but for line ends; and what turns the direction of writing.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class UserError(Exception):
    """A user's mistake: the message has the place, and what is allowed there.

    The command prints it without traceback and ends with its status. Any other exception is a
    defect of the program and keeps its traceback.
    """

    status = 2  # MISTAKE; a worker does without that module


class RunFailure(Exception):
    """What a machine has done to a run, such as a full disk: the message says what is left.

    The command prints it without traceback, too, and ends with its status.
    """

    status = 1  # GIVEN_UP


def warn(text: str) -> None:
    """Tell the user what does not end the command."""
    print(f"mcts-cluster: {text}", file=sys.stderr, flush=True)


def one_line(text: object) -> str:
    """Return a text without line breaks, for quotations."""
    return " ".join(str(text).split())


def harmless(text: str) -> str:
    """Return a text with the characters written out that would give a terminal orders."""
    return CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
