"""The comparison of several files in any format, for all kinds of experiments."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from rich.console import Group
from rich.text import Text

from mcts_cluster.errors import UserError
from mcts_cluster.reports.compare import campaigns, rates
from mcts_cluster.reports.compare.origins import Lettered, origin_lines, settings_lines
from mcts_cluster.reports.compare.side_by_side import SideBySide
from mcts_cluster.reports.formats import DRAWN, Summary, as_csv, text
from mcts_cluster.reports.kinds import common_kind
from mcts_cluster.storage import reader
from mcts_cluster.storage.results import Results

# By the kinds of experiments.
COMPARED: Mapping[str, Callable[[Lettered], SideBySide]] = {
    "matches": rates.side_by_side,
    "positions": rates.side_by_side,
    "campaign": campaigns.side_by_side,
}


def read(paths: Sequence[Path]) -> dict[Path, Results]:
    """Read files of one kind, at least two; raises UserError."""
    if len(paths) < 2:
        raise UserError("compare: one file, must be at least two")
    if len(paths) > len(ascii_uppercase):
        raise UserError(f"compare: {len(paths)} files, must be at most {len(ascii_uppercase)}")
    found: dict[Path, Results] = {}
    for path in paths:
        for other in found:
            if path.exists() and path.samefile(other):
                what = "given twice" if path == other else f"the same file as {other}"
                raise UserError(f"{path}: {what}")
        found[path] = reader.read(path, together=len(paths))
    common_kind(found, "compared")
    return found


def compared(paths: Sequence[Path], form: str) -> str | Group:
    """Return what files have in common, in one of FORMATS; raises UserError."""
    found = read(paths)
    files = dict(zip(ascii_uppercase, found.values(), strict=False))
    names = {letter: str(path) for letter, path in zip(files, found, strict=True)}
    compare = COMPARED[next(iter(files.values())).kind](files)
    if form == "csv":
        return as_csv([with_paths(row, names) for row in compare.plain])
    if form == "json":
        return as_json(compare, files, names)
    notes = [*compare.notes, *settings_lines(compare.settings), *origin_lines(files)]
    titles = [f"{letter}: {name}" for letter, name in names.items()]
    if form == "text":
        summary = Summary(compare.headings, compare.rows, (), spare=compare.spare)
        [table, *below] = text(summary, notes, "").renderables
        return Group(*(Text(title, "bold") for title in titles), table, *below)
    return DRAWN[form]([list(compare.headings), *map(list, compare.rows)], notes, "; ".join(titles))


def with_paths(row: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a row with the paths of files in place of their letters."""
    return {**row, **{key: names[row[key]] for key in ("file", "other_file")}}


def as_json(compare: SideBySide, files: Lettered, names: Mapping[str, str]) -> str:
    found = {
        "files": names,
        "rows": list(compare.plain),
        "notes": list(compare.notes),
        "settings": settings_lines(compare.settings),
        "origins": origin_lines(files),
    }
    return json.dumps(found, indent=2) + "\n"
