"""The compiled core: games, playouts, trees and search, in Cython.

Nothing here knows of files, jobs or other ranks. The .pxd files are the contract, with every field
explained, and are installed, so that other Cython code can cimport them: `from cext.game cimport
Game`. The .pyi files are the part that Python sees.
"""
