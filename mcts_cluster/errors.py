"""The exceptions that are told in a line: mistakes of the user, and failures of the machine."""

import sys


class UserError(Exception):
    """A user's mistake: the message has the place, and what is allowed there.

    The command prints it without traceback and ends with status 2. Any other exception is a defect
    of the program and keeps its traceback.
    """


class RunFailure(Exception):
    """What a machine has done to a run, such as a full disk: the message says what is left.

    The command prints it without traceback and ends with status 1.
    """


def warn(text: str) -> None:
    """Tell the user what does not end the command."""
    print(f"mcts-cluster: {text}", file=sys.stderr, flush=True)


def one_line(text: object) -> str:
    """Return a text without line breaks, for quotations."""
    return " ".join(str(text).split())
