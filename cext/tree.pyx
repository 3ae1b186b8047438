"""The arena of tree.pxd, and what Python may see of it."""
from cpython.buffer cimport PyBUF_WRITABLE
from libc.stdlib cimport calloc, free

import numpy


cdef class Tree:
    """Public attributes (treat as read-only): capacity and used, in nodes."""

    def __cinit__(self, int capacity, *args, **kwargs):
        if capacity < 1:
            raise ValueError(f"a tree of {capacity} nodes: at least 1 is wanted")
        self.nodes = <Node*>calloc(capacity, sizeof(Node))
        if self.nodes == NULL:
            raise MemoryError(f"no room for a tree of {capacity} nodes")
        self.capacity = self.shape = capacity
        self.used = 1

    def __dealloc__(self):
        free(self.nodes)

    cdef int expand(self, int node, int children) noexcept nogil:
        cdef int first = self.used
        if children > self.capacity - first:
            self.nodes[node].children = -1
            return 0
        self.used += children
        self.nodes[node].first_child = first
        self.nodes[node].children = children
        return first

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        """Show the whole arena: it never moves, so a view stays right whatever a search does."""
        if flags & PyBUF_WRITABLE:
            raise BufferError("a tree is there to be read")
        buffer.buf = self.nodes
        buffer.format = b"T{I:visits:I:results:i:first_child:i:children:h:move:h:player:}"
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
        return numpy.asarray(self)[:self.used]
