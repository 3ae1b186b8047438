"""The groups and datasets of the HDF5 file of a job.

    readme                  a text that explains the file
    job/                    the job as it was written, and all of its settings
    matches/                a row a match: its players, its games, its success rate
    games/                  a row a game, in the order in which they ended; `count` of them
    searches/               a row a move that a team has searched
    texts/, workers/        to which the rows of games refer by number
    runs/                   a row each time the job was started or continued
    candidates/, looks/...  of a campaign, whose tables grow as the games do
    entry/plot/             links to what viewers plot when they open the file

The columns of each are declared with the fields of its records. docs/hdf5.md describes them all.
"""

from collections.abc import Iterator

from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.columns import TEXT, Column, Link, Rows, columns_of
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.storage.campaign_rows import CAMPAIGN_TABLES, CANDIDATES
from mcts_cluster.storage.results import MatchRecord, RunRecord, Tally

SCHEMA = 6
# That can be read too; its files lack columns.
OLDEST = 4

JOB = ("title", "game", "text", "overrides", "kind", "settings")

# The groups, and the records that are their rows; others are reached by the links of these.
RECORDS: dict[str, type] = {
    "matches": MatchRecord,
    "games": GameRecord,
    "runs": RunRecord,
    **CAMPAIGN_TABLES,
}
# Groups whose rows games refer to: what these rows have come to follows from the games.
MATCHES = "matches"
TALLIED = (MATCHES, CANDIDATES)
TALLY = tuple(column.name for column in columns_of(Tally))
# Which one it is, by the kind of the experiment; MATCHES for others.
TALLIED_OF = {Campaign.kind: CANDIDATES}
NUMBER = Column("number", "i4", "number of the match")
SIGNAL = "success_rate"  # of a plot

README = """\
Results of mcts_cluster, a program for experiments on Monte-Carlo tree search.

/matches has a row a match: its players, how many games the job asks for, how many were played, and
the success rate of its first player in percent with its standard error. /games has a row a game.
Datasets are columns, those of a group of one length, with two exceptions. /games/count is a number,
that of the valid rows of /games; more may stand behind them. /games/moves is longer: the moves of
all games one after another, as numbers of points, those of a game before its moves_end; behind the
last one's more may stand. Points are those of the match's first player: 1, 0, 0.5 for a draw, NaN
for a void game, which does not count. /searches has a row a move that a team has searched, those of
a game end before its searches_end. /texts and /workers are referred to by number, from 0. A
campaign has, instead of /matches, /candidates with their patterns and tests, in /pictures, /cells,
/batches, /looks and /verdicts; each of these has a number `count`, too. Of positions, /matches has
a row for each player at each position, and a game is one move: one point if it is good. /job/text
is the job as it was written, /job/settings every setting of it.

    mcts-cluster table FILE     the table
    mcts-cluster export FILE    games as SGF, rows as CSV or Parquet

    import mcts_cluster.results
    mcts_cluster.results.open(FILE).games     the games as a DataFrame
"""


def columns_in(group: str) -> Iterator[Column]:
    """Yield the columns of a group, in the order in which they are documented."""
    if group in RECORDS:
        yield from columns_of(RECORDS[group])
    if group == "matches":
        yield NUMBER
    if group in TALLIED:
        yield from columns_of(Tally)
    for link, rows in links():
        if link.group == group:
            yield from columns_of(rows)


def tallied(kind: str) -> str:
    """Return the group whose rows games refer to, in files of a kind of experiment."""
    return TALLIED_OF.get(kind, MATCHES)


def links() -> Iterator[tuple[Link, Rows]]:
    """Yield what games refer to and what grows with them: all but their matches."""
    for column in columns_of(RECORDS["games"]):
        if column.link and column.link.rows:
            yield column.link, column.link.rows


def numbered() -> Iterator[tuple[str, Link]]:
    """Yield the columns of games that refer to rows which are there once, all but their matches."""
    for column in columns_of(RECORDS["games"]):
        if column.link and column.link.rows and not column.link.is_list:
            yield column.name, column.link


def groups() -> list[str]:
    return list(dict.fromkeys([*RECORDS, *(link.group for link, _ in links())]))


# The names of types in docs/hdf5.md.
TYPES = {
    TEXT: "string",
    "i2": "int16",
    "i4": "int32",
    "i8": "int64",
    "u8": "uint64",
    "f8": "float64",
}


def documentation(group: str) -> str:
    """Return the table of a group in docs/hdf5.md."""
    lines = ["| field | type | units | what it is |", "|---|---|---|---|"]
    for column in columns_in(group):
        kind = TYPES.get(column.type) or f"string of {column.type[1:]} bytes"
        lines.append(f"| `{column.name}` | {kind} | {column.units} | {column.long_name} |")
    return "\n".join(lines) + "\n"
