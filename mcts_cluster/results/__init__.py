"""Results in Python: files of runs as DataFrames, or as arrays without pandas, and as RO-Crates.

>>> from mcts_cluster import results
>>> quickstart = results.open("results/quickstart.h5")
>>> quickstart.games.groupby("match").points.mean()
>>> print(quickstart.position(17, 40))
"""

from mcts_cluster.results.opened import Opened, open

__all__ = ["Opened", "open"]
