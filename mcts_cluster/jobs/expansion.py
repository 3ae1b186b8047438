"""What a job file abbreviates, written out: `like`, `vary`, and the command's --set.

    [player.large]          like = "small" and what is different: a budget of its own (simulations
                            or seconds, playouts, command) replaces that of the other
    [[match]]               vary.large.simulations = [2000, 8000]
                            vary.small.simulations = [1000, 4000]
                            vary.published = ["table1.go9.1000", "table1.go9.4000"]

`vary` makes a match of each row of such columns. Its players are like those that the match names,
and are called large(2000). A column that names no player's setting is one of the match.
This works on tables as TOML has them; the reader checks what they hold.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mcts_cluster.errors import UserError
from mcts_cluster.jobs.players import BUDGETS
from mcts_cluster.settings.assignment import assignment
from mcts_cluster.settings.table import Mistakes, TooManyMistakes
from mcts_cluster.settings.words import Path, beginning, nearest, shown

Table = dict[str, Any]

# Of a job, with those that sweeps stand for.
MAX_MATCHES = 10_000
MAX_PLAYERS = 10_000
# Players of which each is like the next one.
MAX_LIKE = 100


class SweepColumn(NamedTuple):
    """What a sweep varies: a setting of a player, or where none is named, of the match."""

    player: str
    key: str
    values: Any

    @property
    def path(self) -> Path:
        return (self.player, self.key) if self.player else (self.key,)


class Expansion:
    """A job written out.

    Public attributes (treat as read-only): job; mistakes; origins, where in the file stands what
    is written out, by its path in the job; models, the player that another one is like, by name;
    budget_models, those of players at positions.
    """

    def __init__(self, job: Mapping[str, Any]) -> None:
        self.job: Table = dict(job)
        self.mistakes = Mistakes()
        self.origins: dict[Path, Path] = {}
        self.models: dict[str, str] = {}
        self.budget_models: dict[str, str] = {}
        players, matches = self.job.get("player"), self.job.get("match")
        # What is of another kind is for the reader to complain of.
        self.players: Table = players if isinstance(players, dict) else {}
        if len(self.players) > MAX_PLAYERS:
            raise TooManyMistakes({("player",): f"more than {MAX_PLAYERS:,} players"})
        if self.players:
            self.job["player"] = {name: self.written_out(name, ()) for name in self.players}
        if isinstance(matches, list):
            self.job["match"] = []
            for index, entry in enumerate(matches):
                self.add_matches(entry, index)
                if len(self.job["match"]) > MAX_MATCHES:
                    text = f"more than {MAX_MATCHES:,} matches"
                    text = f"{text}, each row of a sweep is one"
                    raise TooManyMistakes({("match",): text})
        positions = self.job.get("positions")
        if isinstance(positions, dict) and "simulations" in positions:
            self.job["positions"] = self.budgeted(positions)

    def budgeted(self, positions: Table) -> Table:
        """Return positions whose players are one for each player and budget."""
        budgets, players = positions["simulations"], positions.get("players")
        if not (isinstance(budgets, list) and all(type(n) is int and n > 1 for n in budgets)):
            return positions
        if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
            return positions
        if len(players) * len(budgets) > MAX_MATCHES:
            text = f"more than {MAX_MATCHES:,} players and budgets"
            self.mistakes.add(("positions", "simulations"), text)
            return positions
        named = [one for name in players for one in self.with_budgets(name, budgets)]
        return {**positions, "players": named}

    def with_budgets(self, name: str, budgets: list[int]) -> list[str]:
        """Add a player for each budget, and return their names; an unknown one stays."""
        path = "positions", "simulations"
        base = self.job["player"].get(name) if self.players else None
        if not isinstance(base, dict):
            return [name]
        if "simulations" not in base and "seconds" not in base:
            text = f"{shown(name)} has no budget of simulations: it is no tree search"
            self.mistakes.add(path, text)
            return [name]
        names = []
        for budget in dict.fromkeys(budgets):
            names.append(self.variant(name, {"simulations": budget}))
            if names[-1] in self.players:
                self.mistakes.add(path, f"there is a player {shown(names[-1])} already")
            self.budget_models[names[-1]] = name
            self.origins["player", names[-1], "simulations"] = path
        return names

    def written_out(self, name: str, before: tuple[str, ...]) -> Any:
        """Return a player with all that it takes over."""
        own = self.players[name]
        if not isinstance(own, dict) or "like" not in own:
            return own
        own = dict(own)
        model = own.pop("like")
        path = "player", name, "like"
        if not isinstance(model, str) or model not in self.players:
            others = [other for other in self.players if other != name]
            self.mistakes.add(path, f"{shown(model)} is not a player{nearest(model, others)}")
            return own
        if model in (*before, name):
            self.mistakes.add(path, f"{shown(model)} is like {shown(name)} itself")
            return own
        if len(before) > MAX_LIKE:
            self.mistakes.add(path, f"more than {MAX_LIKE} players are each like the next")
            return own
        base = self.written_out(model, (*before, name))
        self.models[name] = model
        return merged(base, own) if isinstance(base, dict) else own

    def add_matches(self, match: Any, index: int) -> None:
        """Add the matches that a match of the file stands for."""
        for row, one in enumerate(self.varied(match, index)):
            origin = "match", len(self.job["match"])
            self.origins[origin] = ("match", index)
            if isinstance(match, dict) and isinstance(one, dict):
                for column in columns_of(match.get("vary")):
                    where = "match", index, "vary", *column.path, row
                    if not column.player:
                        self.origins[*origin, column.key] = where
            self.job["match"].append(one)

    def varied(self, match: Any, index: int) -> list[Any]:
        if not isinstance(match, dict) or "vary" not in match:
            return [match]
        plain = {key: value for key, value in match.items() if key != "vary"}
        columns = list(columns_of(match["vary"]))
        path = "match", index, "vary"
        if not self.are_right(columns, plain.get("players"), path):
            return [plain]
        # One more than a job may have, in any case.
        rows = range(min(len(columns[0].values), MAX_MATCHES + 1))
        return [self.match_of(plain, columns, row, path) for row in rows]

    def are_right(self, columns: list[SweepColumn], players: Any, path: Path) -> bool:
        """Complain of what is wrong in the columns of a sweep; return whether all is well."""
        before = len(self.mistakes.found)
        # As long as the first one.
        lists = [column.values for column in columns if isinstance(column.values, list)]
        for column in columns:
            where = (*path, *column.path)
            if not isinstance(column.values, list) or not column.values:
                self.mistakes.add(where, f"{shown(column.values)} must be a list of values")
            elif column.player and not (isinstance(players, list) and column.player in players):
                text = f"{shown(column.player)} is not a player of this match"
                self.mistakes.add(where, text)
            elif len(column.values) != len(lists[0]):
                text = f"{len(column.values)} values, must be {len(lists[0])} as in other columns"
                self.mistakes.add(where, text)
        if not columns:
            text = "must be a table of lists, like vary.NAME.simulations = [1, 2]"
            self.mistakes.add(path, text)
        return len(self.mistakes.found) == before

    def match_of(self, plain: Table, columns: list[SweepColumn], row: int, path: Path) -> Table:
        match = dict(plain)
        changes: dict[str, Table] = {}
        for column in columns:
            if column.player:
                changes.setdefault(column.player, {})[column.key] = column.values[row]
            else:
                match[column.key] = column.values[row]
        names = {player: self.variant(player, own) for player, own in changes.items()}
        for player, own in changes.items():
            if names[player] in self.players:
                text = f"there is a player {shown(names[player])} already"
                self.mistakes.add((*path, player), text)
            for key in own:
                self.origins["player", names[player], key] = (*path, player, key, row)
        if isinstance(match.get("players"), list):
            match["players"] = [
                names.get(name, name) if isinstance(name, str) else name
                for name in match["players"]
            ]
        return match

    def variant(self, model: str, own: Table) -> str:
        """Add a player that is like another one; return its name."""
        name = f"{model}({', '.join(setting_text(key, value) for key, value in own.items())})"
        base = self.job["player"].get(model) if self.players else None
        if isinstance(base, dict):
            self.job["player"][name] = merged(base, own)
            self.models[name] = model
        return name

    def complaints(self, mistakes: Mistakes) -> Mistakes:
        """Return all mistakes by where they stand in the file, without those that follow."""
        kept = Mistakes()
        kept.found |= self.mistakes.found
        for path, text in mistakes.found.items():
            # What a player lacks because the one that it is like is nobody.
            if text.startswith("missing") and (*path[:2], "like") in kept.found:
                continue
            # What it has from that one.
            if path[0] == "player" and path[1:] and path[1] in self.models:
                model = "player", self.models[str(path[1])], *path[2:]
                if mistakes.found.get(model) == text:
                    continue
            kept.add(self.origin(path), text)
        return kept

    def origin(self, path: Path) -> Path:
        """Return where in the file stands what has this path in the job."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.origins:
                return (*self.origins[path[:length]], *path[length:])
        return path


def merged(base: Table, own: Table) -> Table:
    """Return a table over another one; a budget replaces that of another kind."""
    base = dict(base)
    budgets = [key for kind in BUDGETS for key in kind]
    if any(key in own for key in budgets):
        for key in budgets:
            base.pop(key, None)
    return base | own


def columns_of(vary: Any) -> Iterable[SweepColumn]:
    for name, value in vary.items() if isinstance(vary, dict) else ():
        if isinstance(value, dict):
            for key, values in value.items():
                yield SweepColumn(name, key, values)
        else:
            yield SweepColumn("", name, value)


def setting_text(key: str, value: Any) -> str:
    """Return a setting as the name of a player has it: simulations are a number of their own."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if key == "simulations" else f"{key}={text}"


def override(job: Mapping[str, Any], text: str) -> Table:
    """Return a job in which one value is replaced: player.x.simulations=500; raises UserError.

    "match.games=4" replaces that of every match, "match.0.games=4" of the first.
    """
    try:
        path, value = assignment(text)
    except ValueError:
        example = "must be KEY=VALUE, like player.NAME.simulations=500"
        raise UserError(f"--set {beginning(text)}: {example}") from None
    try:
        return dict(replaced(job, path, value))
    except LookupError as error:
        raise UserError(f"--set {beginning(text)}: the job has no {error.args[0]}") from None


def replaced(table: Any, path: Path, value: Any) -> Any:
    """Return a table, or list of tables, in which a value is another one; raises LookupError."""
    first, rest = str(path[0]), path[1:]
    if isinstance(table, list):
        if not first.isdecimal():
            return [replaced(entry, path, value) for entry in table]
        if len(first) > 9 or int(first) >= len(table):
            raise LookupError(f"entry {beginning(first)}; it has {len(table)}")
        return [
            (replaced(one, rest, value) if rest else value) if i == int(first) else one
            for i, one in enumerate(table)
        ]
    if not isinstance(table, dict):
        raise LookupError(f"table to hold {shown(first)}")
    if not rest:
        return table | {first: value}
    if first not in table:
        raise LookupError(f"{shown(first)}{nearest(first, table)}")
    return table | {first: replaced(table[first], rest, value)}
