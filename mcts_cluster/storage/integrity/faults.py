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
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.matches import Matches
from mcts_cluster.positions.positions import Positions
from mcts_cluster.storage.campaign_rows import CANDIDATES
from mcts_cluster.storage.results import Results
from mcts_cluster.storage.stored_rows import StoredRows, columnar

KINDS_OF_JOBS = (Matches.kind, Campaign.kind, Positions.kind)
POINTS = (1.0, 0.0, 0.5)
# Of Unix times: the year 3000.
MAX_TIME = 3.3e10


def faults(results: Results) -> Iterator[str]:
    """Yield what is wrong, a line each."""
    yield from faults_of_job(results)
    yield from faults_of_runs(results)
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
    rows = columnar(results.rows, GameRecord)
    if not len(rows):
        return
    points, numbers = rows.cells["points"], rows.cells["number"]
    if not np.all(np.isnan(points) | np.isin(points, POINTS)):
        yield "games/points has others than 1, 0.5, 0 and NaN"
    if numbers.min() < 0:
        yield "games/number has numbers below 0"
    for name in ("began", "ended"):
        times = rows.cells[name]
        if not np.all((times >= 0) & (times < MAX_TIME)):
            yield f"games/{name} has what is no time"
    if results.kind != Campaign.kind:
        yield from faults_of_numbers(rows)


def faults_of_numbers(rows: StoredRows) -> Iterator[str]:
    """Yield whether a game counts twice; campaigns may play one again, and do not count it."""
    played = np.flatnonzero(~np.isnan(rows.cells["points"]))
    keys = [rows.cells[name][played] for name in ("attempt", "number", "match")]
    order = np.lexsort(keys)
    again = np.all([np.diff(key[order]) == 0 for key in keys], axis=0)
    if again.any():
        row = rows[int(played[order[np.argmax(again)]])]
        yield f"game {row.number} of {row.match} is there twice"


def faults_of_table(name: str, rows: Sequence[Any], candidates: int) -> Iterator[str]:
    if name != CANDIDATES and not all(-1 <= row.candidate < candidates for row in rows):
        yield f"{name}/candidate refers to a row that is not there"
