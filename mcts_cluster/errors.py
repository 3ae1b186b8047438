"""The exception for mistakes that the user can mend."""


class UserError(Exception):
    """A user's mistake: the message has the place, and what is allowed there.

    The command prints it without traceback and ends with status 2. Any other exception is a defect
    of the program and keeps its traceback.
    """


def one_line(text: object) -> str:
    """Return a text without line breaks, for quotations."""
    return " ".join(str(text).split())
