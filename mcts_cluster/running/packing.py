"""This environment in one file, a program that unpacks it on the disk of each node and runs there.

A thousand ranks that start from a folder on a file server ask it for a million files. So the first
rank of a node unpacks a Python and whatever a run imports, and all ranks start from there.
"""

import os
import re
import sys
import sysconfig
import tarfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import cext
import mcts_cluster
from mcts_cluster.text_files import replacing

# What comes with Python, and no run imports.
LEFT_OUT = {
    *("test", "tests", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip"),
    *("site-packages", "dist-packages", "pydoc_data"),
}
SOURCES = {".c", ".pyx", ".pxd", ".pyi"}
OWN_MPI = "mpich"

# The name of the copy tells packs apart. Ranks wait for the first one by a lock, which the system
# takes away should that one die; and nobody else may have made the folder.
UNPACKS = """\
#!/bin/bash
# mcts-cluster with all that it needs: unpacks itself on the disk of this node, once, to run there.
#     mpiexec -n 64 ./mcts_cluster.pack run JOB.toml
# The copy is in $MCTS_CLUSTER_UNPACKED, $TMPDIR or /tmp. It may be removed when nothing runs.
set -eu
folder=${MCTS_CLUSTER_UNPACKED:-${TMPDIR:-/tmp}}/mcts_cluster-$(id -u)
mkdir -m 700 "$folder" 2> /dev/null || true
if [ -L "$folder" ] || [ ! -O "$folder" ]; then
  echo "mcts-cluster: $folder is no folder of yours: set MCTS_CLUSTER_UNPACKED to another one" >&2
  exit 2
fi
copy=$folder/$(stat -L -c %Y-%s "$0")
exec {lock}> "$folder/lock"
flock "$lock"
if [ ! -d "$copy" ]; then
  rm -rf "$folder/new"
  mkdir "$folder/new"
  tail -n +LINES "$0" | tar -x -f - -C "$folder/new"
  mv "$folder/new" "$copy"
fi
exec {lock}>&-
exec "$copy/bin/python3" -I -S -c 'import site, sys
sys.path.append(sys.prefix + "/PACKAGES")
from mcts_cluster.__main__ import main
sys.exit(main())' "$@"
"""


def pack(path: Path) -> int:
    """Write the file, all of it or nothing, and return its size; raises UserError."""
    with replacing(path) as fresh:
        with fresh.open("wb") as out:
            out.write(header())
            with tarfile.open(fileobj=out, mode="w|") as tar:
                for name, source in sorted(dict(contents()).items()):
                    tar.add(source.resolve(), name, recursive=False)
        fresh.chmod(0o755)
    return path.stat().st_size


def header() -> bytes:
    text = UNPACKS.replace("PACKAGES", packages())
    return text.replace("LINES", str(text.count("\n") + 1)).encode()


def packages() -> str:
    """Return where packages are, below the folder of a Python."""
    return f"{library()}/site-packages"


def library() -> str:
    return f"{sys.platlibdir}/python{sys.version_info[0]}.{sys.version_info[1]}"


def contents() -> Iterator[tuple[str, Path]]:
    """Yield all files, with the names that they have in the pack."""
    yield from of_python()
    for package in (cext, mcts_cluster):
        folder = Path(str(package.__file__)).parent
        for path in files_below(folder):
            if path.suffix not in SOURCES:
                yield f"{packages()}/{folder.name}/{path.relative_to(folder)}", path
    for found in required("mcts_cluster", {}).values():
        yield from of_distribution(found)


def of_python() -> Iterator[tuple[str, Path]]:
    """Yield the program of this Python, its shared library if it has one, and its modules."""
    yield "bin/python3", Path(getattr(sys, "_base_executable", sys.executable))
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        name = str(sysconfig.get_config_var("INSTSONAME"))
        yield f"lib/{name}", Path(str(sysconfig.get_config_var("LIBDIR")), name)
    for key in ("stdlib", "platstdlib"):
        folder = Path(sysconfig.get_path(key, vars=of_base()))
        for path in files_below(folder):
            yield f"{library()}/{path.relative_to(folder)}", path


def of_base() -> dict[str, str]:
    return {"installed_base": sys.base_prefix, "platbase": sys.base_exec_prefix} | {
        "base": sys.base_prefix,
        "installed_platbase": sys.base_exec_prefix,
    }


def files_below(folder: Path) -> Iterator[Path]:
    for above, folders, names in os.walk(folder):
        # config-... is for those who link with Python.
        folders[:] = [n for n in folders if n not in LEFT_OUT and not n.startswith("config-")]
        yield from (Path(above, name) for name in names)


def required(name: str, found: dict[str, Distribution]) -> dict[str, Distribution]:
    """Return an installed distribution with all that it requires; MPI, if it came by pip."""
    if name not in found:
        found[name] = distribution(name)
        for line in found[name].requires or []:
            word = str(re.match(r"[\w.-]+", line)[0])  # type: ignore[index]
            if "extra ==" in line and word != OWN_MPI:
                continue
            try:
                required(word, found)
            except PackageNotFoundError:
                # Of another platform or an older Python.
                continue
    return found


def of_distribution(found: Distribution) -> Iterator[tuple[str, Path]]:
    prefix = Path(sys.prefix).resolve()
    places = [Path(sysconfig.get_path(key)).resolve() for key in ("purelib", "platlib")]
    for file in found.files or []:
        path = Path(os.path.normpath(str(found.locate_file(file))))
        for place, name in (*((place, packages()) for place in places), (prefix, "")):
            if path.is_relative_to(place) and path.is_file() and not is_start_up(path):
                yield str(Path(name, path.relative_to(place))), path
                break


def is_start_up(path: Path) -> bool:
    """Tell what only this environment needs: programs, and files that say where packages are."""
    return path.suffix == ".pth" or path.parent.name == "bin"
