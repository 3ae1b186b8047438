"""In what two descriptions differ, key by key, and what may differ when a file is continued."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from mcts_cluster.settings.declaration import FREE, SAME, declared
from mcts_cluster.settings.words import Path, dotted, shown

NO_RULES: Mapping[str, str] = MappingProxyType({})


def continued(*classes: type[Any]) -> dict[str, str]:
    """Return what may become of settings, by the names of their fields; others stay the same."""
    return {
        one.name: one.continued for cls in classes for one in declared(cls) if one.continued != SAME
    }


def compare(
    path: Path, file: Any, job: Any, rules: Mapping[str, str] = NO_RULES, rule: str = SAME
) -> Iterator[str]:
    """Yield a line for each value that may not be another one, with the path of its key."""
    if file == job or rule == FREE:
        return
    if isinstance(file, dict) and isinstance(job, dict):
        for key in file | job:
            own = rules.get(key, SAME)
            yield from compare((*path, key), file.get(key), job.get(key), rules, own)
    elif rule == SAME or None in (file, job):
        yield f"{dotted(path)}: {value_text(file)} in the file, {value_text(job)} in the job"
    elif job < file:
        yield f"{dotted(path)}: {file} in the file, only {job} in the job"


def value_text(value: Any) -> str:
    return "nothing" if value is None else shown(value)
