"""The verb `bench`: measurements of speed, exchanges, the master, stopping rules and campaigns."""

import json
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import RenderableType

from mcts_cluster.benchmarks import (
    campaign_costs,
    error_rates,
    exchange_costs,
    exchange_model,
    master,
    speed,
)
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.errors import UserError
from mcts_cluster.parallel import mpi
from mcts_cluster.reports.formats import wide_console
from mcts_cluster.reports.pictures.figures import save_figure
from mcts_cluster.text_files import output_file

EXAMPLES = """\
examples:
  mcts-cluster bench                            the same as: bench speed
  mcts-cluster bench speed --only go9 --only go19.search --seconds 5
  mcts-cluster bench speed --json > before.json
  mcts-cluster bench speed --only go9 --patterns my.patterns
  mcts-cluster bench speed --compare './other-program 1'
  mpirun -n 8 mcts-cluster bench exchanges --json > 8.json
  mcts-cluster bench predict 2.json 8.json -o cost.png
  mpirun -n 65 mcts-cluster bench master 1      are 64 workers kept busy?
  mcts-cluster bench rules 0.501 0.504          error rates of stopping rules
  mcts-cluster bench campaigns 0.501 0.504      races until a good mutation is accepted
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    measures = parser.add_subparsers(title="what to measure (default: speed)", metavar="WHAT")
    for name, measure in MEASURES.items():
        one = measures.add_parser(name, help=measure.text, description=f"{name}: {measure.text}")
        measure.add_arguments(one)
        one.set_defaults(act=measure.act)
        if name == "speed":
            parser.set_defaults(**vars(one.parse_args([])))


def main(args: Namespace) -> int:
    act: Callable[[Namespace], None] = args.act
    act(args)
    return 0


def show(args: Namespace, figures: Any, *tables: RenderableType) -> None:
    if args.json:
        print(json.dumps(figures, indent=2))
    else:
        wide_console().print(*tables)


def add_json(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def add_only(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help="a workload, or the beginning of its name; may be repeated",
    )
    parser.add_argument(
        "--rounds", type=int, default=5, metavar="N", help="measured rounds (default: 5)"
    )


def check_rounds(args: Namespace) -> None:
    if args.rounds < 1:
        raise UserError(f"--rounds: {args.rounds} is too small, must be at least 1")


# Speed


def add_speed(parser: ArgumentParser) -> None:
    add_only(parser)
    parser.add_argument(
        "--seconds", type=float, default=1.0, metavar="S", help="seconds a round (default: 1)"
    )
    parser.add_argument(
        "--patterns", metavar="FILE", help="also measure searches of Go with these bias patterns"
    )
    parser.add_argument(
        "--compare",
        metavar="COMMAND",
        help="a program to run after each round; it prints lines such as 'go9.uniform 237000', "
        "playouts or simulations per CPU second of one thread",
    )
    add_json(parser)


def bench_speed(args: Namespace) -> None:
    with mpi.reported_once():
        if not 0 < args.seconds < inf:
            raise UserError(f"--seconds: {args.seconds:g} must be a number above 0")
        check_rounds(args)
        known = speed.WORKLOADS | (speed.searches_with(args.patterns) if args.patterns else {})
        workloads = {name: known[name] for name in speed.chosen(args.only or [], known)}
    found = speed.measure(workloads, args.seconds, args.rounds, args.compare)
    show(args, speed.as_object(found), speed.as_table(found))


# Exchanges


def add_exchanges(parser: ArgumentParser) -> None:
    add_only(parser)
    parser.add_argument(
        "--machines",
        type=int,
        action="append",
        metavar="N",
        help="machines on each rank; may be repeated (default: 1 and 4)",
    )
    add_json(parser)


def bench_exchanges(args: Namespace) -> None:
    machines = args.machines or exchange_costs.MACHINES
    with mpi.reported_once():
        check_rounds(args)
        most = exchange_costs.MAX_MACHINES
        for count in machines:
            if not 1 <= count <= most:
                raise UserError(f"--machines: {count} must be from 1 to {most}")
        names = speed.chosen(args.only or [], exchange_costs.WORKLOADS)
    measured = exchange_costs.measure(names, machines, args.rounds)
    if measured:
        show(args, measured.as_object(), *exchange_costs.tables(measured))


def add_predict(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files", type=Path, nargs="+", metavar="FILE", help="output of bench exchanges --json"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=output_file,
        metavar="OUT",
        help="also draw a figure: .png, .svg or .pdf",
    )


def bench_predict(args: Namespace) -> None:
    files = sorted(map(exchange_model.read, args.files), key=lambda one: one.ranks)
    groups = exchange_model.groups_of(files)
    if not groups:
        raise UserError(f"{args.files[0]}: measured on 1 rank, must be at least 2 (mpirun)")
    # A single rank is not disturbed by other ranks of its host.
    shapes = exchange_model.shapes(files[0])
    if args.output:
        save_figure(lambda: exchange_model.drawn(groups, shapes), args.output)
    for group in groups:
        wide_console().print(
            exchange_model.sums_table(group), exchange_model.exchanges_table(shapes, group)
        )


# The master of a run


def add_master(parser: ArgumentParser) -> None:
    parser.add_argument(
        "nap", type=float, metavar="SECONDS", help="duration of a game, in which its players sleep"
    )
    parser.add_argument(
        "--games", type=int, default=2000, metavar="N", help="games (default: 2000)"
    )
    add_json(parser)


def bench_master(args: Namespace) -> None:
    with mpi.reported_once():
        if not 0 <= args.nap < inf:
            raise UserError(f"SECONDS: {args.nap:g} must be a number of at least 0")
        if args.games < 1:
            raise UserError(f"--games: {args.games} is too small, must be at least 1")
    # The master is the first rank.
    costs = master.of_sleeping(args.nap, args.games)
    if costs:
        show(args, master.as_object(costs, args.nap), master.as_table(costs, args.nap))


# Stopping rules


def add_race(parser: ArgumentParser) -> None:
    """Add what races of `bench rules` and of `bench campaigns` have in common."""
    parser.add_argument(
        "lower", type=float, metavar="LOWER", help="a candidate is accepted above it"
    )
    parser.add_argument(
        "upper", type=float, metavar="UPPER", help="a candidate is discarded below it"
    )
    parser.add_argument(
        "--winners",
        choices=("one", "several"),
        default="one",
        help="whether a race ends with the first candidate that it accepts (default: one)",
    )
    parser.add_argument(
        "--risk", type=float, default=0.05, help="risk of error of a race (default: 0.05)"
    )
    parser.add_argument(
        "--first-batch",
        type=int,
        default=100,
        metavar="N",
        help="games of the first batch (default: 100)",
    )
    add_json(parser)


def race_settings(args: Namespace) -> RaceSettings:
    """Return them with one of the rules that will take their turns, one that needs most."""
    values = {key: getattr(args, key) for key in ("lower", "upper", "winners", "risk")}
    return RaceSettings.from_dict(
        {"stopping_rule": "sprt", **values, "first_batch": args.first_batch}
    )


def add_rules(parser: ArgumentParser) -> None:
    add_race(parser)
    parser.add_argument(
        "--races",
        type=int,
        default=10_000,
        metavar="N",
        help="races for each rule and rate (default: 10000)",
    )
    parser.add_argument(
        "--candidates",
        type=int,
        default=1,
        metavar="N",
        help="candidates in each race, all of one rate (default: 1)",
    )
    parser.add_argument(
        "--correlation",
        type=float,
        default=0.0,
        metavar="R",
        help="correlation of the two games of a pair (default: 0)",
    )


def bench_rules(args: Namespace) -> None:
    settings = race_settings(args)
    campaign_costs.check("--candidates", args.candidates, 1, 1000)
    if args.races < 1:
        raise UserError(f"--races: {args.races} is too small, must be at least 1")
    # At a rate other than one half the games of a pair cannot be fully opposite.
    least = max(-min(r, 1 - r) / max(r, 1 - r) for r in error_rates.rates(settings))
    if not least <= args.correlation <= 1:
        allowed = f"from {least:.2f} to 1 at these rates"
        raise UserError(f"--correlation: {args.correlation:g} must be {allowed}")
    races, candidates = args.races, args.candidates
    rows = list(error_rates.measure(settings, args.correlation, races, candidates))
    table = error_rates.as_table(rows, settings, races, candidates)
    show(args, error_rates.as_object(rows), table)


# Campaigns


def add_campaigns(parser: ArgumentParser) -> None:
    add_race(parser)
    for option, kind, what in (
        ("--share", float, "share of good mutations among all (default: 0.01 and 0.05)"),
        ("--good", float, "true rate of good mutations (default: 0.51 and 0.53)"),
        ("--other", float, "a rate of the others, all as likely (default: 0.5, 0.49, 0.47)"),
        ("--candidates", int, "candidates in each race (default: 1 and 10)"),
    ):
        text = f"{what}; may be repeated"
        parser.add_argument(option, type=kind, action="append", metavar="X", help=text)
    parser.add_argument(
        "--total-risk",
        type=float,
        default=0.0,
        metavar="RISK",
        help="of all races together, instead of --risk for each",
    )
    parser.add_argument(
        "--mutations",
        type=int,
        default=10_000,
        metavar="N",
        help="mutations to simulate for each rule (default: 10000)",
    )


def bench_campaigns(args: Namespace) -> None:
    settings = race_settings(args)
    given = {
        "shares": args.share,
        "good": args.good,
        "others": args.other,
        "candidates": args.candidates,
        "total_risk": args.total_risk,
    }
    question = campaign_costs.Question(**{key: one for key, one in given.items() if one})
    question.check(settings)
    if args.mutations < (least := campaign_costs.PARTS):
        raise UserError(f"--mutations: {args.mutations} is too small, must be at least {least}")
    costs = list(campaign_costs.measure(settings, question, args.mutations))
    table = campaign_costs.as_table(costs, settings, question)
    show(args, campaign_costs.as_object(costs), table)


class Measure(NamedTuple):
    """A sub-verb: its help, its arguments, and what carries it out."""

    text: str
    add_arguments: Callable[[ArgumentParser], None]
    act: Callable[[Namespace], None]


MEASURES = {
    "speed": Measure("measure playouts and searches of one core", add_speed, bench_speed),
    "exchanges": Measure(
        "measure what sharing costs a team, on all ranks of an MPI job",
        add_exchanges,
        bench_exchanges,
    ),
    "predict": Measure(
        "predict exchange cost for more ranks than were measured", add_predict, bench_predict
    ),
    "master": Measure(
        "measure how busy the master of a run keeps its workers", add_master, bench_master
    ),
    "rules": Measure("simulate the error rates of stopping rules", add_rules, bench_rules),
    "campaigns": Measure(
        "simulate how many races and games it takes until a good mutation is accepted",
        add_campaigns,
        bench_campaigns,
    ),
}
