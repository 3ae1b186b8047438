"""The cost of exchanges of a team: in a move, and in a game."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from mcts_cluster.columns import column


@dataclass
class ExchangeStats:
    """Counts of the ranks of a team, in a move or in many.

    Times are means of the ranks. They are measured, and so not compared. A team counts in place;
    in a record they do not change.
    """

    exchanges: int = column("i8", "exchanges between the machines of {}", default=0)
    exchange_bytes: int = column(
        "i8", "data that a rank of {} put into exchanges", units="B", default=0
    )
    exchange_seconds: float = column(
        "f8",
        "time of exchanges of {}, waiting included, mean of the ranks",
        units="s",
        default=0.0,
        compare=False,
    )
    waiting_seconds: float = column(
        "f8",
        "time that {} waited for its slowest rank, mean of the ranks",
        units="s",
        default=0.0,
        compare=False,
    )
    late_simulations: int = column(
        "i8", "simulations of {} while sums were on their way", default=0
    )
    min_simulations: int = column(
        "i8", "simulations of the machine of {} with the fewest", default=0
    )
    max_simulations: int = column("i8", "simulations of the machine of {} with the most", default=0)
    replies: int = column(
        "i8",
        "machines of {} that knew a reply to its move, summed over the moves",
        missing=0,
        default=0,
    )
    same_replies: int = column(
        "i8",
        "those of them that visited the commonest of these replies most",
        missing=0,
        default=0,
    )


NONE = ExchangeStats()


@dataclass
class Counters(ExchangeStats):
    """The counters of a team during a move."""

    sums: int = 0  # of an exchange there are as many as levels
    simulations: list[int] = field(default_factory=list)  # of each machine of the team
    full: int = 0  # machines whose tree was full before the end


# The others are of one machine, and follow from the simulations of all.
ADDED_UP = [
    one.name
    for one in fields(ExchangeStats)
    if one.name not in ("min_simulations", "max_simulations")
]


def summed(past: Sequence[Counters]) -> ExchangeStats:
    """Return the statistics of some moves together."""
    machines = [sum(made) for made in zip(*(c.simulations for c in past), strict=True)]
    return ExchangeStats(
        **{name: sum(getattr(counters, name) for counters in past) for name in ADDED_UP},
        min_simulations=min(machines, default=0),
        max_simulations=max(machines, default=0),
    )
