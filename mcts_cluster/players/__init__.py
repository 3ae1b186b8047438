"""Players and their sessions: flat Monte Carlo, Monte-Carlo tree search, other programs by GTP."""
