;; What mcts_cluster is built with and needs, from Guix; the rest comes from PyPI into .venv:
;;
;;     guix shell --manifest=slurm/manifest.scm
;;     python3 -m venv --system-site-packages .venv
;;     .venv/bin/pip install --no-build-isolation --editable .
;;
;; In the batch script the same `guix shell` stands before mpiexec, as `guix shell -m slurm/manifest.scm -- mpiexec`.
;; For MPICH take "mpich" in place of "openmpi".

(specifications->manifest
 (list "coreutils"
       "gcc-toolchain"
       "git"
       "make"
       "openmpi"
       "openssh"
       "python"
       "python-cython"
       "python-h5py"
       "python-mpi4py"
       "python-numpy"
       "python-pip"
       "python-rich"
       "python-setuptools"))
