"""The groups and datasets of the HDF5 file of a job.

    readme                  what this file is, for who finds it
    job/                    the job as it was written, and every setting that it amounts to
    matches/                a row a match: its players, its games, its success rate
    games/                  a row a game, in the order in which they ended; `count` of them
    searches/               a row a move that a team has searched
    texts/, workers/        what the rows of games refer to by number
    runs/                   a row each time the job was started or continued
    candidates/, looks/...  of a campaign, whose tables grow as the games do

docs/hdf5.md describes every field.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

# Since 2, games know of exchanges, and matches of openings and machines; since 3, also of the
# exchanges for each move.
SCHEMA = 3


# Of texts that are appended: longer ones are cut off.
MAX_TEXT = 400
README = """\
Results of mcts_cluster, a program for experiments on Monte-Carlo tree search.

/matches has a row a match: its players, how many games are wanted and played, and the success rate
of its first player in percent with its standard error. /games has a row a game. All datasets of a
group are columns of equal length; only the first /games/count rows of /games are valid, and only
the moves that they refer to. Points are those of the match's first player: 1, 0, 0.5 for a draw,
NaN for a void game, which does not count. /games/moves holds the moves of all games one after
another as numbers of points; those of a game end before its moves_end. /searches has a row a move
that a team has searched, those of a game end before its searches_end. /texts and /workers are
referred to by number, from 0. A campaign has, instead of /matches, candidates and what was seen of
them, in /candidates, /pictures, /cells, /batches, /looks and /verdicts. /job/text is the job as it
was written, /job/settings what it amounts to, every setting said.

    mcts-cluster table FILE     the table
    mcts-cluster export FILE    games as SGF, rows as CSV
"""


@dataclass(frozen=True)
class Column:
    """A dataset: its type, and what it says to people and viewers."""

    name: str
    type: str
    long_name: str
    units: str = ""


TEXT = "text"  # of any length; only where nothing is appended
SHORT = f"S{MAX_TEXT}"
MATCHES = (
    Column("name", TEXT, "match"),
    Column("first", TEXT, "first player"),
    Column("second", TEXT, "second player"),
    Column("published", TEXT, "name of the published figure to compare with"),
    Column(
        "simulations",
        "i8",
        "simulations a move of the second player, or else of the first; 0: not limited",
    ),
    Column("machines", "i4", "machines of the second player, or else of the first; 0: no team"),
    Column("opening", "i4", "moves at random at the start, the same in games 2k and 2k + 1"),
    Column("number", "i4", "number of the match"),
    Column("wanted", "i8", "games wanted"),
    Column("games", "i8", "games played, without void ones"),
    Column("void", "i8", "void games"),
    Column("success_rate", "f8", "success rate of the first player", "%"),
    Column("success_rate_errors", "f8", "standard error of the success rate", "%"),
)


# In the order of Pairing, whose players are the first two.
COLUMNS_OF_PAIRINGS = (
    *("first", "second", "wanted", "published"),
    *("simulations", "opening", "machines"),
)


# These change as games end.
TALLIES = ("games", "void", "success_rate", "success_rate_errors")


SIDES = ("first", "second")


# Of a team: the fields of Exchanges. A game has a column for each side.
EXCHANGES = (
    Column("exchanges", "i8", "exchanges between the machines of {}"),
    Column("exchange_bytes", "i8", "what a rank of {} put into them", "B"),
    Column("exchange_seconds", "f8", "time that they took of {}, mean of the ranks", "s"),
    Column("waiting_seconds", "f8", "of that, waiting for the slowest rank of {}", "s"),
    Column("late_simulations", "i8", "simulations of {} while sums were on their way"),
    Column("least_simulations", "i8", "simulations of the machine of {} with the fewest"),
    Column("most_simulations", "i8", "simulations of the machine of {} with the most"),
)


GAMES = (
    Column("match", "i4", "match, a row of /matches, in a campaign of /candidates"),
    Column("number", "i4", "number of the game in its match; even: the first player begins"),
    Column("attempt", "i2", "how often this game was void before"),
    Column("seed", "u8", "seed of the game"),
    Column("points", "f8", "points of the match's first player; NaN: void"),
    Column("how", "i4", "what decided the game, a row of /texts"),
    Column("plies", "i4", "moves, passes included"),
    Column("moves_end", "i8", "end of the game's moves in /games/moves"),
    Column("first_simulations", "i8", "simulations of the first player in the whole game"),
    Column("second_simulations", "i8", "simulations of the second player in the whole game"),
    Column("first_seconds", "f8", "time in which the first player chose its moves", "s"),
    Column("second_seconds", "f8", "time in which the second player chose its moves", "s"),
    Column("began", "f8", "beginning of the game, Unix time", "s"),
    Column("ended", "f8", "end of the game, Unix time", "s"),
    Column("worker", "i4", "where it was played, a row of /workers"),
    Column("searches_end", "i8", "end of the game's rows in /searches"),
    *(
        replace(
            column,
            name=f"{side}_{column.name}",
            long_name=column.long_name.format(f"the {side} player"),
        )
        for column in EXCHANGES
        for side in SIDES
    ),
)


SEARCHES = (
    Column("player", "i2", "who searched: 0 the first player of the match, 1 the second"),
    Column("ply", "i4", "moves of the game before this one"),
    *(replace(column, long_name=column.long_name.format("the team")) for column in EXCHANGES),
)


MOVES = Column("moves", "i2", "moves of all games, as numbers of points")


TEXTS = (Column("text", SHORT, "what decided games, or made them void"),)


WORKERS = (
    Column("host", SHORT, "host name"),
    Column("rank", "i4", "MPI rank, 0 without MPI"),
    Column("process", "i8", "process number"),
    Column("playouts_per_second", "f8", "speed at its start: uniform playouts of Go 9x9", "1/s"),
)


RUNS = (
    Column("began", "f8", "start of the run, Unix time", "s"),
    Column("ended", "f8", "end of the run, Unix time; NaN: under way, or killed", "s"),
    Column("status", "i4", "exit status; -1: under way, or killed"),
    Column("busy", "f8", "share of the time in which workers played; NaN: not known yet"),
    Column("first_game", "i8", "first row of /games that this run wrote"),
    Column("slots", "i4", "games played at a time"),
    Column("ranks", "i4", "MPI ranks, 1 without MPI"),
    Column("cores", "i4", "cores that the master could use"),
    Column("hosts", TEXT, "hosts, with the number of workers on each"),
    Column("version", TEXT, "version of mcts_cluster"),
    Column("commit", TEXT, "commit that it was built from"),
    Column("build_flags", TEXT, "flags that it was built with"),
    Column("compiler", TEXT, "compiler that it was built with"),
    Column("python", TEXT, "version of Python"),
    Column("mpi_library", TEXT, "MPI library in use, empty without MPI"),
    Column("arguments", TEXT, "command line, files in that folder or at home without its path"),
    Column("folder", TEXT, "name of the folder in which it was started"),
)


# These are known at the end only.
ENDINGS = ("ended", "status", "busy")


# The table that takes the place of /matches where these grow, too: it has their players.
CANDIDATES = "candidates"
