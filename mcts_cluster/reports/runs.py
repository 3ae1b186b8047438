"""The runs of a file: when and where they played, how fast, and which hosts are slow.

The speed of a host is that of the fixed workload that each worker plays before its games.
"""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from statistics import median

import numpy as np

from mcts_cluster.exit_statuses import COMPLETE, GIVEN_UP, INTERRUPTED, MISTAKE
from mcts_cluster.matches import portion as portions
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.portion import ALL
from mcts_cluster.reports.formats import duration, plain
from mcts_cluster.settings.words import counted
from mcts_cluster.storage.results import Results, RunRecord
from mcts_cluster.storage.rows.stored_rows import columnar

# A host is named as slower from here on; the same node differs by some percent.
SLOWER = 0.1
# The pace is that of the last games.
LAST_GAMES = 200
ENDS = {
    COMPLETE: "complete",
    GIVEN_UP: "ended by a defect or by void games",
    MISTAKE: "ended by a mistake",
    INTERRUPTED: "stopped by Ctrl-C",
}


@dataclass(frozen=True)
class Host:
    """A host and its speed."""

    name: str
    games: int
    playouts_per_second: float
    slower: float  # than the median host, as a share
    noun: str = "game"  # what was played
    void: int = 0

    @property
    def is_slow(self) -> bool:
        return self.slower > SLOWER

    def __str__(self) -> str:
        speed = f"{self.playouts_per_second:,.0f} playouts a second"
        games = counted(self.games, self.noun)
        if self.void:
            games += f", {self.void:,} void"
        line = f"{self.name}: {games}, {speed}"
        return f"{line}, {100 * self.slower:.0f} % slower than usual here" if self.is_slow else line


@dataclass(frozen=True)
class Progress:
    """How many games, races or moves are played, and how fast."""

    done: int
    total: int
    pace: float = 0.0  # a second; 0: nobody knows
    noun: str = "game"
    portion: str = ""

    @property
    def seconds_left(self) -> float:
        """How long the others take, 0 if nobody knows."""
        return (self.total - self.done) / self.pace if self.pace else 0.0

    def __str__(self) -> str:
        counts = f"{self.done:,} of {counted(self.total, self.noun)}"
        counts = f"{self.portion}: {counts}" if self.portion else counts
        if not self.seconds_left:
            return counts
        an_hour = 3600 * self.pace
        pace = f"{an_hour:,.0f}" if an_hour >= 10 else plain(an_hour)
        return f"{counts}, {pace} an hour, {duration(self.seconds_left)} left"


def hosts(rows: Sequence[GameRecord], noun: str = "game") -> list[Host]:
    """Return the hosts, where there are several."""
    found = all_hosts(rows, noun)
    return found if len(found) > 1 else []


def all_hosts(rows: Sequence[GameRecord], noun: str = "game") -> list[Host]:
    """Return each host that has played, by its name."""
    games = columnar(rows, GameRecord)
    workers = games.linked["worker"]
    played, void = Counter[str](), Counter[str]()
    counts = np.zeros(len(workers), int)
    for worker_of, points in games.parts("worker", "points"):
        for tally, chosen in ((played, ~np.isnan(points)), (void, np.isnan(points))):
            of_workers = np.bincount(worker_of[chosen], minlength=len(workers))
            counts += of_workers
            for number in np.flatnonzero(of_workers).tolist():
                tally[workers[number].host] += int(of_workers[number])
    speeds: dict[str, list[float]] = {name: [] for name in sorted(played | void)}
    # Each process has measured its own speed.
    for worker in dict.fromkeys(w for w, count in zip(workers, counts, strict=True) if count):
        speeds[worker.host].append(worker.playouts_per_second)
    found = {name: median(of_host) for name, of_host in speeds.items()}
    usual = median(found.values()) if found else 0.0
    return [
        Host(name, played[name], speed, 1 - speed / usual if usual else 0.0, noun, void[name])
        for name, speed in found.items()
    ]


def warnings(rows: Sequence[GameRecord]) -> Iterator[str]:
    """Yield a line for each host that is slow."""
    yield from (str(host) for host in hosts(rows) if host.is_slow)


def mixed_versions(results: Results, noun: str = "game") -> list[str]:
    """Return a line if several versions of the program have played, with the games of each."""
    played: Counter[str] = Counter()
    for number, run in enumerate(results.runs):
        played[f"{run.version} {run.commit}".strip() or "unknown"] += games_of(results, number)
    found = [f"{version} ({counted(games, noun)})" for version, games in played.items() if games]
    return [f"played by {len(found)} versions: {', '.join(found)}"] if len(found) > 1 else []


def games_of(results: Results, number: int) -> int:
    """Return how many games a run has played."""
    ends = [run.first_game for run in results.runs[number + 1 :]]
    return (ends[0] if ends else len(results.rows)) - results.runs[number].first_game


def lines(results: Results, running: bool, noun: str = "game") -> list[str]:
    """Return the runs, the versions and the hosts where there are several of them."""
    runs = [line(run, number, results, noun) for number, run in enumerate(results.runs)]
    if not results.is_closed and not running:
        runs.append("left open, as by a kill: run again to continue, or repair the file")
    return [*runs, *mixed_versions(results, noun), *map(str, hosts(results.rows, noun))]


def per_second(results: Results) -> float:
    """Return the games that end in a second, lately, in the last run."""
    games = results.games
    # Rows come about in the order of their ends.
    first = max(results.runs[-1].first_game, len(games) - 2 * LAST_GAMES)
    ends = np.sort(games.cells["ended"][first:])[-LAST_GAMES:].tolist()
    return (len(ends) - 1) / (ends[-1] - ends[0]) if len(ends) > 1 and ends[-1] > ends[0] else 0.0


def share_busy(results: Results) -> float:
    """Return the share of the time in which workers played in the last run; 0 if nobody knows.

    While it plays, that of the games which have ended.
    """
    run = results.runs[-1]
    if not isnan(run.busy):
        return run.busy
    games = results.games
    ends, begins = (games.cells[name][run.first_game :] for name in ("ended", "began"))
    spent = float(ends.max(initial=run.began)) - run.began
    return float((ends - begins).sum()) / (spent * run.slots) if spent > 0 else 0.0


def line(run: RunRecord, number: int, results: Results, noun: str) -> str:
    """Return a run in a line."""
    games, following = games_of(results, number), results.runs[number + 1 :]
    began = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(run.began))
    if isnan(run.ended):
        ended = "killed" if following or results.is_closed else "not ended"
    else:
        ended = f"{ENDS.get(run.status, 'stopped')} after {duration(run.ended - run.began)}"
    busy = "" if isnan(run.busy) else f", workers busy {100 * run.busy:.0f} %"
    where = f"{counted(games, noun)} on {run.hosts or 'no host'}"
    where += f" by {run.mpi_library}" if run.mpi_library else ""
    of_it = "".join(f", {text}" for text in (run.portion, run.placement) if text)
    return f"run of {began}: {where}{of_it}, {ended}{busy}{replayed(run, noun)}"


def replayed(run: RunRecord, noun: str) -> str:
    """Return what came of the games that two workers have played."""
    if not run.replayed:
        return ""
    games = f", {counted(run.replayed, noun)} played again elsewhere"
    if not run.disagreed:
        return f"{games}, the same"
    return f"{games}, {run.disagreed:,} not the same: {run.disagreement}"


def progress_lines(results: Results, pace: float, noun: str = "game") -> Iterator[str]:
    """Yield the progress of all games, and that of the portion that all runs were to play."""
    for one in progress(results, pace, noun):
        yield str(one)


def progress(results: Results, pace: float, noun: str = "game") -> list[Progress]:
    """Return the progress of all games, and of the portion if there is one, which has the pace."""
    wanted = [match.games for match in results.matches]
    asked = {run.portion for run in results.runs}
    portion = portions.read(asked.pop()) if len(asked) == 1 else ALL
    played = done = 0
    for number, points in results.games.parts("number", "points"):
        own = number[~np.isnan(points)]
        played += len(own)
        done += sum(map(portion.has, own.tolist())) if portion else 0
    found = [Progress(played, sum(wanted), 0.0 if portion else pace, noun)]
    if portion:
        own = sum(len(portion.numbers(games)) for games in wanted)
        found.append(Progress(done, own, pace, noun, str(portion)))
    return found
