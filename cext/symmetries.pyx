"""The symmetries of symmetries.pxd, for cells and drawings."""
from math import isqrt

from cext.symmetries cimport Cell, turned_cell


def images_of(int row, int column):
    """Return the (row, column) to which a cell goes in each symmetry, seen from the centre."""
    cdef Cell cell
    images = []
    for symmetry in range(8):
        cell = turned_cell(symmetry, row, column)
        images.append((cell.row, cell.column))
    return images


def turned(str drawing):
    """Return a square drawing, one character a cell and row by row, in each symmetry."""
    cdef int size = isqrt(len(drawing)), symmetry, row, column
    return ["".join(drawing[source(symmetry, size, row, column)]
                    for row in range(size) for column in range(size))
            for symmetry in range(8)]


cdef int source(int symmetry, int size, int row, int column):
    """Return which cell of a drawing of so many rows comes to be at a place."""
    cdef int last = size - 1
    # Twice as far from the centre everything is a whole number.
    cdef Cell cell = turned_cell(symmetry, 2 * row - last, 2 * column - last)
    return (cell.row + last) // 2 * size + (cell.column + last) // 2
