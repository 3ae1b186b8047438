"""What cannot be in a file that a run has written: found when it is read, and told in lines."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np

from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.errors import UserError
from mcts_cluster.games.game import GAMES
from mcts_cluster.matches import portion
from mcts_cluster.matches.matches import Matches
from mcts_cluster.positions.positions import Positions
from mcts_cluster.storage.campaign_rows import CANDIDATES
from mcts_cluster.storage.results import Results
from mcts_cluster.storage.rows.stored_rows import StoredRows

KINDS_OF_JOBS = (Matches.kind, Campaign.kind, Positions.kind)
POINTS = (1.0, 0.0, 0.5)
TIMES = ("began", "ended")
# Of Unix times: the year 3000.
MAX_TIME = 3.3e10


def faults(results: Results) -> Iterator[str]:
    """Yield what is wrong, a line each."""
    yield from faults_of_job(results)
    yield from faults_of_runs(results)
    # Of long files the checksums are enough, and `examination` looks at more.
    if not results.games.is_long:
        yield from faults_of_games(results)
    for name, table in results.tables.items():
        yield from faults_of_table(name, table.content, len(results.tables[CANDIDATES].content))


def faults_of_job(results: Results) -> Iterator[str]:
    if results.game not in GAMES:
        yield f"job/game: no game is called so: {results.game[:80]!r}"
    if results.kind not in KINDS_OF_JOBS:
        yield f"job/kind: no experiment is of that kind: {results.kind[:80]!r}"


def faults_of_runs(results: Results) -> Iterator[str]:
    if not results.runs:
        yield "runs has no row"
    firsts = [run.first_game for run in results.runs]
    if any(a > b for a, b in pairwise([0, *firsts, len(results.rows)])):
        yield "runs/first_game does not rise from 0 to the count of games"
    if not all(is_time(run.began) for run in results.runs):
        yield "runs/began has what is no time"
    if not all(is_portion(run.portion) for run in results.runs):
        yield "runs/portion has what is no portion"


def is_portion(text: str) -> bool:
    try:
        portion.read(text)
    except (KeyError, ValueError, UserError):
        return False
    return True


def is_time(seconds: float) -> bool:
    return isfinite(seconds) and 0 <= seconds < MAX_TIME


def faults_of_games(results: Results) -> Iterator[str]:
    found = {}
    for points, number, *times in results.games.parts("points", "number", *TIMES):
        if not np.all(np.isnan(points) | np.isin(points, POINTS)):
            found["points"] = "others than 1, 0.5, 0 and NaN"
        if np.any(number < 0):
            found["number"] = "numbers below 0"
        for name, cells in zip(TIMES, times, strict=True):
            if not np.all((cells >= 0) & (cells < MAX_TIME)):
                found[name] = "what is no time"
    yield from (f"games/{name} has {what}" for name, what in found.items())
    if results.kind != Campaign.kind:
        yield from faults_of_numbers(results.games)


def faults_of_numbers(rows: StoredRows) -> Iterator[str]:
    """Yield whether a game counts twice; campaigns may play one again, and do not count it."""
    found = [
        (match.astype(np.int64) << 32 | number.astype(np.int64))[~np.isnan(points)]
        for match, number, points in rows.parts("match", "number", "points")
    ]
    keys = np.concatenate([np.zeros(0, np.int64), *found])
    keys.sort()
    again = keys[1:][np.diff(keys) == 0]
    if len(again):
        first = int(again[0])
        match = rows.linked["match"][first >> 32]
        yield f"game {first & 0xFFFFFFFF} of {match} is there twice"


def faults_of_table(name: str, rows: Sequence[Any], candidates: int) -> Iterator[str]:
    if name != CANDIDATES and not all(-1 <= row.candidate < candidates for row in rows):
        yield f"{name}/candidate refers to a row that is not there"
