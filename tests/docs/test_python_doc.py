"""docs/python.md and the notebook beside it: each example gives what is printed there."""

import doctest
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import python_path

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "results.ipynb"

# In a process of its own: kernels leave sockets and threads behind them.
EXECUTE = """
import json, sys
import nbclient, nbformat
notebook = nbformat.read(sys.argv[1], as_version=4)
there = {"metadata": {"path": sys.argv[2]}}
limits = {"timeout": 300, "startup_timeout": 300}
nbclient.NotebookClient(notebook, kernel_name="python3", resources=there, **limits).execute()
print("outputs:", json.dumps([cell.get("outputs", []) for cell in notebook.cells]))
"""


def test_the_document_shows_what_its_examples_give(monkeypatch):
    monkeypatch.chdir(ROOT)

    failed, tried = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)

    assert tried > 10
    assert failed == 0


def printed(outputs):
    """Return the text that a cell prints; a figure is only said to be there."""
    return [one["text"] for one in outputs if one["output_type"] == "stream"] + [
        sorted(one["data"]) for one in outputs if one["output_type"] != "stream"
    ]


def test_the_notebook_runs_and_gives_what_it_shows():
    pytest.importorskip("nbclient", reason="needs nbclient: the extra notebook")
    pytest.importorskip("ipykernel", reason="needs ipykernel: the extra notebook")
    kept = json.loads(NOTEBOOK.read_text())["cells"]

    ended = subprocess.run(
        [sys.executable, "-c", EXECUTE, str(NOTEBOOK), str(NOTEBOOK.parent)],
        env={**os.environ, "PYTHONPATH": python_path()},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 0, ended.stderr
    [line] = [line for line in ended.stdout.splitlines() if line.startswith("outputs: ")]
    found = json.loads(line.removeprefix("outputs: "))
    joined = [
        [
            one | {"text": "".join(one["text"])} if "text" in one else one
            for one in cell.get("outputs", [])
        ]
        for cell in kept
    ]
    assert list(map(printed, found)) == list(map(printed, joined))
    assert any("image/png" in one.get("data", {}) for cell in found for one in cell)


def test_the_notebook_has_no_paths_of_a_machine():
    assert "/home/" not in NOTEBOOK.read_text()
    assert str(ROOT) not in NOTEBOOK.read_text()
