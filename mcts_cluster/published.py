"""The papers' figures by name: "table1.go9.1000" is the row N = 1000 of table 1, for Go on 9x9.

table1.go9.N, table1.go19.N             2N simulations against N
table2.fast.N, table2.slow.N            the same in Havannah
table4.go9.K, table4.go19.K             32 machines against K
table5.go9, table5.go19                 slow root parallelization against voting
table6.SECONDS                          slow tree, depth 1, against slow root
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Figure:
    """A published success rate and its error, in percent."""

    rate: float
    error: float
    table: str  # its title


@cache
def figures() -> Mapping[str, Figure]:
    """Return all published success rates, by name."""
    text = (files("mcts_cluster") / "published.toml").read_text(encoding="utf-8")
    return dict(named(tomllib.loads(text)["scalability"]))


def named(tables: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    for key, by in (("table1", "N"), ("table4", "k")):
        table = tables[key]
        for row in table["rows"]:
            for game in ("go9", "go19"):
                figure = Figure(row[game], row[f"{game}_err"], table["title"])
                yield f"{key}.{game}.{row[by]}", figure
    for column in ("fast", "slow"):
        for row in tables["table2"][column]:
            figure = Figure(row["rate"], row["err"], tables["table2"]["title"])
            yield f"table2.{column}.{row['N']}", figure
    for game in ("go9", "go19"):
        found = tables["table5"][game]
        yield f"table5.{game}", Figure(found["rate"], found["err"], tables["table5"]["title"])
    for row in tables["table6"]["rows"]:
        name = f"table6.{row['seconds']}"
        yield name, Figure(row["rate"], row["err"], tables["table6"]["title"])
