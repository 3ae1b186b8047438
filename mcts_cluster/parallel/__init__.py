"""Message-passing parallelization: machines, teams of them, and the ranks of an MPI job."""
