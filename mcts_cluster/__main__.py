"""The command `mcts-cluster`: finds the verb, imports its module, and prints mistakes in a line.

A verb is a module with two functions, `add_arguments(parser)` and `main(args)`, and a line in
VERBS. The module is imported only when its verb is used, because on a cluster every rank pays for
every import.
"""

import argparse
import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from io import TextIOWrapper
from typing import Any

from mcts_cluster.errors import RunFailure, UserError, harmless

# verb: (module, help). The module's main returns the exit status, None for 0.
VERBS = {
    "init": ("mcts_cluster.commands.init", "write a job with remarks to start from"),
    "run": ("mcts_cluster.commands.run", "play the games of a job, or those that are missing"),
    "submit": (
        "mcts_cluster.commands.submit",
        "put a job into the queue of a cluster, by Slurm or OAR",
    ),
    "pack": (
        "mcts_cluster.commands.pack",
        "write this environment to a file that unpacks itself on each node",
    ),
    "check": ("mcts_cluster.commands.check", "read a job, and estimate how long it will take"),
    "schema": (
        "mcts_cluster.commands.schema",
        "print a JSON Schema of job files, for editors",
    ),
    "show": ("mcts_cluster.commands.show", "print the progress of a run, also while it runs"),
    "watch": ("mcts_cluster.commands.watch", "show runs under way in a browser"),
    "table": ("mcts_cluster.commands.table", "print success rates next to the published ones"),
    "compare": (
        "mcts_cluster.commands.compare",
        "print several files side by side, with what differs",
    ),
    "plot": ("mcts_cluster.commands.plot", "draw success rates over simulations or machines"),
    "report": (
        "mcts_cluster.commands.report",
        "write tables and figures of several files to one page",
    ),
    "export": (
        "mcts_cluster.commands.export",
        "write games as SGF, rows as CSV, files as an RO-Crate",
    ),
    "replay": ("mcts_cluster.commands.replay", "play a stored game again, and compare all moves"),
    "merge": ("mcts_cluster.commands.merge", "put files of one job together, game by game"),
    "repair": ("mcts_cluster.commands.repair", "close a file that a killed run has left open"),
    "validate": (
        "mcts_cluster.commands.validate",
        "write a job that tests the versions of a campaign again",
    ),
    "gtp": ("mcts_cluster.commands.gtp", "play Go or Havannah over GTP"),
    "completion": (
        "mcts_cluster.commands.completion",
        "print what makes a shell complete the words of mcts-cluster",
    ),
    "solve": (
        "mcts_cluster.commands.solve",
        "find the exact value of a small position of Havannah",
    ),
    "patterns": (
        "mcts_cluster.commands.patterns",
        "draw bias patterns of Go, learn a model of expert moves",
    ),
    "bench": (
        "mcts_cluster.commands.bench",
        "measure speed, exchanges, the master, stopping rules and campaigns",
    ),
}

DESCRIPTION = "Experiments on Monte-Carlo tree search, on one core or on a cluster."

EXAMPLES = """\
examples:
  mcts-cluster run jobs/quickstart.toml      play a small job into results/quickstart.h5
  mcts-cluster show results/quickstart.h5    print its progress, from another terminal
  mcts-cluster init                          write a job of your own to start from
  mcts-cluster gtp simulations=20000         play Go with GoGui, Sabaki or another program
  mcts-cluster bench                         playouts per second, game by game
  mcts-cluster run --help                    the arguments of a verb
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 2 for a user's mistake, 130 when interrupted."""
    words = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    # A ± that the terminal or the batch log cannot write must not cost a run its table.
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        if not words[0].startswith("-") and words[0] not in VERBS:
            raise UserError(f"{words[0]}: unknown verb{nearest_verb(words[0])}")
        with untranslated():
            args = command_parser(words[0]).parse_args(words)
        status = args.main(args) or 0
        # Here, and not when the interpreter ends, where a failure could only be a traceback.
        sys.stdout.flush()
        return status
    except (UserError, RunFailure) as error:
        print(f"mcts-cluster: {harmless(str(error))}", file=sys.stderr)
        return error.status
    except BrokenPipeError:
        # The reader of a pipe, such as head, has ended.
        drop_output()
        return 1
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        drop_output()
        what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
        print(f"mcts-cluster: {what}: the output is not complete", file=sys.stderr)
        return 1
    except ImportError as error:
        if error.name != "cext":
            raise
        # Built for another processor.
        print(f"mcts-cluster: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def nearest_verb(word: str) -> str:
    # Only after a mistake: ranks that play need not pay for it.
    from mcts_cluster.settings.words import nearest

    return nearest(word, VERBS)


@contextmanager
def untranslated() -> Iterator[None]:
    """Keep argparse from looking for a translation of each of its words, in several files."""
    before = os.environ.get("LANGUAGE")
    os.environ["LANGUAGE"] = "C"
    try:
        yield
    finally:
        del os.environ["LANGUAGE"]
        if before is not None:
            os.environ["LANGUAGE"] = before


def drop_output() -> None:
    """Discard the rest of the output, which cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def command_parser(verb: str) -> argparse.ArgumentParser:
    """Return a parser that knows the arguments of this verb; of another word it lists all verbs."""
    parser = Parser(
        prog="mcts-cluster",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version",
        action=ShowVersion,
        nargs=0,
        help="print the version, the build and the MPI library",
    )
    # With its name, which argparse would find out by formatting the usage.
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True, prog="mcts-cluster")
    for name in [verb] if verb in VERBS else VERBS:
        module_name, text = VERBS[name]
        verb_parser = verbs.add_parser(name, help=text, description=f"{name}: {text}")
        if name == verb:
            module = import_module(module_name)
            module.add_arguments(verb_parser)
            verb_parser.set_defaults(main=module.main, all_verbs=all_verbs)
    return parser


def all_verbs() -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """Return what each verb does, and a parser of its arguments."""
    found = {}
    for name, (module_name, text) in VERBS.items():
        parser = argparse.ArgumentParser()
        import_module(module_name).add_arguments(parser)
        found[name] = text, parser
    return found


class Parser(argparse.ArgumentParser):
    """A parser that refuses words too many itself: with the usage of the verb that they follow.

    For a verb that has a default of `words_behind`, these are the words that follow --. For one
    with a default of `assigns`, KEY=VALUE may stand between options, too.
    """

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        behind = []
        if self.get_default("words_behind") is not None and "--" in args:
            place = args.index("--")
            args, behind = args[:place], args[place + 1 :]
        if self.get_default("assigns"):
            args = sorted(args, key=lambda word: word.startswith("-") or "=" not in word)
        found, others = super().parse_known_args(args, namespace)
        if behind:
            found.words_behind = behind
        if others:
            self.error(f"unrecognized arguments: {' '.join(others)}")
        return found, others


class ShowVersion(argparse.Action):
    """Print the version and exit; the parts are looked up only now."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(version_text())
        parser.exit()


def version_text() -> str:
    """Return the version of the package, and lines on its build and its libraries."""
    import platform

    from cext import build_info
    from mcts_cluster import __version__
    from mcts_cluster.parallel.mpi import NoMpi, mpi_library

    try:
        mpi = mpi_library()
    except NoMpi:
        mpi = "none found"
    return "\n".join(
        [
            f"mcts_cluster {__version__}, commit {build_info.commit()}",
            f"build flags  {build_info.flags()}",
            f"compiler     {build_info.compiler()}",
            f"Python       {platform.python_implementation()} {platform.python_version()}",
            f"MPI library  {mpi}",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
