"""Calls every public function and method of the core with arguments that are mostly wrong.

    python tests/faults/core_calls.py SEED COUNT [LOG]

A call may raise any exception, and no other end is allowed: whoever starts this looks at its
status. The log has the last call.
"""

import os
import random
import resource
import sys
from importlib import import_module
from inspect import isclass
from pathlib import Path

import numpy

from cext import go_policy, havannah_policy

CORE = Path(__file__).parents[2] / "cext"
MODULES = [import_module(f"cext.{path.stem}") for path in sorted(CORE.glob("*.pyx"))]
BYTES = 3 * 10**9

INTEGERS = [0, 1, 2, 3, 4, 5, 12, 24, 25, 61, 80, 81, 82, 127, 128, 255, 360, 361, 362, -1, -2]
EXTREMES = [2**15, 2**16, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, -(2**31), -(2**63)]
EXTREMES += [-(2**63) - 1, 10**30]
NUMBERS = [0.0, 0.5, 1.0, -1.0, 1e9, 1e300, float("inf"), float("-inf"), float("nan")]
TEXTS = [
    "",
    "A1",
    "a1",
    "pass",
    "swap",
    "Z99",
    "none",
    "positional",
    "simple",
    "\0",
    "é",
    "X" * 999,
]
TEXTS += ["black", "." * 20, "X." * 10, "#" * 48, "playout_save", "board_zone"]
OTHERS = [
    None,
    True,
    b"",
    b"X" * 20,
    b"\xff" * 200,
    (),
    [],
    {},
    [[]],
    {1: 2},
    object(),
    len,
    [None],
]

# What takes as long as it is asked to, and as much memory.
LONG = {"playouts", "owners", "numbers", "numbers_below", "run", "Tree", "Search", "SearchState"}
LONG |= {"work_all", "GoPolicy", "Solver", "Semeai", "__init__", "turned", "value", "best_moves"}
LONG |= {"at", "races"}

# Of these every value is tried that takes no long time.
SEARCH = ["exploration", "rave", "widening", "bias", "first_play_urgency", "expand_at", "solve"]
SEARCH += ["virtual_loss", "priors", "explore_every", "unit", "nodes", "policy"]
KEYWORDS = {
    "Search": SEARCH,
    "SearchState": SEARCH,
    "GoPolicy": ["threads", "patterns", "move_model", *go_policy.DEFAULTS],
    "HavannahPolicy": [*havannah_policy.DEFAULTS],
    "run": ["threads", "stop_early", "watch", "own_time"],
}
SMALL = [0, 1, 2, 3, 8, 100, 1000, -1, 0.5, 1e9, 1e300, float("inf"), float("nan"), None, True, "x"]


def classes():
    return sorted(
        {
            one
            for module in MODULES
            for one in vars(module).values()
            if isclass(one) and one.__module__.startswith("cext")
        },
        key=lambda one: f"{one.__module__}.{one.__name__}",
    )


def functions():
    return [
        one
        for module in MODULES
        for name, one in sorted(vars(module).items())
        if callable(one) and not isclass(one) and name[0] != "_"
        if type(one).__name__ in ("cython_function_or_method", "builtin_function_or_method")
    ]


class Calls:
    """Objects of the core, and calls of what they offer."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.classes = classes()
        self.functions = functions()
        self.objects = made()

    def argument(self, long):
        kinds = [INTEGERS, INTEGERS, NUMBERS, TEXTS, OTHERS, self.objects, self.objects]
        kinds += [] if long else [EXTREMES]
        chosen = self.draw.choice(kinds)
        if chosen is INTEGERS and self.draw.random() < 0.2:
            return [self.draw.choice(INTEGERS) for _ in range(self.draw.randrange(5))]
        if chosen is OTHERS and self.draw.random() < 0.3:
            shape = self.draw.choice([(0,), (4,), (82, 4), (26, 2), (82, 1), (3, 3, 3)])
            kind = self.draw.choice([numpy.int64, numpy.int64, numpy.uint8, numpy.float64])
            return self.draw.choice([numpy.zeros, numpy.ones])(shape, kind)
        return self.draw.choice(chosen)

    def arguments(self, name):
        long = name in LONG
        return [self.argument(long) for _ in range(self.draw.choice((0, 1, 1, 1, 2, 2, 3, 4)))]

    def keywords(self, name):
        known = KEYWORDS.get(name, ())
        return self.draw.sample(known, min(len(known), self.draw.choice((0, 1, 2, 4))))

    def call(self, note):
        """Make one call, of which `note` is told before."""
        kind = self.draw.random()
        if kind < 0.08:
            target = self.draw.choice(self.functions)
            name = target.__name__
        elif kind < 0.16:
            target = self.draw.choice(self.classes)
            name = target.__name__
            if self.draw.random() < 0.3:
                target = new(target)
        else:
            target, name = self.method()
        arguments = self.arguments(name)
        named = {key: self.draw.choice(SMALL) for key in self.keywords(name)}
        note(f"{target!r} {name} {arguments!r} {named!r}"[:2000])
        found = target(*arguments, **named)
        # A new solver may take minutes.
        if type(found) in self.classes and name not in ("Tree", "Solver"):
            self.objects[self.draw.randrange(len(self.objects))] = found

    def method(self):
        """Return a method of an object, or what gets or sets one of its attributes."""
        one = self.draw.choice([one for one in self.objects if type(one) in self.classes])
        # pickle calls what has two lines before its name; nobody else does.
        names = [name for name in dir(one) if name[0] != "_"] + ["__init__", "__len__", "__repr__"]
        name = self.draw.choice(names)
        found = getattr(one, name, len)
        if callable(found):
            return found, name
        if self.draw.random() < 0.5:
            return (lambda *values: setattr(one, name, *values[:1])), name
        return (lambda *_: getattr(one, name)), name


def new(cls):
    """Return what makes an object that nobody has initialized."""
    return lambda *arguments: cls.__new__(cls, *arguments[:1])


def made():
    """Return some objects of each class, in states as they come in play."""
    from cext.game import Game
    from cext.go import Go
    from cext.go_bias_patterns import Patterns
    from cext.go_move_model import MoveModel
    from cext.go_policy import GoPolicy
    from cext.go_races import RaceReader
    from cext.go_semeai import Semeai
    from cext.havannah import Havannah
    from cext.havannah_policy import HavannahPolicy
    from cext.policy import Policy
    from cext.rng import Generator
    from cext.search import Search
    from cext.solver import Solver
    from cext.tree import Tree

    games = [Game(), Go(9), Go(7, handicap=2), Go(19), Go(2), Havannah(4), Havannah(2, swap=True)]
    games += [Havannah(16)]
    for game in games[1:]:
        for move in game.legal_moves()[:6]:
            if game.is_legal(move):
                game.play(move)
    found = list(games)
    found += [one for one in map(bare, classes()) if one is not None]
    patterns = Patterns([(0.5, [(1, 0, "X"), (0, 1, "O")]), (-1.0, [(0, -1, "#")])])
    model = MoveModel({}, [("." * 20, 5)])
    policies = [Policy(), GoPolicy(), GoPolicy(patterns, model, playout_replay=2), HavannahPolicy()]
    found += [patterns, model, *policies, Generator(1), Tree(50), Semeai(1000), RaceReader()]
    found += [Solver(1000)]
    searches = [
        Search(Go(9), GoPolicy(), nodes=5000, rave=500),
        Search(Go(5), nodes=100, solve=True),
        Search(Havannah(4), HavannahPolicy(), nodes=5000, rave=100, solve=True),
        Search(Havannah(4), nodes=3000, unit=5),
    ]
    for search in searches[:3]:
        search.run(50, 1)
    found += searches
    found += [search.worker() for search in searches] + [search.tree for search in searches]
    return found


def bare(cls):
    """Return an object that nobody has initialized; None where that is refused."""
    if issubclass(cls, (tuple, Exception)):
        return None
    try:
        return cls.__new__(cls)
    except (TypeError, ValueError):
        return None


def main(seed, count, log=None):
    # A size that is too large by far is refused, and fills no machine. A build that checks
    # addresses reserves terabytes for itself; make sanitize limits what that allocates.
    if "asan" not in os.environ.get("LD_PRELOAD", ""):
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    numpy.seterr(all="ignore")
    calls, made_well = Calls(seed), 0
    for number in range(int(count)):
        if number % 2000 == 1999:
            # What was set up wrong would refuse everything by and by.
            calls.objects = made()
        try:
            calls.call(lambda text: log and Path(log).write_text(text))
            made_well += 1
        except Exception:
            pass
    print(f"{made_well} of {count} calls returned")


if __name__ == "__main__":
    main(*sys.argv[1:])
