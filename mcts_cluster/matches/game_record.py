"""The record of a game: every field, declared once.

A new field is declared here, and filled in where games are played, in `match`. The columns of the
file, CSV and docs/hdf5.md follow from it: see `mcts_cluster.columns`. What is measured is not
compared: the same game takes another time.
"""

from dataclasses import dataclass
from typing import NamedTuple

from mcts_cluster.columns import SHORT, Column, column, derived, part, row_of, rows_of
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.parallel.exchange_stats import NONE, ExchangeStats

TEXT = Column("text", SHORT, "what decided games, or made them void")
MOVE = Column("moves", "i2", "moves of all games, as numbers of points")


@dataclass(frozen=True)
class WorkerInfo:
    """The worker of a game, and its speed."""

    host: str = column(SHORT, "host name", default="")
    rank: int = column("i4", "MPI rank, 0 without MPI", default=0)
    process: int = column("i8", "process number", default=0)
    playouts_per_second: float = column(
        "f8",
        "speed at its start: uniform playouts of Go 9x9",
        units="1/s",
        default=0.0,
        compare=False,
    )

    def __str__(self) -> str:
        return (
            f"rank {self.rank} on {self.host}"
            if self.rank
            else f"process {self.process} on {self.host}"
        )


@dataclass(frozen=True)
class SearchRecord:
    """The search of a team for one move."""

    player: int = column("i2", "player that searched: 0 the first of the match, 1 the second")
    ply: int = column("i4", "moves of the game before this one")
    exchanges: ExchangeStats = part(ExchangeStats, whose="the team")


@dataclass(frozen=True)
class GameRecord:
    """A game. Pairs are of the match's first and second player.

    `how` is what decided it: "area" in Go; in Havannah "ring", "bridge", "fork" or several of them,
    "bridge+fork", and "rules" of a draw or in older files; "gnugo's final_score", "resigned",
    or "cut off"; of a void game, what went wrong.
    """

    match: MatchKey = row_of(
        "matches", None, "match, a row of /matches, in a campaign of /candidates"
    )
    number: int = column("i4", "number of the game in its match; even: the first player begins")
    points: float | None = column(
        "f8",
        "points of the match's first player: 1, 0, 0.5 for a draw; NaN: void",
        none_is_nan=True,
    )
    how: str = row_of("texts", TEXT, "what decided the game, a row of /texts")
    moves: tuple[int, ...] = rows_of(
        "games", MOVE, "end of the game's moves in /games/moves", default=()
    )
    attempt: int = column(
        "i2", "which attempt at this game, from 0; the next one has another seed", default=0
    )
    seed: int = column("u8", "seed of the game", default=0)
    simulations: tuple[int, int] = column(
        "i8", "simulations of {} in the whole game", sides=True, default=(0, 0)
    )
    full_searches: tuple[int, int] = column(
        "i4",
        "searches of {} whose tree was full before their end; -1: not counted",
        sides=True,
        missing=-1,
        default=(0, 0),
    )
    replays: tuple[int, int] = column(
        "i8",
        "playouts of {} that were replayed, because they contradicted the solver of races; "
        "-1: not counted",
        sides=True,
        missing=-1,
        default=(0, 0),
    )
    exchanges: tuple[ExchangeStats, ExchangeStats] = part(
        ExchangeStats, sides=True, default=(NONE, NONE)
    )
    # Of teams, in the order of the moves.
    searches: tuple[SearchRecord, ...] = rows_of(
        "searches",
        SearchRecord,
        "end of the game's rows in /searches",
        default=(),
    )
    seconds: tuple[float, float] = column(
        "f8",
        "time in which {} chose its moves",
        units="s",
        sides=True,
        default=(0.0, 0.0),
        compare=False,
    )
    began: float = column(
        "f8", "beginning of the game, Unix time", units="s", default=0.0, compare=False
    )
    ended: float = column("f8", "end of the game, Unix time", units="s", default=0.0, compare=False)
    worker: WorkerInfo = row_of(
        "workers",
        WorkerInfo,
        "where it was played, a row of /workers",
        default=WorkerInfo(),
        compare=False,
    )

    @property
    @derived("i4", "moves, passes included")
    def plies(self) -> int:
        return len(self.moves)


class Outcome(NamedTuple):
    """What a plan needs of a game; a file has millions of them."""

    match: MatchKey
    number: int
    points: float | None
    attempt: int
    ended: float


def by_structure(how: str) -> bool:
    """Return whether a game of Havannah was won by a ring, a bridge, a fork or several of them."""
    return {"ring", "bridge", "fork"}.issuperset(how.split("+"))
