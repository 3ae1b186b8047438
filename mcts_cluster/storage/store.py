"""The HDF5 file of a job: one writer, any number of readers, and safe from kill -9 at any moment.

    readme                  what this file is, for who finds it
    job/                    the job as it was written, and every setting that it amounts to
    matches/                a row a match: its players, its games, its success rate
    games/                  a row a game, in the order in which they ended; `count` of them
    searches/               a row a move that a team has searched
    texts/, workers/        what the rows of games refer to by number
    runs/                   a row each time the job was started or continued
    candidates/, looks/...  of a campaign, whose tables grow as the games do

docs/hdf5.md tells of every field. A file that gains a group or a dataset while it grows is broken
when its writer is killed (of 320 such moments 50 lost rows that had been flushed). So a file is
made whole, with all datasets that it will ever have, under another name, and then renamed; from
then on values are only appended, in HDF5's SWMR mode, and the count of games is written last, after
all that it counts has reached the disk. To continue a file is to make it anew from its rows, and so
is to repair it.

This is the only module that imports h5py, and only once a function needs it.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from fcntl import LOCK_EX, LOCK_NB, flock
from math import isnan, nan
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from mcts_cluster.bgp import versions
from mcts_cluster.errors import UserError
from mcts_cluster.matches.match import GameRecord, WorkerInfo
from mcts_cluster.matches.match_settings import MatchKey
from mcts_cluster.parallel.exchange_stats import Exchanges, Searched
from mcts_cluster.positions.position import PositionKey
from mcts_cluster.positions.positions import Positions
from mcts_cluster.success_rates import success

if TYPE_CHECKING:
    import h5py

# Since 2, games know of exchanges, and matches of openings and machines; since 3, also of the
# exchanges for each move.
SCHEMA = 3
# What h5dump and viewers of ten years ago can read, and SWMR needs at least.
VERSIONS = ("v110", "v110")
# Of texts that are appended: longer ones are cut off.
MAX_TEXT = 400
# Nothing that HDF5 notes down about its data may lie across two pages of memory: a kill comes in
# the middle of a write, too, between two pages. It aligns what fits into a page; so that its index
# of the chunks of a dataset does, there must not be many, in files however long.
PAGE = 4096
MIN_CHUNK = 512
MAX_CHUNKS = 128
MOVES_OF_A_GAME = 128  # about
GAMES_OF_A_CAMPAIGN = 10**6  # about
MIN_TABLE_CHUNK = 64
# A reader may see a file in the middle of a change, above all over a network.
READ_ATTEMPTS = 5
SECONDS_BETWEEN_ATTEMPTS = 0.5

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
them, in /candidates, /pictures, /cells, /batches, /looks and /verdicts. Of positions, /matches has
a row for each player at each position, and a game is one move: one point if it is good. /job/text
is the job as it was written, /job/settings what it amounts to, every setting said.

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
    Column("second", TEXT, "second player, or the name of a position"),
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
# The keys of matches in files of kinds that have their own.
KEYS: Mapping[str, type[MatchKey]] = {Positions.kind: PositionKey}
# In the order of MatchRecord, whose players are the first two.
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


@dataclass(frozen=True)
class Table:
    """A group whose rows are appended, with a count of those that are valid, as the games are.

    `content` has the rows that are known, a list for each column.
    """

    columns: tuple[Column, ...]
    content: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    expected: int = 0  # rows, about


# The table that takes the place of /matches where these grow, too: it has their players.
CANDIDATES = "candidates"


@dataclass(frozen=True)
class MatchRecord:
    """A match as a file knows it."""

    key: MatchKey
    games: int
    published: str = ""
    simulations: int = 0  # a move of the second player, or else of the first: an axis
    opening: int = 0  # plies at random, the same in games 2k and 2k + 1
    machines: int = 0  # of the second player, or else of the first: another axis

    @property
    def players(self) -> tuple[str, str]:
        return self.key.players


@dataclass(frozen=True)
class RunRecord:
    """A time at which the job was started or continued; the names are those of /runs."""

    began: float
    ended: float = nan
    status: int = -1
    busy: float = nan
    first_game: int = 0
    slots: int = 1
    ranks: int = 1
    cores: int = 1
    hosts: str = ""
    version: str = ""
    commit: str = ""
    build_flags: str = ""
    compiler: str = ""
    python: str = ""
    mpi_library: str = ""
    arguments: str = ""
    folder: str = ""


@dataclass(frozen=True)
class Results:
    """All that is in a file."""

    title: str
    game: str
    text: str  # the job, as it was written
    overrides: str  # of --set, a line each
    settings: str  # all that the job amounts to, as JSON
    matches: tuple[MatchRecord, ...]
    rows: tuple[GameRecord, ...] = ()
    runs: tuple[RunRecord, ...] = ()
    is_closed: bool = field(default=True, compare=False)  # not being written, nor left by a kill
    tables: Mapping[str, Table] = field(default_factory=dict)  # of a campaign
    kind: str = "matches"  # of the experiment: matches, campaign, positions


def hdf5() -> Any:
    import h5py

    return h5py


# Reading


def read(path: Path) -> Results:
    """Return all that is in a file, also while another process writes it; raises UserError."""
    if not path.is_file():
        raise UserError(f"{path}: {'is no file' if path.exists() else 'no such file'}")
    for attempt in range(READ_ATTEMPTS):
        if attempt:
            time.sleep(SECONDS_BETWEEN_ATTEMPTS)
        try:
            with opened(path) as (file, is_closed):
                if file.attrs.get("creator") != "mcts_cluster":
                    raise UserError(f"{path}: an HDF5 file, but not one of mcts_cluster")
                if (schema := int(file.attrs["schema_version"])) > SCHEMA:
                    raise UserError(f"{path}: written by a newer mcts_cluster (schema {schema})")
                return results_in(file, is_closed)
        except (OSError, KeyError, RuntimeError, IndexError) as error:
            last = error
            if not hdf5().is_hdf5(path):
                break
    raise UserError(f"{path}: not an HDF5 file that can be read: {last}")


@contextmanager
def opened(path: Path) -> Iterator[tuple[h5py.File, bool]]:
    """Open a file and tell whether it was closed; one that was not, opens as SWMR only."""
    with ExitStack() as stack:
        try:
            file = hdf5().File(path, "r", locking="best-effort")
            is_closed = True
        except OSError:
            file = hdf5().File(path, "r", libver=VERSIONS, swmr=True, locking="best-effort")
            is_closed = False
        yield stack.enter_context(file), is_closed


def results_in(file: h5py.File, is_closed: bool) -> Results:
    tables = {name: table_in(file[name]) for name in file if is_table(file[name])}
    matches = tuple(candidates_of(tables) if tables else matches_in(file))
    runs = [values(file[f"runs/{column.name}"]) for column in RUNS]
    return Results(
        title=values(file["job/title"]),
        game=values(file["job/game"]),
        text=values(file["job/text"]),
        overrides=values(file["job/overrides"]),
        settings=values(file["job/settings"]),
        kind=values(file["job/kind"]),
        matches=matches,
        rows=tuple(rows_in(file, [match.key for match in matches])),
        runs=tuple(RunRecord(*fields) for fields in zip(*runs, strict=True)),
        tables=tables,
        is_closed=is_closed,
    )


def matches_in(file: h5py.File) -> Iterator[MatchRecord]:
    columns = (found_in(file["matches"], name) for name in COLUMNS_OF_PAIRINGS)
    key = KEYS.get(values(file["job/kind"]), MatchKey)
    for first, second, *others in zip(*columns, strict=True):
        yield MatchRecord(key(first, second), *others)


def candidates_of(tables: Mapping[str, Table]) -> Iterator[MatchRecord]:
    content = tables[CANDIDATES].content
    columns = ("first", "second", "iteration", "candidate", "accepted")
    for key in versions.keys(zip(*map(content.get, columns), strict=True)):
        yield MatchRecord(key, 0)


def is_table(group: Any) -> bool:
    return isinstance(group, hdf5().Group) and "count" in group and group.name != "/games"


def table_in(group: h5py.Group) -> Table:
    count = int(group["count"][()])
    datasets = {name: group[name] for name in group if name != "count"}
    columns = (
        Column(name, f"{d.dtype.kind}{d.dtype.itemsize}", d.attrs["long_name"], units_of(d))
        for name, d in datasets.items()
    )
    return Table(tuple(columns), {name: values(d, count) for name, d in datasets.items()})


def units_of(dataset: Any) -> str:
    return str(dataset.attrs.get("units", ""))


def rows_in(file: h5py.File, keys: Sequence[MatchKey]) -> Iterator[GameRecord]:
    # The count first: what it counts was there before it.
    count = int(file["games/count"][()])
    columns = {c.name: found_in(file["games"], c.name, count) for c in GAMES}
    moves = file["games/moves"][: columns["moves_end"][-1] if count else 0].tolist()
    searches = searches_in(file, columns["searches_end"][-1] if count else 0)
    texts = values(file["texts/text"])
    # Some columns may be ahead of others, where a new row has not been counted yet.
    places = zip(*(values(file[f"workers/{column.name}"]) for column in WORKERS), strict=False)
    workers = [WorkerInfo(*place) for place in places]
    start = first_search = 0
    for game in zip(*columns.values(), strict=True):
        one = dict(zip(columns, game, strict=True))
        yield GameRecord(
            match=keys[one["match"]],
            number=one["number"],
            points=None if isnan(one["points"]) else one["points"],
            how=texts[one["how"]],
            moves=tuple(moves[start : one["moves_end"]]),
            attempt=one["attempt"],
            seed=one["seed"],
            simulations=(one["first_simulations"], one["second_simulations"]),
            exchanges=(exchanges_in(one, "first"), exchanges_in(one, "second")),
            searches=tuple(searches[first_search : one["searches_end"]]),
            seconds=(one["first_seconds"], one["second_seconds"]),
            began=one["began"],
            ended=one["ended"],
            worker=workers[one["worker"]],
        )
        start, first_search = one["moves_end"], one["searches_end"]


def searches_in(file: h5py.File, count: int) -> list[Searched]:
    if not count:
        return []
    columns = (values(file[f"searches/{column.name}"], count) for column in SEARCHES)
    return [
        Searched(player, ply, Exchanges(*told)) for player, ply, *told in zip(*columns, strict=True)
    ]


def exchanges_in(game: Mapping[str, Any], side: str) -> Exchanges:
    return Exchanges(**{column.name: game[f"{side}_{column.name}"] for column in EXCHANGES})


def found_in(group: h5py.Group, name: str, count: int | None = None) -> Any:
    """Return the values of a column, or its beginning; zeros where an older file lacks it."""
    if name in group:
        return values(group[name], count)
    return [0] * (len(group["number"]) if count is None else count)


def values(dataset: Any, count: int | None = None) -> Any:
    """Return a dataset, or its beginning, as Python's own values."""
    found = dataset[()] if count is None else dataset[:count]
    if isinstance(found, bytes):
        return found.decode(errors="replace")
    listed = found.tolist()
    if dataset.dtype.kind in "SO":
        return [text.decode(errors="replace") for text in listed]
    return listed


# Writing


class Writer:
    """The one who writes a file. Rows are kept until they are flushed, many at a time.

    Public attributes (treat as read-only): path; written, how many rows are safe.
    """

    def __init__(self, path: Path, results: Results) -> None:
        """Make the file anew with what is known, and open it for more rows."""
        self.path = path
        self.pending: list[GameRecord] = []
        self.told: list[tuple[str, Mapping[str, Sequence[Any]]]] = []
        self.counts = dict.fromkeys(results.tables, 0)
        self.group = CANDIDATES if CANDIDATES in results.tables else "matches"
        pairs = [] if self.counts else [match.players for match in results.matches]
        self.tallies = [Tally() for _ in pairs]
        self.match_numbers = {players: i for i, players in enumerate(pairs)}
        self.texts: dict[str, int] = {}
        self.workers: dict[WorkerInfo, int] = {}
        self.written = 0
        self.moves_end = self.searches_end = 0
        self.is_given_up = False
        self.run = len(results.runs) - 1
        fresh = path.with_name(f".{path.name}.new")
        try:
            # In memory, because HDF5 crashes where it cannot write a new file.
            fresh.write_bytes(image_of(results))
            self.file = hdf5().File(fresh, "r+", libver=VERSIONS, locking="best-effort")
            # Kept open: HDF5 tells nobody when it cannot write what it closes by the way.
            self.datasets = datasets_of(self.file)
            self.file.swmr_mode = True
            for name, table in results.tables.items():
                self.tell(name, table.content)
            self.append(results.rows)
            self.flush()
            # Only now can a reader find it, and lock it.
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)
        sync_folder(path.parent)

    def append(self, rows: Sequence[GameRecord]) -> None:
        """Take rows to be written by the next flush."""
        self.pending += rows

    def tell(self, name: str, content: Mapping[str, Sequence[Any]]) -> None:
        """Take rows of a table; candidates before the games that refer to them."""
        if any(content.values()):
            self.told.append((name, content))

    def flush(self) -> None:
        """Write what was appended; once it returns, nothing that happens to us can lose it."""
        rows, self.pending = self.pending, []
        told, self.told = self.told, []
        with self.giving_up():
            if told:
                self.write_tables(told)
            if rows:
                self.write(rows)

    def write_tables(self, told: Iterable[tuple[str, Mapping[str, Sequence[Any]]]]) -> None:
        counts = dict(self.counts)
        for name, content in told:
            if name == CANDIDATES:
                for players in zip(content["first"], content["second"], strict=True):
                    self.match_numbers[players] = len(self.match_numbers)
                    self.tallies.append(Tally())
            for column, cells in content.items():
                encoded = [cell.encode() if isinstance(cell, str) else cell for cell in cells]
                extend(self.datasets[f"{name}/{column}"], counts[name], encoded)
            counts[name] += len(cells)
        self.sync()
        for name, count in counts.items():
            self.datasets[f"{name}/count"][...] = count
        self.counts = counts
        self.sync()

    def write(self, rows: Sequence[GameRecord]) -> None:
        old_texts, old_workers = len(self.texts), len(self.workers)
        hows = [self.texts.setdefault(shortened(row.how), len(self.texts)) for row in rows]
        places = [self.workers.setdefault(row.worker, len(self.workers)) for row in rows]
        texts, workers = list(self.texts)[old_texts:], list(self.workers)[old_workers:]
        ends = self.moves_end + np.cumsum([row.plies for row in rows])
        extend(self.datasets["texts/text"], old_texts, [text.encode() for text in texts])
        for column in WORKERS:
            found = [getattr(worker, column.name) for worker in workers]
            encoded = [shortened(v).encode() if column.type == SHORT else v for v in found]
            extend(self.datasets[f"workers/{column.name}"], old_workers, encoded)
        extend(
            self.datasets["games/moves"],
            self.moves_end,
            [move for row in rows for move in row.moves],
        )
        searches = [search for row in rows for search in row.searches]
        ends_of_searches = self.searches_end + np.cumsum([len(row.searches) for row in rows])
        if searches:
            self.write_searches(searches)
        columns: dict[str, Any] = {
            "match": [self.match_numbers[row.match.players] for row in rows],
            "points": [nan if row.points is None else row.points for row in rows],
            "how": hows,
            "moves_end": ends.tolist(),
            "searches_end": ends_of_searches.tolist(),
            "first_simulations": [row.simulations[0] for row in rows],
            "second_simulations": [row.simulations[1] for row in rows],
            "first_seconds": [row.seconds[0] for row in rows],
            "second_seconds": [row.seconds[1] for row in rows],
            "worker": places,
        }
        for side, name in enumerate(SIDES):
            for column in EXCHANGES:
                found = [getattr(row.exchanges[side], column.name) for row in rows]
                columns[f"{name}_{column.name}"] = found
        for column in GAMES:
            own = columns.get(column.name) or [getattr(row, column.name) for row in rows]
            extend(self.datasets[f"games/{column.name}"], self.written, own)
        self.sync()
        self.moves_end = int(ends[-1])
        self.searches_end += len(searches)
        self.written += len(rows)
        self.datasets["games/count"][...] = self.written
        self.tally(rows)
        self.sync()

    def write_searches(self, searches: Sequence[Searched]) -> None:
        for number, column in enumerate(SEARCHES):
            found = [
                search[number] if number < 2 else getattr(search.exchanges, column.name)
                for search in searches
            ]
            extend(self.datasets[f"searches/{column.name}"], self.searches_end, found)

    def tally(self, rows: Sequence[GameRecord]) -> None:
        for row in rows:
            self.tallies[self.match_numbers[row.match.players]].add(row.points)
        for name in TALLIES:
            tallied = [getattr(tally, name) for tally in self.tallies]
            self.datasets[f"{self.group}/{name}"][...] = tallied

    def sync(self) -> None:
        """Have all that was written reach the disk."""
        for dataset in self.datasets.values():
            dataset.flush()
        self.file.flush()
        os.fsync(self.file.id.get_vfd_handle())

    def close(self, status: int, busy: float = nan) -> None:
        """Write the rest, say how the run ended, and leave a file that anything can open."""
        if self.is_given_up:
            return
        self.flush()
        with self.giving_up():
            for name, value in zip(ENDINGS, (time.time(), status, busy), strict=True):
                self.datasets[f"runs/{name}"][self.run] = value
            self.sync()
        self.file.close()

    @contextmanager
    def giving_up(self) -> Iterator[None]:
        """Leave the file as a kill would, if it cannot be written; raises OSError."""
        try:
            yield
        except BaseException as error:
            # What HDF5 still has to write goes nowhere: it could be half of something.
            self.is_given_up = True
            with Path(os.devnull).open("wb") as nowhere:
                os.dup2(nowhere.fileno(), self.file.id.get_vfd_handle())
            with suppress(Exception):
                self.file.close()
            if found := re.search(r"errno = (\d+)", str(error)):
                number = int(found[1])
                raise OSError(number, os.strerror(number), str(self.path)) from None
            raise


@dataclass
class Tally:
    """What a match has come to."""

    games: int = 0
    void: int = 0
    total: float = 0.0

    def add(self, points: float | None) -> None:
        if points is None:
            self.void += 1
        else:
            self.games += 1
            self.total += points

    @property
    def success_rate(self) -> float:
        return success(self.total, self.games)[0] if self.games else nan

    @property
    def success_rate_errors(self) -> float:
        return success(self.total, self.games)[1] if self.games else nan


def extend(dataset: Any, length: int, more: Any) -> None:
    """Write at the end of a column; nothing stands behind `length` that counts."""
    if len(more):
        dataset.resize((length + len(more),))
        dataset[length:] = np.asarray(more, dtype=dataset.dtype)


def shortened(text: str) -> str:
    """Return a text that fits where texts are appended: in UTF-8, without zeros at its end."""
    return text.encode()[:MAX_TEXT].decode(errors="ignore").rstrip("\0")


def image_of(results: Results) -> bytes:
    """Return a file with everything in it but rows."""
    with hdf5().File(
        "image",
        "w",
        driver="core",
        backing_store=False,
        libver=VERSIONS,
        fs_strategy="page",
        fs_page_size=PAGE,
    ) as file:
        create(file, results)
        file.flush()
        return bytes(file.id.get_file_image())


def datasets_of(file: h5py.File) -> dict[str, h5py.Dataset]:
    groups = [name for name in file if isinstance(file[name], hdf5().Group) and name != "job"]
    return {f"{group}/{name}": file[group][name] for group in groups for name in file[group]}


def create(file: h5py.File, results: Results) -> None:
    """Make all groups and datasets, with everything in them but rows."""
    file.attrs["creator"] = "mcts_cluster"
    file.attrs["schema_version"] = SCHEMA
    # What viewers open first.
    file.attrs["NX_class"] = "NXroot"
    file.attrs["default"] = "matches"
    file["readme"] = README
    job = file.create_group("job")
    for name in ("title", "game", "text", "overrides", "kind", "settings"):
        job[name] = getattr(results, name)
    if results.tables:
        file.attrs["default"] = CANDIDATES
    else:
        create_matches(file.create_group("matches"), results)
    for name, table in results.tables.items():
        group = file.create_group(name)
        create_count(group)
        grow(group, table.columns, chunk_for(table.expected, MIN_TABLE_CHUNK))
    games = file.create_group("games")
    create_count(games)
    wanted = sum(match.games for match in results.matches)
    chunk = chunk_for(GAMES_OF_A_CAMPAIGN if results.tables else wanted)
    grow(games, GAMES, chunk)
    grow(games, [MOVES], chunk * MOVES_OF_A_GAME // 4)
    grow(file.create_group("searches"), SEARCHES, chunk * MOVES_OF_A_GAME // 8)
    grow(file.create_group("texts"), TEXTS, 16)
    grow(file.create_group("workers"), WORKERS, 64)
    runs = file.create_group("runs")
    for column in RUNS:
        fixed(runs, column, [getattr(run, column.name) for run in results.runs])


def create_count(group: h5py.Group) -> None:
    group["count"] = np.int64(0)
    group["count"].attrs["long_name"] = "valid rows"


def create_matches(group: h5py.Group, results: Results) -> None:
    first = [match.players[0] for match in results.matches]
    columns: dict[str, list[Any]] = {
        "name": [str(match.key) for match in results.matches],
        "first": first,
        "second": [match.players[1] for match in results.matches],
        "published": [match.published for match in results.matches],
        "simulations": [match.simulations for match in results.matches],
        "opening": [match.opening for match in results.matches],
        "machines": [match.machines for match in results.matches],
        "number": list(range(len(first))),
        "wanted": [match.games for match in results.matches],
    }
    for column in MATCHES:
        empty = [nan if column.type == "f8" else 0] * len(first)
        fixed(group, column, columns.get(column.name, empty))
    group.attrs["NX_class"] = "NXdata"
    group.attrs["title"] = results.title or "success rates"
    group.attrs["signal"] = "success_rate"
    group.attrs["axes"] = axis(results.matches) or "number"


def axis(matches: Sequence[MatchRecord]) -> str:
    """Return the column over which the matches make a curve, if there is one."""
    for name in ("simulations", "machines"):
        if is_axis([getattr(match, name) for match in matches]):
            return name
    return ""


def is_axis(numbers: Sequence[int]) -> bool:
    """Tell whether numbers can be the axis of a plot: they rise, from more than 0."""
    return all(a < b for a, b in zip([0, *numbers], numbers, strict=False)) and len(numbers) > 1


def fixed(group: h5py.Group, column: Column, content: Sequence[Any]) -> None:
    kind = hdf5().string_dtype() if column.type == TEXT else column.type
    describe(group.create_dataset(column.name, data=list(content), dtype=kind), column)


def grow(group: h5py.Group, columns: Sequence[Column], chunk: int) -> None:
    """Make columns that can become longer."""
    for column in columns:
        dataset = group.create_dataset(
            column.name, (0,), column.type, maxshape=(None,), chunks=(chunk,)
        )
        describe(dataset, column)


def chunk_for(rows: int, least: int = MIN_CHUNK) -> int:
    """Return how many rows to store together, a power of two."""
    chunk = least
    while chunk * MAX_CHUNKS < rows:
        chunk *= 2
    return chunk


def describe(dataset: Any, column: Column) -> None:
    dataset.attrs["long_name"] = column.long_name
    if column.units:
        dataset.attrs["units"] = column.units


def sync_folder(path: Path) -> None:
    """Have a renaming reach the disk, where folders can be told so."""
    with suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def repair(path: Path) -> int | None:
    """Make a file anew that a kill has left open; return its rows, or nothing if it was closed."""
    with locked(path):
        results = read(path)
        if results.is_closed:
            return None
        make_anew(path, results)
        return len(results.rows)


def make_anew(path: Path, results: Results) -> None:
    """Have a file hold these results, and closed, without another run."""
    Writer(path, results).file.close()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other runs from writing a file; raises UserError where one does already.

    The lock stands beside the file, which HDF5 locks as it pleases, and ends with its process.
    """
    beside = path.with_name(f".{path.name}.lock")
    while True:
        with opened_lock(beside) as file:
            try:
                flock(file, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                who = file.read().strip()
                raise UserError(f"{path}: is being written by another run ({who})") from None
            except OSError:
                pass  # a file system without locks
            # Whoever had it may have removed it since we opened it.
            if not is_at(file.fileno(), beside):
                continue
            file.truncate(0)
            file.write(f"process {os.getpid()} on {os.uname().nodename}")
            file.flush()
            try:
                yield
            finally:
                beside.unlink(missing_ok=True)
            return


def opened_lock(beside: Path) -> IO[str]:
    try:
        return beside.open("a+")
    except OSError as error:
        raise UserError(f"{beside.parent}: nothing can be written: {error.strerror}") from None


def is_locked(path: Path) -> bool:
    """Tell whether a run is writing a file, as far as this machine can know."""
    beside = path.with_name(f".{path.name}.lock")
    try:
        with beside.open() as file:
            flock(file, LOCK_EX | LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
