"""The shape of the program, counted: what a stranger finds his way by must not wear away."""

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

from mcts_cluster.__main__ import VERBS

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "mcts_cluster"
MODULES = sorted(PACKAGE.rglob("*.py"))

# Code of a kind of experiment may know what kind it is.
OF_CAMPAIGNS = re.compile(r"/bgp/|campaign")


def code(path):
    return path.read_text(encoding="utf-8")


def test_no_folder_has_more_modules_than_a_glance_takes_in():
    folders = Counter(path.parent for path in MODULES if path.name != "__init__.py")

    # Of commands/, a module is a verb.
    allowed = {PACKAGE / "commands": len(VERBS)}
    many = {str(f): count for f, count in folders.items() if count > allowed.get(f, 15)}
    assert many == {}


def test_every_module_is_short():
    lengths = {path.name: code(path).count("\n") for path in MODULES}

    assert {name: length for name, length in lengths.items() if length > 360} == {}


def test_no_name_of_a_class_means_two_things():
    found = defaultdict(list)
    for path in MODULES:
        for node in ast.walk(ast.parse(code(path))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(path.name)

    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


def test_nobody_asks_of_what_kind_a_player_is():
    guess = re.compile(r"isinstance\([^()]*\bTeamPlayer\)|getattr\((player|machine|seat|session)\b")

    assert [path.name for path in MODULES if guess.search(code(path))] == []


def test_nobody_but_its_own_code_asks_for_a_campaign():
    asks = re.compile(r"\bif [^\n]*(\.campaign\b|\.tables\b)|isinstance\([^()]*CampaignState\)")
    others = [path for path in MODULES if not OF_CAMPAIGNS.search(path.as_posix())]

    assert [path.name for path in others if asks.search(code(path))] == []


def test_limits_are_called_min_and_max():
    other = re.compile(r"^(?:MOST|LEAST|LONGEST|SHORTEST)(?:_\w+)?(?::[^=\n]*)? = ", re.MULTILINE)

    found = {path.name: other.findall(code(path)) for path in MODULES}
    assert {name: limits for name, limits in found.items() if limits} == {}


def test_every_module_says_what_it_is():
    empty = [path for path in MODULES if not ast.get_docstring(ast.parse(code(path)))]

    assert [str(path.relative_to(ROOT)) for path in empty] == []
