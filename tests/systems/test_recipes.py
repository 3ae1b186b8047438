"""The recipes for images and packages: that they have their parts, and name what there is."""

import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEFINITION = (ROOT / "slurm" / "mcts_cluster.def").read_text()
MANIFEST = (ROOT / "slurm" / "manifest.scm").read_text()


def section(name):
    """Return the lines of a section of the definition."""
    return re.search(rf"^%{name}\n(.*?)(?=^%|\Z)", DEFINITION, re.MULTILINE | re.DOTALL)[1]


def test_the_definition_has_a_base_and_sections_that_apptainer_knows():
    head = DEFINITION.partition("%")[0]
    assert dict(re.findall(r"^(\w+): (\S+)$", head, re.MULTILINE)) == {
        "Bootstrap": "docker",
        "From": "debian:bookworm-slim",
    }
    assert re.findall(r"^%(\w+)$", DEFINITION, re.MULTILINE) == [
        *("files", "post", "environment", "runscript", "test")
    ]


def test_the_definition_copies_what_a_build_needs():
    copied = [line.split()[0] for line in section("files").strip().splitlines()]

    assert all((ROOT / name).exists() for name in copied)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {"cext", "mcts_cluster", "setup.py", project["readme"], *project["license-files"]} <= {
        *copied
    }


def test_the_scripts_of_the_definition_are_scripts():
    for name in ("post", "environment", "runscript", "test"):
        checked = subprocess.run(["sh", "-n"], input=section(name), text=True, capture_output=True)
        assert (checked.returncode, checked.stderr) == (0, "")


def test_the_manifest_is_one_list_of_packages_with_all_that_is_required():
    code = re.sub(r";.*", "", MANIFEST)
    found = re.fullmatch(
        r'\s*\(specifications->manifest\s+\(list((?:\s+"[a-z0-9-]+")+)\)\)\s*', code
    )
    packages = re.findall(r'"(.*?)"', found[1])

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    names = {re.match(r"[\w-]+", one)[0] for one in needed}
    # Guix has no sgfmill, which comes from PyPI.
    assert names - {"sgfmill"} <= {name.removeprefix("python-") for name in packages}
