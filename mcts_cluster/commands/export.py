"""The verb `export`: games as SGF or HGF, rows as CSV or Parquet, files as an RO-Crate."""

import re
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cext.go import Go
from mcts_cluster import games
from mcts_cluster.errors import UserError, harmless
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.jobs.expansion import Expansion
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.results.opened import write_parquet
from mcts_cluster.results.ro_crate import METADATA, write_crate
from mcts_cluster.settings.words import counted, shown
from mcts_cluster.storage import reader, schema
from mcts_cluster.storage.results import Results
from mcts_cluster.storage.rows import csv_rows
from mcts_cluster.storage.rows.stored_rows import BLOCK
from mcts_cluster.text_files import output_file, write, write_parts

EXAMPLES = """\
examples:
  mcts-cluster export results/quickstart.h5 --format csv > rows.csv
  mcts-cluster export results/quickstart.h5 --format sgf -o games.sgf
  mcts-cluster export results/quickstart.h5 --format sgf --game 17
  mcts-cluster export results/quickstart.h5 --format parquet -o rows.parquet
  mcts-cluster export results/quickstart.h5 --format sgf -o games/    a file for each game
  mcts-cluster export results/*.h5 --format ro-crate --license CC-BY-4.0 -o crate/

In CSV "counts" is 1 where a game counts: void ones do not, nor do those that a
campaign has played ahead and not needed. A file of records has all games one
after another; the comment of each has the number of its row and the settings
of its players. An RO-Crate is a folder to upload to an archive such as Zenodo:
copies of the files, and ro-crate-metadata.json, which describes them.
"""


# All games are scored by area. The superko rule has no name in SGF.
RULES = "Chinese"


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument(
        "files",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="an HDF5 file of a run; of ro-crate there may be several",
    )
    parser.add_argument(
        "--format",
        choices=["sgf", "csv", "parquet", "ro-crate"],
        required=True,
        help="games as records, or rows, or the files with what they are",
    )
    parser.add_argument("--game", type=int, metavar="ID", help="this row of /games only")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="the file to write; or a folder, NAME/, for a record of each game, or for an RO-Crate "
        "(default: print)",
    )
    parser.add_argument(
        "--license",
        default="",
        metavar="NAME",
        help="of an RO-Crate, the licence of the results: a name of SPDX, such as CC-BY-4.0, or an "
        "address (default: none is stated)",
    )


def main(args: Namespace) -> int:
    if args.format == "ro-crate":
        as_crate(args)
        return 0
    if args.license:
        raise UserError(f"--license: of --format ro-crate only, not of {args.format}")
    [file, *others] = args.files
    if others:
        raise UserError(f"--format {args.format}: one FILE is allowed")
    results = reader.read(file)
    chosen = range(len(results.rows))
    if args.game is not None:
        row_of(results, args.game, file)
        chosen = range(args.game, args.game + 1)
    if args.format == "parquet":
        if not args.output:
            raise UserError("--format parquet: needs -o OUT, a file to write")
        write_parquet(results, chosen, file, output_file(args.output))
        return 0
    if args.format == "csv":
        texts = as_csv(results, chosen)
    elif args.output and (args.output.endswith("/") or Path(args.output).is_dir()):
        write_each(results, chosen, Path(args.output))
        return 0
    else:
        texts = (text for _, text in records(results, chosen))
    if args.output in (None, "-"):
        sys.stdout.writelines(texts)
    else:
        write_parts(output_file(args.output), texts)
    return 0


def as_crate(args: Namespace) -> None:
    """Write the folder that the arguments name, and print what is in it; raises UserError."""
    if args.game is not None:
        raise UserError("--game: not of --format ro-crate")
    if not args.output:
        raise UserError("--format ro-crate: needs -o OUT, a folder to write")
    folder = Path(args.output)
    write_crate(args.files, folder, args.license)
    print(f"{folder}: {counted(len(args.files), 'file')}, described by {METADATA}")


def write_each(results: Results, chosen: range, folder: Path) -> None:
    """Write a file for each game, named by its row, and print how many there are."""
    kind = "sgf" if compatibility.read(results.settings)["game"]["name"] == "go" else "hgf"
    digits = len(str(len(results.rows) - 1))
    for number, text in records(results, chosen):
        write(folder / f"{number:0{digits}}.{kind}", text)
    print(f"{folder}: {counted(len(chosen), 'record')}")


def row_of(results: Results, number: int, path: Path) -> GameRecord:
    """Return a row of the file by its number; raises UserError."""
    if not 0 <= number < len(results.rows):
        raise UserError(
            f"{path}: game {number}: must be a row of /games, 0 to {len(results.rows) - 1}"
        )
    return results.rows[number]


def as_csv(results: Results, chosen: range) -> Iterator[str]:
    """Yield the rows without their moves, part by part, a void game without points."""
    counts, games = KINDS[results.kind].counting(results), results.games
    names = {match.key: match.name for match in results.matches}
    # Without a row there is the head.
    for start in range(chosen.start, chosen.stop, BLOCK) or [0]:
        end = min(start + BLOCK, chosen.stop)
        rows = games[start:end]
        own = {"game": range(start, end), "counts": counts[start:end].astype(int).tolist()}
        cells = csv_rows.cells_of(schema.RECORDS["games"], rows)
        cells["match"] = [names[row.match] for row in rows]
        yield harmless(csv_rows.as_csv(own | cells, has_head=start == chosen.start))


def records(results: Results, chosen: range) -> Iterator[tuple[int, str]]:
    """Yield the records of games with the numbers of their rows."""
    kind, players, rows = KINDS[results.kind], settings_of_players(results), results.games
    found = rows if len(chosen) == len(rows) else rows[chosen.start : chosen.stop]
    for number, row in zip(chosen, found, strict=True):
        game = kind.beginning(results, row)
        for move in row.moves:
            game.play_number(move)
        is_go = isinstance(game.core, Go)
        text = games.to_sgf(game) if is_go else games.to_hgf(game)
        lines = [f"row {number}, game {row.number} of {row.match}: {row.how}"]
        lines += [players[name] for name in row.match.players if name in players]
        rules = {"RU": RULES} if is_go else {}
        date = datetime.fromtimestamp(row.began, UTC).date().isoformat()
        own = {**kind.properties(row, game), **rules, "DT": date, "C": "\n".join(lines)}
        yield number, with_properties(text, own)


def settings_of_players(results: Results) -> dict[str, str]:
    """Return what the job of a file says of each of its players, a line each."""
    try:
        tables = Expansion(jobfile.overridden(results.text, results.overrides.splitlines())).job
    except UserError:
        # Older versions took what is a mistake today.
        return {}
    return {
        name: f"{name}: {', '.join(f'{key} = {shown(value)}' for key, value in said.items())}"
        for name, said in tables.get("player", {}).items()
    }


def with_properties(text: str, properties: Mapping[str, Any]) -> str:
    """Return a record with these properties in its first node, in place of old ones."""
    root, node, rest = text.partition(";")
    first, following, moves = rest.partition(";")
    for name in properties:
        first = re.sub(rf"{name}\[[^\]]*\]", "", first)
    own = "".join(f"{name}[{escaped(value)}]" for name, value in properties.items())
    closed = "" if following else first[first.rindex(")") :]
    first = first if following else first[: first.rindex(")")]
    return f"{root}{node}{first.rstrip()}{own}{closed}{following}{moves.rstrip()}\n"


def escaped(text: str) -> str:
    return harmless(text).replace("\\", "\\\\").replace("]", "\\]")
