"""Measurements: speed, exchanges of teams, the master of a run, stopping rules, campaigns."""
