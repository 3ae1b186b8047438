"""The ground that everything stands on: the command, the imports, the build, and real ranks."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import is_alive, run_alone, wait_until

import mcts_cluster.__main__ as command

ROOT = Path(__file__).parents[1]

# The modules that may import what the rest must do without.
MAY_IMPORT = {"mpi4py": {"parallel/mpi.py", "parallel/mpi_ranks.py"}, "h5py": {"storage/hdf5.py"}}


def python(*words, **environment):
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        timeout=60,
    )


# The command


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "words", [["solve", "--size", "2"], ["bench", "speed", "--only", "go9.uniform"]]
)
def test_a_full_disk_is_one_line(words, unbuffered):
    command_line = [sys.executable, "-m", "mcts_cluster", *words]
    quick = ["--seconds", "0.01", "--rounds", "1"] * (words[0] == "bench")
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*command_line, *quick],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            timeout=60,
        )

    assert ended.returncode == 1
    assert ended.stderr == "mcts-cluster: No space left on device: the output is not complete\n"


def test_a_reader_that_has_seen_enough_is_no_mistake():
    words = f"{sys.executable} -m mcts_cluster solve --size 2 | true"

    ended = subprocess.run(words, shell=True, stderr=subprocess.PIPE, text=True, timeout=60)

    assert ended.stderr == ""


def test_help_names_every_verb():
    shown = python("-m", "mcts_cluster", "--help")

    assert shown.returncode == 0
    assert all(f"\n    {verb}" in shown.stdout for verb in command.VERBS)
    assert "examples:" in shown.stdout


def test_no_words_at_all_show_the_help():
    assert python("-m", "mcts_cluster").stdout == python("-m", "mcts_cluster", "--help").stdout


def test_version_tells_package_commit_flags_compiler_python_and_mpi():
    shown = python("-m", "mcts_cluster", "--version")

    assert shown.returncode == 0
    lines = shown.stdout.splitlines()
    commit = r"[0-9a-f]+(\+changes)?|unknown"
    assert re.fullmatch(rf"mcts_cluster \d+\.\d+\.\d+, commit ({commit})", lines[0])
    assert [line[:13].strip() for line in lines[1:]] == [
        "build flags",
        "compiler",
        "Python",
        "MPI library",
    ]
    assert all(line[13:].strip() for line in lines[1:])


def test_asking_for_the_version_does_not_start_mpi():
    asked = python(
        "-c",
        "from mcts_cluster.parallel.mpi import NoMpi, load_mpi, mpi_library\n"
        "try: mpi_library()\n"
        "except NoMpi: print(False)\n"
        "else: print(load_mpi().Is_initialized())",
    )

    assert asked.stdout == "False\n"


def with_verb(source, tmp_path, *words):
    """Run the command with one more verb, `stumble`, made of this source."""
    (tmp_path / "stumble.py").write_text(f"def add_arguments(parser): pass\n{source}")
    start = (
        "import sys, mcts_cluster.__main__ as command\n"
        "command.VERBS['stumble'] = ('stumble', 'for a test')\n"
        "sys.exit(command.main(sys.argv[1:]))"
    )
    return python("-c", start, *words, PYTHONPATH=str(tmp_path))


def test_a_users_mistake_is_one_line_and_status_2(tmp_path):
    mistake = (
        "from mcts_cluster.errors import UserError\n"
        "def main(args): raise UserError('game.size: 30 is more than 25')\n"
    )

    ended = with_verb(mistake, tmp_path, "stumble")

    assert ended.returncode == 2
    assert ended.stderr == "mcts-cluster: game.size: 30 is more than 25\n"
    assert ended.stdout == ""


def test_a_defect_keeps_its_traceback(tmp_path):
    ended = with_verb("def main(args): raise ValueError('defect')\n", tmp_path, "stumble")

    assert ended.returncode == 1
    assert "Traceback" in ended.stderr


def test_an_interrupt_ends_with_status_130(tmp_path):
    ended = with_verb("def main(args): raise KeyboardInterrupt\n", tmp_path, "stumble")

    assert ended.returncode == 130
    assert ended.stderr == ""


@pytest.mark.parametrize(("returned", "status"), [("None", 0), ("0", 0), ("3", 3)])
def test_a_verb_decides_the_exit_status(returned, status, tmp_path):
    ended = with_verb(f"def main(args): return {returned}\n", tmp_path, "stumble")

    assert ended.returncode == status


def test_only_the_verb_in_use_is_imported(tmp_path):
    shown = with_verb("raise AssertionError('imported')\n", tmp_path, "--help")

    assert shown.returncode == 0
    assert "stumble" in shown.stdout


def test_an_unknown_verb_is_refused_with_the_known_ones():
    ended = python("-m", "mcts_cluster", "rum")

    assert ended.returncode == 2
    assert "run" in ended.stderr.replace("rum", "")
    assert "Traceback" not in ended.stderr


# Imports


def imported_by(path):
    """Return the top-level names that a Python file imports, wherever in it, as {name: line}."""
    found = {}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0]: node.lineno for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found[str(node.module).partition(".")[0]] = node.lineno
    return found


def test_only_their_owners_import_mpi4py_and_h5py():
    package = ROOT / "mcts_cluster"
    trespasses = [
        f"{path}:{line} imports {name}"
        for path in sorted(package.rglob("*.py"))
        for name, line in imported_by(path).items()
        if name in MAY_IMPORT and path.relative_to(package).as_posix() not in MAY_IMPORT[name]
    ]

    assert trespasses == []


def test_the_core_knows_nothing_of_what_stands_on_it():
    # Cython has no parser to borrow; its imports stand on lines of their own.
    upwards = re.compile(r"^\s*(from|c?import)\s+(mcts_cluster|mpi4py|h5py)\b", re.MULTILINE)
    sources = [*(ROOT / "cext").glob("*.p[xy]*")]

    assert {"build_info.pyx", "__init__.py"} <= {path.name for path in sources}
    assert [path.name for path in sources if upwards.search(path.read_text())] == []


def test_starting_the_command_imports_nothing_heavy():
    heavy = python(
        "-c",
        "import sys, mcts_cluster.__main__\n"
        "print({'numpy', 'h5py', 'rich', 'mpi4py', 'cext'} & set(sys.modules))",
    )

    assert heavy.stdout == "set()\n"


# No MPI library

NO_MPI = (
    'no MPI library found: load your cluster\'s MPI module, or pip install "mcts_cluster[mpich]"'
)


@pytest.mark.parametrize(
    ("package", "module"),
    [
        ("class rc: pass", "raise RuntimeError('cannot load MPI library')"),
        ("class rc: pass", "raise ImportError('undefined symbol: MPI_Init')"),
        ("raise ModuleNotFoundError('No module named mpi4py')", ""),
    ],
    ids=["no library", "another library", "no mpi4py"],
)
def test_without_mpi_one_sentence_says_so_and_the_rest_works(package, module, tmp_path):
    (tmp_path / "mpi4py").mkdir()
    (tmp_path / "mpi4py" / "__init__.py").write_text(package)
    (tmp_path / "mpi4py" / "MPI.py").write_text(module)
    needs_ranks = (
        "from mcts_cluster.parallel.mpi import mpi_library\ndef main(args): mpi_library()\n"
    )

    refused = with_verb(needs_ranks, tmp_path, "stumble")
    version = python("-m", "mcts_cluster", "--version", PYTHONPATH=str(tmp_path))

    assert (refused.returncode, refused.stderr) == (2, f"mcts-cluster: {NO_MPI}\n")
    assert (version.returncode, version.stdout.splitlines()[-1]) == (0, "MPI library  none found")


def test_a_path_that_leads_to_no_mpi_library_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("MPI4PY_LIBMPI", "/no/libmpi.so")
    needs_ranks = (
        "from mcts_cluster.parallel.mpi import mpi_library\ndef main(args): mpi_library()\n"
    )

    refused = with_verb(needs_ranks, tmp_path, "stumble")

    told = "mcts-cluster: /no/libmpi.so: no MPI library, which MPI4PY_LIBMPI must name\n"
    assert (refused.returncode, refused.stderr) == (2, told)


# The build


def copy_of_what_is_built(folder):
    """Return a checkout of what setup.py needs, with the smallest extension only."""
    files = ["setup.py", "pyproject.toml", "README.md", "LICENSE", ".gitignore"]
    for name in [*files, "cext/__init__.py", "cext/build_info.pyx"]:
        copy = folder / "checkout" / name
        copy.parent.mkdir(exist_ok=True, parents=True)
        shutil.copy(ROOT / name, copy)
    return folder / "checkout"


@pytest.fixture
def checkout(tmp_path):
    return copy_of_what_is_built(tmp_path)


def build(checkout, **environment):
    return subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=checkout,
        env=os.environ | {"MCTS_CLUSTER_PORTABLE": "0", "MCTS_CLUSTER_SANITIZE": "0"} | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def built(checkout, what):
    """Return what the build in this checkout says of itself, asked of it alone."""
    code = f"from cext import build_info; print(build_info.__file__); print(build_info.{what}())"
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=checkout, capture_output=True, text=True, check=True
    )
    place, answer = shown.stdout.splitlines()
    assert Path(place).parent == checkout / "cext"
    return answer


def test_a_missing_compiler_is_one_sentence(checkout):
    ended = build(checkout, CC="/nonexistent")

    assert ended.returncode == 1
    assert ended.stderr == (
        "mcts_cluster cannot be built: no C compiler, /nonexistent cannot be run (No such file or "
        "directory); install one (Debian: apt install gcc python3-dev), or name yours in CC\n"
    )


def test_a_missing_python_header_is_one_sentence(checkout, tmp_path):
    # Drops what leads to the headers of Python, as if they had not been installed.
    compiler = tmp_path / "cc"
    compiler.write_text(
        "#!/bin/sh\n"
        'for word; do shift; case $word in -I*) ;; *) set -- "$@" "$word" ;; esac; done\n'
        'exec gcc "$@"\n'
    )
    compiler.chmod(0o755)

    ended = build(checkout, CC=str(compiler))

    assert ended.returncode == 1
    assert ended.stderr == (
        "mcts_cluster cannot be built: the header Python.h of this Python is missing or does not "
        "compile; install it (Debian: apt install python3-dev), or use a Python that comes with "
        "its headers\n"
    )


@pytest.mark.proof
def test_a_change_of_flags_rebuilds_and_no_change_does_not(checkout):
    (checkout / "cext" / "other.pyx").write_text("")

    assert build(checkout).returncode == 0
    native, first = built(checkout, "flags"), built_at(checkout)
    assert "-ffp-contract=off" in native.split()

    assert build(checkout).returncode == 0
    assert built_at(checkout) == first

    assert build(checkout, MCTS_CLUSTER_PORTABLE="1").returncode == 0
    second = built_at(checkout)
    assert built(checkout, "flags") == "-O3 -ffp-contract=off -finline-limit=3000"
    assert all(second[name] > first[name] for name in first)

    assert build(checkout).returncode == 0
    assert built(checkout, "flags") == native
    assert all(built_at(checkout)[name] > second[name] for name in first)


def built_at(checkout):
    times = {path.name: path.stat().st_mtime_ns for path in (checkout / "cext").glob("*.so")}
    assert len(times) == 2
    return times


def test_a_build_knows_its_commit_and_whether_it_was_changed(checkout):
    def git(*words):
        identity = ["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"]
        command = ["git", *identity, *words]
        done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    git("init")
    git("add", "--all")
    git("commit", "--message", "all")
    assert build(checkout).returncode == 0
    assert built(checkout, "commit") == git("rev-parse", "--short", "HEAD")

    (checkout / "cext" / "other.txt").write_text("")
    assert build(checkout).returncode == 0
    assert built(checkout, "commit") == git("rev-parse", "--short", "HEAD") + "+changes"


@pytest.fixture(scope="module")
def built_plainly(tmp_path_factory):
    """A checkout that knows no commit, built by a compiler that knows no -march=native."""
    folder = tmp_path_factory.mktemp("plain")
    checkout, compiler = copy_of_what_is_built(folder), folder / "cc"
    compiler.write_text('#!/bin/sh\ncase "$*" in *-march=native*) exit 1 ;; esac\nexec gcc "$@"\n')
    compiler.chmod(0o755)

    assert build(checkout, CC=str(compiler)).returncode == 0
    return checkout


def test_a_flag_that_the_compiler_lacks_is_left_out(built_plainly):
    assert "-march=native" not in built(built_plainly, "flags")
    assert "-O3" in built(built_plainly, "flags")


def test_a_build_outside_of_a_repository_knows_no_commit(built_plainly):
    assert built(built_plainly, "commit") == "unknown"


# Real ranks


def test_ranks_start_and_know_each_other(mpiexec):
    # One string, newline included, or the two lines may come entangled.
    code = (
        "import sys\n"
        "from mpi4py.MPI import COMM_WORLD as world\n"
        "sys.stdout.write(f'rank {world.rank} of {world.size}\\n')"
    )

    ended = mpiexec(2, "-m", "mpi4py", "-c", code)

    assert ended.returncode == 0
    assert sorted(ended.stdout.splitlines()) == ["rank 0 of 2", "rank 1 of 2"]


def test_a_command_that_hangs_is_killed_with_all_that_it_started(tmp_path):
    # As launchers do, with a session for each process.
    code = (
        "import pathlib, subprocess, sys, time\n"
        "words = [sys.executable, '-c', 'import time; time.sleep(60)']\n"
        "child = subprocess.Popen(words, start_new_session=True, stdout=-3, stderr=-3)\n"
        "pathlib.Path(sys.argv[1]).write_text(str(child.pid))\n"
        "time.sleep(60)"
    )

    with pytest.raises(pytest.fail.Exception, match="took more than 1 s"):
        run_alone([sys.executable, "-c", code, str(tmp_path / "pid")], seconds=1)

    child = int((tmp_path / "pid").read_text())
    wait_until(lambda: not is_alive(child), seconds=10)


def test_a_lone_command_loses_the_launchers_variables(monkeypatch):
    monkeypatch.setenv("PMI_RANK", "7")
    monkeypatch.setenv("SLURM_JOB_ID", "7")

    ended = run_alone([sys.executable, "-c", "import os; print(*os.environ)"], seconds=60)

    assert not {"PMI_RANK", "SLURM_JOB_ID"} & set(ended.stdout.split())
