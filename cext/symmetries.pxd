"""The eight symmetries of a square.

Number s mirrors columns if it has bit 0, and rows if it has bit 1; with bit 2 the two are exchanged
before that. Number 0 leaves everything where it is.
"""


# As seen from the centre of the square.
cdef struct Cell:
    int row
    int column


cdef inline Cell turned_cell(int symmetry, int row, int column) noexcept nogil:
    cdef Cell cell
    cell.row = column if symmetry & 4 else row
    cell.column = row if symmetry & 4 else column
    if symmetry & 1:
        cell.column = -cell.column
    if symmetry & 2:
        cell.row = -cell.row
    return cell
