"""Games to step through on a board: what a page keeps of them, and the buttons."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from mcts_cluster.errors import UserError, harmless
from mcts_cluster.games import Game
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.reports.pictures import boards
from mcts_cluster.storage.results import Results
from mcts_cluster.storage.rows.long_columns import CELLS_AT_ONCE

# Of a game that is shown: more would be none of a player.
MAX_PLIES = 2000
# What the beginning of a game and its moves raise where a file is no run's.
STRANGE = (UserError, KeyError, ValueError, TypeError, IndexError, AttributeError, OverflowError)
BUTTONS = (
    ("first", "«", "to the beginning (Home)"),
    ("back", "‹", "a move back (←)"),
    ("on", "›", "a move on (→)"),
    ("last", "»", "to the end (End)"),
)


def first_games(results: Results, most: int) -> list[int]:
    """Return rows of games to show: the first of each match, then the second of each."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    first = 0
    for match, points in results.games.parts("match", "points"):
        played = ~np.isnan(points)
        for number in np.unique(match[played]).tolist():
            own = found[number]
            places = np.flatnonzero(played & (match == number))[: most - len(own)]
            own += (first + places).tolist()
        first += len(match)
    turns = ((turn, place) for own in found.values() for turn, place in enumerate(own))
    return sorted(place for _, place in sorted(turns)[:most])


def last_games(results: Results, most: int) -> list[int]:
    """Return the last rows that have a move, the newest first."""
    rows, found, end = results.games, list[int](), len(results.rows)
    while end and len(found) < most:
        start = max(0, end - CELLS_AT_ONCE)
        places = start + np.flatnonzero(rows.part("moves_end", start, end))
        found += places[::-1].tolist()
        end = start
    return found[:most]


def viewer(results: Results, places: Iterable[int], number: int, name: str) -> str:
    """Return the games in some rows with a board, or nothing if none can be shown."""
    found = [one for place in places if (one := played(results, place))]
    if not found:
        return ""
    games = [one for one, _ in found]
    cores = {game["board"]: game_.core for game, game_ in found}
    shown = {key: boards.board_of(core) for key, core in cores.items()}
    for game in games:
        game["board"] = list(shown).index(game["board"])
    data = {
        "boards": [{str(n): place for n, place in one.places.items()} for one in shown.values()],
        "games": games,
        "file": harmless(name),
    }
    last = boards.colors(found[0][1].core)
    svgs = [
        boards.drawn(
            board,
            [boards.stone(board.places[n], color) for n, color in last.items()] * (not place),
            "the board",
        )
        for place, board in enumerate(shown.values())
    ]
    return markup(data, svgs, number)


def markup(data: Mapping[str, Any], svgs: Sequence[str], number: int) -> str:
    options = "".join(
        f'<option value="{game["row"]}">{escape(title(game))}</option>' for game in data["games"]
    )
    buttons = "".join(
        f'<button type="button" data-step="{step}" title="{words}" aria-label="{words}">{sign}'
        "</button>"
        for step, sign, words in BUTTONS
    )
    return f"""\
<div class="viewer" id="viewer-{number}">
<label class="choice">which <select>{options}</select></label>
<div class="boards" tabindex="0" role="group" aria-label="board: arrow keys step through the game">
{"".join(svgs)}</div>
<div class="steps">{buttons}<input type="range" min="0" value="0" aria-label="move"></div>
<p class="told" aria-live="polite">{escape(title(data["games"][0]))}</p>
<script type="application/json">{script_json(data)}</script>
</div>
"""


def title(game: Mapping[str, Any]) -> str:
    return f"{game['title']}: {game['result']}"


def script_json(data: Any) -> str:
    """Return JSON that ends no script element, whatever its texts say."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def played(results: Results, place: int) -> tuple[dict[str, Any], Game] | None:
    """Return a game as data, with what it has become; nothing for one that no run has played."""
    row = results.rows[place]
    try:
        game = KINDS[results.kind].beginning(results, row)
        start = boards.colors(game.core)
        moves = list(changes(game, row))
        words = described(results, row, game)
    except STRANGE:
        return None
    key = f"{type(game.core).__name__} {game.size}"
    data = {"row": place, "board": key, "start": start, "moves": moves, **words}
    return data, game


def changes(game: Game, row: GameRecord) -> Iterable[list[Any]]:
    """Play the moves of a row, and yield who moved, the name, the point, and what it changes."""
    before = boards.colors(game.core)
    for move in row.moves[:MAX_PLIES]:
        mover, name = game.to_play, game.core.name(move)
        game.play_number(move)
        after = boards.colors(game.core)
        others = {point: after.get(point, "") for point in sorted(before.keys() | after.keys())}
        yield [mover, name, move, {n: c for n, c in others.items() if c != before.get(n, "")}]
        before = after


def described(results: Results, row: GameRecord, game: Game) -> dict[str, Any]:
    """Return who plays with which color, and how the game has ended.

    Written out before it is JSON, where a script would read the characters back.
    """
    known = KINDS[results.kind].properties(row, game)
    names = {color: harmless(known.get(f"P{color[0].upper()}", "")) for color in game.core.players}
    result = "void" if row.points is None else known.get("RE", "")
    return {
        "title": harmless(f"{KINDS[results.kind].PLAYED} {row.number} of {row.match}"),
        "players": names,
        "result": harmless(", ".join(filter(None, (result, row.how)))),
    }
