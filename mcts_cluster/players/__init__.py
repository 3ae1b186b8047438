"""Players: whatever chooses a move, from flat Monte-Carlo to a tree search or another program."""
