"""Records of games: SGF for Go, HGF for Havannah, played in and written out."""

from typing import Any

from cext.go import Go
from mcts_cluster.games import hgf, sgf
from mcts_cluster.games.game import Game, IllegalMove, go_of, havannah_of, new, set_up


def from_sgf(source: bytes | str | sgf.GoRecord, moves: int | None = None, **settings: Any) -> Game:
    """Play the main line of an SGF record, or its first `moves` moves.

    Settings override those of the record. A player who moves twice in a row is taken to have
    let the other one pass; a record that goes on after two passes is refused there.
    """
    record = source if isinstance(source, sgf.GoRecord) else sgf.read(source)
    if record.komi is not None:
        settings.setdefault("komi", record.komi)
    names = new("go", size=record.size).core

    def name(point: sgf.Point | None) -> str:
        return names.name(names.points if point is None else point[0] * record.size + point[1])

    game = set_up(
        map(name, record.black),
        map(name, record.white),
        record.to_play,
        size=record.size,
        **settings,
    )
    for color, point in record.moves[:moves]:
        if color != game.to_play:
            game.pass_()
        game.play(name(point))
    return game


def to_sgf(game: Game) -> str:
    """Write a game of Go as SGF; the result is given once the game is over."""
    core, start, size = go_of(game), game._start, game.size
    assert isinstance(start, Go)

    def point(move: int) -> sgf.Point | None:
        return divmod(move, size) if move < core.points else None

    lead = game.score()
    result = f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"
    record = sgf.GoRecord(
        size=size,
        komi=core.komi,
        black=[divmod(move, size) for move in range(core.points) if start.color(move) == 1],
        white=[divmod(move, size) for move in range(core.points) if start.color(move) == 2],
        to_play="black" if start.to_play == 1 else "white",
        result=result if game.is_over else "",
    )
    for ply, move in enumerate(game._moves):
        record.moves.append((("black", "white")[(start.to_play - 1 + ply) % 2], point(move)))
    return sgf.write(record)


def from_hgf(source: bytes | str | hgf.HavannahRecord, moves: int | None = None) -> Game:
    """Play the main line of a record of Havannah, or its first `moves` moves."""
    record = source if isinstance(source, hgf.HavannahRecord) else hgf.read(source)
    game = new("havannah", size=record.size, swap=record.swap)
    for number, name in enumerate(record.moves[:moves], 1):
        try:
            move = havannah_of(game).number(name, record.little_golem)
        except ValueError as error:
            raise IllegalMove(f"move {number}: {error}") from None
        game.play_number(move)
    return game


def to_hgf(game: Game, little_golem: bool = False) -> str:
    """Write a game of Havannah as HGF, with Little Golem's coordinates or our own."""
    core = havannah_of(game)
    names = [core.name(move, little_golem) for move in game._moves]
    if names[1:2] == names[:1]:
        names[1:2] = ["swap"] * len(names[1:2])
    result = {"white": "W", "black": "B", None: "0"}[game.winner()] if game.is_over else ""
    return hgf.write(hgf.HavannahRecord(game.size, names, little_golem, result))
