"""The help of every verb: its examples parse, and those that take no time do what they say."""

import re
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import rest_in_proof

from mcts_cluster import exit_statuses
from mcts_cluster.__main__ import EXAMPLES, VERBS, all_verbs, command_parser, main
from mcts_cluster.jobs import jobfile

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"
EXAMPLE = re.compile(r"^  (?:mpirun \S+ \S+ |watch -n 60 )?mcts-cluster (.*)$", re.MULTILINE)

# What an example needs and the project does not ship under this name: what stands in for it.
STAND_INS = {
    "quickstart.h5": "quickstart-example.h5",
    "table1-go9.h5": "table1-go9-laptop.h5",
    "table4-go9.h5": "machines-go9.h5",
    "honest-go9.h5": "doublings-go9.h5",
    "before.h5": "machines-go9.h5",
    "after.h5": "machines-go13.h5",
    **{f"table1-go9.{k}-of-8.h5": "table1-go9-laptop.h5" for k in (1, 2)},
}
# These play for long, serve a page, put jobs into queues, measure, or need a campaign that this
# version has played.
SLOW = {"run", "submit", "pack", "check", "bench", "validate", "watch"}
# Files that nothing stands in for.
MISSING = ("nancy.h5", "table4-go9.h5 --doublings", "learn")


def examples_in(text):
    """Return the commands of a help, without what the shell or a remark adds."""
    lines = EXAMPLE.findall(text.replace("\\\n      ", ""))
    found = [re.split(r"  +| > ", line)[0] for line in lines]
    return [line for line in found if not line.endswith("--help")]


def all_examples():
    """Yield each verb with each example of its help."""
    for verb, (_, parser) in all_verbs().items():
        for line in examples_in(parser.epilog or ""):
            yield verb, line
    for line in examples_in(EXAMPLES):
        yield line.partition(" ")[0], line


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_an_example_of_itself(verb, capsys):
    with suppress(SystemExit):
        main([verb, "--help"])

    found = examples_in(capsys.readouterr().out)
    assert found
    assert all(line.partition(" ")[0] == verb for line in found)


@pytest.mark.parametrize("verb", VERBS)
def test_its_words_fit_eighty_columns(verb):
    lines = (all_verbs()[verb][1].epilog or "").splitlines()

    assert [line for line in lines if len(line) > 80 and not line.startswith("  ")] == []


@pytest.mark.parametrize(("verb", "line"), list(all_examples()))
def test_an_example_parses_and_its_job_can_be_read(verb, line, monkeypatch):
    monkeypatch.chdir(ROOT)
    words = shlex.split(line)

    args = command_parser(words[0]).parse_args(words)

    job = getattr(args, "job", None)
    if job and job != "JOB":
        assert jobfile.read(job, getattr(args, "set", [])).experiment.described()


def here(line):
    verb = line.partition(" ")[0]
    return verb not in SLOW and not any(part in line for part in MISSING)


HERE = sorted({line for _, line in all_examples() if here(line)})
# Others do what they do in less time.
LONG = ("replay results/quickstart.h5 17", "report results/*.h5")
SHORT = [line for line in HERE if line != LONG[0] and not line.startswith(LONG[1])]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that examples name."""
    (tmp_path / "jobs").symlink_to(ROOT / "jobs")
    (tmp_path / "results").mkdir()
    for name in ("doublings-go9.h5", "bgp-planted.h5", *STAND_INS):
        source = RESULTS / STAND_INS.get(name, name)
        if source.exists():
            shutil.copy(source, tmp_path / "results" / name)
    shutil.copy(ROOT / "jobs" / "patterns-go9.txt", tmp_path / "my-patterns.txt")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def as_globbed(word):
    found = sorted(map(str, Path().glob(word))) if "*" in word else []
    return found or [word]


@pytest.mark.parametrize("line", rest_in_proof(HERE, SHORT))
def test_an_example_does_what_it_says(line, folder, capsys):
    # As the shell has it.
    words = [one for word in shlex.split(line) for one in as_globbed(word)]
    if "-o" in words:
        Path(words[words.index("-o") + 1]).unlink(missing_ok=True)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}

    if words[0] == "gtp":
        command = [sys.executable, "-m", "mcts_cluster", *words]
        said = subprocess.run(command, input="name\nquit\n", text=True, capture_output=True)
        status, out = said.returncode, said.stdout
    else:
        status, out = main(words), capsys.readouterr().out

    assert status == 0
    made = [path for path in folder.rglob("*") if path.is_file() and path not in before]
    assert out or made
    for option in ("-o", "--png"):
        if option in words:
            assert (folder / words[words.index(option) + 1]).exists()
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())


def test_an_unknown_verb_is_a_line_with_what_was_meant(capsys):
    assert (main(["runn", "x"]), main(["zzz"])) == (2, 2)

    first, second = capsys.readouterr().err.splitlines()
    assert first == 'mcts-cluster: runn: unknown verb; did you mean "run"?'
    assert second.startswith("mcts-cluster: zzz: unknown verb; known are init, run, submit, ")


# Exit statuses


def test_every_status_has_a_meaning():
    statuses = {value for value in vars(exit_statuses).values() if isinstance(value, int)}

    assert exit_statuses.MEANINGS.keys() == statuses


def test_the_document_has_the_exit_statuses():
    text = (ROOT / "docs" / "jobs.md").read_text().split("\n## Exit statuses\n")[1]

    rows = re.findall(r"^\| (\d+) \| (.*) \|$", text.partition("\n## ")[0], flags=re.MULTILINE)
    assert {int(status): meaning for status, meaning in rows} == exit_statuses.MEANINGS


def test_the_help_of_run_has_the_beginnings_of_their_meanings():
    epilog = all_verbs()["run"][1].epilog
    table = epilog.partition("exit status:")[2].replace("\n       ", " ")
    rows = re.findall(r"^  (\d+) +(.*)$", table, flags=re.MULTILINE)

    assert [int(status) for status, _ in rows] == list(exit_statuses.MEANINGS)
    for status, text in rows:
        for part in text.split("; "):
            assert part in exit_statuses.MEANINGS[int(status)]
