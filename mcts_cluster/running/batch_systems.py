"""What batch systems tell of their nodes: how many there are, and how many cores each has."""

import re
import shutil
import subprocess
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence


def cores_of_nodes(system: str, options: Sequence[str]) -> int | None:
    """Return the cores of the smallest node that a job may get, None where nobody tells them.

    The options are those of sbatch or oarsub, of which that for a partition or property counts.
    """
    return {"slurm": of_slurm, "oar": of_oar}[system](options)


def of_slurm(options: Sequence[str]) -> int | None:
    found = partition_of_slurm(options)
    return min((sockets * cores for _, sockets, cores in found), default=None)


def nodes(system: str, options: Sequence[str]) -> int | None:
    """Return how many nodes a job may have at most, None where nobody tells or refuses more."""
    # OAR refuses what it cannot give; Slurm has it wait for ever.
    found = partition_of_slurm(options) if system == "slurm" else []
    return sum(count for count, _, _ in found) or None


def partition_of_slurm(options: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return kinds of nodes: how many, their sockets, and the cores of each."""
    partition = value_of(options, "-p", "--partition")
    words = ["sinfo", "--noheader", "--format=%P %D %X %Y"]
    said = printed([*words, f"--partition={partition}"] if partition else words)
    found = re.findall(r"^(\S+) +(\d+) +(\d+)\+? +(\d+)\+? *$", said, re.MULTILINE)
    # The default partition has a star.
    usual = [line for line in found if partition or line[0].endswith("*")]
    return [(int(count), int(sockets), int(cores)) for _, count, sockets, cores in usual]


def of_oar(options: Sequence[str]) -> int | None:
    wanted = value_of(options, "-p", "--property")
    # Other resources of a node are its disks.
    clause = f"type='default' AND ({wanted})" if wanted else "type='default'"
    said = printed(["oarnodes", "--sql", clause])
    # A core each.
    nodes = Counter(re.findall(r"^network_address\s*:\s*(\S+)", said, re.MULTILINE))
    return min(nodes.values(), default=None)


def printed(words: Sequence[str]) -> str:
    """Return what a program prints, nothing where it does not exist."""
    if not shutil.which(words[0]):
        return ""
    return subprocess.run(words, capture_output=True, text=True, errors="replace").stdout


def value_of(options: Sequence[str], *names: str) -> str:
    """Return the value of an option, nothing where it is not there."""
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument(*names, dest="value", nargs="?", default="", const="")
    known, _ = parser.parse_known_args([*options])
    return str(known.value)
