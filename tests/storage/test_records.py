"""A field of a record is declared in one place: file, CSV and documentation follow."""

import csv
import io
from dataclasses import dataclass, make_dataclass, replace

import h5py
import pytest
from some_rows import EMPTY, row, written

from mcts_cluster.__main__ import main
from mcts_cluster.columns import column, part, rows_of
from mcts_cluster.matches.game_record import GameRecord, SearchRecord
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.parallel.exchange_stats import ExchangeStats
from mcts_cluster.storage import reader, schema
from mcts_cluster.storage.campaign_rows import (
    BatchEstimate,
    CandidateRow,
    CellRow,
    LookRecord,
    PictureLine,
    VerdictRow,
)
from mcts_cluster.storage.results import GrowingTable, MatchRecord, Results, RunRecord

ON_5X5 = replace(EMPTY, settings='{"game": {"name": "go", "size": 5}}')


def csv_of(path, capsys):
    assert main(["export", str(path), "--format", "csv"]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_a_new_field_of_a_game_is_declared_in_one_place(tmp_path, monkeypatch, capsys):
    @dataclass(frozen=True)
    class Longer(GameRecord):
        kelvin: float = column("f8", "temperature of the host", units="K", default=0.0)
        joules: tuple[int, int] = column(
            "i8", "energy that {} took", units="J", sides=True, default=(0, 0)
        )

    monkeypatch.setitem(schema.RECORDS, "games", Longer)
    games = [Longer(**vars(row(i)), kelvin=293.5 + i, joules=(i, 10 * i)) for i in range(9)]

    path = written(tmp_path / "job.h5", games, results=ON_5X5)

    assert reader.read(path).rows == tuple(games)
    with h5py.File(path) as file:
        assert dict(file["games/kelvin"].attrs) == {
            "long_name": "temperature of the host",
            "units": "K",
        }
        assert (
            file["games/second_joules"].attrs["long_name"] == "energy that the second player took"
        )
    lines = csv_of(path, capsys)
    assert [(line["kelvin"], line["first_joules"], line["second_joules"]) for line in lines] == [
        (f"{293.5 + i:g}", str(i), str(10 * i)) for i in range(9)
    ]
    documented = schema.documentation("games")
    assert "| `kelvin` | float64 | K | temperature of the host |\n" in documented
    assert "| `first_joules` | int64 | J | energy that the first player took |\n" in documented


def test_a_new_statistic_of_exchanges_is_declared_in_one_place(tmp_path, monkeypatch, capsys):
    @dataclass
    class Stats(ExchangeStats):
        retries: int = column("i8", "sums of {} that were sent again", default=0)

    @dataclass(frozen=True)
    class Search(SearchRecord):
        exchanges: Stats = part(Stats, whose="the team")

    @dataclass(frozen=True)
    class Longer(GameRecord):
        exchanges: tuple[Stats, Stats] = part(Stats, sides=True, default=(Stats(), Stats()))
        searches: tuple[Search, ...] = rows_of("searches", Search, "end", default=())

    monkeypatch.setitem(schema.RECORDS, "games", Longer)
    searches = tuple(Search(0, ply, Stats(retries=ply)) for ply in range(3))
    stats = Stats(exchanges=3, retries=5), Stats(retries=7)
    games = [Longer(**vars(row(0)) | {"exchanges": stats, "searches": searches})]

    path = written(tmp_path / "job.h5", games, results=ON_5X5)

    assert reader.read(path).rows == tuple(games)
    with h5py.File(path) as file:
        assert file["searches/retries"][:].tolist() == [0, 1, 2]
    [line] = csv_of(path, capsys)
    assert (line["first_retries"], line["second_retries"]) == ("5", "7")
    assert "sums of the first player that were sent again" in schema.documentation("games")
    assert "sums of the team that were sent again" in schema.documentation("searches")


ROWS = {
    "matches": MatchRecord(MatchKey("a", "b"), 1),
    "runs": RunRecord(1.0),
    "candidates": CandidateRow("a+1", "a", 1, 1, 0),
    "pictures": PictureLine(0, "X O"),
    "cells": CellRow(0, 0.5, -1, 2, 3),
    "batches": BatchEstimate(0, 2, 0.5, 0.25, 0.75, None),
    "looks": LookRecord(0, 1, 2, 0.5, 0.25, 0.75, "betting", ""),
    "verdicts": VerdictRow(1, -1, 2, 3.0, 0.05, 0.05),
}


@pytest.mark.parametrize("group", ROWS)
def test_a_new_field_of_any_other_table_is_declared_in_one_place(group, tmp_path, monkeypatch):
    extra = column("f8", "something else", units="m", default=0.0)
    longer = make_dataclass(
        "Longer", [("extra", float, extra)], bases=(type(ROWS[group]),), frozen=True
    )
    monkeypatch.setitem(schema.RECORDS, group, longer)
    one = longer(**vars(ROWS[group]), extra=1.5)
    tables = {
        n: GrowingTable([one if n == group else row])
        for n, row in ROWS.items()
        if n in schema.CAMPAIGN_TABLES
    }
    results = Results(
        **{name: getattr(EMPTY, name) for name in schema.JOB if name != "kind"},
        kind="campaign" if group in tables else "matches",
        matches=(one,) if group == "matches" else (),
        runs=(one,) if group == "runs" else (RunRecord(1.0),),
        tables=tables if group in tables else {},
    )

    read = reader.read(written(tmp_path / "job.h5", results=results))

    found = {"matches": read.matches, "runs": read.runs}
    [again] = found.get(group) or read.tables[group].content
    assert again.extra == 1.5
    assert "| `extra` | float64 | m | something else |\n" in schema.documentation(group)


def test_every_table_of_the_file_is_tried():
    assert ROWS.keys() | {"games"} == schema.RECORDS.keys()
