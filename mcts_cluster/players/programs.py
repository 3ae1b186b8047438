"""Where on this machine a program is, by its name, and the environment that it gets."""

import os
from collections.abc import Mapping
from shutil import which

from mcts_cluster.settings.words import shown

# Where Debian has games, also where the PATH of a batch job, or of root, does not.
GAMES_FOLDER = "/usr/games"
# How the variables begin in which launchers of MPI tell a process which rank it is.
OF_A_RANK = ("PMI_", "PMIX_", "OMPI_", "PRTE_", "HYDI_", "SLURM_STEP_", "SLURM_PROCID")


def place_of(program: str) -> str | None:
    """Return the path of a program, None where there is none."""
    folders = os.environ.get("PATH", os.defpath)
    return which(program, path=f"{folders}{os.pathsep}{GAMES_FOLDER}")


def why_missing(program: str) -> str:
    """Return why a program cannot be started, "" where it is there."""
    if place_of(program):
        return ""
    if os.sep in program:
        return f"{shown(program)} is no program that can be started"
    return f"{shown(program)} is no program in the PATH, nor in {GAMES_FOLDER}"


def without_launcher(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which a program that uses MPI is alone, and no rank of ours."""
    return {name: text for name, text in environment.items() if not name.startswith(OF_A_RANK)}
