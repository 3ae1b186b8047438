"""The verb `schema`: the keys and values of job files, for editors and for the documents."""

import json
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter

from mcts_cluster.jobs import markdown, schema

EXAMPLES = """\
examples:
  mcts-cluster schema > job.schema.json

A job that begins with the line "#:schema job.schema.json" is completed and
checked by editors that use Taplo, such as VS Code with "Even Better TOML".
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument(
        "--format",
        choices=("json", "markdown"),
        default="json",
        help="a JSON Schema, or the tables of the documents (default: json)",
    )


def main(args: Namespace) -> None:
    if args.format == "json":
        print(json.dumps(schema.job(), indent=2, ensure_ascii=False))
        return
    for title, lines in markdown.tables().items():
        print(f"## {title}", "", *lines, "", sep="\n")
