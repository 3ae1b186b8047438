"""Shows the page of runs under way: served to this machine, or written to a file."""

import errno
import getpass
import secrets
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from types import FrameType
from typing import Any
from urllib.parse import parse_qs

from mcts_cluster.errors import UserError, warn
from mcts_cluster.reports.page.html import policy
from mcts_cluster.reports.watch import live
from mcts_cluster.reports.watch.watched import Watched
from mcts_cluster.text_files import write

ADDRESS = "127.0.0.1"
# What a browser calls this machine, at whatever end of a tunnel. Another name may be that of a
# page elsewhere, which would like to read this one.
NAMES = {"127.0.0.1", "localhost", "[::1]"}
# Reading takes at most such a share of the time, however large the files are.
SHARE = 0.1
SECONDS_FOR_A_REQUEST = 20.0


class Pages:
    """The page of some files, made anew when it is asked for, but not more often than is fair."""

    def __init__(self, files: Sequence[Watched], every: float) -> None:
        self.files = files
        self.every = every
        self.lock = Lock()
        self.text = ""
        self.due = 0.0

    def page(self) -> str:
        with self.lock:
            began = time.monotonic()
            if not self.text or began >= self.due:
                for file in self.files:
                    file.look()
                self.text = live.page(self.files, self.every)
                took = time.monotonic() - began
                self.due = time.monotonic() + max(self.every / 2, took / SHARE)
            return self.text


class Handler(BaseHTTPRequestHandler):
    """Answers requests with the token, of browsers on this machine, with the page and no more."""

    server: "Server"
    protocol_version = "HTTP/1.1"
    server_version = "mcts-cluster"
    sys_version = ""
    timeout = SECONDS_FOR_A_REQUEST

    def do_GET(self) -> None:
        name = self.headers.get("Host", "").strip().lower()
        host = name.rpartition(":")[0] if name.rpartition(":")[2].isdigit() else name
        path, _, query = self.path.partition("?")
        if host not in NAMES:
            self.answer(403, "text/plain", "this page is for the machine that it runs on only\n")
        elif not self.server.knows(query):
            self.answer(403, "text/plain", "open the whole address that the command has printed\n")
        elif path != "/":
            self.answer(404, "text/plain", "there is one page here: /\n")
        else:
            self.answer(200, "text/html", self.server.pages.page())

    do_HEAD = do_GET

    def answer(self, status: int, kind: str, text: str) -> None:
        content = text.encode("utf-8", "replace")
        self.send_response(status)
        for name, value in (
            ("Content-Type", f"{kind}; charset=utf-8"),
            ("Content-Length", str(len(content))),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", f"{policy(True)}; frame-ancestors 'none'"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    """The server of a page. Each request has a thread, as browsers open more than they use.

    Public attributes (treat as read-only): pages; token, without which nobody else who is logged in
    to this machine sees them.
    """

    daemon_threads = True

    def __init__(self, pages: Pages, port: int) -> None:
        self.pages = pages
        self.token = secrets.token_urlsafe()
        super().__init__((ADDRESS, port), Handler)

    @property
    def address(self) -> str:
        return f"http://{ADDRESS}:{self.server_address[1]}/?token={self.token}"

    def knows(self, query: str) -> bool:
        """Return whether a request has the token; in a time that tells nothing of it."""
        found = parse_qs(query, errors="replace").get("token", [""])[0]
        return secrets.compare_digest(found.encode(), self.token.encode())

    def server_bind(self) -> None:
        # Without asking a name server what this machine is called.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that has gone."""


def serve(files: Sequence[Watched], every: float, port: int) -> None:
    """Serve the page until the user ends that; raises UserError where the port is not free."""
    try:
        server = Server(Pages(files, every), port)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        why = "in use by another program; 0 takes a free one" if taken else error.strerror
        raise UserError(f"--port {port}: {why}") from None
    with until_ended(), server:
        tell(server)
        server.serve_forever()


def tell(server: Server) -> None:
    """Print where the page is, and how to see it from another machine."""
    port = server.server_address[1]
    print(server.address)
    here = f"{user_name()}@{socket.gethostname()}"
    print(f"from elsewhere: ssh -L {port}:{ADDRESS}:{port} {here}, then the same address")
    print("Ctrl-C ends it; the runs go on", flush=True)


def user_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "USER"


def rewrite(files: Sequence[Watched], every: float, out: Path) -> None:
    """Write the page again and again until the user ends that; raises UserError."""
    pages, trouble = Pages(files, every), ""
    with until_ended():
        write(out, pages.page())
        print(f"{out}: written every {every:g} s; Ctrl-C ends that; the runs go on", flush=True)
        while True:
            time.sleep(max(every, pages.due - time.monotonic()))
            trouble = rewritten(out, pages.page(), trouble)


def rewritten(out: Path, text: str, trouble: str) -> str:
    """Write the page, and return why not, or nothing; tells what it has not told before.

    A full disk, or a folder that is away for a while, does not end it.
    """
    try:
        write(out, text)
    except UserError as error:
        if str(error) != trouble:
            warn(f"{error}; tried again")
        return str(error)
    return ""


@contextmanager
def until_ended() -> Iterator[None]:
    """Take Ctrl-C and SIGTERM as the end of the block."""

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {one: signal.signal(one, end) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
