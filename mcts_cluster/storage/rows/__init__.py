"""Rows of tables as columns: in memory or in their file, added up, as CSV."""
