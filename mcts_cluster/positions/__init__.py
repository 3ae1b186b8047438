"""Positions with known good moves: their files, and how often a player finds such a move."""
