"""ARCHITECTURE.md: packages in the order of imports, files by their first sentences."""

import ast
import re
from pathlib import Path

from test_imports import ORDER

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "mcts_cluster"
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def first_sentence(path):
    """Return the first sentence of a file's docstring."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        docstring = ast.get_docstring(ast.parse(text)) or ""
    else:
        docstring = text.split('"""')[1].strip()
    paragraph = " ".join(docstring.partition("\n\n")[0].split())
    return re.split(r"[.;] |\.$", paragraph)[0]


def rows(folder):
    """Return the table of a folder: a line a file, the first sentence of its docstring."""
    paths = sorted(path for path in folder.rglob("*.py") if path.name != "__init__.py")
    names = {path.relative_to(folder).with_suffix("").as_posix(): path for path in paths}
    return [f"| `{name}` | {first_sentence(path)} |" for name, path in names.items()]


def core_rows():
    folder = ROOT / "cext"
    contracts = sorted(folder.glob("*.pxd"))
    others = [path for path in folder.glob("*.pyx") if not path.with_suffix(".pxd").exists()]
    paths = sorted([*contracts, *others], key=lambda path: path.stem)
    return [f"| `{path.stem}` | {first_sentence(path)} |" for path in paths]


def parts():
    """Return the packages and single modules of the program, in their order."""
    return [part for part in ORDER if (PACKAGE / part).is_dir()]


def expected():
    lines = []
    for part in parts():
        lines += [f"### {part}/", "", first_sentence(PACKAGE / part / "__init__.py") + ".", ""]
        lines += ["| file | what it holds |", "|---|---|", *rows(PACKAGE / part), ""]
    return "\n".join(lines)


def test_the_packages_stand_in_the_order_of_imports_with_a_line_a_file():
    begin, end = TEXT.index("### settings/"), TEXT.index("## The core")

    assert TEXT[begin:end].strip() == expected().strip(), f"it must be:\n{expected()}"


def test_the_core_has_a_line_a_file():
    found = [line for line in TEXT[TEXT.index("## The core") :].splitlines() if "| `" in line]

    assert found[: len(core_rows())] == core_rows(), "it must be:\n" + "\n".join(core_rows())


def test_the_order_of_imports_is_drawn():
    drawing = " ".join(re.findall(r"^    (.*<.*)$", TEXT, flags=re.MULTILINE))

    assert re.findall(r"[a-z_]+", drawing) == [part for part in ORDER if part != "__main__"]


def test_every_single_module_is_named():
    modules = [path.stem for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")]

    assert [name for name in modules if f"`{name}`" not in TEXT] == []
