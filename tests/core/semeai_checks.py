"""Asking the solver of capturing races about positions whose outcomes are known."""

from mcts_cluster.games import from_text


def game_of(enclosure, stones=None):
    return from_text(enclosure.text(stones), "black").core


def point(enclosure, cell):
    x, y = enclosure.cells[cell]
    return y * enclosure.size + x


def first(enclosure, cells):
    """Return the first of some cells, which are bits, as a point of the board."""
    return point(enclosure, (cells & -cells).bit_length() - 1)


def is_right(solver, outcomes, state):
    """Tell whether the solver answers; what it says must be so."""
    corner, (stones, _, color) = outcomes.corner, state
    wanted = outcomes.outcome(state)
    found, moves = solver.read(
        game_of(corner, stones), *(first(corner, chain) for chain in outcomes.racers), bool(color)
    )
    if found in ("ko", "unsure"):
        return False
    right = {corner.size**2 if c is None else point(corner, c) for c in outcomes.keeping(state)}
    # What takes a ko keeps the outcome only for whoever wins it.
    assert (found, set(moves) - right) == (wanted, set()), (corner.text(stones), color)
    assert moves
    return True
