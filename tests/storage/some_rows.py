"""Rows of games that differ in everything, and a file of them."""

from mcts_cluster.matches.game_record import GameRecord, SearchRecord, WorkerInfo
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.parallel.exchange_stats import ExchangeStats
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord
from mcts_cluster.storage.writer import Writer

EMPTY = Results(
    title="a title",
    game="go",
    text="# a job\n[game]\n",
    overrides="seed=3",
    settings="{}",
    matches=(
        MatchRecord(MatchKey("a", "b"), 90, "table1.go9.1000", 500),
        MatchRecord(MatchKey("é", "b"), 90, "", 1000, 6, 8),
    ),
    runs=(RunRecord(began=1.5, version="1.2.3", cores=2, hosts="here (2)"),),
)
KEYS = [match.key for match in EMPTY.matches]


def row(i):
    """Return one of many rows that differ in everything."""
    return GameRecord(
        match=KEYS[i % 3 == 0],
        number=i,
        points=[1.0, 0.0, 0.5, None][i % 4],
        how=f"because of {i % 5} é",
        moves=tuple(range(i % 40)),
        attempt=i % 2,
        seed=2**64 - 1 - i,
        simulations=(i, 10**12 + i),
        exchanges=(
            ExchangeStats(i, 10**12 + i, 0.5 * i, 0.25, i, 2 * i, 3 * i),
            ExchangeStats(i + 1),
        ),
        searches=tuple(
            SearchRecord(k % 2, k, ExchangeStats(k, i, 0.5, 0.25, k, i)) for k in range(i % 7)
        ),
        seconds=(0.5 * i, 0.25),
        began=1e9 + i,
        ended=1e9 + i + 0.5,
        worker=WorkerInfo(f"host{i % 3}", i % 3, 1000 + i % 3, 3e5 + i % 3),
    )


def rows(*numbers):
    return tuple(row(i) for i in range(*numbers))


def written(path, some=(), status=0, results=EMPTY):
    writer = Writer(path, results)
    writer.append(some)
    writer.close(status)
    return path
