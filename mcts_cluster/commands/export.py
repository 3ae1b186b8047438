"""The verb `export`: the games of a file as SGF or HGF records, its rows as CSV."""

import re
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cext.go import Go
from mcts_cluster import games
from mcts_cluster.errors import UserError, harmless
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.storage import csv_rows, reader, schema
from mcts_cluster.storage.results import Results
from mcts_cluster.text_files import write

EXAMPLES = """\
examples:
  mcts-cluster export results/quickstart.h5 --format csv > rows.csv
  mcts-cluster export results/quickstart.h5 --format sgf -o games.sgf
  mcts-cluster export results/quickstart.h5 --format sgf --game 17

In CSV "counts" is 1 where a game counts: void ones do not, nor do those that a campaign has played
ahead and not needed. A file of records has all games one after another; the comment of each has the
number of its row.
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("file", type=Path, metavar="FILE", help="an HDF5 file of a run")
    parser.add_argument(
        "--format", choices=["sgf", "csv"], required=True, help="games as records, or rows"
    )
    parser.add_argument("--game", type=int, metavar="ID", help="this row of /games only")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT", help="the file to write (default: print)"
    )


def main(args: Namespace) -> int:
    results = reader.read(args.file)
    chosen = list(enumerate(results.rows))
    if args.game is not None:
        row_of(results, args.game, args.file)
        chosen = chosen[args.game : args.game + 1]
    is_csv = args.format == "csv"
    text = as_csv(results, chosen) if is_csv else "".join(records(results, chosen))
    if args.output:
        write(args.output, text)
    else:
        sys.stdout.write(text)
    return 0


def row_of(results: Results, number: int, path: Path) -> GameRecord:
    """Return a row of the file by its number; raises UserError."""
    if not 0 <= number < len(results.rows):
        raise UserError(
            f"{path}: game {number}: must be a row of /games, 0 to {len(results.rows) - 1}"
        )
    return results.rows[number]


def as_csv(results: Results, chosen: list[tuple[int, GameRecord]]) -> str:
    """Return the rows without their moves, a void game without points."""
    counts, names = (
        KINDS[results.kind].counting(results),
        {match.key: match.name for match in results.matches},
    )
    cells = csv_rows.cells_of(schema.RECORDS["games"], [row for _, row in chosen])
    cells["match"] = [names[row.match] for _, row in chosen]
    numbers = [number for number, _ in chosen]
    count = [int(counts[number]) for number in numbers]
    return harmless(csv_rows.as_csv({"game": numbers, "counts": count} | cells))


def records(results: Results, chosen: list[tuple[int, GameRecord]]) -> Iterator[str]:
    kind = KINDS[results.kind]
    for number, row in chosen:
        game = kind.beginning(results, row)
        for move in row.moves:
            game.play_number(move)
        text = games.to_sgf(game) if isinstance(game.core, Go) else games.to_hgf(game)
        comment = f"row {number}, game {row.number} of {row.match}: {row.how}"
        yield with_properties(text, {**kind.properties(row, game), "C": comment})


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
