"""The arena of tree.pxd, and what Python may see of it."""
from cpython.buffer cimport PyBUF_WRITABLE
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy

from cext.atomic cimport add_int, publish

layout = None   # of a node, as NumPy reads it from __getbuffer__, which takes long


cdef class Tree:
    """Public attributes (treat as read-only): capacity and used, in nodes; full."""

    def __cinit__(self, int capacity, *args, **kwargs):
        if capacity < 1:
            raise ValueError(f"a tree of {capacity} nodes: must have 1 or more")
        self.nodes = <Node*>calloc(capacity, sizeof(Node))
        if self.nodes == NULL:
            raise MemoryError(f"no room for a tree of {capacity} nodes")
        self.capacity = self.shape = capacity
        self.taken = 1

    def __dealloc__(self):
        free(self.nodes)

    cdef int in_use(self) noexcept nogil:
        # For a moment a thread may have asked for more than there is.
        return min(self.taken, self.capacity)

    cdef int expand(self, int node, int children) noexcept nogil:
        cdef int first = add_int(&self.taken, children)
        if children > self.capacity - first:
            # Two threads at once may find too little where one of them would have found enough.
            add_int(&self.taken, -children)
            publish(&self.nodes[node].children, NO_ROOM)
            self.full = True
            return 0
        self.nodes[node].first_child = first
        return first

    @property
    def used(self):
        return self.in_use()

    def clear(self):
        """Forget everything; the root is there again, unvisited.

        Raises RuntimeError while a search runs on it, as keep() does.
        """
        self.refuse_search()
        self.cut = False
        memset(self.nodes, 0, self.taken * sizeof(Node))
        self.taken = 1
        self.full = False

    def keep(self, int node):
        """Make a node the root and forget all that is not below it; the room is free again.

        Every node moves towards the front of the arena, so all can be moved in one pass: children
        come after their parents, and those of one parent stay together. A search of the position
        before must not go on here: its advance() plays the move as well.
        """
        cdef Node* nodes = self.nodes
        cdef int i, child, after = 0
        cdef int32_t* place
        if not 0 <= node < self.taken:
            raise ValueError(f"there is no node {node}")
        self.refuse_search()
        self.cut = self.cut or node > 0
        place = <int32_t*>calloc(self.taken, sizeof(int32_t))   # where to, plus one; 0: nowhere
        if place == NULL:
            raise MemoryError
        place[node] = 1
        for i in range(node, self.taken):
            if place[i]:
                after += 1
                place[i] = after
                for child in range(nodes[i].first_child, nodes[i].first_child + nodes[i].children):
                    place[child] = 1
        for i in range(node, self.taken):
            if place[i]:
                if nodes[i].first_child:
                    nodes[i].first_child = place[nodes[i].first_child] - 1
                elif nodes[i].children == NO_ROOM:
                    nodes[i].children = UNEXPANDED
                nodes[place[i] - 1] = nodes[i]
        free(place)
        memset(&nodes[after], 0, (self.taken - after) * sizeof(Node))
        self.taken = after
        self.full = False

    cdef int refuse_search(self) except -1:
        if self.searched:
            raise RuntimeError("a search runs on this tree, in another thread; wait for its end")
        return 0

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        """Show the whole arena: it never moves, so a view stays right whatever a search does."""
        if flags & PyBUF_WRITABLE:
            raise BufferError("a tree is there to be read")
        buffer.buf = self.nodes
        buffer.format = (b"T{I:visits:I:results:I:rave_visits:I:rave_results:H:prior_visits:"
                         b"H:prior_results:i:first_child:h:children:h:move:h:bias:b:player:"
                         b"b:proven:}")
        buffer.itemsize = sizeof(Node)
        buffer.len = self.capacity * <Py_ssize_t>sizeof(Node)
        buffer.ndim = 1
        buffer.shape = &self.shape
        buffer.strides = &buffer.itemsize
        buffer.suboffsets = NULL
        buffer.internal = NULL
        buffer.readonly = 1
        buffer.obj = self

    def array(self):
        """Return the nodes in use as a NumPy record array, which is the tree itself and no copy."""
        global layout
        if layout is None:
            layout = numpy.asarray(self).dtype
        return numpy.frombuffer(self, layout, self.used)
