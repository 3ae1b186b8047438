"""Experiments on Monte-Carlo tree search, from a job file to HDF5 tables, on one core or a cluster.

`mcts-cluster --help` lists what the command does; `mcts_cluster.games` and `mcts_cluster.results`
are the places to start from Python.
"""

__version__: str


def __getattr__(name: str) -> str:
    # Only when asked for: reading the metadata searches all of sys.path, which a thousand ranks
    # on one file server would feel.
    if name == "__version__":
        from importlib.metadata import version

        return version("mcts_cluster")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
