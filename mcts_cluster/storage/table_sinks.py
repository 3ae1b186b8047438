"""Where the rows of tables that grow with the games are written: a file, or memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from mcts_cluster.storage.results import GrowingTable


class TableSink(Protocol):
    """Where rows of tables are written."""

    def add(self, table: str, rows: Sequence[Any]) -> None: ...


class TablesInMemory:
    """Tables in memory."""

    def __init__(self) -> None:
        self.tables: dict[str, list[Any]] = {}

    def add(self, table: str, rows: Sequence[Any]) -> None:
        self.tables.setdefault(table, []).extend(rows)

    def over(self, tables: Mapping[str, GrowingTable]) -> dict[str, GrowingTable]:
        """Return these tables with their rows."""
        return {
            name: replace(table, content=self.tables.get(name, []))
            for name, table in tables.items()
        }
