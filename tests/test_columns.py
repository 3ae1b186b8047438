"""Records as columns: what a field declares is all that tables need."""

from dataclasses import dataclass, replace
from math import isnan

import pytest

from mcts_cluster.columns import (
    SHORT,
    Column,
    Link,
    column,
    columns_of,
    derived,
    given_columns,
    join,
    part,
    row_of,
    rows_of,
    split,
)
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.parallel.exchange_stats import NONE, Counters, ExchangeStats, summed

NOTE = Column("note", SHORT, "a note")


@dataclass(frozen=True)
class Cost:
    seconds: float = column("f8", "time of {}", units="s", default=0.0, compare=False)
    bytes: int = column("i8", "bytes of {}", units="B", default=0)


@dataclass(frozen=True)
class Thing:
    number: int = column("i4", "number")
    score: float | None = column("f8", "score; NaN: none", none_is_nan=True)
    pair: tuple[int, int] = column("i8", "simulations of {}", sides=True)
    names: tuple[str, str] = column(SHORT, "{}", sides=True, name="")
    wanted: int = column("i4", "asked for", name="asked")
    cost: Cost = part(Cost, whose="the team")
    costs: tuple[Cost, Cost] = part(Cost, sides=True)
    note: str = row_of("notes", NOTE, "a row of /notes")
    notes: tuple[str, ...] = rows_of("notes", NOTE, "end in /notes")
    scratch: str = "not stored"

    @property
    @derived("i4", "twice the number")
    def double(self) -> int:
        return 2 * self.number


def thing(i):
    return Thing(
        number=i,
        score=None if i == 1 else i / 2,
        pair=(i, 10 * i),
        names=(f"a{i}", f"b{i}"),
        wanted=7,
        cost=Cost(0.5, i),
        costs=(Cost(0.25, i), Cost(0.75, -i)),
        note=f"note {i}",
        notes=("x",) * i,
    )


def names(columns):
    return [column.name for column in columns]


def test_fields_become_columns_in_the_order_in_which_they_are_declared():
    assert names(columns_of(Thing)) == [
        *("number", "score", "first_pair", "second_pair", "first", "second", "asked"),
        *("seconds", "bytes", "first_seconds", "first_bytes", "second_seconds", "second_bytes"),
        *("note", "notes_end", "double"),
    ]


def test_columns_say_what_they_are_and_whose():
    found = {one.name: one for one in columns_of(Thing)}

    assert found["first_pair"] == Column("first_pair", "i8", "simulations of the first player")
    assert found["second"].long_name == "the second player"
    assert found["seconds"] == Column("seconds", "f8", "time of the team", "s")
    assert found["second_bytes"] == Column("second_bytes", "i8", "bytes of the second player", "B")
    assert found["note"] == Column("note", "i4", "a row of /notes", link=Link("notes", NOTE))
    assert found["notes_end"].link == Link("notes", NOTE, is_list=True)


def test_what_follows_from_others_is_written_and_not_needed_to_read():
    assert set(names(columns_of(Thing))) - set(names(given_columns(Thing))) == {"double"}
    assert split(Thing, [thing(3)])[columns_of(Thing)[-1]] == [6]


@pytest.mark.parametrize("count", [0, 1, 5])
def test_what_is_split_is_joined(count):
    things = [thing(i) for i in range(count)]
    cells = {column.name: cells for column, cells in split(Thing, things).items()}

    again = join(Thing, cells)

    assert again == things
    assert names(split(Thing, things)) == names(columns_of(Thing))
    assert [(x.cost.seconds, x.costs[1].seconds) for x in again] == [(0.5, 0.75)] * count


def test_what_is_none_is_no_number():
    cells = {column.name: cells for column, cells in split(Thing, [thing(0), thing(1)]).items()}

    assert cells["score"][0] == 0.0
    assert isnan(cells["score"][1])


def test_what_is_not_declared_as_a_column_is_not_stored():
    cells = {c.name: cells for c, cells in split(Thing, [replace(thing(1), scratch="x")]).items()}

    [again] = join(Thing, cells)

    assert again.scratch == "not stored"


def test_bare_values_are_a_table_of_one_column():
    assert columns_of(NOTE) == (NOTE,)
    assert split(NOTE, ["x", "y"]) == {NOTE: ["x", "y"]}
    assert join(NOTE, {"note": ["x", "y"]}) == ["x", "y"]


def test_no_two_columns_of_a_game_have_one_name():
    found = names(columns_of(GameRecord))

    assert len(found) == len(set(found))


# Statistics of exchanges


def test_statistics_of_moves_add_up_and_those_of_machines_are_of_all_moves():
    one = Counters(1, 8, 0.5, 0.25, 3, sums=9, simulations=[5, 9])
    other = Counters(4, 16, 0.25, 0.5, 0, sums=1, simulations=[7, 2])

    both = summed([one, other])

    assert both == ExchangeStats(5, 24, 0.75, 0.75, 3, min_simulations=11, max_simulations=12)
    assert (both.exchange_seconds, both.waiting_seconds) == (0.75, 0.75)
    assert summed([]) == NONE


def test_what_is_measured_is_not_compared():
    assert ExchangeStats(exchange_seconds=1.0, waiting_seconds=1.0) == NONE
    assert GameRecord("m", 0, 1.0, "area", seconds=(1.0, 2.0), began=3.0, ended=4.0) == GameRecord(
        "m", 0, 1.0, "area"
    )
