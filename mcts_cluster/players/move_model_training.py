"""Training of the model of expert moves, from records of games: `patterns learn`.

A move has a probability that is proportional to the product of its factors. Those of the base model
of cext.go_move_model are given; the factors of a larger model are those that make the moves of the
records most likely, found by stochastic gradient descent (Adam) on a sample of positions. Only
shapes that were played often have a factor; the more there are, the larger the model, and the more
games their factors need.
"""

import gzip
import random
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from errno import EFBIG
from io import BytesIO
from itertools import accumulate
from math import prod
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from cext import go_move_model
from cext.go import Go
from cext.go_move_model import TABLES
from mcts_cluster import games
from mcts_cluster.errors import UserError, one_line
from mcts_cluster.games import sgf
from mcts_cluster.games.sgf import GoRecord
from mcts_cluster.players.mcts import SMALL_BOARD
from mcts_cluster.players.move_model import SMALL, write
from mcts_cluster.settings.words import counted
from mcts_cluster.text_files import read_bytes, target_of
from mcts_cluster.text_files import write as write_file

ROUNDS, BATCH, SPEED, SHRINKING = 4, 128, 0.05, 1e-5
MIN_STEPS = 300  # of few positions there are more rounds
# One game of so many is left out to test the model: positions of one game are too much alike for
# some of them to be learnt from and others tested.
TESTED = 14
MAX_BYTES = 10**8  # of a file of records
MAX_TENTHS = 120  # tenths, of the 127 that a file may have

# Where the numbers of each table begin, and after them those of shapes.
*FIRST, FIRST_SHAPE = accumulate((prod(table) for table in TABLES.values()), initial=0)

Floats = NDArray[numpy.float64]


@dataclass(frozen=True)
class Learnt:
    """A model, and how well it predicts moves that it has not been learnt from."""

    tables: dict[str, list[int]]
    shapes: list[tuple[str, int]]
    positions: int
    before: tuple[float, float]  # without it: mean log-likelihood, share of moves predicted first
    after: tuple[float, float]


def positions(record: GoRecord) -> Iterator[tuple[Go, int]]:
    """Yield each position of a game with the move played there, as far as the game is legal."""
    try:
        game = games.from_sgf(record, 0, superko="simple").core
    except UserError:
        return
    assert isinstance(game, Go)
    for color, point in record.moves:
        if color != game.players[game.to_play - 1] or point is None:
            return
        move = point[0] * game.size + point[1]
        if not game.is_legal(move):
            return
        yield game, move
        game.play(move)


@dataclass
class Shapes:
    """The shapes around moves that were played often, by their codes."""

    least: int
    counts: Counter[int] = field(default_factory=Counter)
    drawings: dict[int, str] = field(default_factory=dict)

    def see(self, game: Go, move: int) -> None:
        for code, cells in zip(go_move_model.codes_at(game, move), (SMALL, None), strict=True):
            self.counts[code] += 1
            if self.counts[code] == self.least:
                self.drawings[code] = go_move_model.drawn(game, move)[:cells]


class Lessons:
    """Positions as numbers: for each move that is possible the factors that it has."""

    def __init__(self, known: Shapes) -> None:
        self.codes = numpy.sort(numpy.array(list(known.drawings), numpy.uint64))
        self.base: list[NDArray[Any]] = []
        self.factors: list[NDArray[Any]] = []
        self.played: list[int] = []

    def see(self, game: Go, move: int) -> None:
        seen = go_move_model.observed(game)
        places = numpy.nonzero(seen["move"] == move)[0]
        if len(places):
            self.played.append(int(places[0]))
            self.base.append(seen["base"].copy())
            self.factors.append(
                numpy.stack(
                    [
                        *(first + seen[name] for name, first in zip(TABLES, FIRST, strict=True)),
                        *(self.numbers_of(seen[kind]) for kind in ("small", "large")),
                    ],
                    axis=1,
                ).astype(numpy.int32)
            )

    def numbers_of(self, codes: NDArray[numpy.uint64]) -> NDArray[Any]:
        """Return the numbers of shapes, after those of tables; the last is no shape."""
        last = len(self.codes)
        places = numpy.searchsorted(self.codes, codes)
        is_known = numpy.append(self.codes, numpy.uint64(0))[places] == codes
        return numpy.where(is_known, places, last) + FIRST_SHAPE

    @property
    def count(self) -> int:
        """How many factors there are, that of no shape included."""
        return FIRST_SHAPE + len(self.codes) + 1


class Model:
    """The logarithms of all factors, and the positions that they are learnt from."""

    def __init__(self, lessons: Lessons) -> None:
        self.counts = numpy.array([len(base) for base in lessons.base])
        self.first = numpy.concatenate([[0], numpy.cumsum(self.counts)[:-1]])
        self.played = numpy.array(lessons.played)
        self.base = numpy.concatenate(lessons.base)  # in tenths
        self.factors = numpy.concatenate(lessons.factors)
        self.weights = numpy.zeros(lessons.count)

    def probabilities(
        self, chosen: NDArray[Any]
    ) -> tuple[NDArray[Any], Floats, NDArray[Any], NDArray[Any]]:
        """Return the factors and probabilities of all moves of some positions; the moves played,
        among these; and where each position begins."""
        counts = self.counts[chosen]
        begins = numpy.concatenate([[0], numpy.cumsum(counts)[:-1]])
        rows = numpy.repeat(self.first[chosen] - begins, counts) + numpy.arange(counts.sum())
        factors = self.factors[rows]
        chances = self.weights[factors].sum(axis=1) + self.base[rows] / 10
        chances = numpy.exp(chances - numpy.repeat(numpy.maximum.reduceat(chances, begins), counts))
        chances /= numpy.repeat(numpy.add.reduceat(chances, begins), counts)
        return factors, chances, begins + self.played[chosen], begins

    def quality(self, chosen: NDArray[Any]) -> tuple[float, float]:
        """Return the mean logarithm of the probability of the move played, and how often that was
        the likeliest one."""
        logarithm = first = 0.0
        for batch in numpy.array_split(chosen, -(-len(chosen) // BATCH)):
            _, chances, played, begins = self.probabilities(batch)
            logarithm += float(numpy.log(chances[played]).sum())
            first += float((chances[played] >= numpy.maximum.reduceat(chances, begins)).sum())
        return logarithm / len(chosen), first / len(chosen)

    def learn(self, chosen: NDArray[Any], watch: Callable[[str], None]) -> None:
        chance = numpy.random.default_rng(1)
        mean, square = numpy.zeros((2, len(self.weights)))
        batches = -(-len(chosen) // BATCH)
        rounds = max(ROUNDS, -(-MIN_STEPS // batches))
        for step in range(1, rounds * batches + 1):
            if step % batches == 1 % batches:
                order = numpy.array_split(chance.permutation(chosen), batches)
                watch(f"round {1 + step // batches} of {rounds}")
            factors, chances, played, _ = self.probabilities(order[step % batches])
            chances[played] -= 1
            slope = sum(
                numpy.bincount(column, chances, len(self.weights)) for column in factors.T
            ) / len(played)
            slope += SHRINKING * self.weights
            # What is no shape has no factor.
            slope[-1] = 0
            mean = 0.9 * mean + 0.1 * slope
            square = 0.999 * square + 0.001 * slope**2
            steepness = numpy.sqrt(square / (1 - 0.999**step)) + 1e-8
            speed = SPEED * (1 - step / (rounds * batches + 1))
            self.weights -= speed * mean / (1 - 0.9**step) / steepness


def learn(
    records: Sequence[GoRecord], every: int, least: int, watch: Callable[[str], None]
) -> Learnt:
    """Learn from one of `every` positions, with shapes that were played at least `least` times."""
    left_out = records[::TESTED]
    given = [record for number, record in enumerate(records) if number % TESTED]
    shapes = Shapes(least)
    watch("shapes")
    for game, move in moves_of(given):
        shapes.see(game, move)
    lessons, chance = Lessons(shapes), random.Random(1)
    watch(f"positions, {len(shapes.drawings):,} shapes")
    counts = []
    for some in (left_out, given):
        for game, move in moves_of(some):
            if chance.random() * every < 1:
                lessons.see(game, move)
        counts.append(len(lessons.played))
    if not 0 < counts[0] < counts[1]:
        found = f"{counted(counts[1], 'position')} of Go in {counted(len(records), 'game')}"
        raise UserError(f"{found}: too few to learn from")
    model = Model(lessons)
    tested, taught = numpy.split(numpy.arange(counts[1]), counts[:1])
    before = model.quality(tested)
    model.learn(taught, watch)
    tenths = (
        numpy.clip(numpy.rint(10 * model.weights), -MAX_TENTHS, MAX_TENTHS).astype(int).tolist()
    )
    model.weights = numpy.array(tenths) / 10
    drawings = [shapes.drawings[code] for code in lessons.codes.tolist()]
    return Learnt(
        {
            name: tenths[first : first + prod(table)]
            for (name, table), first in zip(TABLES.items(), FIRST, strict=True)
        },
        sorted(zip(drawings, tenths[FIRST_SHAPE:-1], strict=True)),
        counts[1],
        before,
        model.quality(tested),
    )


def moves_of(records: Iterable[GoRecord]) -> Iterator[tuple[Go, int]]:
    for record in records:
        yield from positions(record)


# Files


def learn_from_files(paths: Iterable[Path], output: Path, every: int, least: int) -> str:
    """Learn a model from files of games, write it, and return its quality; raises UserError."""
    target_of(output)
    records = [record for path in files_of(paths) for record in records_of(path)]
    large = [record for record in records if record.size > SMALL_BOARD]
    if not large:
        raise UserError(
            f"{len(records)} games, at least one must have more than {SMALL_BOARD} rows"
        )
    learnt = learn(large, every, least, lambda line: print(line, file=sys.stderr))
    quality = summary(learnt, len(large))
    title = "The expert move model of large boards of Go: logarithms of factors, in tenths."
    remark = f"{title}\nmcts-cluster patterns learn, {quality}"
    write_file(output, write(learnt.tables, learnt.shapes, remark))
    return quality


def files_of(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.name.endswith((".sgf", ".sgf.gz")))
        else:
            yield path


def records_of(path: Path) -> list[GoRecord]:
    """Return the games of a file; raises UserError."""
    try:
        data = read_bytes(path, MAX_BYTES)
        return list(sgf.read_all(decompressed(data) if path.suffix == ".gz" else data))
    except (OSError, EOFError, zlib.error, UserError) as error:
        raise UserError(f"{path}: {getattr(error, 'strerror', '') or one_line(error)}") from None


def decompressed(data: bytes) -> bytes:
    """Return what a gzip file holds; raises OSError, EOFError and zlib.error."""
    with gzip.open(BytesIO(data)) as file:
        found = file.read(MAX_BYTES + 1)
    if len(found) > MAX_BYTES:
        raise OSError(EFBIG, f"too large, must be at most {MAX_BYTES // 10**6} MB without gzip")
    return found


def summary(learnt: Learnt, count: int) -> str:
    quality = f"in games left out the likeliest move was played in {100 * learnt.after[1]:.1f} %"
    return (
        f"{counted(count, 'game')}, {counted(learnt.positions, 'position')}, "
        f"{counted(len(learnt.shapes), 'shape')}: "
        f"{quality}, {100 * learnt.before[1]:.1f} % without the model; mean log-likelihood "
        f"{learnt.after[0]:.3f} and {learnt.before[0]:.3f}"
    )
