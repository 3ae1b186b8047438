"""The one exception for a mistake that the user can mend."""


class UserError(Exception):
    """A user's mistake: the message says where it is and what is allowed there.

    The command shows it in one line without traceback and ends with status 2. Everything else that
    goes wrong is a defect of the program and keeps its traceback.
    """


def one_line(text: object) -> str:
    """Return a text without its line breaks: what is quoted from a file may hold some."""
    return " ".join(str(text).split())
