"""Where the rows of a file's tables go: its writer, or memory until there is a file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from mcts_cluster.storage.store import Table

Content = Mapping[str, Sequence[Any]]


class TableSink(Protocol):
    """Where tables are written."""

    def tell(self, name: str, content: Content) -> None: ...


class TablesInMemory:
    """Tables in memory, for a file that is made of them."""

    def __init__(self) -> None:
        self.tables: dict[str, dict[str, list[Any]]] = {}

    def tell(self, name: str, content: Content) -> None:
        table = self.tables.setdefault(name, {})
        for column, cells in content.items():
            table.setdefault(column, []).extend(cells)

    def over(self, tables: Mapping[str, Table]) -> dict[str, Table]:
        """Return these tables with their rows."""
        return {
            name: replace(table, content=self.tables.get(name, {}))
            for name, table in tables.items()
        }
