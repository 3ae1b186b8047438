"""The page of runs under way: what it shows, and how it is served."""
