"""Rows as columns: the records that are made of them are those that were written."""

import pytest
from some_rows import rows, written

from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.storage import reader
from mcts_cluster.storage.rows import long_columns, stored_rows
from mcts_cluster.storage.rows.stored_rows import columnar


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    return reader.read(written(tmp_path_factory.mktemp("rows") / "job.h5", rows(100))).rows


@pytest.fixture(params=["a file", "records"])
def table(request, stored):
    return stored if request.param == "a file" else columnar(rows(100), GameRecord)


def test_rows_are_a_sequence_of_records(table):
    assert len(table) == 100
    assert table == rows(100)
    assert table != rows(99)
    assert table[7] == rows(100)[7]
    assert table[-1] == rows(100)[-1]
    assert table[10:20] == rows(10, 20)
    assert table[95:200] == rows(95, 100)
    assert table[::-30] == rows(100)[::-30]
    assert table[20:20] == ()
    assert table + rows(3) == (*rows(100), *rows(3))
    assert rows(3) + table == (*rows(3), *rows(100))
    with pytest.raises(IndexError):
        table[100]


def test_many_rows_are_made_block_by_block(table, monkeypatch):
    monkeypatch.setattr(stored_rows, "FEW", 0)
    monkeypatch.setattr(stored_rows, "BLOCK", 7)
    fresh = stored_rows.StoredRows(table.rows, table.cells, table.linked)

    assert tuple(fresh) == rows(100)
    assert fresh.records is None


def test_lengths_follow_from_ends(table, monkeypatch):
    monkeypatch.setattr(long_columns, "CELLS_AT_ONCE", 7)
    lengths = [length for [part] in table.parts("moves_end") for length in part.tolist()]

    assert lengths == [len(row.moves) for row in rows(100)]
    values = [move for row in rows(100) for move in row.moves]
    assert table.listed("moves_end", 5, 50).tolist() == values[5:50]


def test_no_rows_are_columns_too():
    empty = columnar((), GameRecord)

    assert (len(empty), tuple(empty), list(empty.parts("moves_end"))) == (0, (), [])
