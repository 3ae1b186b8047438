"""Jobs with remarks to start from, one of each kind: the files in the folder of this name."""

import json
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).with_name("templates")
KINDS = ("match", "campaign", "positions")
# In a template.
JOB, RESULTS, POSITIONS = "JOB", "RESULTS", '"POSITIONS"'
COMMAND = re.compile(r"#   (mcts-cluster .*?)  +(.*)")


def files(kind: str, job: Path) -> Mapping[Path, str]:
    """Return the texts of a job of this kind and of the files that it needs, by their paths."""
    results = Path("results") / f"{job.stem}.h5"
    text = with_names(read(f"{kind}.toml"), {JOB: job, RESULTS: results})
    if POSITIONS not in text:
        return {job: text}
    positions = job.with_suffix(".txt")
    return {
        job: text.replace(POSITIONS, json.dumps(str(positions), ensure_ascii=False)),
        positions: read("positions.txt"),
    }


def with_names(text: str, names: Mapping[str, Path]) -> str:
    """Return a job with these names in the commands of its remarks, whose meanings are in line."""
    written = {word: shlex.quote(str(path)) for word, path in names.items()}
    commands = {
        line: (" ".join(written.get(word, word) for word in found[1].split()), found[2])
        for line in text.splitlines()
        if (found := COMMAND.fullmatch(line))
    }
    width = max(len(command) for command, _ in commands.values())
    for line, (command, meaning) in commands.items():
        text = text.replace(line, f"#   {command:<{width}}   {meaning}")
    return text


def read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
