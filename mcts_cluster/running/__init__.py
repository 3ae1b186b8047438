"""A run: the master, its workers on this machine or on MPI ranks, signals and progress."""
