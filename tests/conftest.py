"""What several test files share: real ranks, none of which outlives its test, and waiting."""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Container, Iterable
from pathlib import Path

import psutil
import pytest
from hypothesis import settings

from mcts_cluster.parallel.mpi import NoMpi, mpi_library

# A launcher believes these, also when they come from the job or the ranks that the tests run in.
LAUNCHER_VARIABLES = ("PMI", "HYD", "SLURM_", "OMPI_", "PRTE_")

# Without these Open MPI refuses root, as in a container, and more ranks than cores.
OPEN_MPI_CONSENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


# An example may take any time: the machine may be busy.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def python_path() -> str:
    """Return PYTHONPATH for a program that imports what this one can import."""
    return os.pathsep.join(filter(None, sys.path))


def rest_in_proof(values: Iterable[object], usual: Container[object]) -> list[object]:
    """Return parameters of a test, of which all but the usual ones are left to make proof."""
    return [one if one in usual else pytest.param(one, marks=pytest.mark.proof) for one in values]


@pytest.fixture(scope="session")
def mpiexec() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Start `python WORDS` on some ranks; fail after the given seconds, leaving no process."""
    beside = Path(sys.executable).with_name("mpiexec")
    launcher = str(beside) if beside.exists() else shutil.which("mpiexec")
    if launcher is None:
        pytest.skip("no mpiexec here: needs an MPI library, such as the extra mpich")
    try:
        mpi_library()
    except NoMpi as error:
        pytest.skip(str(error))

    def start(
        ranks: int, *words: str, seconds: float = 60, text: str = ""
    ) -> subprocess.CompletedProcess[str]:
        command = [launcher, "-n", str(ranks), sys.executable, *words]
        return run_alone(command, seconds, text)

    return start


def run_alone(
    command: list[str], seconds: float, text: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run the command apart from our terminal and from any job around us; kill it when late.

    It is given the text to read.
    """
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(LAUNCHER_VARIABLES)
    }
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment | OPEN_MPI_CONSENT,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(text, timeout=seconds)
    except subprocess.TimeoutExpired:
        kill_tree(process)
        out, err = process.communicate()
        pytest.fail(f"{' '.join(command)} took more than {seconds} s; it had said\n{out}{err}")
    finally:
        if process.poll() is None:
            kill_tree(process)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def kill_tree(process: subprocess.Popen[str]) -> None:
    # Not one killpg: launchers give each rank a session of its own.
    launcher = psutil.Process(process.pid)
    for one in [*launcher.children(recursive=True), launcher]:
        with contextlib.suppress(psutil.NoSuchProcess):
            one.kill()


def wait_until(holds: Callable[[], bool], seconds: float = 30) -> None:
    """Return once it holds; fail if that takes longer than it should."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_alive(process: psutil.Process | int) -> bool:
    """Tell whether a process, or the one of this number, is there and more than a zombie."""
    try:
        # A killed process stays as a zombie until its new parent looks.
        one = psutil.Process(process) if isinstance(process, int) else process
        return one.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
