"""What may import what: packages in one order, and nothing heavy where ranks start."""

import ast
import re
import shutil
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "mcts_cluster"

# Each imports only itself and what stands before it. ARCHITECTURE.md draws the same order.
ORDER = (
    *("errors", "exit_statuses", "text_files", "seeds", "published", "success_rates"),
    *("superiority", "settings", "columns"),
    *("games", "players", "parallel", "matches", "bgp", "positions", "jobs", "storage"),
    *("terminal", "reports", "results"),
    *("running", "gtp", "benchmarks", "shells", "commands", "__main__"),
)


def part_of(module):
    """Return the package, or the module without one, that the name of a module begins with."""
    return module.removeprefix("mcts_cluster").lstrip(".").partition(".")[0]


def imported(path):
    """Yield the modules of ours that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("mcts_cluster"):
            if node.module == "mcts_cluster":
                yield from (f"mcts_cluster.{alias.name}" for alias in node.names)
            else:
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.startswith("mcts_cluster."))


def test_packages_import_only_those_before_them():
    against = [
        f"{path.relative_to(PACKAGE)} imports {module}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for own in [path.relative_to(PACKAGE).with_suffix("").parts[0]]
        for module in imported(path)
        if own in ORDER
        and part_of(module) in ORDER
        and ORDER.index(part_of(module)) > ORDER.index(own)
    ]

    assert against == []


JOB = """
[game]
size = 5
[player.a]
simulations = 4
[player.b]
simulations = 6
[[match]]
players = ["a", "b"]
games = 2
"""
WORKER = f"""
import sys
sys.path[:0] = {sys.path!r}
from mcts_cluster.parallel import mpi
rank = mpi.start().rank
from mcts_cluster.__main__ import main
main(["run", sys.argv[1], "-o", sys.argv[2]])
if rank == 1:
    print("modules:", *sys.modules)
"""


def test_every_part_of_the_package_has_its_place_in_the_order():
    parts = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py"}
    parts |= {path.parent.relative_to(PACKAGE).parts[0] for path in PACKAGE.glob("*/**/*.py")}

    assert parts - {"__init__"} == set(ORDER)


@pytest.fixture(scope="module")
def of_a_worker(mpiexec, tmp_path_factory):
    """Return the modules of a rank that has played a match of two tree searches."""
    folder = tmp_path_factory.mktemp("worker")
    (folder / "job.toml").write_text(JOB)

    ended = mpiexec(2, "-c", WORKER, str(folder / "job.toml"), str(folder / "out.h5"))

    assert ended.returncode == 0, ended.stderr
    [line] = [line for line in ended.stdout.splitlines() if line.startswith("modules: ")]
    return set(line.split()[1:])


def test_a_worker_imports_few_of_our_modules(of_a_worker):
    ours = {name for name in of_a_worker if name.partition(".")[0] == "mcts_cluster"}

    assert "mcts_cluster.players.mcts_session" in ours
    assert len(ours) <= 25, sorted(ours)


def test_a_worker_imports_of_games_players_and_teams_what_it_plays_with(of_a_worker):
    packages = ("mcts_cluster.games", "mcts_cluster.players", "mcts_cluster.parallel")
    ours = {name for name in of_a_worker if name.startswith(packages)}

    assert ours == {
        *packages,
        "mcts_cluster.games.game",
        "mcts_cluster.players.player",
        "mcts_cluster.players.mcts",
        "mcts_cluster.players.mcts_session",
        "mcts_cluster.parallel.mpi",
        "mcts_cluster.parallel.exchange_stats",
    }


def test_a_worker_imports_nothing_that_only_a_master_needs(of_a_worker):
    others = {"sgfmill", "multiprocessing", "h5py", "rich", "subprocess", "difflib"}

    assert not of_a_worker & others


def test_a_worker_imports_few_modules_in_all(of_a_worker):
    # Some four look-ups each on a file server, for every rank.
    others = {name for name in of_a_worker if name.partition(".")[0] not in ("numpy", "cext")}

    assert len(others) <= 165, sorted(others)


@pytest.mark.proof
@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
def test_a_worker_asks_for_few_files(mpiexec, tmp_path):
    (tmp_path / "job.toml").write_text(JOB)
    code = f"""
import os, sys
sys.path[:0] = {sys.path!r}
from mcts_cluster.parallel import mpi
words = [sys.executable, "-m", "mcts_cluster", "run", *sys.argv[1:3]]
traced = ["strace", "-f", "-e", "trace=file", "-o", sys.argv[3]]
rank = os.environ.get("PMI_RANK") or os.environ["PMIX_RANK"]
words = words if rank == "0" else [*traced, *words]
os.execvp(words[0], words)
"""
    trace = tmp_path / "trace"

    ended = mpiexec(2, "-c", code, f"{tmp_path}/job.toml", f"-o{tmp_path}/out.h5", f"{trace}")

    assert ended.returncode == 0, ended.stderr
    asked = re.findall(r'^\d+ \w+\((?:AT_FDCWD, )?"(/[^"]*)"', trace.read_text(), re.MULTILINE)
    # Those of this machine itself are no matter of a file server.
    served = [path for path in asked if path.split("/")[1] not in ("sys", "proc", "dev")]
    assert 100 < len(served) <= 1600, len(served)
