"""Build inside.pyx, which sees the core from within, when out of date, and import it."""

import importlib.util
import subprocess
import sys
import sysconfig
from fcntl import LOCK_EX, flock
from pathlib import Path

from cext import build_info

ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).with_name("inside.pyx")
SANITIZED = [flag for flag in build_info.flags().split() if flag.startswith("-fsanitize")]
FOLDER = ROOT / "build" / ("inside-sanitized" if SANITIZED else "inside")
LIBRARY = FOLDER / f"inside{sysconfig.get_config_var('EXT_SUFFIX')}"
DIRECTIVES = "boundscheck=False,wraparound=False,cdivision=True"


def run(*command):
    ended = subprocess.run(
        [str(word) for word in command], cwd=ROOT, text=True, capture_output=True
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def build():
    c_file = FOLDER / "inside.c"
    run(sys.executable, "-m", "cython", "-3", "-X", DIRECTIVES, "-I", ROOT, SOURCE, "-o", c_file)
    compiler = sysconfig.get_config_var("CC").split()
    include = f"-I{sysconfig.get_path('include')}"
    run(*compiler, "-O1", "-shared", "-fPIC", *SANITIZED, include, c_file, "-o", LIBRARY)


def load():
    sources = [SOURCE, *(ROOT / "cext").glob("*.pxd")]
    FOLDER.mkdir(parents=True, exist_ok=True)
    # Of tests side by side one builds it, and the others wait.
    with (FOLDER / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        newest = max(path.stat().st_mtime for path in sources)
        if not LIBRARY.exists() or LIBRARY.stat().st_mtime < newest:
            build()
    spec = importlib.util.spec_from_file_location("inside", LIBRARY)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


inside = load()
