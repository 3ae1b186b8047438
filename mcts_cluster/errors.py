"""The one exception for a mistake that the user can mend."""


class UserError(Exception):
    """A user's mistake: the message says where it is and what is allowed there.

    The command shows it in one line without traceback and ends with status 2. Everything else that
    goes wrong is a defect of the program and keeps its traceback.
    """
