"""Jobs with remarks to start from, one of each kind: the files in the folder of this name."""

import json
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).with_name("templates")
KINDS = ("match", "campaign", "positions")
# In a template.
JOB, RESULTS, POSITIONS = "JOB", "RESULTS", '"POSITIONS"'


def files(kind: str, job: Path) -> Mapping[Path, str]:
    """Return the texts of a job of this kind and of the files that it needs, by their paths."""
    results = Path("results") / f"{job.stem}.h5"
    text = read(f"{kind}.toml").replace(f" {JOB} ", f" {job} ").replace(RESULTS, str(results))
    if POSITIONS not in text:
        return {job: text}
    positions = job.with_suffix(".txt")
    return {
        job: text.replace(POSITIONS, json.dumps(str(positions), ensure_ascii=False)),
        positions: read("positions.txt"),
    }


def read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
