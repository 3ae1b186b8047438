"""What a job file abbreviates, written out: `like`, `vary`, and the command's --set.

    [player.large]          like = "small" and what is different: a budget of its own (simulations
                            or seconds, playouts, command) replaces that of the other
    [[match]]               vary.large.simulations = [2000, 8000]
                            vary.small.simulations = [1000, 4000]
                            vary.published = ["table1.go9.1000", "table1.go9.4000"]

`vary` makes a match of each row of such columns. Its players are like those that the match names,
and are called large(2000). A column that names no player's setting is one of the match.
This works on tables as TOML has them; jobfile checks what they say.
"""

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from mcts_cluster.errors import UserError

Table = dict[str, Any]

BUDGETS = ("simulations", "seconds"), ("playouts",), ("command",)


class Expansion:
    """A job written out.

    Public attributes (treat as read-only): job; mistakes, by the paths of their keys; models, the
    player that another one is like, by name; budget_models, those of players at positions.
    """

    def __init__(self, job: Mapping[str, Any]) -> None:
        self.job: Table = dict(job)
        self.mistakes: dict[str, str] = {}
        self.models: dict[str, str] = {}
        self.budget_models: dict[str, str] = {}
        players, matches = self.job.get("player"), self.job.get("match")
        # What is of another kind is jobfile's to complain of.
        if isinstance(players, dict):
            self.players: Table = players
            self.job["player"] = {name: self.written_out(name, ()) for name in players}
        else:
            self.players = {}
        if isinstance(matches, list):
            self.job["match"] = [
                match for index, entry in enumerate(matches) for match in self.varied(entry, index)
            ]
        positions = self.job.get("positions")
        if isinstance(positions, dict) and "simulations" in positions:
            self.job["positions"] = self.budgeted(positions)

    def budgeted(self, positions: Table) -> Table:
        """Return positions whose players are one for each player and budget."""
        rest = {key: value for key, value in positions.items() if key != "simulations"}
        budgets, players = positions["simulations"], positions.get("players")
        path = "positions.simulations"
        if not (isinstance(budgets, list) and budgets and all(type(n) is int for n in budgets)):
            self.mistakes[path] = f"{budgets!r}, must be a list of whole numbers"
            return rest
        if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
            return rest
        rest["players"] = [one for name in players for one in self.with_budgets(name, budgets)]
        return rest

    def with_budgets(self, name: str, budgets: list[int]) -> list[str]:
        """Add a player for each budget, and return their names; an unknown one stays."""
        base = self.job["player"].get(name) if self.players else None
        if not isinstance(base, dict):
            return [name]
        if "simulations" not in base and "seconds" not in base:
            mistake = f"{name!r} is no tree search, which alone has a budget of simulations"
            self.mistakes["positions.simulations"] = mistake
            return [name]
        names = []
        for budget in dict.fromkeys(budgets):
            names.append(self.variant(name, {"simulations": budget}))
            if names[-1] in self.players:
                self.mistakes["positions.simulations"] = f"{names[-1]!r} is a player already"
            self.budget_models[names[-1]] = name
        return names

    def written_out(self, name: str, before: tuple[str, ...]) -> Any:
        """Return a player with all that it takes over."""
        own = self.players[name]
        if not isinstance(own, dict) or "like" not in own:
            return own
        own = dict(own)
        model = own.pop("like")
        path = f"player.{name}.like"
        if not isinstance(model, str) or model not in self.players:
            known = ", ".join(other for other in self.players if other != name) or "none"
            self.mistakes[path] = f"{model!r} is not a player; known are {known}"
            return own
        if model in (*before, name):
            self.mistakes[path] = f"{model!r} is like {name!r} itself"
            return own
        base = self.written_out(model, (*before, name))
        self.models[name] = model
        return merged(base, own) if isinstance(base, dict) else own

    def varied(self, match: Any, index: int) -> list[Any]:
        """Return the matches that a match stands for."""
        if not isinstance(match, dict) or "vary" not in match:
            return [match]
        plain = {key: value for key, value in match.items() if key != "vary"}
        path = f"match[{index}].vary"
        columns = list(columns_of(match["vary"]))
        # As long as the first one.
        length = next((len(values) for _, _, values in columns if isinstance(values, list)), 0)
        for player, key, values in columns:
            where = ".".join(part for part in (path, player, key) if part)
            if not isinstance(values, list) or not values:
                self.mistakes[where] = f"{values!r}, a list of values is wanted"
            elif player and player not in plain.get("players", []):
                self.mistakes[where] = f"{player!r} is not a player of this match"
            elif len(values) != length:
                self.mistakes[where] = f"{len(values)} values, and {length} elsewhere"
        if not columns:
            self.mistakes[path] = "a table of lists is wanted, like vary.NAME.simulations = [1, 2]"
        if any(where.startswith(path) for where in self.mistakes):
            return [plain]
        return [self.match_of(plain, columns, row) for row in range(length)]

    def match_of(self, plain: Table, columns: list[tuple[str, str, Any]], row: int) -> Table:
        match = dict(plain)
        changes: dict[str, Table] = {}
        for player, key, values in columns:
            if player:
                changes.setdefault(player, {})[key] = values[row]
            else:
                match[key] = values[row]
        names = {player: self.variant(player, own) for player, own in changes.items()}
        match["players"] = [names.get(name, name) for name in plain["players"]]
        return match

    def variant(self, model: str, own: Table) -> str:
        """Add a player that is like another one; return its name."""
        name = f"{model}({', '.join(shown(key, value) for key, value in own.items())})"
        base = self.job["player"].get(model)
        if isinstance(base, dict):
            self.job["player"][name] = merged(base, own)
            self.models[name] = model
        return name

    def complaints(self, mistakes: Mapping[str, str]) -> dict[str, str]:
        """Return the mistakes without those that follow from others.

        That is what a player has from the one that it is like, or lacks because that is nobody.
        """
        kept = dict(self.mistakes)
        for path, text in mistakes.items():
            if text.startswith("missing") and f"{path.rpartition('.')[0]}.like" in kept:
                continue
            for name, model in self.models.items():
                own = path.removeprefix(f"player.{name}.")
                if own != path and mistakes.get(f"player.{model}.{own}") == text:
                    break
            else:
                kept[path] = text
        return kept


def merged(base: Table, own: Table) -> Table:
    """Return what is said of a player, and where nothing is, what is said of the other one."""
    base = dict(base)
    if any(key in own for kind in BUDGETS for key in kind):
        for kind in BUDGETS:
            for key in kind:
                base.pop(key, None)
    return base | own


def columns_of(vary: Any) -> Iterable[tuple[str, str, Any]]:
    """Yield the player (or nothing), the key and the values of each column."""
    for name, value in vary.items() if isinstance(vary, dict) else ():
        if isinstance(value, dict):
            for key, values in value.items():
                yield name, key, values
        else:
            yield "", name, value


def shown(key: str, value: Any) -> str:
    """Return a setting as the name of a player has it: simulations are a number of their own."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if key == "simulations" else f"{key}={text}"


def override(job: Mapping[str, Any], text: str) -> Table:
    """Return a job in which one value is replaced, as "player.x.simulations=500" says it.

    "match.games=4" is said of every match, "match.0.games=4" of the first; raises UserError.
    """
    key, sign, value = text.partition("=")
    path = key.strip().split(".")
    if not sign or not all(path):
        raise UserError(f"--set {text}: KEY=VALUE is wanted, like player.NAME.simulations=500")
    try:
        return dict(replaced(job, path, value_of(value.strip())))
    except LookupError as error:
        raise UserError(f"--set {text}: the job has no {error.args[0]}") from None


def replaced(table: Any, path: list[str], value: Any) -> Any:
    """Return a table, or list of tables, in which a value is another one; raises LookupError."""
    first, rest = path[0], path[1:]
    if isinstance(table, list):
        if first.isdigit():
            if int(first) >= len(table):
                raise LookupError(f"entry {first}; it has {len(table)}")
            return [replaced(t, rest, value) if i == int(first) else t for i, t in enumerate(table)]
        return [replaced(entry, path, value) for entry in table]
    if not isinstance(table, dict) or not path:
        raise LookupError(f"table to hold {first!r}")
    if not rest:
        return table | {first: value}
    if first not in table:
        raise LookupError(f"{first!r}; it has {', '.join(table)}")
    return table | {first: replaced(table[first], rest, value)}


def value_of(text: str) -> Any:
    """Return a value as TOML would read it, or else the text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        return text
