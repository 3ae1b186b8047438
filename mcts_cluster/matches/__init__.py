"""Matches between two players: one game, its record, and which game to play next."""
