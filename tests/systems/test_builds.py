"""Native and portable builds play alike: the same numbers in whole trees, and so the same games.

A native one refuses another processor.
"""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from platform import node

import pytest

import cext
from cext import build_info, refuse_another_processor
from mcts_cluster import __main__ as command

ROOT = Path(__file__).parents[2]

# Says what was built, then for several games and searches the moves and a digest of each tree.
PLAY = """
import hashlib, json
from cext import build_info
from cext.go import Go
from cext.go_policy import GoPolicy, DEFAULTS as STEPS
from cext.havannah import Havannah
from cext.go_bias_patterns import Patterns
from cext.policy import Policy
from cext.search import Search
from mcts_cluster.players.mcts import defaults

ALL = {name: 60 for name in STEPS if name.startswith("playout_")}
PATTERNS = Patterns([(0.37, [(1, 0, "O")]), (1.7, [(0, -1, "#")])])
MOGO = dict(exploration=0, rave=1000, expand_at=4, first_play_urgency=1, bias=0.7)
SEARCHES = {
    "uct": (Go(9), Policy(), {}),
    "widening": (Go(7), Policy(), dict(widening=4.2, exploration=0.61)),
    "mogo": (Go(9), GoPolicy(), MOGO),
    "patterns": (Go(9), GoPolicy(PATTERNS, **ALL), MOGO | dict(exploration=0.13, widening=7.7)),
    "mogo 19x19": (Go(19), GoPolicy(), MOGO | dict(rave=333.3)),
    "havannah": (Havannah(5), Policy(), dict(exploration=0.3, rave=77.7)),
}
# Players of which nothing is said: with a database on a large board, with proofs in Havannah.
DEFAULTS = [Go(9), Go(19), Havannah(5)]

def play(game, search, moves):
    game = game.copy()
    told = []
    for seed in range(moves):
        if game.is_over:
            break
        search.run(3000 if game.points < 200 else 600, seed)
        tree = hashlib.sha256(search.tree.array().tobytes()).hexdigest()
        move = search.best_move()
        told.append([game.name(move), search.children()["rave_visits"].sum().item(), tree])
        game.play(move)
        search.advance(move)
    return told

played = {
    name: play(game, Search(game, policy, **settings), 6)
    for name, (game, policy, settings) in SEARCHES.items()
}
for game in DEFAULTS:
    name = f"default {type(game).__name__} {game.size}"
    played[name] = play(game, defaults("mogo", type(game)).search(game), 6)
print(json.dumps([build_info.flags(), played]))
"""


def told_by(folder):
    """Return the flags of a build, and what it plays."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ended = subprocess.run(
        [sys.executable, "-c", PLAY],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


@pytest.mark.proof
def test_a_portable_build_searches_like_a_native_one(tmp_path):
    files = ["setup.py", "pyproject.toml", "README.md", "LICENSE"]
    core = [f"cext/{path.name}" for path in (ROOT / "cext").glob("*.p[yx]*")]
    (tmp_path / "cext").mkdir()
    for name in files + core:
        shutil.copy(ROOT / name, tmp_path / name)
    # For what players are if nobody says anything.
    package = "mcts_cluster"
    shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("*.pyc"))
    made = subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"],
        cwd=tmp_path,
        env=os.environ | {"MCTS_CLUSTER_PORTABLE": "1", "MCTS_CLUSTER_SANITIZE": "0"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert made.returncode == 0, made.stderr

    assert not (tmp_path / "cext" / "built_for.txt").exists()
    native_flags, native = told_by(ROOT)
    portable_flags, portable = told_by(tmp_path)

    assert "-march=native" in native_flags
    assert "-march=native" not in portable_flags
    assert portable == native
    assert all(len(moves) == 6 for moves in native.values())


CPUINFO = Path("/proc/cpuinfo")
HERE = "processor\t: 0\nmodel name\t: Old\nflags\t\t: fpu sse2 avx avx2\n\nprocessor\t: 1\n"
LACKS = "built for New; the processor of {node} lacks avx512f avx512vl: rebuild with "


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "built_for.txt"
    path.write_text("New\navx avx512f avx512vl\n")
    return path


@pytest.mark.skipif(not CPUINFO.exists(), reason="only Linux tells of its processor so")
def test_a_native_build_records_instructions_that_this_processor_has():
    path = Path(cext.__file__).with_name("built_for.txt")
    assert path.exists() == ("-march=native" in build_info.flags())
    if path.exists():
        model, names = path.read_text().splitlines()
        text = CPUINFO.read_text()
        assert model in text
        assert set(names.split()) <= set(text.split())


def test_another_processor_is_refused_with_what_it_lacks(record, tmp_path):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(HERE)

    with pytest.raises(ImportError) as refused:
        refuse_another_processor(record, cpuinfo)

    assert str(refused.value).startswith(LACKS.format(node=node()))


@pytest.mark.parametrize("flags", ["avx avx512f avx512vl", None], ids=["has all", "tells none"])
def test_a_processor_that_has_all_is_not_refused(flags, record, tmp_path):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(HERE.replace("avx avx2", flags) if flags else "Features: neon\n")

    refuse_another_processor(record, cpuinfo)
    refuse_another_processor(tmp_path / "none", cpuinfo)
    refuse_another_processor(record, tmp_path / "none")


def test_the_command_says_it_in_a_line(tmp_path):
    folder = tmp_path / "cext"
    shutil.copytree(ROOT / "cext", folder, ignore=shutil.ignore_patterns("*.c", "*.pyx"))
    (folder / "built_for.txt").write_text("New\nno-such-instruction\n")
    words = ["-c", "import sys; from mcts_cluster.__main__ import main; sys.exit(main())"]

    ended = subprocess.run(
        [sys.executable, *words, "run", str(ROOT / "jobs" / "quickstart.toml")],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert ended.returncode == 2
    assert ended.stderr.startswith("mcts-cluster: built for New; the processor of ")
    assert ended.stderr.count("\n") == 1


def test_another_import_error_is_a_defect(monkeypatch):
    def broken(verb):
        raise ImportError("no such library", name="other")

    monkeypatch.setattr(command, "command_parser", broken)

    with pytest.raises(ImportError):
        command.main(["run"])


# The commit


def git(folder, *words):
    who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]
    said = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    return said.stdout.strip()


def commit_told_in(folder):
    text = "import runpy; print(runpy.run_path('setup.py')['commit']())"
    return subprocess.run(
        [sys.executable, "-c", text], cwd=folder, capture_output=True, text=True
    ).stdout.strip()


def test_a_source_distribution_knows_its_commit(tmp_path):
    checkout = tmp_path / "checkout"
    (checkout / "mcts_cluster").mkdir(parents=True)
    (checkout / "mcts_cluster" / "__init__.py").touch()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, checkout)
    git(checkout, "init", "--quiet")
    git(checkout, "add", ".")
    git(checkout, "commit", "--quiet", "--message", "one")
    name = git(checkout, "rev-parse", "--short", "HEAD")

    command = [sys.executable, "setup.py", "--quiet", "sdist", "--dist-dir", str(tmp_path)]
    made = subprocess.run(command, cwd=checkout, capture_output=True, text=True, timeout=120)
    assert made.returncode == 0, made.stderr
    [archive] = tmp_path.glob("*.tar.gz")
    shutil.unpack_archive(archive, tmp_path, filter="data")
    [unpacked] = tmp_path.glob("mcts_cluster-*/")

    assert commit_told_in(checkout) == name
    assert commit_told_in(unpacked) == name
    (unpacked / "commit.txt").unlink()
    assert commit_told_in(unpacked) == "unknown"


def test_every_file_of_the_package_is_installed_with_it():
    package = ROOT / "mcts_cluster"
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    patterns = declared["package-data"]["mcts_cluster"]
    files = {
        path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    }

    data = {path for path in files if path.suffix != ".py"}
    assert package / "jobs" / "templates" / "match.toml" in data
    assert data == {path for pattern in patterns for path in package.glob(pattern)}
