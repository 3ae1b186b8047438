"""A terminal of our own: what a command makes of it, and what is then to be seen."""

import os
import pty
import re
import select
import subprocess
import time

WIDTH = 100


class Terminal:
    """A command on a terminal, which ends with it; what it has written is in `out`."""

    def __init__(self, words, **surroundings):
        self.end, other = pty.openpty()
        os.set_inheritable(other, True)
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        environment |= {"TERM": "xterm-256color", "COLUMNS": str(WIDTH), "LINES": "40"}
        self.process = subprocess.Popen(
            ["setsid", "--ctty", "--wait", *words],
            stdin=other,
            stdout=other,
            stderr=other,
            env=environment | surroundings,
        )
        os.close(other)
        self.out = b""

    def hear(self, seconds=60, until=None):
        """Read until something is there, or all of it."""
        deadline = time.monotonic() + seconds
        while until is None or until not in self.out:
            assert time.monotonic() < deadline, self.out
            if not select.select([self.end], [], [], 0.1)[0]:
                continue
            try:
                self.out += os.read(self.end, 65536)
            except OSError:
                # As Linux tells that nobody has it open any more.
                break

    def type(self, text):
        os.write(self.end, text)

    def status(self):
        self.hear()
        return self.process.wait(60)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.end)


def seen(out):
    """Return the lines of a terminal after this output."""
    lines, row, column = [""], 0, 0
    for order, what, sign in re.findall(
        r"\x1b\[([?\d;]*)([A-Za-z])|([^\x1b\x03])", out.decode(errors="replace")
    ):
        if what == "A":
            row = max(0, row - int(order or 1))
        elif what == "K":
            lines[row] = "" if order == "2" else lines[row][:column]
        elif sign == "\r":
            column = 0
        elif sign == "\n":
            row += 1
        elif sign:
            if column == WIDTH:
                row, column = row + 1, 0
                lines += [""] * (row + 1 - len(lines))
            lines[row] = f"{lines[row][:column]:{column}}{sign}{lines[row][column + 1 :]}"
            column += 1
        lines += [""] * (row + 1 - len(lines))
    return [line.rstrip() for line in lines]
