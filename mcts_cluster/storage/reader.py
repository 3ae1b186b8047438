"""Reads a file, also while another process writes it, or as a kill has left it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcts_cluster.errors import UserError
from mcts_cluster.matches.match import GameRecord, WorkerInfo
from mcts_cluster.parallel.exchange_stats import Exchanges, Searched
from mcts_cluster.storage.hdf5 import hdf5, opened, values
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord, Table
from mcts_cluster.storage.schema import (
    CANDIDATES,
    COLUMNS_OF_PAIRINGS,
    EXCHANGES,
    GAMES,
    RUNS,
    SCHEMA,
    SEARCHES,
    WORKERS,
    Column,
)

if TYPE_CHECKING:
    from mcts_cluster.storage.hdf5 import File, Group


# A reader may see a file in the middle of a change, above all over a network.
READ_ATTEMPTS = 5
SECONDS_BETWEEN_ATTEMPTS = 0.5


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


def results_in(file: File, is_closed: bool) -> Results:
    tables = {name: table_in(file[name]) for name in file if is_table(file[name])}
    matches = tuple(candidates_of(tables) if tables else matches_in(file))
    runs = [values(file[f"runs/{column.name}"]) for column in RUNS]
    return Results(
        title=values(file["job/title"]),
        game=values(file["job/game"]),
        text=values(file["job/text"]),
        overrides=values(file["job/overrides"]),
        settings=values(file["job/settings"]),
        matches=matches,
        rows=tuple(rows_in(file, [match.name for match in matches])),
        runs=tuple(RunRecord(*fields) for fields in zip(*runs, strict=True)),
        tables=tables,
        is_closed=is_closed,
    )


def matches_in(file: File) -> Iterator[MatchRecord]:
    columns = (found_in(file["matches"], name) for name in COLUMNS_OF_PAIRINGS)
    for first, second, *others in zip(*columns, strict=True):
        yield MatchRecord((first, second), *others)


def candidates_of(tables: Mapping[str, Table]) -> Iterator[MatchRecord]:
    content = tables[CANDIDATES].content
    for players in zip(content["first"], content["second"], strict=True):
        yield MatchRecord(players, 0)


def is_table(group: Any) -> bool:
    return isinstance(group, hdf5().Group) and "count" in group and group.name != "/games"


def table_in(group: Group) -> Table:
    count = int(group["count"][()])
    datasets = {name: group[name] for name in group if name != "count"}
    columns = (
        Column(name, f"{d.dtype.kind}{d.dtype.itemsize}", d.attrs["long_name"], units_of(d))
        for name, d in datasets.items()
    )
    return Table(tuple(columns), {name: values(d, count) for name, d in datasets.items()})


def units_of(dataset: Any) -> str:
    return str(dataset.attrs.get("units", ""))


def rows_in(file: File, names: Sequence[str]) -> Iterator[GameRecord]:
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
            match=names[one["match"]],
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


def searches_in(file: File, count: int) -> list[Searched]:
    if not count:
        return []
    columns = (values(file[f"searches/{column.name}"], count) for column in SEARCHES)
    return [
        Searched(player, ply, Exchanges(*told)) for player, ply, *told in zip(*columns, strict=True)
    ]


def exchanges_in(game: Mapping[str, Any], side: str) -> Exchanges:
    return Exchanges(**{column.name: game[f"{side}_{column.name}"] for column in EXCHANGES})


def found_in(group: Group, name: str, count: int | None = None) -> Any:
    """Return the values of a column, or its beginning; zeros where an older file lacks it."""
    if name in group:
        return values(group[name], count)
    return [0] * (len(group["number"]) if count is None else count)
