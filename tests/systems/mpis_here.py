"""The MPI libraries of this machine, each with its launcher, for tests of what they do differently.

One is that of the virtual environment. Another one, Open MPI, is in a folder of its own, which make
proof makes: two of them in one environment would overwrite each other's files.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import LAUNCHER_VARIABLES, OPEN_MPI_CONSENT, python_path

ROOT = Path(__file__).parents[2]
OPEN_MPI = ROOT / "build" / "openmpi"
NAMES = ("mpich", "Open MPI")


def environment_of(name):
    """Return the environment in which mpiexec and MPI are those of this library."""
    environment = {
        word: value
        for word, value in os.environ.items()
        if not word.startswith((*LAUNCHER_VARIABLES, "MPI4PY_"))
    }
    environment |= OPEN_MPI_CONSENT | {"PYTHONPATH": python_path()}
    folder = Path(sys.executable).parent
    if name == "Open MPI" and not is_launcher_of(name, folder):
        folder = OPEN_MPI / "bin"
        environment["MPI4PY_LIBMPI"] = str(OPEN_MPI / "lib" / "libmpi.so.40")
    if not is_launcher_of(name, folder):
        pytest.skip(f"no {name} here: make proof makes build/openmpi")
    return environment | {"PATH": f"{folder}:{os.environ['PATH']}"}


def is_launcher_of(name, folder):
    launcher = folder / "mpiexec"
    if not launcher.exists():
        return False
    said = subprocess.run([launcher, "--version"], capture_output=True, text=True, timeout=60)
    return ("Open MPI" in said.stdout) == (name == "Open MPI")


def activated(folder, environment):
    """Make a virtual environment in a folder that leads to this library, as the scripts want it."""
    words = ("MPI4PY_LIBMPI", *OPEN_MPI_CONSENT)
    lines = [f"export {word}='{environment[word]}'" for word in words if word in environment]
    script = folder / ".venv" / "bin" / "activate"
    script.parent.mkdir(parents=True)
    places = dict.fromkeys(
        [environment["PATH"].partition(":")[0], f"{Path(sys.executable).parent}"]
    )
    script.write_text("\n".join([f"export PATH={':'.join(places)}:$PATH", *lines]) + "\n")
