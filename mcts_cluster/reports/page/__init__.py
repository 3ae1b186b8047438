"""One page of several files: published figures next to ours, then each file."""
