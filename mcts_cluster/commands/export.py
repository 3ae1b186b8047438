"""The verb `export`: the games of a file as SGF or HGF records, its rows as CSV."""

import csv
import io
import re
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from cext.go import Go
from mcts_cluster import games
from mcts_cluster.errors import UserError
from mcts_cluster.matches.match import GameRecord
from mcts_cluster.parallel.exchange_stats import Exchanges
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.storage import store
from mcts_cluster.storage.store import Results
from mcts_cluster.text_files import write

EXAMPLES = """\
examples:
  mcts-cluster export results/quickstart.h5 --format csv > rows.csv
  mcts-cluster export results/quickstart.h5 --format sgf -o games.sgf
  mcts-cluster export results/quickstart.h5 --format sgf --game 17

In CSV "counts" is 1 where a game counts: void ones do not, nor do those that a campaign has played
ahead for nothing. A file of records holds all games one after another; the comment of each says
which row it is.
"""


EXCHANGES = [field.name for field in fields(Exchanges)]


COLUMNS = (
    *("game", "match", "number", "attempt", "points", "counts", "how", "plies", "seed"),
    *("first_simulations", "second_simulations", "first_seconds", "second_seconds"),
    *("began", "ended", "host", "rank", "process"),
    *(f"{side}_{name}" for side in ("first", "second") for name in EXCHANGES),
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("file", type=Path, metavar="FILE", help="an HDF5 file of a run")
    parser.add_argument("--format", choices=["sgf", "csv"], required=True, help="what to write")
    parser.add_argument("--game", type=int, metavar="ID", help="this row of /games only")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="a file to write")


def main(args: Namespace) -> int:
    results = store.read(args.file)
    chosen = list(enumerate(results.rows))
    if args.game is not None:
        row_of(results, args.game, args.file)
        chosen = chosen[args.game : args.game + 1]
    if args.format == "csv":
        text = as_csv(chosen, KINDS[results.kind].counting(results))
    else:
        text = "".join(records(results, chosen))
    if args.output:
        write(args.output, text)
    else:
        sys.stdout.write(text)
    return 0


def row_of(results: Results, number: int, path: Path) -> GameRecord:
    """Return a row of the file by its number; raises UserError."""
    if not 0 <= number < len(results.rows):
        raise UserError(f"{path}: game {number}: there are {len(results.rows)}, from 0")
    return results.rows[number]


def as_csv(chosen: list[tuple[int, GameRecord]], counts: Sequence[bool]) -> str:
    """Return the rows without their moves, a void game without points."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, row in chosen:
        points = "" if row.points is None else f"{row.points:g}"
        played = [row.match, row.number, row.attempt, points, int(counts[number])]
        played += [row.how, row.plies, row.seed]
        seconds = [f"{value:.6f}" for value in (*row.seconds, row.began, row.ended)]
        worker = [row.worker.host, row.worker.rank, row.worker.process]
        exchanges = [getattr(of_side, name) for of_side in row.exchanges for name in EXCHANGES]
        writer.writerow([number, *played, *row.simulations, *seconds, *worker, *exchanges])
    return out.getvalue()


def records(results: Results, chosen: list[tuple[int, GameRecord]]) -> Iterator[str]:
    kind = KINDS[results.kind]
    for number, row in chosen:
        game = kind.beginning(results, row)
        for move in row.moves:
            game.play_number(move)
        text = games.to_sgf(game) if isinstance(game.core, Go) else games.to_hgf(game)
        comment = f"row {number}, game {row.number} of {row.match}: {row.how}"
        yield with_properties(text, {**kind.properties(row, game), "C": comment})


def with_properties(text: str, says: Mapping[str, Any]) -> str:
    """Return a record whose first node says this, and nothing else of the kind."""
    root, node, rest = text.partition(";")
    first, following, moves = rest.partition(";")
    for name in says:
        first = re.sub(rf"{name}\[[^\]]*\]", "", first)
    own = "".join(f"{name}[{escaped(value)}]" for name, value in says.items())
    closed = "" if following else first[first.rindex(")") :]
    first = first if following else first[: first.rindex(")")]
    return f"{root}{node}{first.rstrip()}{own}{closed}{following}{moves.rstrip()}\n"


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
