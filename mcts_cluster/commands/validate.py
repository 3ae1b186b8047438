"""The verb `validate`: makes the job that plays the versions of a campaign again.

Each version, which is the baseline with the first k accepted mutations, meets the version before
it and the baseline, as in the papers' tables. The seeds are fresh, because a race stopped by its
results. By options, the last version meets the baseline with other budgets, and all versions meet
another player of the job, or of another job: one with more knowledge, or another program.
"""

import json
import sys
import tomllib
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from mcts_cluster import published
from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.jobs.expansion import Expansion
from mcts_cluster.jobs.job import Job
from mcts_cluster.jobs.kept_files import kept_files, kept_players
from mcts_cluster.players import bias_patterns
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.players.player import Player
from mcts_cluster.seeds import seed
from mcts_cluster.settings.declaration import declared
from mcts_cluster.settings.words import printable
from mcts_cluster.storage import campaign_tables, reader
from mcts_cluster.storage.campaign_tables import CampaignTables
from mcts_cluster.storage.kept_job import job_of
from mcts_cluster.storage.results import Results
from mcts_cluster.text_files import output_file, target_of, write

EXAMPLES = """\
examples:
  mcts-cluster validate results/bgp-good-9x9.h5 -o validation.toml --games 2000
  mcts-cluster validate results/bgp-good-9x9.h5 -o validation.toml --simulations 100000
  mcts-cluster validate results/bgp-19x19-light.h5 -o validation.toml --against database
  mcts-cluster validate results/bgp-good-9x9.h5 -o validation.toml --against gnugo \\
      --players jobs/strength-go9.toml

Files of patterns are written next to the job, which mcts-cluster run plays.
"""
MAX_SEED = 10**9


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("file", type=Path, metavar="FILE", help="an HDF5 file of a campaign")
    parser.add_argument(
        "-o", "--output", type=output_file, metavar="JOB", required=True, help="the job to write"
    )
    parser.add_argument(
        "--games", type=int, default=1000, metavar="N", help="games of each match (default: 1000)"
    )
    parser.add_argument(
        "--simulations",
        type=int,
        action="append",
        default=[],
        metavar="N",
        help="also play the last version against the baseline with this budget; may be repeated",
    )
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="PLAYER",
        help="another player of the job, as an opponent of all versions; may be repeated",
    )
    parser.add_argument(
        "--players", metavar="JOB", help="another job, whose players --against may name too"
    )


def main(args: Namespace) -> int:
    target_of(args.output)
    results = reader.read(args.file)
    try:
        campaign = campaign_tables.in_file(results)
    except UserError as error:
        raise UserError(f"{args.file}: {error}") from None
    if not campaign.accepted:
        raise UserError(f"{args.file}: no mutation was accepted")
    if args.games < 1:
        raise UserError(f"--games {args.games}: too small, must be at least 1")
    settings = compatibility.read(results.settings)
    today = job_of(results, args.file)
    job = replace(today, players=kept_players(today.players, settings))
    for line in compatibility.differences(settings, job):
        raise UserError(f"{args.file}: this version plays another job: {line}")
    written = jobfile.overridden(results.text, results.overrides.splitlines())
    written["player"] = dict(with_kept_files(written, results, args.output))
    described = compatibility.describe(today)["player"]
    for name in written["player"].keys() & job.players.keys():
        found = other_settings(today.players[name], job.players[name], described[name])
        written["player"][name] |= found
    others = players_of(args.players) if args.players else {}
    for name in args.against:
        if name not in written["player"]:
            if name not in others:
                known = ", ".join(written["player"] | others)
                raise UserError(f"--against {name}: must be a player of the job: {known}")
            written["player"][name] = others[name]
    for name in args.against:
        if name in job.players and (command := job.players[name].starts):
            warning = f"player {printable(name)} starts a program: {printable(command)}"
            print(f"mcts-cluster: {warning}", file=sys.stderr)
    files = write_patterns(job, campaign, args)
    text = "\n".join(job_text(written, campaign, files, args))
    write(args.output, f"# Made of {args.file.name} by mcts-cluster validate.\n\n{text}\n")
    print(args.output)
    return 0


def with_kept_files(
    written: Mapping[str, Any], results: Results, output: Path
) -> Iterator[tuple[str, Any]]:
    """Yield the players of a file's job; their files are written next to the output."""
    kept = kept_files(written, compatibility.read(results.settings))
    fresh = {
        path: output.with_name(f"{output.stem}-kept-{number}.txt")
        for number, path in enumerate(kept, 1)
    }
    for name, player in written["player"].items():
        named = {key: player[key] for key in ("patterns", "move_model") if player.get(key) in kept}
        for path in named.values():
            write(fresh[path], kept[path])
        yield name, {**player, **{key: str(fresh[path]) for key, path in named.items()}}


def other_settings(today: Player, kept: Player, described: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings with which a player has raced, where its job gives it others today.

    It is described as of today.
    """
    if not (isinstance(today, Mcts) and isinstance(kept, Mcts)):
        return {}
    policy = described["policy_settings"]
    found = {name: n for name, n in kept.policy_settings if policy.get(name) != n}
    for one in declared(Mcts):
        if (value := getattr(kept, one.name)) != getattr(today, one.name):
            found[one.key] = value
    return found


def players_of(path: str) -> dict[str, Any]:
    """Return the players of a job, all that they take over written out; raises UserError."""
    players: dict[str, Any] = Expansion(tomllib.loads(jobfile.read(path).text)).job["player"]
    return players


def write_patterns(job: Job, campaign: CampaignTables, args: Namespace) -> dict[str, Path]:
    """Write a file for each version, with all of its patterns; return them by the versions."""
    base = job.players[campaign.settings["player"]]
    assert isinstance(base, Mcts)
    assert isinstance(job.experiment, Campaign)
    # A winner of several was tried without those that join with it, so by another name.
    places = [record.match.place for record in campaign.accepted]
    versions = [job.experiment.version(places[:number]) for number in range(len(places) + 1)]
    found, files = list(base.patterns), {}
    for number, record in enumerate(campaign.accepted, 1):
        found += bias_patterns.parse("\n".join(record.picture))
        path = args.output.with_name(f"{args.output.stem}-{number}.txt")
        write(path, bias_patterns.write(found))
        files[versions[number]] = path
    return files


def job_text(
    written: Mapping[str, Any], campaign: CampaignTables, files: Mapping[str, Path], args: Namespace
) -> Iterator[str]:
    base = campaign.settings["player"]
    kept = {key: campaign.settings.get(key) for key in ("opening", "resign_below")}
    usual = {"games": args.games} | {key: value for key, value in kept.items() if value}
    yield f"title = {json.dumps('Validation: ' + written.get('title', base), ensure_ascii=False)}"
    yield f"seed = {seed(written.get('seed', 0), 'validation') % MAX_SEED}"
    yield from table("game", written.get("game", {}))
    for name, player in written["player"].items():
        yield from table(f"player.{word(name)}", player)
    for version, path in files.items():
        yield from table(f"player.{word(version)}", {"like": base, "patterns": str(path)})

    def known(figure: str) -> str:
        name = f"bgp.{campaign.settings['published']}.{figure}"
        return name if name in published.figures() else ""

    for first, second, figure in pairs([base, *files], campaign, args.against):
        match: dict[str, Any] = {"players": [first, second], **usual}
        if name := known(figure):
            match["published"] = name
        yield from table("match", match, "[[{}]]")
    if args.simulations:
        last = list(files)[-1]
        yield from table("match", {"players": [last, base], **usual}, "[[{}]]")
        for name in (last, base):
            yield f"vary.{word(name)}.simulations = {value(args.simulations)}"
        found = [known(f"simulations.{number}") for number in args.simulations]
        if any(found):
            yield f"vary.published = {value(found)}"


def pairs(
    versions: Sequence[str], campaign: CampaignTables, others: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    """Yield the players of each match, and the name of the papers' figure of it.

    The papers have two other opponents: "database", and "mogo", an earlier campaign's baseline.
    """
    for number, (before, version) in enumerate(pairwise(versions), 1):
        yield version, before, f"previous.{number}"
    for number, version in enumerate(versions[2:], 2):
        yield version, versions[0], f"baseline.{number}"
    for other in others:
        for number, version in enumerate(versions):
            yield version, other, f"{other}.{number}"


# TOML, the part that jobs need


def table(name: str, content: Mapping[str, Any], head: str = "[{}]") -> Iterator[str]:
    yield ""
    yield head.format(name)
    for key, one in content.items():
        yield f"{word(key)} = {value(one)}"


def word(key: str) -> str:
    """Return a key as it may stand."""
    plain = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if plain else json.dumps(key, ensure_ascii=False)


def value(one: Any) -> str:
    """Return a value: strings, lists, truths and numbers are written as in JSON."""
    return json.dumps(one, ensure_ascii=False)
