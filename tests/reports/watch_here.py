"""A page of runs under way, read as a browser would, and files for it."""

import json
import time

from test_report import Page

from mcts_cluster.matches.game_record import GameRecord, WorkerInfo
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports.watch import live
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord
from mcts_cluster.storage.writer import Writer

SETTINGS = json.dumps({"game": {"name": "go", "size": 5}, "player": {"a": {}, "b": {}}})
MATCHES = (MatchRecord(MatchKey("a", "b"), 40), MatchRecord(MatchKey("b", "a"), 60))


def games(first, end, host="here", speed=300_000, moves=None):
    """Return games of which each took two seconds; the last one ended now."""
    now = time.time()
    return tuple(
        GameRecord(
            MATCHES[n % 2].key,
            n // 2,
            float(n % 4 < 3),
            "resigned",
            moves or (12, n % 12),
            began=now - 2 * (end - n),
            ended=now - 2 * (end - n - 1),
            worker=WorkerInfo(host, 0, 1, speed),
        )
        for n in range(first, end)
    )


def results(*rows, title="a title", began=100.0, game="go", settings=SETTINGS):
    run = RunRecord(time.time() - began, hosts="here (1)", version="1.0", commit="abcdef")
    return Results(title, game, "# the job\n", "", settings, MATCHES, rows, (run,))


def write(path, *rows, status=0, **more):
    Writer(path, results(*rows, **more)).close(status)
    return path


def under_way(path, *rows, **more):
    """Return the writer of a file that grows, as of a run that plays."""
    path.with_name(f".{path.name}.lock").write_text("process 1 on here")
    writer = Writer(path, results(*rows, **more))
    writer.flush()
    return writer


def page_of(*files):
    """Return the page of some files, looked at anew."""
    for file in files:
        file.look()
    return Page(live.page(files, 5))


def shown_games(page):
    found = [json.loads(one) for one in page.scripts[:-1]]
    return [game for data in found for game in data["games"]]
