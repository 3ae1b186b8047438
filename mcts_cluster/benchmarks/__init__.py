"""Measurements of this program: speed, cost of exchanges, load of the master, error rates."""
