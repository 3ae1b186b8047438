"""The search of search.pxd: its threads and its clock, and what Python asks of it."""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint32_t
from posix.time cimport CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, clock_gettime, timespec

from functools import partial
from threading import Thread

import numpy

from cext.atomic cimport add_long
from cext.rng cimport Generator, Rng, next_number, seed_rng
from cext.simulation cimport SearchState, Worker
from cext.tree cimport UNEXPANDED, Node


cdef enum:
    SLICE = 128                 # simulations between two looks at the signals


cdef double now(bint own_time) noexcept nogil:
    """Seconds by the clock, or those of the processor that this process has had."""
    cdef timespec time
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID if own_time else CLOCK_MONOTONIC, &time)
    return time.tv_sec + 1e-9 * time.tv_nsec


cdef class Search(SearchState):
    """A search from one position, which run() and advance() go on with."""

    def run(self, int64_t simulations, seed, *, double seconds=0, int threads=1,
            bint stop_early=False, watch=None, bint own_time=False):
        """Add simulations to the tree, without the GIL; returns how many.

        With `seconds`, no more than can be begun in that time, but enough for a move; with
        `own_time` these are seconds of the processor, so many for each thread. With
        `stop_early`, no more once the most visited move must stay the most visited. One thread
        finds the same from the same seed always; several do not. A Generator instead of a seed is
        gone on with: a search in parts is, for one thread, the search in one piece. `watch` is
        called again and again meanwhile, and may look at the tree.
        """
        cdef Worker worker
        cdef double began = now(own_time)
        cdef Generator generator = seed if isinstance(seed, Generator) else Generator(seed)
        cdef Rng drawn
        cdef bint more = True
        if simulations < 0:
            raise ValueError(f"{simulations} simulations: must be 0 or more")
        if threads < 1:
            raise ValueError(f"{threads} threads: must be 1 or more")
        if not seconds >= 0:
            raise ValueError(f"{seconds} seconds: must be 0 or more")
        self.refuse_company()
        before = self.tree.nodes[0].visits
        workers = [Worker(self) for _ in range(threads)]
        # The second visit gives the root its children, and visits one of them. A root that was
        # a leaf of a tree before may have had more, and has none.
        self.enough = max(self.unit, before)
        # The first goes on with the generator; what it will draw seeds the others.
        worker = workers[0]
        worker.rng = drawn = generator.rng
        for other in workers[1:]:
            seed_rng(&(<Worker>other).rng, next_number(&drawn))
        self.left = simulations
        self.own_time = own_time
        self.deadline = began + seconds * (threads if own_time else 1) if seconds else 0
        self.stopped = False
        self.shared = threads > 1
        self.running = self.tree.searched = True
        others = []
        try:
            self.policy.prepare(self.root)
            # The root has its moves before there is company: of two who come at a time neither
            # may find them there, and then there is none to choose.
            if self.shared and self.tree.nodes[0].children == UNEXPANDED:
                with nogil:
                    more = self.work(worker, 2)
            for other in workers[1:]:
                thread = Thread(target=partial(self.work_all, other))
                thread.start()
                others.append(thread)
            while more:
                with nogil:
                    more = self.work(worker, SLICE)
                PyErr_CheckSignals()
                if watch is not None:
                    watch()
                # Of every other thread a simulation is under way, and its virtual loss counted.
                if stop_early and self.decided(began, simulations,
                                               (threads - 1) * (1 + self.virtual_loss)):
                    break
        finally:
            self.stopped = True
            generator.rng = worker.rng
            # The first may have been too late to do anything; no seed is given out twice.
            for _ in others:
                next_number(&generator.rng)
            for thread in others:
                thread.join()
            self.running = self.tree.searched = False
        return (self.tree.nodes[0].visits - before) // self.unit

    def work_all(self, Worker worker not None):
        """Let a worker run simulations until nothing is left to do."""
        with nogil:
            while self.work(worker, SLICE):
                pass

    cdef bint work(self, Worker worker, int simulations) noexcept nogil:
        """Let a worker run so many simulations; tells whether there were as many to run."""
        for _ in range(simulations):
            if not self.begin_one():
                return False
            worker.simulate()
        return True

    cdef bint begin_one(self) noexcept nogil:
        """Take one of the simulations that are left; tells whether there was one."""
        if self.stopped:
            return False
        if self.deadline and self.tree.nodes[0].visits > self.enough:
            # No time can add to a proof.
            if self.tree.nodes[0].proven or now(self.own_time) >= self.deadline:
                self.stopped = True
                return False
        if self.shared:
            return add_long(&self.left, -1) > 0
        self.left -= 1
        return self.left >= 0

    cdef bint decided(self, double began, int64_t asked, int64_t unsure) noexcept:
        """Whether what is left cannot make another move the best one.

        What solves may yet prove that any move loses, and knows only when it has one that wins.
        """
        cdef const Node* root = &self.tree.nodes[0]
        cdef int64_t best = 0, second = 0, visits, left = max(0, self.left)
        cdef double spent = now(self.own_time) - began
        cdef int i, wins = 0
        if self.solve:
            for i in range(root.first_child, root.first_child + max(0, root.children)):
                wins += self.tree.nodes[i].proven == self.root.to_play
            return wins == 1
        for i in range(root.first_child, root.first_child + max(0, root.children)):
            visits = self.tree.nodes[i].visits
            if visits > best:
                second = best
                best = visits
            elif visits > second:
                second = visits
        if self.deadline and spent > 0:
            left = <int64_t>min(<double>left,
                                (asked - left) / spent * (self.deadline - began - spent))
        return best - second > self.unit * (left + unsure)

    def advance(self, int move):
        """Play a move; what the tree knows of the position after it is kept."""
        self.refuse_company()
        children = self.children()
        first = self.tree.nodes[0].first_child
        kept = [i for i, known in enumerate(children["move"]) if known == move]
        del children
        self.root.play(move)
        if kept:
            self.tree.keep(first + kept[0])
        else:
            self.tree.clear()
        self.tree.cut = False

    def refuse_company(self):
        """Whoever wants more than one thread asks run() for them: raises RuntimeError."""
        if self.running:
            raise RuntimeError("this search is running, in another thread; wait for its end")
        self.check_root()

    def children(self):
        """Return the moves from the root as a NumPy record array, a part of the tree itself."""
        return self.children_of(0)

    def children_of(self, int node):
        """Return the moves from a node of the tree."""
        array = self.tree.array()
        first = int(array[node]["first_child"])
        return array[first:first + max(0, int(array[node]["children"]))] if first else array[:0]

    def worker(self):
        """Return somebody to do the parts of a simulation one by one."""
        self.policy.prepare(self.root)
        return Worker(self)

    def statistics(self, moves=()):
        """Return what is known of the moves from a node, which is named by those that lead to it.

        A row for each move, by its number: visits, results, rave_visits, rave_results as in
        tree.pxd, as int64, in units. All zero where the tree does not reach.
        """
        cdef const Node* child
        cdef int i, node = self.node_after(moves)
        found = numpy.zeros((self.root.points + 1, 4), numpy.int64)
        cdef int64_t[:, ::1] row = found
        if node >= 0:
            for i in range(self.tree.nodes[node].children):
                child = &self.tree.nodes[self.tree.nodes[node].first_child + i]
                row[child.move, 0] = child.visits
                row[child.move, 1] = child.results
                row[child.move, 2] = child.rave_visits
                row[child.move, 3] = child.rave_results
        return found

    cdef int node_after(self, moves) except -2:
        """Return the node that the moves lead to, or -1 where the tree ends before."""
        cdef int node = 0
        for move in moves:
            node = self.child_of(node, move)
            if node < 0:
                break
        return node

    def add(self, const int64_t[:, :] changes, moves=()):
        """Add to the statistics of the moves from a node, as statistics() gives them.

        Fewer columns leave the others alone. A node without children is given them first; tells
        whether it has some, or else is not there, or over, or had no room, and then nothing was
        added. No search may run meanwhile.
        """
        cdef Node* child
        cdef int i, node = self.node_after(moves)
        cdef int64_t move
        self.check_root()
        if changes.shape[0] != self.root.points + 1 or not 1 <= changes.shape[1] <= 4:
            raise ValueError("changes: must have a row a move, and one to four columns")
        if node < 0:
            return False
        if self.tree.nodes[node].children == UNEXPANDED:
            Worker(self).open(moves)
        if self.tree.nodes[node].children <= 0:
            return False
        for i in range(self.tree.nodes[node].children):
            child = &self.tree.nodes[self.tree.nodes[node].first_child + i]
            move = child.move
            child.visits += <uint32_t>changes[move, 0]
            if changes.shape[1] > 1:
                child.results += <uint32_t>changes[move, 1]
            if changes.shape[1] > 2:
                child.rave_visits += <uint32_t>changes[move, 2]
            if changes.shape[1] > 3:
                child.rave_results += <uint32_t>changes[move, 3]
        return True

    def add_to_root(self, int64_t visits, int64_t results):
        """Add to the statistics of the root itself."""
        self.tree.nodes[0].visits += <uint32_t>visits
        self.tree.nodes[0].results += <uint32_t>results

    def best_move(self):
        """Return the move that was visited most, of equals the one with the lowest number.

        A proven win comes before all others, and a proven loss after them, a draw in between.
        Before the second simulation, or where the game is over, there is none: raises ValueError.
        """
        children = self.children()
        if not len(children):
            raise ValueError("a search without moves: run() more simulations, or the game is over")
        wins = children["proven"] == children["player"]
        losses = children["proven"] == 3 - children["player"]
        if wins.any():
            children = children[wins]
        elif not losses.all():
            children = children[~losses]
        most = children["visits"].max()
        return int(children["move"][children["visits"] == most].min())
