"""Bandit-based genetic programming: races of mutations with a bounded error."""
