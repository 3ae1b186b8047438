"""Native and portable builds play alike: the same numbers in whole trees, and so the same games."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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

    native_flags, native = told_by(ROOT)
    portable_flags, portable = told_by(tmp_path)

    assert "-march=native" in native_flags
    assert "-march=native" not in portable_flags
    assert portable == native
    assert all(len(moves) == 6 for moves in native.values())
