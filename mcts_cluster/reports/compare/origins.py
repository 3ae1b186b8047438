"""In what files differ apart from their results: settings, versions of the program, hosts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mcts_cluster.jobs.compatibility import as_now
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports.runs import all_hosts
from mcts_cluster.settings.comparison import value_text
from mcts_cluster.settings.words import Path, dotted
from mcts_cluster.storage.results import Results

# Files by their letters.
Lettered = Mapping[str, Results]
# More settings are only counted.
MAX_SETTINGS = 12
# Of tables with a name for each of these.
GROUPED = ("player", "match", "position")
MAX_NAMES = 3


def differing(path: Path, values: Sequence[Any]) -> Iterator[tuple[Path, Sequence[Any]]]:
    """Yield the path of each value that is not the same in all of some tables, with the values."""
    if all(value == values[0] for value in values):
        return
    if all(isinstance(value, dict) for value in values):
        for key in dict.fromkeys(key for value in values for key in value):
            yield from differing((*path, key), [value.get(key) for value in values])
    else:
        yield path, values


def settings_lines(settings: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a line for each setting that differs, given those of files by their letters."""
    letters = list(settings)
    paths: dict[tuple[Path, str], list[str]] = {}
    for path, values in differing((), list(settings.values())):
        text = shared(letters, list(map(value_text, values)))
        # The same setting of many players is one line.
        name = str(path[1]) if path[0] in GROUPED and len(path) > 2 else ""
        paths.setdefault(((path[0], *path[2:]) if name else path, text), []).append(name)
    found = [f"{where(path, names)}: {text}" for (path, text), names in paths.items()]
    more = len(found) - MAX_SETTINGS
    rest = [f"{more:,} more settings differ"] if more > 0 else []
    return [*found[:MAX_SETTINGS], *rest] or ["settings: the same"]


def where(path: Path, names: Sequence[str]) -> str:
    """Return where a setting is, of players or matches with these names."""
    if not names[0]:
        return dotted(path)
    if len(names) == 1:
        return dotted((path[0], names[0], *path[1:]))
    return f"{dotted(path[1:])} of {some(names)}"


def some(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return ", ".join(names[:MAX_NAMES]) + more


def shared(letters: Sequence[str], texts: Sequence[str]) -> str:
    """Return what files have, each thing once: "300 in A and C, 500 in B"."""
    by_text: dict[str, list[str]] = {}
    for letter, text in zip(letters, texts, strict=True):
        by_text.setdefault(text, []).append(letter)
    return ", ".join(f"{text} in {' and '.join(own)}" for text, own in by_text.items())


def player_settings(described: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings of players by their names in another file, given their own ones."""
    players = described.get("player", {})
    return {other: as_now(players[own]) for other, own in names.items() if own in players}


def names_of(keys: Mapping[MatchKey, MatchKey]) -> dict[str, str]:
    """Return the own names of players by those in another file, given so of matches."""
    return {
        other: own
        for theirs, ours in keys.items()
        for other, own in zip(theirs.players, ours.players, strict=True)
    }


def origin_lines(files: Lettered) -> list[str]:
    """Return lines for versions and hosts, where these differ."""
    found = []
    for what, of_file in (("versions", versions), ("hosts", hosts)):
        texts = [of_file(results) for results in files.values()]
        if len(set(texts)) > 1:
            found.append(f"{what}: {shared(list(files), texts)}")
    return found


def versions(results: Results) -> str:
    """Return the versions that have played, each once."""
    found = (f"{run.version} {run.commit}".strip() or "unknown" for run in results.runs)
    return " and ".join(dict.fromkeys(found)) or "unknown"


def hosts(results: Results) -> str:
    """Return the hosts that have played; of many, how many there are."""
    names = [host.name for host in all_hosts(results.rows)]
    return " and ".join(names) if len(names) <= 4 else f"{len(names)} hosts"
