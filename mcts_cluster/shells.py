"""Completion of the command in shells: scripts for bash, zsh and fish, made of its arguments.

Such a script starts no program: what may follow which word is written out in it. An argument that
is a file is completed by files of its kind, which its help names: a job, a file of a run.
"""

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from mcts_cluster.games.game_settings import SETTINGS
from mcts_cluster.jobs.players import FLAT, PROGRAM, SEARCH, SHARING, settings_of_policies

COMMAND = "mcts-cluster"
# Files by the beginning of their help: how their names end.
KINDS = {r"CURVE|\w+: (an |the )?HDF5 files?\b": ".h5", r"\w+: (a|another|the) job\b": ".toml"}
PATHS = ("FILE", "OUT", "OUT.png", "JOB", "CURVE", "GAMES")
ASSIGNMENT = "KEY=VALUE"


@dataclass(frozen=True)
class Place:
    """What may stand in a place: some words, or a file with an ending, of any with none."""

    words: Sequence[str] = ()
    is_file: bool = False
    ending: str = ""


@dataclass(frozen=True)
class Option:
    """An option, by all of its names; a switch has no value."""

    names: Sequence[str]
    text: str
    value: Place | None


@dataclass(frozen=True)
class Verb:
    """A verb, or an action of one: the words that lead to it, and what may follow them."""

    path: Sequence[str]
    text: str
    options: Sequence[Option]
    value: Place
    actions: Sequence["Verb"] = ()

    @property
    def name(self) -> str:
        return " ".join(self.path)


def verbs_of(parsers: Mapping[str, tuple[str, argparse.ArgumentParser]]) -> list[Verb]:
    """Return the verbs whose texts and parsers these are."""
    return [verb_of((name,), text, parser) for name, (text, parser) in parsers.items()]


def verb_of(path: Sequence[str], text: str, parser: argparse.ArgumentParser) -> Verb:
    options, values, actions = [], [], []
    for one in parser._actions:
        if isinstance(one, argparse._SubParsersAction):
            texts = {choice.dest: choice.help or "" for choice in one._choices_actions}
            actions = [verb_of((*path, n), texts[n], p) for n, p in one.choices.items()]
        elif one.option_strings:
            value = None if one.nargs == 0 else value_of(one)
            options.append(Option(one.option_strings, one.help or "", value))
        else:
            values.append(value_of(one))
    # Of several places the first one that can be completed.
    value = next((v for v in values if v.words or v.is_file), Place())
    return Verb(path, text, options, value, actions)


def value_of(one: argparse.Action) -> Place:
    if one.choices:
        return Place(tuple(map(str, one.choices)))
    name, text = one.metavar or one.dest.upper(), one.help or ""
    if name == ASSIGNMENT and not one.option_strings:
        return Place(tuple(f"{key}=" for key in settings()))
    if name not in PATHS:
        return Place()
    endings = (ending for kind, ending in KINDS.items() if re.match(kind, f"{name}: {text}"))
    return Place(is_file=True, ending=next(endings, ""))


def settings() -> Iterator[str]:
    """Yield the keys of an engine: of its player, and of its game."""
    players = (*SEARCH, *settings_of_policies(None), *SHARING, *FLAT, *PROGRAM)
    yield from dict.fromkeys(one.key for one in players)
    yield from dict.fromkeys(f"game.{one.key}" for of_game in SETTINGS.values() for one in of_game)


def all_of(verbs: Sequence[Verb]) -> Iterator[Verb]:
    """Yield verbs, and behind each one its actions."""
    for verb in verbs:
        yield verb
        yield from verb.actions


# Scripts of cases: which verb the words name, what the last of them asks for, else the place

BASH = """\
# Completion of mcts-cluster in bash; made by: mcts-cluster completion bash
_mcts_cluster_words() { mapfile -t COMPREPLY < <(compgen -W "$*" -- "$word"); }
_mcts_cluster_settings() { compopt -o nospace 2>/dev/null; _mcts_cluster_words "$@"; }
_mcts_cluster_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X "!*$1" -- "$word")
}
_mcts_cluster() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= number
    COMPREPLY=()
    for ((number = 1; number < COMP_CWORD; number++)); do
        case "$verb ${COMP_WORDS[number]}" in
@PATHS@
        esac
    done
    case "$verb $before" in
@VALUES@
    esac
    case "$verb $word" in
@PLACES@
    esac
}
complete -F _mcts_cluster mcts-cluster
"""

ZSH = """\
#compdef mcts-cluster
# Completion of mcts-cluster in zsh; made by: mcts-cluster completion zsh
_mcts_cluster_words() { compadd -- "$@" }
_mcts_cluster_settings() { compadd -S '' -- "$@" }
_mcts_cluster_files() { _files -g "*$1" }
_mcts_cluster() {
    local verb= number
    for ((number = 2; number < CURRENT; number++)); do
        case "$verb ${words[number]}" in
@PATHS@
        esac
    done
    case "$verb ${words[CURRENT-1]}" in
@VALUES@
    esac
    case "$verb ${words[CURRENT]}" in
@PLACES@
    esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _mcts_cluster "$@"
else
    compdef _mcts_cluster mcts-cluster
fi
"""


def script(verbs: Sequence[Verb], template: str) -> str:
    names = " ".join([*(verb.name for verb in verbs), "--help", "--version"])
    paths = [f'" {verb.name}") verb={verb.name} ;;' for verb in verbs]
    values, places = [], [f'" "*) _mcts_cluster_words {names} ;;']
    # Actions first, whose names begin with those of their verbs.
    for verb in reversed(list(all_of(verbs))):
        paths += [f'"{one.name}") verb="{one.name}" ;;' for one in verb.actions]
        for option in verb.options:
            if option.value:
                patterns = " | ".join(f'"{verb.name} {name}"' for name in option.names)
                values.append(f"{patterns}) {call(option.value)}; return ;;")
        words = " ".join(name for option in verb.options for name in option.names)
        places.append(f'"{verb.name} -"*) _mcts_cluster_words {words} ;;')
        if done := call(place_of(verb)):
            places.append(f'"{verb.name} "*) {done} ;;')
    for mark, lines, depth in (("PATHS", paths, 12), ("VALUES", values, 8), ("PLACES", places, 8)):
        template = template.replace(f"@{mark}@", "\n".join(" " * depth + line for line in lines))
    return template


def place_of(verb: Verb) -> Place:
    """Return what may stand behind a verb, where that is no option."""
    return Place([one.path[-1] for one in verb.actions]) if verb.actions else verb.value


def call(value: Place) -> str:
    """Return the call that completes a value; one that does nothing, where nobody knows it."""
    if value.is_file:
        return f"_mcts_cluster_files {value.ending}".rstrip()
    if not value.words:
        return ":"
    function = "settings" if value.words[0].endswith("=") else "words"
    return f"_mcts_cluster_{function} {' '.join(value.words)}"


# fish

FISH = """\
# Completion of mcts-cluster in fish; made by: mcts-cluster completion fish
function __mcts_cluster_verb
    set -l verb
    for word in (commandline -opc)[2..]
        switch "$verb $word"
            case @VERBS@
                set verb $word
            case @ACTIONS@
                set verb "$verb $word"
        end
    end
    echo "$verb"
end
complete -c mcts-cluster -f
complete -c mcts-cluster -n 'test -z (__mcts_cluster_verb)' -l version -l help
"""


def fish(verbs: Sequence[Verb]) -> str:
    actions = [one for verb in verbs for one in verb.actions]
    text = FISH.replace("@VERBS@", " ".join(f"' {verb.name}'" for verb in verbs))
    lines = [text.replace("@ACTIONS@", " ".join(f"'{one.name}'" for one in actions)).rstrip("\n")]
    lines += [in_fish("", "-a", verb.name, "-d", quoted(verb.text)) for verb in verbs]
    for verb in all_of(verbs):
        lines += [
            in_fish(verb.name, "-a", one.path[-1], "-d", quoted(one.text)) for one in verb.actions
        ]
        for option in verb.options:
            names = [
                word
                for name in option.names
                for word in (("-l", name[2:]) if name.startswith("--") else ("-s", name[1:]))
            ]
            text = quoted(option.text)
            lines.append(in_fish(verb.name, *names, *fish_value(option.value), "-d", text))
        if not verb.actions and (verb.value.words or verb.value.is_file):
            lines.append(in_fish(verb.name, *fish_value(verb.value)[1:]))
    return "\n".join(lines) + "\n"


def in_fish(name: str, *words: str) -> str:
    return " ".join([f"complete -c {COMMAND} -n 'test (__mcts_cluster_verb) = \"{name}\"'", *words])


def fish_value(value: Place | None) -> list[str]:
    """Return how an option says that it has a value, and what that may be."""
    if value is None:
        return []
    if value.ending:
        return ["-r", "-k", "-a", f"'(__fish_complete_suffix {value.ending})'"]
    if value.is_file:
        return ["-r", "-F"]
    return ["-x", "-a", quoted(" ".join(value.words))] if value.words else ["-x"]


def quoted(text: str) -> str:
    text = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{text}'"


SCRIPTS: Mapping[str, Callable[[Sequence[Verb]], str]] = {
    "bash": partial(script, template=BASH),
    "zsh": partial(script, template=ZSH),
    "fish": fish,
}
