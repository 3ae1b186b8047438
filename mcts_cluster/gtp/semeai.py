"""The answer of analyze_semeai: what becomes of two chains in a capturing race, and the move."""

from cext.go import Go
from cext.go_semeai import Semeai
from mcts_cluster.gtp.arguments import Failure

# Whether the first chain lives, and whether the other one is captured.
FATES = {"won": "1 1", "seki": "1 0", "lost": "0 0"}


def race_answer(core: Go, own: int, enemy: int) -> str:
    """Read the race between the chains of two stones, in which the first one's side moves."""
    if core.points in (own, enemy):
        raise Failure("syntax error: a pass is no vertex with a stone")
    try:
        outcome, moves = Semeai().read(core, own, enemy)
    except ValueError as error:
        raise Failure(str(error)) from None
    if outcome not in FATES:
        raise Failure("unsure")
    # In capitals, unlike in genmove: suites of positions compare the answer as a text.
    move = "PASS" if moves[0] == core.points else core.name(moves[0])
    return f"{FATES[outcome]} {move}"
