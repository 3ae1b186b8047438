"""What this build was made from, and how: setup.py compiles the three texts in."""

cdef extern from *:
    const char* MCTS_COMMIT
    const char* MCTS_FLAGS
    const char* MCTS_COMPILER


def commit() -> str:
    """Return the commit, with "+changes" if the checkout held any, or "unknown"."""
    return MCTS_COMMIT.decode()


def flags() -> str:
    """Return the optimisation flags, after CFLAGS if that was set."""
    return MCTS_FLAGS.decode()


def compiler() -> str:
    """Return the first line of what the C compiler says of itself."""
    return MCTS_COMPILER.decode()
