"""Files of results as an RO-Crate: a folder with the files and what they are, for archives.

The metadata are those of RO-Crate 1.1, with runs as the profile Process Run Crate has them. They
say what the files know: nobody is named as an author, and no licence is chosen for whoever
publishes them.
"""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mcts_cluster import published
from mcts_cluster.columns import columns_of
from mcts_cluster.errors import UserError, harmless
from mcts_cluster.exit_statuses import COMPLETE
from mcts_cluster.published import Paper
from mcts_cluster.reports import runs
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.settings.words import counted
from mcts_cluster.storage import reader
from mcts_cluster.storage.integrity.faults import is_time
from mcts_cluster.storage.results import Results, RunRecord, Tally
from mcts_cluster.text_files import make_folder, replacing, target_of, write

METADATA = "ro-crate-metadata.json"
SPECIFICATION = "https://w3id.org/ro/crate/1.1"
PROCESS_RUNS = "https://w3id.org/ro/wfrun/process/0.5"
SCHEMA_ORG = "http://schema.org/"
# With a word that version 1.1 lacks.
CONTEXT = [f"{SPECIFICATION}/context", {"sha256": f"{SCHEMA_ORG}sha256"}]
SPDX = "https://spdx.org/licenses/"
LICENCE = re.compile(r"https?://\S+|[A-Za-z0-9][A-Za-z0-9.+-]*")
NO_LICENCE = "No licence is stated. Whoever publishes these results may name one here."

Entity = dict[str, Any]


# The folder


def write_crate(paths: Sequence[Path], folder: Path, licence: str = "") -> None:
    """Copy files into a folder, and describe them there; raises UserError.

    A file that lies there already stays as it is.
    """
    if licence and not LICENCE.fullmatch(licence):
        raise UserError(f"--license {licence}: must be a name of SPDX, as CC-BY-4.0, or an address")
    read = list(map(closed, paths))
    check(paths, folder)
    found = {folder / path.name: results for path, results in zip(paths, read, strict=True)}
    make_folder(folder)
    for path in paths:
        if not (folder / path.name).exists():
            with replacing(folder / path.name) as fresh:
                shutil.copyfile(path, fresh)
    content = {"@context": CONTEXT, "@graph": list(graph(found, licence))}
    text = json.dumps(content, indent=2, ensure_ascii=False)
    # What harmless writes out is JSON's own way to write it.
    write(folder / METADATA, f"{harmless(text)}\n")


def check(paths: Sequence[Path], folder: Path) -> None:
    """Raise UserError if the folder has what is not to be replaced, or would lack a file."""
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: must be a folder or a new name")
    # People add their names to it.
    if target_of(folder / METADATA).exists():
        raise UserError(f"{folder / METADATA}: exists already, must be another folder")
    for number, path in enumerate(paths):
        if path.name in [other.name for other in paths[:number]]:
            raise UserError(f"{path}: another file has this name, must be one of its own")
        there = target_of(folder / path.name)
        if there.exists() and not there.samefile(path) and sha256(there) != sha256(path):
            raise UserError(f"{there}: exists already and differs from {path}")


def closed(path: Path) -> Results:
    """Return what is in a file that nobody writes; raises UserError for others."""
    results = reader.read(path)
    if not results.is_closed:
        raise UserError(f"{path}: under way, or left open by a kill: must be a closed file")
    return results


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# What stands in it


def graph(found: Mapping[Path, Results], licence: str) -> Iterator[Entity]:
    """Yield the entities, each once."""
    seen = set()
    for entity in entities(found, licence):
        if entity["@id"] not in seen:
            seen.add(entity["@id"])
            yield entity


def entities(found: Mapping[Path, Results], licence: str) -> Iterator[Entity]:
    yield {
        "@id": METADATA,
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": {"@id": SPECIFICATION},
    }
    yield root(found, licence)
    for path, results in found.items():
        yield file_entity(path, results)
        yield job_entity(path, results)
        for number, run in enumerate(results.runs):
            yield action(path, results, number)
            yield software(run)
    for column in columns_of(Tally):
        yield {
            "@id": f"#{column.name}",
            "@type": "PropertyValue",
            "name": column.name,
            "description": column.long_name,
        } | ({"unitText": column.units} if column.units else {})
    for paper in papers(found.values()):
        yield paper_entity(paper)
        yield from (
            {"@id": person(name), "@type": "Person", "name": name} for name in paper.authors
        )
    for one, what in (licence, "these results"), ("MIT", "the program"):
        if one:
            told = f"the licence of {what}"
            yield {"@id": address(one), "@type": "CreativeWork", "name": one, "description": told}
    yield {
        "@id": PROCESS_RUNS,
        "@type": "CreativeWork",
        "name": "Process Run Crate",
        "version": "0.5",
    }


def root(found: Mapping[Path, Results], licence: str) -> Entity:
    """Return the dataset: all of the files."""
    titles = [results.title or plain(path) for path, results in found.items()]
    told = [f"{plain(path)}: {summary(results)}" for path, results in found.items()]
    cited = [paper_id(paper) for paper in papers(found.values())]
    played = [
        run_id(path, number)
        for path, results in found.items()
        for number in range(len(results.runs))
    ]
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": "; ".join(titles),
        "description": f"Results of experiments on Monte-Carlo tree search. {' '.join(told)}",
        "datePublished": datetime.now(UTC).date().isoformat(),
        "license": {"@id": address(licence)} if licence else NO_LICENCE,
        "conformsTo": {"@id": PROCESS_RUNS},
        "hasPart": references([file_id(path) for path in found]),
        "variableMeasured": references([f"#{column.name}" for column in columns_of(Tally)]),
        **({"mentions": references(played)} if played else {}),
        **({"citation": references(cited)} if cited else {}),
    }


def file_entity(path: Path, results: Results) -> Entity:
    ended = max((run.ended for run in results.runs if is_time(run.ended)), default=None)
    return {
        "@id": file_id(path),
        "@type": "File",
        "name": plain(path),
        "description": f"{summary(results)} An HDF5 file, which /readme in it explains; "
        "mcts-cluster table prints the success rates.",
        "encodingFormat": "application/x-hdf5",
        "contentSize": str(path.stat().st_size),
        "sha256": sha256(path),
    } | ({"dateModified": time_of(ended)} if ended is not None else {})


def summary(results: Results) -> str:
    """Return in a sentence what a file has."""
    noun = KINDS[results.kind].PLAYED
    title = f" ({results.title})" if results.title else ""
    kind = results.kind.removesuffix("s")
    return (
        f"{counted(len(results.rows), noun)} of {results.game.title()}, of a job of {kind}{title}."
    )


def job_entity(path: Path, results: Results) -> Entity:
    """Return the job, with its text."""
    replaced = f"; replaced by --set: {', '.join(results.overrides.splitlines())}"
    return {
        "@id": job_id(path),
        "@type": "CreativeWork",
        "name": f"the job of {plain(path)}",
        "description": f"what was to be played{replaced * bool(results.overrides)}",
        "encodingFormat": "application/toml",
        "text": results.text,
    }


def action(path: Path, results: Results, number: int) -> Entity:
    """Return a run."""
    run = results.runs[number]
    noun = KINDS[results.kind].PLAYED
    found = {
        "@id": run_id(path, number),
        "@type": "CreateAction",
        "name": f"run {number + 1} of {plain(path)}",
        # Its beginning is a time of this place, and stands below.
        "description": runs.line(run, number, results, noun).partition(": ")[2],
        "instrument": {"@id": software_id(run)},
        "object": {"@id": job_id(path)},
        "result": {"@id": file_id(path)},
        "startTime": time_of(run.began),
    }
    if is_time(run.ended):
        found["endTime"] = time_of(run.ended)
    if run.status == COMPLETE:
        found["actionStatus"] = f"{SCHEMA_ORG}CompletedActionStatus"
    return found


def software(run: RunRecord) -> Entity:
    build = ", ".join(filter(None, (run.compiler, run.build_flags, run.python, run.mpi_library)))
    return {
        "@id": software_id(run),
        "@type": "SoftwareApplication",
        "name": "mcts_cluster",
        "softwareVersion": f"{run.version}, commit {run.commit}" if run.commit else run.version,
        "description": "Experiments on Monte-Carlo tree search, on one core or on a cluster."
        + f" Built and run with {build}." * bool(build),
        "license": {"@id": address("MIT")},
    }


def papers(files: Iterable[Results]) -> list[Paper]:
    """Return the papers whose figures stand next to those of some files."""
    names = [one.name for results in files for one in KINDS[results.kind].compared(results)]
    return list(dict.fromkeys(map(published.paper_of, names)))


def paper_entity(paper: Paper) -> Entity:
    return {
        "@id": paper_id(paper),
        "@type": "ScholarlyArticle",
        "name": paper.title,
        "author": references([person(name) for name in paper.authors]),
    } | ({"datePublished": str(paper.year)} if paper.year else {})


# How things are named


def references(ids: Sequence[str]) -> Entity | list[Entity]:
    """Return what refers to some entities; to a single one without a list."""
    found = [{"@id": one} for one in ids]
    return found if len(found) > 1 else found[0]


def plain(path: Path) -> str:
    """Return the name of a file as text, which it need not be."""
    return os.fsencode(path.name).decode(errors="replace")


def file_id(path: Path) -> str:
    return quote(os.fsencode(path.name))


def job_id(path: Path) -> str:
    return f"#job-of-{file_id(path)}"


def run_id(path: Path, number: int) -> str:
    return f"#run-{number + 1}-of-{file_id(path)}"


def software_id(run: RunRecord) -> str:
    return f"#mcts_cluster-{quote('-'.join(filter(None, (run.version, run.commit))))}"


def paper_id(paper: Paper) -> str:
    return f"#paper-{paper.key}"


def person(name: str) -> str:
    return f"#{name.replace(' ', '-')}"


def address(licence: str) -> str:
    return licence if "://" in licence else f"{SPDX}{licence}"


def time_of(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
