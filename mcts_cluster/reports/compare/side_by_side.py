"""Files side by side, whatever their kind: a table, notes, and the settings behind it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcts_cluster.errors import UserError
from mcts_cluster.reports.compare.origins import Lettered
from mcts_cluster.settings.words import printable


@dataclass(frozen=True)
class SideBySide:
    """What files have in common."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str]
    plain: Sequence[Mapping[str, Any]]  # the rows as names and numbers
    settings: Mapping[str, Mapping[str, Any]]  # that decide these rows, by the letters of files
    spare: Sequence[str] = ()  # headings that give way on a narrow terminal


def in_common(
    rows: Collection[Any], files: Lettered, noun: str, played: Mapping[str, Collection[Any]]
) -> None:
    """Raise UserError if no row is of two files, with the first thing that each of them has."""
    if rows:
        return
    firsts = {letter: next(iter(played[letter]), None) for letter in files}
    there = [
        f"{letter} has {printable(str(first)) if first else 'no games yet'}"
        for letter, first in firsts.items()
    ]
    raise UserError(f"no {noun} in common: {', '.join(there)}")
