"""Success rates next to others: to one half, and to those of other files."""
