"""Exact values of small positions: full-width alpha-beta over any game whose key() says it all.

Havannah up to size 3 from the empty board in seconds, and size 4 or 5 with some twenty empty cells.
Not for Go, where the history matters as well as the position.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t

from cext.game cimport Game


class TooManyNodes(Exception):
    """A position took more nodes than it was given."""


cdef class Solver:
    """Remembers every position that it has met: keep one for positions of one game.

    A node costs about 150 bytes and a microsecond or two, so five million are not yet a gigabyte.

    Public attributes (treat as read-only): nodes, how many positions were searched so far;
    most_nodes, where it gives up.
    """
    cdef readonly long nodes
    cdef readonly long most_nodes
    cdef dict bounds            # by key: lowest and highest value possible, for the player to move
    cdef list scratch           # a game for each depth
    cdef list replies           # for each depth, the move that refuted the last one tried there

    def __cinit__(self, long most_nodes=5_000_000):
        self.most_nodes = most_nodes
        self.bounds = {}
        self.scratch = []
        self.replies = []

    def value(self, Game game not None):
        """Return what the player to move can reach: 1 a win, 0 a draw, -1 a loss.

        Raises ValueError for a game without keys, TooManyNodes where it would take too long.
        """
        if game.key() == 0:
            raise ValueError(f"{type(game).__name__} is not solved: its positions have no key")
        return self.search(game, 0, -1, 1)

    def best_moves(self, Game game not None):
        """Return the moves that keep the value of the position, in ascending order."""
        value = self.value(game)
        moves = []
        for move in game.legal_moves():
            after = game.copy()
            after.play(move)
            if self.value_after(game, after) == value:
                moves.append(move)
        return moves

    cdef int value_after(self, Game game, Game after):
        """The value of a move for the player who made it."""
        if after.over():
            return outcome(after, game.to_play)
        return -self.search(after, 0, -1, 1)

    cdef int search(self, Game game, int depth, int alpha, int beta):
        cdef Game after
        cdef int move, value, best = -1, low = -1, high = 1, me = game.to_play
        cdef uint64_t key
        if game.over():
            return outcome(game, me)
        key = game.key()
        if key in self.bounds:
            low, high = self.bounds[key]
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
            alpha = max(alpha, low)
            beta = min(beta, high)
        if self.nodes >= self.most_nodes:
            raise TooManyNodes(f"not solved within {self.most_nodes:,} nodes")
        self.nodes += 1
        if self.nodes % 4096 == 0:
            PyErr_CheckSignals()        # so that Ctrl-C is heard
        if depth == len(self.scratch):
            self.scratch.append(game.copy())
            self.replies.append(-1)
        after = self.scratch[depth]

        # A win at once needs no search.
        for move in range(game.points + 1):
            if game.legal(move):
                after.copy_from(game)
                after.make(move)
                if after.over() and outcome(after, me) == 1:
                    self.bounds[key] = (1, 1)
                    self.replies[depth] = move
                    return 1

        cdef bint cut = False
        tried = set()
        while not cut:
            move = self.next_move(game, depth, tried)
            if move < 0:
                break
            tried.add(move)
            after.copy_from(game)
            after.make(move)
            value = -self.search(after, depth + 1, -beta, -max(alpha, best))
            if value > best:
                best = value
                if best >= beta:
                    self.replies[depth] = move
                    cut = True
        if cut:
            low = max(low, best)
        elif best <= alpha:
            high = min(high, best)
        else:
            low = high = best
        self.bounds[key] = (low, high)
        return best

    cdef int next_move(self, Game game, int depth, set tried):
        """First the reply that beat the move before: where the enemy wants to be."""
        cdef int move
        if depth + 1 < len(self.replies):
            move = self.replies[depth + 1]
            if move >= 0 and move not in tried and game.legal(move):
                return move
        for move in range(game.points + 1):
            if move not in tried and game.legal(move):
                return move
        return -1


cdef int outcome(Game game, int player):
    cdef int leader = game.leader()
    return 0 if leader == 0 else 1 if leader == player else -1
