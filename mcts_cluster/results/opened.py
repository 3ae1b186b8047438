"""Opened files: their games, matches, hosts and so on, each a table, and positions of games."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.columns import columns_of
from mcts_cluster.errors import UserError
from mcts_cluster.games import Game
from mcts_cluster.jobs import compatibility
from mcts_cluster.matches.game_record import GameRecord, SearchRecord
from mcts_cluster.positions.positions import Positions
from mcts_cluster.reports import runs
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.results import frames
from mcts_cluster.results.named_columns import (
    NamedColumn,
    NamedColumns,
    joined,
    of_column,
    of_games,
    of_names,
    of_plain,
    of_records,
)
from mcts_cluster.storage import reader, schema
from mcts_cluster.storage.campaign_rows import CANDIDATES
from mcts_cluster.storage.results import MatchRecord, Results, Tally
from mcts_cluster.storage.rows.long_columns import CELLS_AT_ONCE
from mcts_cluster.storage.rows.stored_rows import columnar


def open(*paths: str | Path, pandas: bool | None = None) -> "Opened":
    """Read a file of results, or several as one; raises UserError for any other file.

    Tables are DataFrames if pandas is installed, or structured arrays if `pandas` is false. A file
    that a run is writing is read as it stands.
    """
    if not paths:
        raise UserError("no file to open")
    return Opened(list(map(Path, paths)), frames.has_pandas() if pandas is None else pandas)


class Opened:
    """Files of results, as they were when they were read.

    Public attributes (treat as read-only): paths; contents, what is in each file.
    """

    def __init__(self, paths: Sequence[Path], pandas: bool) -> None:
        self.paths = list(paths)
        self._pandas = pandas
        self.contents: list[Results] = []
        self.reload()

    def reload(self) -> "Opened":
        """Read the files again, which may have grown."""
        self.contents = [reader.read(path) for path in self.paths]
        return self

    def __repr__(self) -> str:
        games = sum(len(results.rows) for results in self.contents)
        return f"<{', '.join(map(str, self.paths))}: {games:,} games>"

    # Of the job

    @property
    def title(self) -> str:
        """The title of the job of the first file."""
        return self.contents[0].title

    @property
    def settings(self) -> dict[str, Any]:
        """All settings of the job of the first file."""
        return compatibility.read(self.contents[0].settings)

    # Tables

    @property
    def games(self) -> Any:
        """A row a game, in the order in which they ended; `counts` is false of void ones."""
        return self._made(game_columns, "game")

    @property
    def matches(self) -> Any:
        """A row a match, with its success rate; of positions, one a player at a position."""
        return self._made(match_columns)

    @property
    def runs(self) -> Any:
        """A row each time the job was started or continued."""
        return self._made(lambda results: of_records(schema.RECORDS["runs"], results.runs))

    @property
    def hosts(self) -> Any:
        """A row a host: its games, its speed, and by what share it is slower than the median."""
        return self._made(host_columns)

    @property
    def searches(self) -> Any:
        """Of teams, a row a move that one has searched; `game` is the row of `games`."""
        before = dict(zip(map(id, self.contents), self._games_before(), strict=True))
        return self._made(lambda results: search_columns(results, before[id(results)]))

    @property
    def positions(self) -> Any:
        """Of positions, a row a player at a position."""
        self._must_be(Positions.kind)
        return self.table()

    @property
    def candidates(self) -> Any:
        """Of a campaign, a row a candidate and baseline: its games, and its verdict if any."""
        return self._of_campaign(CANDIDATES)

    @property
    def looks(self) -> Any:
        """Of a campaign, a row each time that a stopping rule looked at a candidate."""
        return self._of_campaign("looks")

    @property
    def batches(self) -> Any:
        """Of a campaign, a row a batch of games: the mean of the candidate, with an interval."""
        return self._of_campaign("batches")

    @property
    def verdicts(self) -> Any:
        """Of a campaign, a row a finished race, or a candidate that it accepted."""
        return self._of_campaign("verdicts")

    def table(self) -> Any:
        """The table that `mcts-cluster table` prints, as names and numbers."""
        return self._made(plain_columns)

    # Games

    def position(self, game: int, ply: int | None = None) -> Game:
        """Return the position of a game, a row of `games`, after some moves, or at its end."""
        results, row = self._game(game)
        if ply is not None and not 0 <= ply <= row.plies:
            raise UserError(f"game {game}: ply {ply}: must be 0 to {row.plies}")
        found = KINDS[results.kind].beginning(results, row)
        for move in row.moves[:ply]:
            found.play_number(move)
        return found

    def _games_before(self) -> list[int]:
        """Return of each file how many games the files before it have."""
        return [0, *accumulate(len(results.rows) for results in self.contents[:-1])]

    def _game(self, number: int) -> tuple[Results, GameRecord]:
        place = number
        for results in self.contents:
            if 0 <= place < len(results.rows):
                return results, results.rows[place]
            place -= len(results.rows)
        many = sum(len(results.rows) for results in self.contents)
        raise UserError(f"game {number}: must be 0 to {many - 1}" if many else "no game was played")

    # Made

    def _of_campaign(self, name: str) -> Any:
        self._must_be(Campaign.kind)
        return self._made(lambda results: campaign_columns(results, name))

    def _must_be(self, kind: str) -> None:
        for path, results in zip(self.paths, self.contents, strict=True):
            if results.kind != kind:
                raise UserError(f"{path}: a {results.kind} file, must be a {kind} file")

    def _made(self, columns: Callable[[Results], NamedColumns], index: str = "") -> Any:
        whole = joined(list(map(self._with_file(columns), range(len(self.paths)))))
        return frames.frame(whole, self._about, index) if self._pandas else frames.array(whole)

    def _with_file(
        self, columns: Callable[[Results], NamedColumns]
    ) -> Callable[[int], NamedColumns]:
        """Return a function that gives the columns of a file, with its name if there are others."""

        def of_file(place: int) -> NamedColumns:
            found = columns(self.contents[place])
            if len(self.paths) == 1 or not found:
                return found
            numbers = np.zeros(len(found[0].cells), np.int64)
            return [of_names("file", [str(self.paths[place])], numbers, "file of results"), *found]

        return of_file

    @property
    def _about(self) -> Mapping[str, Any]:
        return {"title": self.title, "files": list(map(str, self.paths))}


# The columns of a file


def game_columns(results: Results) -> NamedColumns:
    return columns_of_games(results.games, KINDS[results.kind].counting(results))


def columns_of_games(games: Sequence[GameRecord], counting: Any) -> NamedColumns:
    counts = NamedColumn("counts", counting, meaning="whether the game counts")
    return [*of_games(games), counts]


def write_parquet(results: Results, chosen: range, path: Path, out: Path) -> None:
    """Write some games of a file to a Parquet file, all of it or nothing; raises UserError."""
    about = {"title": results.title, "files": [str(path)]}
    frames.parquet(parts_of_games(results, chosen), about, out)


def parts_of_games(results: Results, chosen: range) -> Iterator[NamedColumns]:
    """Yield the columns of some games, with the numbers of their rows, part by part."""
    games, counting = results.games, KINDS[results.kind].counting(results)
    for start in range(chosen.start, chosen.stop, CELLS_AT_ONCE) or [0]:
        end = min(start + CELLS_AT_ONCE, chosen.stop)
        numbers = NamedColumn("game", np.arange(start, end), meaning="row of /games")
        yield [numbers, *columns_of_games(games.between(start, end), counting[start:end])]


def search_columns(results: Results, before: int) -> NamedColumns:
    """Return the searches of teams, with the numbers of their games, of which others are before."""
    games = results.games
    counts = games.cells["searches_end"] - games.starts("searches_end")
    numbers = before + np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    searches = columnar(games.linked["searches_end"], SearchRecord)
    return [
        NamedColumn("game", numbers, meaning="row of games"),
        *(of_column(one, searches.cells[one.name]) for one in columns_of(SearchRecord)),
    ]


def match_columns(results: Results) -> NamedColumns:
    return [*of_records(MatchRecord, results.matches), *tallies(results)]


def tallies(results: Results) -> NamedColumns:
    """Return the counts and the success rate of each match, as far as its games have come."""
    games = results.games
    places, found = games.grouped("match"), []
    for match in results.matches:
        points = games.cells["points"][places.get(match.key, [])]
        valid = points[~np.isnan(points)]
        found.append(Tally(len(valid), len(points) - len(valid), float(valid.sum())))
    return of_records(Tally, found)


def host_columns(results: Results) -> NamedColumns:
    found = runs.all_hosts(results.rows)
    speeds = np.array([host.playouts_per_second for host in found], dtype=float)
    return [
        of_names("host", [host.name for host in found], meaning="host name"),
        NamedColumn("games", np.array([host.games for host in found], dtype=np.int64)),
        NamedColumn("void", np.array([host.void for host in found], dtype=np.int64)),
        NamedColumn("playouts_per_second", speeds, None, "1/s", "median of its processes"),
        NamedColumn(
            "slower",
            np.array([host.slower for host in found], dtype=float),
            meaning="share by which it is slower than the median host",
        ),
    ]


def campaign_columns(results: Results, name: str) -> NamedColumns:
    """Return a table of a campaign; of tables that refer to candidates, with their names."""
    rows = results.tables[name].content
    found = of_records(schema.RECORDS[name], rows)
    if name == CANDIDATES:
        return [*found, *tallies(results)]
    names = [candidate.first for candidate in results.tables[CANDIDATES].content]
    # -1 is none.
    own = ["" if row.candidate < 0 else names[row.candidate] for row in rows]
    return [of_names("name", own, meaning="the candidate"), *found]


def plain_columns(results: Results) -> NamedColumns:
    rows = KINDS[results.kind].plain(results)
    return of_plain(rows, frames.units_of(list(rows[0]) if rows else []))
