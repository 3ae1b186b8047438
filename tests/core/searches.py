"""What tests of searches share: games, settings, and the trees that come out."""

from cext.go import Go
from cext.havannah import Havannah

INFORMED = {"exploration": 0, "rave": 300, "first_play_urgency": 1, "expand_at": 4}
# White's stones are one chain, and E1 is its last liberty.
CAPTURE = ["C3", "C2", "B2", "D2", "D3", "E2", "B1", "C1", "E3", "D1"]

FIELDS = [
    "visits",
    "results",
    "rave_visits",
    "rave_results",
    "prior_visits",
    "prior_results",
    "bias",
    "proven",
]


def paths(search, fields=FIELDS):
    """Return some fields of every node, by the moves that lead to it."""
    nodes = search.tree.array()
    kept = nodes[fields].tolist()
    links = nodes[["first_child", "children", "move"]].tolist()
    found = {}

    def walk(index, path):
        found[path] = kept[index]
        first, children, _ = links[index]
        for child in range(first, first + children):
            walk(child, (*path, links[child][2]))

    walk(0, ())
    return found


def after(game, *names):
    for name in names:
        game.play(game.number(name))
    return game


GAMES = [
    Go(3),
    Go(5, komi=0.5),
    Go(3, komi=1),
    after(Go(4), "B2", "B3", "pass"),
    Havannah(3),
    Havannah(4, swap=True),
    after(Havannah(4), "a1"),
]


def enough(simulations, expand_at):
    """Return fewer simulations where the first visit expands: there each goes to the game's end."""
    return simulations // 4 if expand_at == 1 else simulations
