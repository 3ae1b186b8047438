"""Tallies of pairs for tests."""

from mcts_cluster.bgp.pairs import Pairs


def tally_of(scores):
    """Count the scores of games that are in the order of their numbers."""
    pairs = Pairs()
    for first, second in zip(scores[::2], scores[1::2], strict=True):
        pairs.add(first, second)
    return pairs
