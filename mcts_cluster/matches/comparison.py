"""In what two descriptions of a job differ, key by key."""

import json
from collections.abc import Iterator
from typing import Any

# How long a program may take decides no game that counts; the others decide nothing.
HARMLESS = {"seconds_to_answer", "shadows", "published", "proof"}


def compare(path: str, file: Any, job: Any) -> Iterator[str]:
    """Yield a line for each value that differs, with the path of its key."""
    if isinstance(file, dict) and isinstance(job, dict):
        for key in file | job:
            if key not in HARMLESS:
                yield from compare(f"{path}.{key}", file.get(key), job.get(key))
    elif file != job:
        yield f"{path}: {shown(file)} in the file, {shown(job)} in the job"


def shown(value: Any) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
